"""Whether an answer leaves the code around it as it is: judged by the syntax tree, in the place of the reference."""

from __future__ import annotations
import __future__

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from harness.records import Frame

_Key = tuple[str, int, int]
_IN_ANSWER: _Key = ("answer", 0, 0)


def placed(frame: Frame, answer: str) -> tuple[Frame, str]:
    """The frame and the answer with the answer's `from __future__` imports, if it begins with any, before both.

    The lines of the answer stay where they are; what the frame imports so already is not imported again.
    """
    try:
        first = list(_futures(ast.parse(answer)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frame, answer
    names = {alias.name for node in first for alias in node.names}
    if not first or not names <= set(__future__.all_feature_names):
        return frame, answer
    lines = answer.split("\n")
    for node in first:
        line = lines[node.lineno - 1].encode()
        end = node.end_lineno or node.lineno
        rest = lines[end - 1].encode()[node.end_col_offset :].decode()
        lines[node.lineno - 1 : end] = [line[: node.col_offset].decode() + "pass" + rest, *[""] * (end - node.lineno)]
    lacking = sorted(names - _imported(frame.before))
    before = f"from __future__ import {', '.join(lacking)}\n{frame.before}" if lacking else frame.before
    return replace(frame, before=before), "\n".join(lines)


def _futures(tree: ast.Module) -> Iterator[ast.ImportFrom]:
    """The imports from `__future__` that a file begins with, behind its documentation."""
    for place, node in enumerate(tree.body):
        if isinstance(node, ast.ImportFrom) and node.module == "__future__" and not node.level:
            yield node
        elif place or not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            return


def _imported(before: str) -> set[str]:
    try:
        return {alias.name for node in _futures(ast.parse(before)) for alias in node.names}
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()


def fits(frame: Frame, answer: str, reference: str) -> bool:
    """Whether the statements of the frame are where they are around the reference, the answer's under the same ones.

    What makes no program is left to the compiler.
    """
    try:
        wanted, found = (_outline(frame, one) for one in (reference, answer))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    return wanted.around == found.around and found.under <= wanted.under


@dataclass(frozen=True)
class _Outline:
    """The statements around an answer with those that they stand in, and what the answer's own stand in."""

    around: tuple[tuple[str, _Key, _Key, _Key], ...]
    under: frozenset[_Key]


def _outline(frame: Frame, answer: str) -> _Outline:
    places = _Places(frame, answer)
    around, under = [], set()
    for statement, parent in _statements(ast.parse(frame.before + answer + frame.after)):
        start, end = places.start(statement), places.end(statement)
        above = places.start(parent) if parent is not None else ("", 0, 0)
        if start != _IN_ANSWER:
            around.append((type(statement).__name__, start, end, above))
        elif above != _IN_ANSWER:
            under.add(above)
    return _Outline(tuple(around), frozenset(under))


def _statements(tree: ast.AST, parent: ast.stmt | None = None) -> Iterator[tuple[ast.stmt, ast.stmt | None]]:
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.stmt):
            yield child, parent
        yield from _statements(child, child if isinstance(child, ast.stmt) else parent)


class _Places:
    """Places of a program, counted from its beginning before the answer, and from its end behind it."""

    def __init__(self, frame: Frame, answer: str) -> None:
        self.lines = (frame.before + answer + frame.after).encode().split(b"\n")
        self.first = self._behind(frame.before)
        self.last = self._behind(frame.before + answer)

    def _behind(self, text: str) -> tuple[int, int]:
        return text.count("\n") + 1, len(text.rpartition("\n")[2].encode())

    def start(self, node: ast.stmt) -> _Key:
        """Where a statement begins."""
        place = node.lineno, node.col_offset
        return self._key(place, place < self.first, place < self.last)

    def end(self, node: ast.stmt) -> _Key:
        """Where a statement ends."""
        place = node.end_lineno or node.lineno, node.end_col_offset or 0
        return self._key(place, place <= self.first, place <= self.last)

    def _key(self, place: tuple[int, int], before: bool, inside: bool) -> _Key:
        line, column = place
        if before:
            return "before", line, column
        return _IN_ANSWER if inside else ("after", len(self.lines) - line, len(self.lines[line - 1]) - column)
