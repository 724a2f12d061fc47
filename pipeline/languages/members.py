"""What a language says of the statements that a function may take along from its project."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from pipeline.records import Reason


class Kind(StrEnum):
    """What a member of a bundle is."""

    CONSTANT = "constant"
    FUNCTION = "function"
    CLASS = "class"


@dataclass(frozen=True)
class Standing:
    """What a statement at the top of a file would be as a member, or why it can't be one."""

    kind: Kind
    reason: Reason | None = None
    why: str = ""


class Members(Protocol):
    """What is asked of a language to take functions together with what they need of their project."""

    def standing(self, text: str, decorators: Collection[str]) -> Standing:
        """What a statement would be as a member; functions may have these decorators. Raises `Unreadable`."""
        ...

    def seem_changed(self, text: str, names: Collection[str]) -> Collection[str]:
        """Those of the names of which a text, read as letters, does not tell that it leaves their objects alone."""
        ...

    def changed(self, text: str, names: Collection[str]) -> Collection[str]:
        """Those of the names whose objects a statement changes in place, as far as it tells. Raises `Unreadable`."""
        ...

    def file_of(self, module: str, importer: str, files: Collection[str]) -> str | None:
        """Which of a project's files a module is that one of them imports, None where it is none of them."""
        ...

    def again(self, name: str, known: str) -> str:
        """A statement that gives something known by a name another name."""
        ...

    def bundle(self, imports: Sequence[str], members: Sequence[tuple[Kind, str]]) -> str:
        """Imports and members as a text behind which a function can stand."""
        ...
