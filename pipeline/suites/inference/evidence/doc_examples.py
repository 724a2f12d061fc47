"""Values that the documentation shows: arguments of doctests, literals in quotes, what stands left of an arrow."""

from __future__ import annotations

import ast
import re
from typing import Any

from pipeline.suites.inference.evidence.prose import literal
from pipeline.suites.rules import finds

MAX_EXAMPLES = 8
MAX_TEXT = 120
_QUOTED = re.compile(r"``([^`\n]+)``|`([^`\n]+)`|(?<![\w'])('[^'\n]{1,60}'|\"[^\"\n]{1,60}\")(?![\w'])")
_LEAD = re.compile(r"(?:e\.g\.,?|i\.e\.,?|such as|for example,?|for instance,?|like)\s+(\S+)", re.IGNORECASE)
_NOTATION = re.compile(r"\b(?:Y{2,4}|[MDHShms]{1,2})\+?(?:[:/.-](?:Y{2,4}|[MDHSdhms]{1,2})\+?){1,5}(?![\w+])")
_ARROW = re.compile(r"\s*(?:->|→|=>|⇒|\bbecomes\b|\bgives\b)\s*")
_PROMPT = re.compile(r"^\s*(>>>|\.\.\.)\s?(.*)$")


@finds("examples: sessions", dict)
def doctest_arguments(text: str, entry_point: str, names: list[str]) -> dict[str, list[Any]]:
    """The literal arguments of calls of the function in doctests, by parameter; `names` are the positional ones."""
    found: dict[str, list[Any]] = {}
    known: dict[str, Any] = {}
    for source in _sessions(text):
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                _note(known, node.targets[0].id, node.value)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func).rsplit(".", 1)[-1] == entry_point:
                _collect(found, node, names, known)
    return found


def _sessions(text: str) -> list[str]:
    """The statements after prompts, with their continuation lines."""
    made: list[str] = []
    for line in text.splitlines():
        match = _PROMPT.match(line)
        if match and match.group(1) == "...":
            if made:
                made[-1] += "\n" + match.group(2)
        elif match:
            made.append(match.group(2))
    return made


def _note(known: dict[str, Any], name: str, node: ast.expr) -> None:
    try:
        known[name] = literal(ast.unparse(node))
    except ValueError:
        known.pop(name, None)


def _collect(found: dict[str, list[Any]], node: ast.Call, names: list[str], known: dict[str, Any]) -> None:
    given = [*zip(names, node.args, strict=False), *((word.arg or "", word.value) for word in node.keywords)]
    for name, argument in given:
        try:
            value = known[argument.id] if isinstance(argument, ast.Name) else literal(ast.unparse(argument))
        except (KeyError, ValueError):
            continue
        found.setdefault(name, []).append(value)


@finds("examples: values in prose", list)
def shown(text: str) -> list[Any]:
    """Values that prose shows: quoted ones, what follows `e.g.`, what an arrow leads away from."""
    made: list[Any] = []
    for line in _outside_sessions(text):
        sides = _ARROW.split(line)
        if len(sides) == 2:
            made += _before_arrow(sides[0])
            continue
        for match in _QUOTED.finditer(line):
            made += _value(match.group(1) or match.group(2) or match.group(3))
        for match in _LEAD.finditer(line):
            made += _value(match.group(1).strip("`).,;"), quoted_only=True)
        made += [_spelled(match.group()) for match in _NOTATION.finditer(line)]
    return [one for place, one in enumerate(made) if one not in made[:place]]


def _spelled(notation: str) -> str:
    """A text in a notation of dates and times: `2024-05-17` for `YYYY-MM-DD`."""
    numbers = {"YYYY": "2024", "YY": "24", "DD": "17", "HH": "09", "SS": "30"}

    def number(match: re.Match[str]) -> str:
        run = match.group().rstrip("+").upper()
        return numbers.get(run, "0" * (len(run) - 1) + "5")

    return re.sub(r"[A-Za-z]+\+?", number, notation)


def _outside_sessions(text: str) -> list[str]:
    """The lines that are neither prompts nor what follows them up to a blank line."""
    made, inside = [], False
    for line in text.splitlines():
        inside = bool(_PROMPT.match(line)) or (inside and bool(line.strip()))
        if not inside:
            made.append(line)
    return made


def _before_arrow(text: str) -> list[Any]:
    """The longest literal that ends a text."""
    text = text.rstrip().strip("`")
    starts = [0, *(match.end() for match in re.finditer(r"[\s`]|(?<=\()", text))]
    for start in starts:
        value = _value(text[start:], quoted_only=True)
        if value:
            return value
    return []


def _value(text: str, quoted_only: bool = False) -> list[Any]:
    """The value of a literal, or the text itself where its signs show that it is one; empty for a word of prose."""
    text = text.strip()
    try:
        value = literal(text)
    except ValueError:
        # A bare name, dotted or not, is one of the code; signs and digits make a text.
        telling = re.search(r"[0-9:/@=-]", text) and not re.search(r"[({]|\.\.\.", text)
        return [text] if telling and not quoted_only and len(text) <= MAX_TEXT else []
    if value is None or isinstance(value, (bool, type(Ellipsis))) or len(text) > MAX_TEXT:
        return []
    return [value]
