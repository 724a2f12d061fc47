"""Values and calls as a reply may give them: constants, containers, and what makes the values that we show.

Nothing that computes is among them, and nothing is evaluated here: what is found is a text, whose names were all looked
up in a list, and which then runs where answers run.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from harness.languages.fences import after_reasoning
from harness.values import FUNCTIONS, NUMBER_TYPES, SPARSE, TYPES
from harness.values.expressions import Names

MAX_CHARS = 20_000
"""Characters of a value; a reply may be longer, but only so much of its end is looked at."""
MAX_DEPTH = 100
_ASSERTIONS, _LINES, _COLONS = 20, 200, 3
"""How many assertions, and lines, of a reply are tried, from its end; and behind how many colons of a line."""

_USUAL = {
    "np": "import numpy as np", "numpy": "import numpy", "pd": "import pandas as pd", "pandas": "import pandas",
    "scipy": "import scipy.sparse", "math": "import math", "operator": "import operator", "re": "import re",
    "datetime": "import datetime", "decimal": "import decimal", "fractions": "import fractions",
    "collections": "import collections", "pathlib": "import pathlib", "uuid": "import uuid", "typing": "import typing",
    "ipaddress": "import ipaddress", "zoneinfo": "import zoneinfo", "array": "from numpy import array",
    "nan": "from math import nan", "inf": "from math import inf", "ZoneInfo": "from zoneinfo import ZoneInfo",
    **{name: f"from collections import {name}" for name in ("deque", "Counter", "OrderedDict", "defaultdict")},
    **{name: f"from datetime import {name}" for name in ("date", "time", "timedelta", "timezone")},
    "Decimal": "from decimal import Decimal", "Fraction": "from fractions import Fraction",
    "UUID": "from uuid import UUID",
    **{name: f"from pathlib import {name}" for name in (
        "Path", "PosixPath", "PurePath", "PurePosixPath", "PureWindowsPath")},
    **{name: f"from ipaddress import {name}" for name in (
        f"IPv{version}{kind}" for version in (4, 6) for kind in ("Address", "Network", "Interface"))},
}
"""What names of libraries mean where the task's imports don't say it."""
_MAKERS = frozenset({
    *("float complex set frozenset bytearray bytes range slice iter list tuple dict type".split()),
    *(f"collections.{name}" for name in ("deque", "Counter", "OrderedDict", "defaultdict")),
    *(f"datetime.{name}" for name in ("date", "time", "datetime", "timedelta", "timezone")),
    "zoneinfo.ZoneInfo", "decimal.Decimal", "fractions.Fraction", "uuid.UUID", "re.compile", "re.RegexFlag",
    *(f"pathlib.{name}" for name in ("Path", "PosixPath", "PurePath", "PurePosixPath", "PureWindowsPath")),
    *(f"ipaddress.IPv{version}{kind}" for version in (4, 6) for kind in ("Address", "Network", "Interface")),
    *(f"numpy.{name}" for name in ("array", "empty", "dtype", *NUMBER_TYPES)),
    *(f"pandas.{name}" for name in (
        "Series", "DataFrame", "Timestamp", "Timedelta", "array", "Index", "RangeIndex", "DatetimeIndex",
        "TimedeltaIndex", "CategoricalIndex", "PeriodIndex", "MultiIndex")),
    *(f"scipy.sparse.{name}" for name in SPARSE),
})  # fmt: skip
"""What may be called: constructors, with literals."""
_CONSTANTS = frozenset({
    "datetime.timezone.utc", "datetime.UTC", "math.nan", "math.inf", "numpy.nan", "numpy.inf", "pandas.NaT",
    "pandas.NA", *(f"re.{flag}" for flag in (
        "ASCII", "IGNORECASE", "LOCALE", "MULTILINE", "DOTALL", "VERBOSE", "UNICODE", "NOFLAG")),
    *(f"numpy.{name}" for name in NUMBER_TYPES), *FUNCTIONS, *TYPES, "typing.Any",
})
"""What may stand by its name alone: numbers, flags, and the functions and classes that values may be."""
_TYPE_HEADS = re.compile(r"(?:typing\.\w+|dict|frozenset|list|set|tuple|type)")


class NotLiteral(ValueError):
    """The text is no value, or no call with values; the message says what is in the way."""


@dataclass(frozen=True)
class Literal:
    """An expression that computes nothing, in one line, and the import lines that it needs."""

    text: str
    imports: tuple[str, ...]


def value(text: str, imports: Sequence[str] = ()) -> Literal:
    """A value as a literal; `imports` say what names mean. Raises `NotLiteral`."""
    return _Check(imports).literal(_expression(text))


def call(text: str, name: str, imports: Sequence[str] = ()) -> Literal:
    """A call of the function of that name with literals as its arguments; raises `NotLiteral`."""
    node = _expression(text)
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name):
        raise NotLiteral(f"it is no call of {name}")
    check = _Check(imports)
    check.arguments(node, 0)
    return Literal(ast.unparse(node), check.needed())


def _expression(text: str) -> ast.expr:
    if len(text) > MAX_CHARS:
        raise NotLiteral(f"it has more than {MAX_CHARS} characters")
    tree = _parsed(text.strip(), "eval")
    if not isinstance(tree, ast.Expression):
        raise NotLiteral("it is no expression")
    return tree.body


def _parsed(text: str, mode: str) -> ast.AST | None:
    try:
        return ast.parse(text, mode=mode)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


class _Check:
    """One look at an expression: whether all that is in it is a literal, and which names it needs."""

    def __init__(self, imports: Sequence[str]) -> None:
        self.bound = {short: qualified for qualified, short in Names.of(imports).bound.items()}
        self.lines = {short: line for line in imports for short in Names.of([line]).bound.values()}
        self.used: set[str] = set()

    def literal(self, node: ast.expr) -> Literal:
        """The expression as a literal."""
        self.check(node, 0)
        return Literal(ast.unparse(node), self.needed())

    def needed(self) -> tuple[str, ...]:
        """The import lines for the names that were used."""
        return tuple(sorted(self.used))

    def check(self, node: ast.expr, depth: int) -> None:
        """Raise `NotLiteral` unless it is a literal."""
        if depth > MAX_DEPTH:
            raise NotLiteral(f"it has more than {MAX_DEPTH} levels")
        match node:
            case ast.Constant():
                pass
            case ast.UnaryOp(ast.UAdd() | ast.USub(), operand) if self.is_number(operand):
                self.check(operand, depth + 1)
            case ast.BinOp(left, ast.Add() | ast.Sub(), ast.Constant(complex())) if self.is_number(left):
                self.check(left, depth + 1)
            case ast.List(items) | ast.Tuple(items) | ast.Set(items):
                self.all(items, depth)
            case ast.Dict(keys, values):
                self.all([*keys, *values], depth)
            case ast.Call():
                self.made(node, depth)
            case ast.Name() | ast.Attribute() | ast.Subscript() | ast.BinOp(op=ast.BitOr()):
                self.name(node, depth)
            case _:
                raise NotLiteral(f"{type(node).__name__} is no part of a value")

    def is_number(self, node: ast.expr) -> bool:
        """Whether a sign may stand before it."""
        if isinstance(node, ast.UnaryOp):
            return self.is_number(node.operand)
        if isinstance(node, ast.Constant):
            return type(node.value) in (int, float, complex)
        dotted = _dotted(node.func if isinstance(node, ast.Call) else node)
        return dotted is not None and self.qualified(dotted, False) in (
            "float", "math.inf", "math.nan", "numpy.inf", "numpy.nan")

    def all(self, items: Sequence[ast.expr | None], depth: int) -> None:
        """Check each; None stands for what is taken apart by stars."""
        for item in items:
            if item is None:
                raise NotLiteral("stars are no part of a value")
            self.check(item, depth + 1)

    def made(self, node: ast.Call, depth: int) -> None:
        """A value that a constructor makes."""
        dotted = _dotted(node.func)
        qualified = dotted and self.qualified(dotted, called=True)
        if qualified not in _MAKERS:
            raise NotLiteral(f"{dotted or 'something'} is called, which makes no value")
        self.arguments(node, depth)

    def arguments(self, node: ast.Call, depth: int) -> None:
        """What is given to a constructor, or to the function that is asked about."""
        if any(keyword.arg is None for keyword in node.keywords):
            raise NotLiteral("stars are no part of a value")
        self.all([*node.args, *(keyword.value for keyword in node.keywords)], depth)

    def name(self, node: ast.expr, depth: int) -> None:
        """A name that stands for a value, a type with types in brackets, or several of them with strokes between."""
        if depth > MAX_DEPTH:
            raise NotLiteral(f"it has more than {MAX_DEPTH} levels")
        match node:
            case ast.BinOp(left, ast.BitOr(), right):
                for side in (left, right):
                    if not (isinstance(side, ast.Constant) and side.value is None):
                        self.name(side, depth + 1)
            case ast.Subscript(head, inside):
                dotted = _dotted(head)
                if dotted is None or not _TYPE_HEADS.fullmatch(self.qualified(dotted, False)):
                    raise NotLiteral("something is taken out of a value")
                self.all(inside.elts if isinstance(inside, ast.Tuple) else [inside], depth)
            case _:
                dotted = _dotted(node)
                if dotted is None or self.qualified(dotted, False) not in _CONSTANTS:
                    raise NotLiteral(f"{dotted or type(node).__name__} is no value")

    def qualified(self, dotted: str, called: bool) -> str:
        """What a name means, which is imported for it."""
        root, _, rest = dotted.partition(".")
        if dotted in FUNCTIONS and root not in self.bound and hasattr(builtins, root):
            return dotted
        if called and dotted in ("datetime", "time", "date") and root not in self.bound:
            line, qualified = f"from datetime import {root}", f"datetime.{root}"
        elif root in self.bound:
            line, qualified = self.lines[root], self.bound[root]
        elif hasattr(builtins, root):
            return dotted
        elif root in _USUAL:
            line = _USUAL[root]
            qualified = next(iter(Names.of([line]).bound), "scipy")
        else:
            return ""
        self.used.add(line)
        return f"{qualified}.{rest}" if rest else qualified


def _dotted(node: ast.expr) -> str | None:
    """A name with dots, None for what is none."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join((node.id, *reversed(parts))) if isinstance(node, ast.Name) else None


