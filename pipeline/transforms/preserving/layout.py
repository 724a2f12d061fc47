"""Operators that change nothing but how the text is laid out."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from itertools import pairwise
from token import COMMENT, DEDENT, ENDMARKER, INDENT, NEWLINE, NL, STRING
from tokenize import TokenInfo, generate_tokens

from pipeline.transforms.preserving.draft import Draft
from pipeline.transforms.preserving.places import blocks

_INDENT = "    "
_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")


def first_line(node: ast.stmt) -> int:
    """The line in which a statement begins, its decorators included."""
    decorators = node.decorator_list if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) else []
    return min([node.lineno, *(one.lineno for one in decorators)])


def beginnings(draft: Draft) -> list[tuple[int, ast.stmt, bool]]:
    """The statements of the function by the lines in which they begin, and whether each is the first of its block.

    What is written as `elif` is no statement.
    """
    lines = draft.source.split("\n")
    found = [(node, not place) for block in blocks(draft.function) for place, node in enumerate(block)]
    placed = [(first_line(node), node, first) for node, first in found]
    return [one for one in placed if not lines[one[0] - 1].lstrip().startswith("elif ")]


def with_lines(text: str, added: Mapping[int, str]) -> str:
    """The text with a line before each of these, numbered from 1; one that says something is indented alike."""
    made: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if number in added:
            indent = line[: len(line) - len(line.lstrip())]
            made.append(f"{indent}{added[number]}".rstrip())
        made.append(line)
    return "\n".join(made)


class BlankLines:
    """An empty line before statements that are not the first of their block."""

    name = "BlankLines"
    version = 1

    def sites(self, draft: Draft) -> int:
        """How many such statements there are."""
        return len(_later(draft))

    def write(self, draft: Draft) -> str:
        """The text with the lines."""
        return with_lines(draft.source, dict.fromkeys(draft.chosen(_later(draft)), ""))


def _later(draft: Draft) -> list[int]:
    return [line for line, _, first in beginnings(draft) if not first]


class Tabs:
    """Tabs in place of four spaces each, in the whole program."""

    name = "Tabs"
    version = 1

    def sites(self, draft: Draft) -> int:
        """One, as tabs and spaces don't go together."""
        return int(f"\n{_INDENT}" in draft.source)

    def write(self, draft: Draft) -> str:
        """The text with tabs, but where a text of several lines goes on."""
        draft.chosen([draft.function])
        within = {
            line for token in _tokens(draft.source) if token.type == STRING
            for line in range(token.start[0] + 1, token.end[0] + 1)
        }
        lines = enumerate(draft.source.split("\n"), 1)
        return "\n".join(line if number in within else _tabbed(line) for number, line in lines)


def _tabbed(line: str) -> str:
    rest = line.lstrip(" ")
    return "\t" * ((len(line) - len(rest)) // len(_INDENT)) + rest


def _tokens(text: str) -> Iterator[TokenInfo]:
    return generate_tokens(StringIO(text).readline)


class SplitLines:
    """Statements with brackets go on in a second line, behind a bracket or a comma that is drawn."""

    name = "SplitLines"
    version = 1

    def sites(self, draft: Draft) -> int:
        """How many lines of the function can be split."""
        return len(_splittable(draft))

    def write(self, draft: Draft) -> str:
        """The text with split lines."""
        lines = draft.source.split("\n")
        for places in draft.chosen(_splittable(draft)):
            line, column = draft.random.choice(places)
            text = lines[line - 1]
            indent = text[: len(text) - len(text.lstrip())]
            lines[line - 1] = f"{text[:column].rstrip()}\n{indent}{_INDENT * 2}{text[column:].lstrip()}"
        return "\n".join(lines)


def _splittable(draft: Draft) -> list[list[tuple[int, int]]]:
    """Where each statement that stands in one line can be split: line and column."""
    function = draft.function
    found: list[list[tuple[int, int]]] = []
    statement: list[TokenInfo] = []
    for token in _tokens(draft.source):
        if token.type not in (NEWLINE, NL, COMMENT, INDENT, DEDENT, ENDMARKER):
            statement.append(token)
        elif token.type == NEWLINE:
            inside = function.lineno <= statement[0].start[0] <= (function.end_lineno or 0)
            places = _gaps(statement) if inside and statement[0].start[0] == statement[-1].end[0] else []
            found += [places] if places else []
            statement = []
    return found


def _gaps(statement: Sequence[TokenInfo]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    depth = 0
    for token, behind in pairwise(statement):
        depth += (token.string in _OPENING) - (token.string in _CLOSING)
        if depth and token.string in (*_OPENING, ",") and behind.string not in _CLOSING:
            found.append(token.end)
    return found
