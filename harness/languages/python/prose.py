"""Code between prose that no fence marks: the statements in a text, found one by one, the last ones first."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.languages.python.syntax import Module, Reader

MAX_PROSE = 100_000
"""How much of a text's end is looked at."""
_REACH, _JOINS, _PER_LINE = 400, 3, 8
"""How many lines further a bracket may be closed, how many ends a statement may have, what a look at a line costs."""
_STARTS = re.compile(
    r"(?:def|async|class|import|from|if|for|while|with|try|match|assert|del|global|raise|pass)\b|[@#\"'(\[{*]"
    r"|[A-Za-z_][\w.]*[ \t]*(?:[\[(=:,]|[-+*/%&|^]=|\*\*=|//=)"
)
_IS_CODE = re.compile(
    r"(?:def|async|class|import|from|return)\b|@|[\w.]+(?:\[[^\]\n]*\])?[ \t]*=[^=>]"
)
"""How lines begin without which a program is not what was written, even where they are wrong."""
_GOES_ON = ("else:", "elif ", "except:", "except ", "finally:", ")", "]", "}")


@dataclass(frozen=True)
class _Part:
    """Lines that may be one statement; `joined` are the places where a line at the margin was taken as its part."""

    start: int
    end: int
    joined: tuple[int, ...]


def modules_in(text: str, reader: Reader, nested: bool = False) -> list[Module]:
    """The runs of statements between the prose of a text, in order; what is indented as a whole counts as well."""
    text = textwrap.dedent(text[-MAX_PROSE:])
    lines = text.split("\n")
    if not reader.pays(len(text) // 4 + 2 * len(lines)):
        return []
    found: list[tuple[int, int]] = []
    for part in reversed(list(_parts(lines))):
        found += _statements(lines, part, reader)
    runs = _runs(sorted(set(found)), lines)
    made = [reader.read("\n".join(lines[start:end]) + "\n") for start, end in reversed(runs)]
    shifted = [] if nested else [one for text in _indented(lines, runs) for one in modules_in(text, reader, True)]
    return [*shifted, *(module for module in reversed(made) if module is not None)]


def without_prose(text: str, reader: Reader) -> Module | None:
    """The statements of a text that is code but for some lines of another kind: output, commands, remarks.

    None where something in it is code that does not parse: that is not to be mended.
    """
    lines = text.split("\n")
    kept: list[tuple[int, int]] = []
    for part in _parts(lines):
        found = _statements(lines, part, reader)
        if not found and _IS_CODE.match(lines[part.start]):
            return None
        kept += found
    return reader.read("\n".join(line for start, end in kept for line in lines[start:end]) + "\n") if kept else None


def first_module(text: str, reader: Reader) -> Module | None:
    """The run of statements with which a text begins, None where it begins with none."""
    lines = text.split("\n")
    found: list[tuple[int, int]] = []
    for part in _parts(lines):
        more = _statements(lines, part, reader)
        if not more or min(start for start, _ in more) > part.start or (not found and part.start):
            break
        found += more
    runs = _runs(sorted(found), lines)
    return reader.read("\n".join(lines[: runs[0][1]]) + "\n") if runs and runs[0][0] == 0 else None


def _parts(lines: Sequence[str]) -> Iterator[_Part]:
    """The text cut at the lines at the margin, those left out that go on with what stands above them."""
    start, joined, quotes, marked = -1, list[int](), 0, False
    for number, line in enumerate(lines):
        if line and not line[0].isspace():
            goes_on = start >= 0 and (marked or quotes % 2 or line.startswith(_GOES_ON))
            if goes_on and not marked:
                joined.append(number)
            if not goes_on:
                if start >= 0:
                    yield _Part(start, number, tuple(joined))
                start, joined, quotes = number, [], 0
            marked = line[0] == "@"
        quotes += line.count('"""') + line.count("'''")
    if start >= 0:
        yield _Part(start, len(lines), tuple(joined))


def _statements(lines: Sequence[str], part: _Part, reader: Reader) -> list[tuple[int, int]]:
    """Where statements of a part begin and end; none where it is prose."""
    if not _STARTS.match(lines[part.start]):
        return []
    for end in (part.end, *part.joined[:_JOINS], *_closed(lines, part, reader)):
        module = reader.read("\n".join(lines[part.start : end]) + "\n")
        if module is not None and not all(map(_shows_a_value, module.tree.body)):
            return [(part.start, end)]
    return []


def _shows_a_value(statement: ast.stmt) -> bool:
    """Whether it does nothing, as words and results that happen to be expressions."""
    return isinstance(statement, ast.Expr) and not any(
        isinstance(node, (ast.Call, ast.Await, ast.NamedExpr)) for node in ast.walk(statement))


def _closed(lines: Sequence[str], part: _Part, reader: Reader) -> list[int]:
    """The line behind the one at which the brackets that a part leaves open are closed, if that comes soon."""
    depth = 0
    for number in range(part.start, min(len(lines), part.start + _REACH)):
        line = lines[number]
        if not reader.pays(_PER_LINE + len(line) // _PER_LINE):
            break
        depth += sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
        if depth <= 0:
            return [number + 1] if number + 1 > part.end else []
    return []


def _runs(found: Sequence[tuple[int, int]], lines: Sequence[str]) -> list[tuple[int, int]]:
    """Statements that follow each other directly, as one; those within others are left out."""
    runs: list[tuple[int, int]] = []
    for start, end in found:
        if runs and start < runs[-1][1]:
            continue
        if runs and not any(line.strip() for line in lines[runs[-1][1] : start]):
            runs[-1] = runs[-1][0], end
        else:
            runs.append((start, end))
    return runs


def _indented(lines: Sequence[str], runs: Sequence[tuple[int, int]]) -> list[str]:
    """The texts of blocks that are indented as a whole behind a line of prose, as Markdown marks code."""
    inside = {number for start, end in runs for number in range(start, end)}
    blocks: list[list[str]] = [[]]
    for number, line in enumerate(lines):
        if number in inside or (line.strip() and not line[0].isspace()):
            blocks.append([])
        else:
            blocks[-1].append(line)
    return [textwrap.dedent("\n".join(block)).strip("\n") + "\n" for block in blocks if any(map(str.strip, block))]