def found(reply: str, fits: Callable[[str], bool], right: bool) -> str:
    """The value (where `right`) or the call in a reply, by what stands last; what fits nowhere is given as it stands.

    It may be a side of an assertion or of a comparison, stand between tags that say answer, in a fence, or on a line.
    """
    text = after_reasoning(reply)[0][-5 * MAX_CHARS :].replace("\r\n", "\n").strip().lstrip("\ufeff")
    for part in _candidates(text, right):
        if fits(part):
            return part
    return text[-MAX_CHARS:]


def _candidates(text: str, right: bool) -> Iterator[str]:
    yield text
    for part in reversed(re.findall(r"\[ANSWER\](.*?)(?:\[/ANSWER\]|\Z)", text, re.S | re.I)[-_ASSERTIONS:]):
        yield from _sides(part.strip(), right)
        yield part.strip()
    lines = text.split("\n")
    starts = [number for number, line in enumerate(lines) if re.match(r"\s*assert\b", line)]
    for start in reversed(starts[-_ASSERTIONS:]):
        for end in range(start + 1, min(len(lines), start + 40) + 1):
            sides = list(_sides("\n".join(lines[start:end]).strip(), right))
            if sides:
                yield from sides
                break
    fences = re.findall(r"^[ \t]*```[^\n`]*\n(.*?)^[ \t]*```", text, re.S | re.M)
    for part in reversed(fences[-_ASSERTIONS:]):
        yield part.strip()
    for line in reversed(lines[-_LINES:]):
        line = line.strip()
        yield from _sides(line, right)
        yield line
        yield from reversed(re.findall(r"`([^`]+)`", line))
        for behind in list(re.finditer(r":\s+", line))[:_COLONS]:
            yield line[behind.end() :].rstrip(".").strip("*` ")


def _sides(text: str, right: bool) -> Iterator[str]:
    """That side of a comparison, or of an assertion of one."""
    tree = _parsed(text, "exec") if "==" in text or " is " in text else None
    if not isinstance(tree, ast.Module) or len(tree.body) != 1:
        return
    statement = tree.body[0]
    test = statement.test if isinstance(statement, ast.Assert) else getattr(statement, "value", None)
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (ast.Eq, ast.Is)):
        side = test.comparators[0] if right else test.left
        yield ast.get_source_segment(text, side) or ""

