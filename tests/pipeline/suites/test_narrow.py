"""Branches that few values reach: headers, last moments, open ends, constants that go together."""

from __future__ import annotations

import datetime
from pathlib import Path
from random import Random

import pytest

from harness.languages import Machine
from pipeline.suites.domain.description import describe
from pipeline.suites.domain.sampler import Sampler
from pipeline.suites.domain.spec import Moment, Text
from pipeline.suites.drafts import Draft
from pipeline.suites.inference.constants import pool_of
from pipeline.suites.inference.infer import infer
from pipeline.suites.subject import Subject
from tests.pipeline.suites.programs import program, searched, takes_all_branches

KINDS = {
    "frames with headers": '''
        def frames(data: bytes) -> list[bytes]:
            """The whole frames in a stream: a mark, twelve bits of length, then as many bytes."""
            found, offset = [], 0
            while offset + 4 <= len(data):
                if data[offset] != 0xA7 or data[offset + 1] & 0xF0 != 0x50:
                    offset += 1
                    continue
                length = (data[offset + 1] & 0x0F) << 8 | data[offset + 2]
                if length < 4:
                    offset += 1
                    continue
                if offset + length > len(data):
                    break
                found.append(data[offset : offset + length])
                offset += length
            return found
    ''',
    "None on a stack": '''
        def leaves(obj: object) -> list[str]:
            """The kinds of what a value holds."""
            found, stack = [], [obj]
            while stack:
                one = stack.pop()
                if isinstance(one, (list, dict)):
                    stack.extend(one)
                elif one is None:
                    found.append("nothing")
                else:
                    found.append(type(one).__name__)
            return found
    ''',
    "a type with a name": '''
        from typing import Any
        import math

        def key(value: Any) -> tuple:
            """The value with its type, so that equal ones of other types differ."""
            kind = type(value)
            if kind is bool:
                return ("truth", value)
            if kind is float and not math.isfinite(value):
                raise ValueError("no number")
            if kind is list:
                return ("list", tuple(key(one) for one in value))
            if kind is str:
                return ("text", value)
            return ("other", repr(value))
    ''',
    "a path that is refused": '''
        from pathlib import Path

        def under(name: str, folder: Path) -> bool:
            """Whether a file is in a folder."""
            try:
                return Path(name).resolve().is_relative_to(folder)
            except ValueError:
                return False
    ''',
    "beyond the last moment": '''
        from datetime import datetime, timezone

        def utc(value: datetime) -> datetime | None:
            """The moment in UTC, None without an offset or where there is no such moment."""
            offset = value.utcoffset()
            if offset is None:
                return None
            try:
                return (value.replace(tzinfo=None) - offset).replace(tzinfo=timezone.utc)
            except OverflowError:
                return None
    ''',
    "a line left open": '''
        import shlex

        def words(line: str) -> list[str] | None:
            """The words of a line, closed by a quote where it is open."""
            for quote in ("", "'", '"'):
                try:
                    return shlex.split(line + quote)
                except ValueError:
                    continue
            return None
    ''',
    "no whole number": '''
        def whole(text: str) -> int | None:
            """The whole number of a text."""
            try:
                return int(float(text))
            except OverflowError:
                return None
    ''',
    "constants that go together": '''
        def address(scheme: str, host: str, port: int) -> str:
            """The address of a server, without a port that says nothing."""
            if (scheme, port) in {("http", 80), ("https", 443), ("gopher", 70)}:
                return f"{scheme}://{host}"
            return f"{scheme}://{host}:{port}"
    ''',
    "attributes by name": '''
        from typing import Any

        def follow(obj: Any, path: str) -> Any:
            """What a dotted path of places and attributes leads to."""
            for part in path.split("."):
                if part.isdigit():
                    obj = obj[int(part)]
                elif hasattr(obj, part):
                    obj = getattr(obj, part)
                else:
                    raise AttributeError(part)
            return obj
    ''',
}


@pytest.fixture(scope="module")
def made(machine: Machine) -> dict[str, Draft]:
    return searched(KINDS, machine)


@pytest.mark.parametrize("kind", KINDS)
def test_all_branches_are_taken(kind: str, made: dict[str, Draft]) -> None:
    assert takes_all_branches(made[kind]), made[kind]


CATCHING = "def f(a):\n    try:\n        return g(a)\n    except {}:\n        return None\n"


@pytest.mark.parametrize(("caught", "expected"), [("OverflowError", True), ("Exception", True), ("KeyError", False)])
def test_ends_of_time_come_where_their_errors_are_caught(caught: str, expected: bool) -> None:
    sampler = Sampler(Random(1), pool_of(Subject.of(CATCHING.format(caught), "f")))
    made = [sampler.value(Moment("datetime")).replace(tzinfo=None) for _ in range(200)]
    assert (datetime.datetime.min in made and datetime.datetime.max in made) == expected


@pytest.mark.parametrize(("caught", "expected"), [("(OSError, ValueError)", True), ("OSError", False)])
def test_paths_with_a_nul_come_where_their_errors_are_caught(caught: str, expected: bool) -> None:
    sampler = Sampler(Random(1), pool_of(Subject.of(CATCHING.format(caught), "f")))
    assert any("\0" in sampler.value(Text(formats=("path",))) for _ in range(300)) == expected


def test_paths_that_are_compared_lie_in_one_another() -> None:
    text = program("from pathlib import Path\ndef f(a: Path, b: Path):\n    return a.is_relative_to(b)\n")
    sampler, parameters = Sampler(Random(1), pool_of(Subject.of(text, "f"))), infer(Subject.of(text, "f"))
    made = [sampler.inputs(parameters) for _ in range(50)]
    assert 10 < sum(Path(one["a"]).is_relative_to(one["b"]) for one in made) < 50


def test_a_type_under_a_name_is_a_test_of_the_type() -> None:
    text = "def f(a):\n    kind = type(a)\n    if kind is str:\n        return 1\n    return kind is list\n"
    (parameter,) = infer(Subject.of(text, "f"))
    assert "str" in describe(parameter.spec) and "list" in describe(parameter.spec)
