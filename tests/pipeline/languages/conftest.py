"""Repositories for tests that mine."""

from tests.pipeline.sources.conftest import context, repository

__all__ = ["context", "repository"]
