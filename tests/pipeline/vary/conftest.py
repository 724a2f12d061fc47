"""The machine that suites are built on."""

from tests.pipeline.suites.conftest import machine

__all__ = ["machine"]
