"""Programs to be written in Java: types that hold every value, cases that are carried, and why others are not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from harness.cli import cli
from harness.records import Answer, Case, Program, Translation
from harness.values import encode
from pipeline import store
from pipeline.vary.java_types import NotCarried, type_of
from pipeline.vary.translation import translations
from tests.harness.conftest import LOCK
from tests.harness.make_release import make_release, make_tasks


@pytest.mark.parametrize("values, wanted", [
    ([1, -(2**63)], "long"), ([1, 2**63], "BigInteger"), ([1, None], "Long"), ([1, 1.0], "Object"), ([True, 1], "Object"),
    ([0.5, float("nan")], "double"), (["a", "\ud800"], "String"), ([None, None], "Object"), ([], "Object"),
    ([[1], []], "List<Long>"), ([(1, 2), [2**70]], "List<BigInteger>"), ([(1, "a")], "List<Object>"), ([[[]]], "List<List<Object>>"),
    ([{"a": [1]}, {}], "Map<String, List<Long>>"), ([{1: None, 2: "x"}], "Map<Long, String>"), ([{(1, 2): True}], "Map<List<Long>, Boolean>"),
    ([[None, 1], [2]], "List<Long>"), ([{"$": 1}], "Map<String, Long>"),
])
def test_the_narrowest_type_holds_every_value(values: list[object], wanted: str) -> None:
    assert str(type_of([encode(value) for value in values])) == wanted


@pytest.mark.parametrize("value", [{1, 2}, b"x", 1j, [frozenset()], {"a": {b"x": 1}}])
def test_what_java_has_no_exact_counterpart_of_is_not_carried(value: object) -> None:
    with pytest.raises(NotCarried, match="values of the kind"):
        type_of([encode(value)])


def asked(source: str, name: str, calls: list[tuple[tuple[Any, ...], dict[str, Any]]]) -> Translation:
    """The row of a program whose parameter `a` got another name, on the cases that it gives in these calls."""
    scope: dict[str, Any] = {}
    exec(source, scope)
    cases = tuple(
        Case(tuple(map(encode, args)), {key: encode(one) for key, one in kwargs.items()}, Answer("returned", encode(scope[name](*args, **kwargs))))
        for args, kwargs in calls)
    task = replace(make_tasks("sc-python")[0], entry_point=name, reference=source, cases=cases)
    program = Program("c2v-1", task.task_id, task.task_digest, task.track, "Plain", (), 0, 0, entry_point=name, program=source, renames={"a": "final"})
    (row,) = translations(task, [program])
    return row


ADD = "def add(a, b=2, *, c=None):\n    return [a, b]\n"


def test_arguments_are_told_by_place_with_their_defaults() -> None:
    row = asked(ADD, "add", [((1,), {}), ((2, 3), {}), ((4,), {"b": 5}), ((6,), {"c": "x"})])
    assert row.signature == "static List<Long> add(long final_, long b, String c)" and row.cases == (0, 1, 2, 3)
    assert "```python\ndef add" in row.user and row.signature in row.user and not row.reason


def test_a_twentieth_of_the_cases_may_stay_behind() -> None:
    calls = [((number,), {}) for number in range(19)]
    kept = asked(ADD, "add", [*calls, ((frozenset({1}),), {})])
    assert len(kept.cases) == 19 and kept.total == 20
    refused = asked(ADD, "add", [*calls, ((frozenset({1}),), {}), ((frozenset({2}),), {})])
    assert refused.reason == "not_carried" and "19 of 21" in refused.evidence and not refused.signature


def test_any_number_of_arguments_is_not_carried() -> None:
    row = asked("def every(*a):\n    return 1\n", "every", [((1, 2), {})])
    assert row.reason == "not_carried" and "any number" in row.evidence


def test_a_release_holds_them_beside_its_programs(tmp_path: Path) -> None:
    origin = make_release(tmp_path / "build" / "made" / "release", LOCK.read_text())
    told = CliRunner().invoke(cli, [
        "vary", str(origin), "--chain", "Plain", "--chain", "VarNormI", "--family", "output", "--family", "translation", "--folder", str(tmp_path / "v")])
    assert told.exit_code == 0 and "programs to be written in Java" in told.output, told.output
    rows = list(store.read(tmp_path / "v" / "release" / "translation.parquet", Translation))
    made = [row for row in rows if not row.reason]
    assert {row.chain for row in made} == {"Plain", "VarNormI"} and all(row.language == "java" and row.system for row in made)
    renamed = next(row for row in made if row.chain == "VarNormI" and row.cases)
    assert "var1" in renamed.signature and "translation-java" in (tmp_path / "v" / "release" / "README.md").read_text()
