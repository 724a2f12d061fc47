"""Python's names, as the classification asks for them."""

from __future__ import annotations

from pipeline.languages.python.scoping import RULES, read
from pipeline.languages.scoping import Reading, ScopeSink


class PythonNaming:
    """How Python looks names up, and what a file defines and uses."""

    rules = RULES

    def read(self, data: bytes, sink: ScopeSink) -> Reading:
        """Report to a sink everything that a file defines and uses."""
        return read(data, sink)
