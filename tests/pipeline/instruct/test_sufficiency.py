"""Solvers decide whether an instruction is enough: solved, solved with a hint, written anew, or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.records import Sufficiency
from pipeline.records import Instruction, Reason, Rejection
from tests.pipeline.instruct.desks import CUT, CUTS, ENOUGH, Desk
from tests.pipeline.llm.minds import helpful, kind_of, material, solved, written
from tests.pipeline.llm.model_server import serving
from tests.pipeline.making import suite

SOLUTION = {"cut": """def cut(text, limit):
    if limit < 2:
        raise ValueError("limit is below 2")
    return text if len(text) <= limit else text[:limit] + "~"
"""}
FACT = "A text that is as long as the limit stays as it is."
Said = Callable[[dict[str, Any]], str]


def run(folder: Path, attempts: int = 1, **minds: Said) -> tuple[Instruction | Rejection, list[dict[str, Any]]]:
    """What becomes of one suite, and what the model was asked."""
    with serving(helpful(**{"instruction": lambda body: written(body, ENOUGH), **minds})) as model:
        desk = Desk(folder, model, solvers=("two",), solver_attempts=attempts)
        return desk.run(suite(CUT, CUTS)), desk.model.bodies


def hinted(body: dict[str, Any]) -> bool:
    return FACT in body["messages"][-1]["content"]


def missing(*facts: str) -> Said:
    return lambda body: json.dumps({"missing": list(facts)})


def test_what_somebody_solves_is_enough(tmp_path: Path) -> None:
    found, bodies = run(tmp_path, 2, solution=lambda body: solved(body, SOLUTION))
    assert isinstance(found, Instruction) and found.sufficiency == Sufficiency(("mind-1",), 2, 2)
    assert "missing" not in {kind_of(body) for body in bodies}


def test_one_of_several_attempts_is_enough(tmp_path: Path) -> None:
    tried: list[int] = []

    def solution(body: dict[str, Any]) -> str:
        tried.append(1)
        return solved(body, SOLUTION if len(tried) == 3 else {})

    found, _ = run(tmp_path, 3, solution=solution)
    assert isinstance(found, Instruction) and found.sufficiency == Sufficiency(("mind-1",), 3, 1)


def test_what_nobody_solves_with_a_hint_either_is_hard_and_not_the_text_s_fault(tmp_path: Path) -> None:
    found, bodies = run(tmp_path, solution=lambda body: solved(body, {}), missing=missing(FACT))
    assert isinstance(found, Instruction) and found.sufficiency == Sufficiency(("mind-1",), 1, 0)
    assert sum(kind_of(body) == "solution" for body in bodies) == 2


def test_where_nothing_is_missing_nobody_tries_again(tmp_path: Path) -> None:
    found, bodies = run(tmp_path, solution=lambda body: solved(body, {}), missing=missing())
    assert isinstance(found, Instruction) and found.sufficiency == Sufficiency(("mind-1",), 1, 0)
    assert sum(kind_of(body) == "solution" for body in bodies) == 1


def test_a_text_that_lacks_a_fact_is_written_anew_with_it(tmp_path: Path) -> None:
    found, _ = run(
        tmp_path, solution=lambda body: solved(body, SOLUTION if hinted(body) else {}), missing=missing(FACT),
        instruction=lambda body: written(body, f"{ENOUGH} {FACT if FACT in material(body, 'facts') else ''}"))
    assert isinstance(found, Instruction) and FACT in found.text
    assert found.sufficiency == Sufficiency(("mind-1",), 1, 1, mended=True)


def test_a_text_that_goes_on_lacking_it_leaves(tmp_path: Path) -> None:
    found, _ = run(tmp_path, solution=lambda body: solved(body, SOLUTION if hinted(body) else {}), missing=missing(FACT))
    assert isinstance(found, Rejection) and found.reason == Reason.UNDERSPECIFIED.name.lower()
    assert found.evidence == f"Solvers succeed with what it does not tell: {FACT}"


def test_the_writer_is_shown_the_case_that_failed(tmp_path: Path) -> None:
    _, bodies = run(tmp_path, solution=lambda body: solved(body, {"cut": "def cut(text, limit):\n    return text"}), missing=missing())
    (asked,) = [body for body in bodies if kind_of(body) == "missing"]
    shown = str(asked["messages"][-1]["content"])
    right, _, gave = shown.partition("Attempt 1: 2 of 6 cases passed. Right would be\n>>> cut('")[2].partition("\nand it gave ")
    assert right == "abc', 1)\nTraceback (most recent call last):\n    ...\nValueError: limit is below 2"
    assert gave.startswith("-> 'abc'\n")


@pytest.mark.parametrize(("facts", "fault"), [
    (["text if len(text) <= limit else text[:limit] + '~'"], "copied from the body"),
    ([f"Fact {number}." for number in range(13)], "Name the 12 most important facts at most."),
], ids=["the body", "too many"])
def test_facts_that_are_no_facts_go_back(tmp_path: Path, facts: list[str], fault: str) -> None:
    answers = [json.dumps({"missing": facts}), json.dumps({"missing": [FACT]})]
    found, bodies = run(
        tmp_path, solution=lambda body: solved(body, {}),
        missing=lambda body: answers.pop(0) if len(answers) > 1 else answers[0])
    assert isinstance(found, Instruction)
    again = [body["messages"][-1]["content"] for body in bodies if kind_of(body) == "missing" and len(body["messages"]) > 2]
    assert len(again) == 1 and fault in again[0]
