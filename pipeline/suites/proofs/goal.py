"""Goals: the branches and statements that a suite has to take, as coverage.py names them."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from pipeline.transforms.altering.members import in_words

Place = tuple[int, int, int, int]
"""Where an expression or a statement begins and ends: lines and columns."""


@dataclass(frozen=True)
class Goal:
    """A branch (`line` to `target`; a negative target leaves the function) or a statement (`target` 0).

    `member` names the function that it stands in where that is a member.
    """

    line: int
    target: int = 0
    member: str = field(default="", compare=False)

    def __str__(self) -> str:
        line = in_words(self.line, self.member)
        if not self.target:
            return line
        return f"{line} to " + (f"line {self.target}" if self.target > 0 else "the end of the function")


def place_of(node: ast.expr | ast.stmt) -> Place:
    """The place of a part of a program."""
    return node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0
