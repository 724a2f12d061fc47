"""Python's names: the rules of its scopes as data, and the reader that reports what a file defines and uses."""

from __future__ import annotations

from pipeline.languages.python.scoping.rules import RULES
from pipeline.languages.python.scoping.table import read

__all__ = ["RULES", "read"]
