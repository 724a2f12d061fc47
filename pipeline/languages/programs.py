"""Programs: a function with the imports that it needs, as a text that runs, and texts made of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Unreadable(Exception):
    """A text that the language refuses, or that lacks the function which is asked for; says why."""


class Programs(Protocol):
    """How a language puts programs together and takes them apart."""

    def program(self, imports: Sequence[str], source: str, before: str = "") -> str:
        """Imports or what else stands before, then the function without its decorators.

        Raises `Unreadable` where the runtime refuses it.
        """
        ...

    def plain(self, program: str) -> str:
        """The program's code in one layout, without comments; documentation stays."""
        ...

    def imports(self, text: str) -> tuple[str, ...]:
        """The import statements at the top of a text."""
        ...

    def stub(self, instruction: str) -> str:
        """An answer that does nothing: an instruction (imports, signature, documentation) with an idle body."""
        ...

    def renamed(self, program: str, old: str, new: str) -> str:
        """The program with a function called otherwise; raises `Unreadable` where that can't be.

        Texts stay as they are, but for its own documentation, and renaming back gives the same code again.
        """
        ...

    def fault(self, text: str) -> str:
        """What is wrong with the syntax of a text, "" where nothing is."""
        ...
