"""Small changes of meaning: what a language offers to measure how sharp a suite is, and to make repair tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Variant(Protocol):
    """A changed program: the operator's name, the line of the original that it changed, and the text."""

    @property
    def operator(self) -> str:
        """What was done, such as `< to <=`."""
        ...

    @property
    def line(self) -> int:
        """Where, as a line of the program."""
        ...

    @property
    def program(self) -> str:
        """The whole changed program."""
        ...


class Mutators(Protocol):
    """The mutants of programs in a language."""

    def mutants(self, program: str, name: str) -> Sequence[Variant]:
        """All first-order mutants of a program's function; each parses and differs from the program."""
        ...
