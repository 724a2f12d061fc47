"""A small real model behind a real server: its answers are poor, so what is asserted is the protocol and what follows.

`make test-llm` starts the server and says where it is.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.config import InstructConfig, JudgeConfig, LlmConfig, ModelConfig
from pipeline.instruct.stage import InstructStage
from pipeline.judge.models import Level
from pipeline.judge.stage import JudgeStage
from pipeline.llm import Exchange
from pipeline.llm.desk import Office
from pipeline.llm.prompting import render
from pipeline.records import Candidate, Instruction, Rejection, Suite
from pipeline.suites.stage import SuiteStage
from tests.pipeline.instruct.test_gate import GOOD, INPUTS
from tests.pipeline.making import candidate, context, suite
from tests.pipeline.suites.conftest import LOCK
from tests.pipeline.suites.test_asked import CONFIG, DOOR

pytestmark = pytest.mark.llm
CODE = "def double(value):\n    if value is None:\n        return 0\n    return value * 2\n"


@pytest.fixture
def office(tmp_path: Path) -> Office:
    address = os.environ.get("SMALL_MODEL_URL")
    assert address, "run these tests by `make test-llm`, which starts the server"
    model = ModelConfig("smollm2-135m", address, max_answer_tokens=300, concurrency=1, input_price=1.0)
    return Office(LlmConfig(repairs=3), (("small", model),), tmp_path / "answers", tmp_path / "account.json")


def test_a_free_answer_comes_with_its_tokens_and_is_asked_for_once(office: Office) -> None:
    messages = ({"role": "user", "content": "Say hello."},)
    said = [office.desk("try", "one").text("small", messages, "hello") for _ in range(2)]
    assert said[0] and said[0] == said[1]
    spent = office.ledger.spent
    assert (spent.requests, spent.from_cache) == (1, 1) and spent.input_tokens > 5 and spent.output_tokens > 0


def test_a_structured_answer_fits_or_is_none(office: Office) -> None:
    desk = office.desk("judge", "one")
    answer = desk.ask("small", render("difficulty-sc", code=CODE, libraries=""), Level)
    assert 1 <= len(desk.exchanges) <= 4
    if answer is None:
        assert all(one.fault for one in desk.exchanges)
    else:
        assert answer.difficulty in ("Easy", "Medium", "Hard") and sum(not one.fault for one in desk.exchanges) == 1


def test_what_goes_beyond_its_context_is_no_answer(office: Office) -> None:
    desk = office.desk("judge", "one")
    assert desk.ask("small", render("difficulty-sc", code="x = 1\n" * 20_000, libraries=""), Level) is None
    assert [one.finish for one in desk.exchanges] == ["refused"]


def test_a_judge_stage_ends_in_a_judgement_or_a_refusal_and_asks_nothing_again(office: Office, tmp_path: Path) -> None:
    stage, given = JudgeStage(JudgeConfig(models=("small",))), [candidate(GOOD)]
    given = [replace(one, measures=suite(GOOD, INPUTS).candidate.measures) for one in given]
    there = replace(context(tmp_path), office=office)
    first = list(stage.run(given, there))
    assert sum(isinstance(one, (Candidate, Rejection)) for one in first) == 1
    paid = office.ledger.spent.requests
    assert paid == sum(isinstance(one, Exchange) for one in first) >= 1
    assert list(stage.run(given, there)) == first and office.ledger.spent.requests == paid


def test_strategies_that_do_not_help_leave_the_function_with_what_was_tried(office: Office, tmp_path: Path) -> None:
    there = replace(context(tmp_path), office=office, runtime=LOCK)
    found = list(SuiteStage(replace(CONFIG, model="small")).run([candidate(DOOR)], there))
    [result] = [one for one in found if not isinstance(one, Exchange)]
    assert 1 <= sum(isinstance(one, Exchange) for one in found) <= 4
    if isinstance(result, Rejection):
        assert "smollm2-135m was asked for strategies" in result.evidence
    else:
        assert isinstance(result, Suite) and '"asked"' in result.specification


def test_an_instruction_that_does_not_pass_falls_back_on_the_author_s(office: Office, tmp_path: Path) -> None:
    stage = InstructStage(InstructConfig(model="small", solvers=("small",), solver_attempts=1))
    there = replace(context(tmp_path), office=office, runtime=LOCK)
    found = [one for one in stage.run([suite(GOOD, INPUTS)], there) if not isinstance(one, Exchange)]
    [instruction] = found
    assert isinstance(instruction, Instruction)
    assert instruction.author == "author-1" or instruction.author.startswith("llm:smollm2-135m@")
