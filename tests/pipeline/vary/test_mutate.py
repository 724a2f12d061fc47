"""Variants of functions in files, from the command line, and the gate that refuses those which answer otherwise."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.cli import cli
from harness.languages import Call, Machine
from harness.values import encode
from pipeline.records import Reason
from pipeline.transforms.preserving.chains import OPERATORS, Variant
from pipeline.transforms.preserving.draft import Draft
from pipeline.vary.equivalence import differences, known

FILE = '''
def spans(values: list[int], least: int = 2) -> list[tuple[int, int]]:
    """Where values do not fall, for at least so many places.

    >>> spans([1, 2, 0])
    [(0, 2)]
    """
    found, start = [], 0
    for place in range(1, len(values) + 1):
        if place == len(values) or values[place] < values[place - 1]:
            if place - start >= least:
                found.append((start, place))
            start = place
    return found


def nothing(x: int) -> int:
    return x
'''
SUM_OF_SOME = '''
def total(table, skip, *, bonus=0):
    found = 0
    for value in table.values():
        if value == skip or value < 0:
            continue
        found += value
    else:
        found += bonus
    return found
'''


def mutate(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["mutate", *map(str, arguments)])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "spans.py"
    path.write_text(FILE)
    return path


def test_variants_are_shown_with_their_proof_or_a_reason(file: Path) -> None:
    shown = mutate(file, "--function", "spans", "--chain", "FUV", "--chain", "While2For")
    assert shown.exit_code == 0, shown.output
    assert "# FUV, seed 0: changes 1 by For2While, " in shown.output and "proved by suite" in shown.output
    assert "# While2For: none. " in shown.output and ">>>" not in shown.output
    assert shown.output == mutate(file, "--function", "spans", "--chain", "FUV", "--chain", "While2For").output
    assert shown.output != mutate(file, "--function", "spans", "--chain", "FUV", "--chain", "While2For", "--seed", 1).output
    difference = mutate(file, "--function", "spans", "--chain", "CondAug", "--diff").output
    assert "-        if place == len(values) or values[place] < values[place - 1]:" in difference
    rows = [json.loads(line) for line in mutate(file, "--json").output.splitlines()]
    assert {row["function"] for row in rows} == {"spans", "nothing"} and len(rows) == 24
    assert all(row.get("program") or row["reason"] == "not_applicable" for row in rows)


def test_some_places_only(file: Path) -> None:
    rows = [json.loads(mutate(file, "--function", "spans", "--chain", "ConstUnfold", "--sites", most, "--json").output)
            for most in (1, 2, 0)]
    assert [row["sites"]["ConstUnfold"] for row in rows] == [1, 2, 5]
    assert len({row["program"] for row in rows}) == 3


def test_further_operators_are_made_by_name(file: Path) -> None:
    shown = mutate(file, "--function", "spans", "--chain", "DeadBranch", "--chain", "Untyped")
    assert "proved by inverse" in shown.output and "proved by bytecode" in shown.output
    assert "DeadBranch" not in mutate(file).output


def test_each_variant_is_equal_on_a_whole_suite(file: Path) -> None:
    proved = mutate(file, "--function", "spans", "--prove", "--json")
    assert proved.exit_code == 0, proved.output
    rows = [row for row in map(json.loads, proved.stdout.splitlines()) if "program" in row]
    assert len(rows) >= 9 and all(row["cases"] >= 100 for row in rows)


@pytest.mark.parametrize(("arguments", "said"), [
    (["{file}", "--chain", "FUW"], "did you mean 'FUV'?"),
    (["{file}", "--sites", "-1"], "give --sites a number from 1, or 0 for all"),
    (["none.py"], "none.py can't be read as Python"),
    (["{file}", "--function", "span"], "defines no function span"),
])
def test_mistakes_are_one_sentence(file: Path, arguments: list[str], said: str) -> None:
    told = mutate(*(one.replace("{file}", str(file)) for one in arguments))
    assert told.exit_code == 2 and said in told.output and told.output.count("\n") == 1


BROKEN = {
    "an index loop over a dict": ("for value in table.values():", "values = table\n    for value in [values[i] for i in range(len(values))]:"),
    "an `or` without brackets": ("if value == skip or value < 0:", "if value == skip or value < 0 and 3 < 2:"),
    "a dropped else": ("    else:\n        found += bonus\n", ""),
    "an increment that `continue` skips": (
        "for value in table.values():", "items = list(table.values())\n    i = 0\n    while i < len(items):\n        value = items[i]"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_broken_variants_are_refused(name: str, machine: Machine) -> None:
    old, new = BROKEN[name]
    wrong = SUM_OF_SOME.replace(old, new)
    if "continue" in name:
        wrong = wrong.replace("found += value", "found += value\n        i = i + 1")
    tables = [{}, {"a": 3, "b": -1}, {"a": 2, "c": 5}, {"x": 1, "y": -4, "z": 7}]
    calls = [Call((encode(table), encode(skip)), {"bonus": encode(bonus)})
             for table in tables for skip in (2, 7) for bonus in (0, 5)]
    origin = known(SUM_OF_SOME, "total", calls, machine)
    assert wrong != SUM_OF_SOME and len(origin.right) == len(calls)
    named = SUM_OF_SOME.replace("bonus", "var3")
    texts = (wrong, {}), (named, {"bonus": "var3"}), (named, {}), (SUM_OF_SOME, {})
    variants = [Variant("made", 0, SUM_OF_SOME, text, "total", renames, {}, {}) for text, renames in texts]
    assert [bool(one) for one in differences(variants, origin, machine)] == [True, False, True, False]


def test_a_variant_that_answers_otherwise_is_told_as_our_fault(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong:
        name, version = "CondAug", 1

        def sites(self, draft: Draft) -> int:
            return 1

        def apply(self, draft: Draft) -> None:
            draft.function.body.insert(0, ast.parse("least = least + 1").body[0])

    monkeypatch.setattr("pipeline.transforms.preserving.chains.OPERATORS", {**OPERATORS, "CondAug": Wrong()})
    told = mutate(file, "--function", "spans", "--chain", "CondAug", "--prove", "--json")
    row = json.loads(told.stdout.splitlines()[0])
    assert told.exit_code == 2 and "1 variants answer otherwise" in told.output
    assert row["reason"] == Reason.NOT_EQUIVALENT.name.lower() and row["evidence"].startswith("call ")
