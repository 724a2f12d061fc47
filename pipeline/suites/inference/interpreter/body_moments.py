"""Reading moments: texts that are read as such, frequencies, units of time, zones."""

from __future__ import annotations

import ast
import datetime
from typing import Protocol

from pipeline.suites.inference.clues import Clue
from pipeline.suites.inference.evidence.expected_arguments import expect
from pipeline.suites.rules import notes


class Reading(Protocol):
    """What a reader of statements offers to the reading of moments."""

    dates: list[str]

    def read(self, node: ast.expr | None) -> Clue:
        """The clue of an expression."""
        ...


_RANGES = frozenset(f"pandas.{one}_range" for one in ("date", "bdate", "period", "timedelta"))
_PLACES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_RANGES, ("", "", "count", "frequency")),
    "pandas.tseries.frequencies.to_offset": ("frequency",),
    **dict.fromkeys(("pandas.Timedelta", "pandas.to_timedelta"), ("", "time unit")),
    "pandas.Period": ("", "frequency"),
    **dict.fromkeys(("zoneinfo.ZoneInfo", "pytz.timezone", "dateutil.tz.gettz"), ("zone",)),
}
"""What functions take, by position: formats of texts."""
_METHODS = {
    **dict.fromkeys("resample asfreq to_period to_timestamp".split(), "frequency"),
    **dict.fromkeys("tz_localize tz_convert".split(), "zone"),
}
_ROUNDING = frozenset("floor ceil round".split())
_WORDS = {"freq": "frequency", "tz": "zone"}
_KNOWN = (
    datetime.datetime(2023, 1, 15, 8, 30),
    datetime.datetime(1999, 12, 31, 23, 59, 59),
    datetime.datetime(2020, 2, 29),
    datetime.datetime(2009, 10, 5, 14),
)
"""Moments that numbers are written as."""


@notes("moments: keywords")
def keyword(name: str, word: str | None, clue: Clue) -> None:
    """Note what keyword arguments of functions and methods on moments are."""
    if name in _RANGES and word in ("start", "end"):
        clue.vote("datetime", f"{name} begins or ends there", 3)
    form = _WORDS.get(word or "", "")
    if word == "unit" and name.endswith(("imedelta", "to_datetime", "Timestamp")):
        form = "time unit"
    if form and not (word == "tz" and name == "datetime.now"):
        _in_format(clue, form, name)


@notes("moments: calls")
def called(name: str, clues: list[Clue]) -> None:
    """Note what a function takes that makes moments."""
    for form, clue in zip(_PLACES.get(name, ()), clues, strict=False):
        if form == "count":
            expect(clue, form, name)
        elif form:
            _in_format(clue, form, name)
    if name in _RANGES:
        for clue in clues[:2]:
            clue.vote("datetime", f"{name} begins or ends there", 2)


@notes("moments: methods")
def method(name: str, clue: Clue, arguments: list[Clue], names: dict[str, str]) -> None:
    """Note what a method on moments takes."""
    form = _METHODS.get(name, "frequency" if name in _ROUNDING and clue.votes.get("datetime") else "")
    if form and arguments and "pandas" in names.values():
        _in_format(arguments[0], form, name)
    if name in ("rolling", "shift") and arguments and "frequency" not in arguments[0].formats:
        # Mostly a number; where it is a text, it is a span of time.
        arguments[0].formats.append("frequency")


def _in_format(clue: Clue, form: str, why: str) -> None:
    clue.vote("str", f"{why} takes it", 3)
    if form not in clue.formats:
        clue.formats.append(form)


@notes("moments: read")
def read(reader: Reading, node: ast.Call, name: str, clue: Clue) -> None:
    """Note that moments are read, in the format that is given for them, out of texts then."""
    given = [one.value for one in node.keywords if one.arg == "format"]
    pattern = next((one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)), "")
    match node.args[0]:
        case ast.Call(ast.Name("str"), [inner]):
            clue = reader.read(inner)
            _as_numbers(clue, pattern)
    if "%" in pattern:
        for one in (clue, clue.items()):
            one.formats.append(f"date:{pattern}")
            one.vote("str", f"{name} reads it", 1)
        return
    clue.items().vote("datetime", f"{name} reads it", 2)
    clue.vote("datetime", f"{name} reads it", 1)


@notes("moments: formats parsed")
def parsed(reader: Reading, node: ast.expr, pattern: str) -> None:
    """Note that a text is read in a format: each part of it, where it is put together, in a part of the format."""
    patterns = [pattern] if pattern else reader.dates
    parts = _parts(node)
    match node:
        case ast.Call(ast.Name("str"), [inner]):
            _as_numbers(reader.read(inner), pattern)
            parts = [inner]
        case ast.JoinedStr([ast.FormattedValue(inner, _, ast.JoinedStr([ast.Constant(str(spec))]))]):
            if spec.endswith("d"):
                _as_numbers(reader.read(inner), pattern)
                return
    clues: list[object] = [part.value if isinstance(part, ast.Constant) else reader.read(part) for part in parts]
    for known in patterns:
        pieces = _split(clues, known)
        for clue, piece in pieces:
            clue.vote("str", "strptime reads it", 5)
            clue.formats.append(f"date:{piece}")


def _parts(node: ast.expr) -> list[ast.expr]:
    """What a text is put together from."""
    match node:
        case ast.BinOp(left, ast.Add(), right):
            return [*_parts(left), *_parts(right)]
        case ast.JoinedStr(values):
            return [one.value if isinstance(one, ast.FormattedValue) else one for one in values]
    return [node]


def _split(parts: list[object], pattern: str) -> list[tuple[Clue, str]]:
    """The parts with their parts of the format, which are told apart by the constants between them."""
    found: list[tuple[Clue, str]] = []
    pending: Clue | None = None
    for part in parts:
        if isinstance(part, str):
            piece, known, pattern = pattern.partition(part)
            if not known:
                # The constant completes what is read: "Z" behind a moment, say.
                piece, pattern = piece.removesuffix(part), ""
            if pending is not None and piece:
                found.append((pending, piece))
            pending = None
        elif isinstance(part, Clue) and pending is None:
            pending = part
    if pending is not None and pattern:
        found.append((pending, pattern))
    return found


def _as_numbers(clue: Clue, pattern: str) -> None:
    """Note that a number is read as a moment, digit by digit."""
    for one in _KNOWN if "%" in pattern else ():
        written = one.strftime(pattern)
        if written.isdigit():
            clue.vote("int", "its digits are a moment", 1)
            clue.constant(int(written))
