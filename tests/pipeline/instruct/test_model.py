"""Instructions by a language model: what it is asked, which of its texts are used, and what goes back to it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipeline.instruct.writers.model import Written, tidy
from pipeline.languages.python.plain import plain
from pipeline.llm.prompting import render
from pipeline.llm.structured import read
from pipeline.records import Instruction, Judgement, Reason, Rejection
from tests.pipeline.instruct.desks import CUT, CUTS, ENOUGH, Desk
from tests.pipeline.instruct.test_gate import GOOD, INPUTS, TEXT
from tests.pipeline.llm.minds import helpful, kind_of, material, written
from tests.pipeline.llm.model_server import serving
from tests.pipeline.making import suite

Asking = Callable[..., Desk]


@pytest.fixture
def asking(tmp_path: Path) -> Iterator[Asking]:
    open_ones = []

    def started(*texts: str, **settings: Any) -> Desk:
        """A desk whose model says these texts, one after the other, the last one again and again."""
        left = list(texts)

        def say(body: dict[str, Any]) -> str:
            if kind_of(body) != "instruction":
                return helpful()(body)
            text = left.pop(0) if len(left) > 1 else left[0]
            return text if text.startswith("{") else written(body, text)

        server = serving(say)
        open_ones.append(server)
        return Desk(tmp_path, server.__enter__(), **settings)

    yield started
    for server in open_ones:
        server.__exit__(None, None, None)


def shown(text: str) -> str:
    return text[text.index('"""') :]


def test_what_it_writes_stands_above_the_author_s_true_examples_and_those_from_the_cases(asking: Asking) -> None:
    given = suite(CUT, CUTS)
    found = asking(ENOUGH).run(given)
    assert isinstance(found, Instruction) and found.author.startswith("llm:mind-1@")
    first, _, examples = found.text.partition("\n\n    Examples:\n")
    assert found.text.startswith("def cut(text: str, limit: int) -> str:\n") and "followed by a `~`." in first
    assert ">>> cut(\"abcdef\", 3)\n        'abc~'" in examples and "More examples:" in examples
    assert "wrong" not in found.text
    compile(found.text, "instruction", "exec")


def test_it_is_shown_the_code_without_comments_between_tags(asking: Asking) -> None:
    desk = asking(ENOUGH)
    desk.run(suite(CUT, CUTS))
    body = desk.model.bodies[0]
    assert material(body, "code") == plain(CUT) and "Return 42" not in str(body)
    assert "It has no say in" in body["messages"][0]["content"]
    assert ">>> cut('abc', 1)" in material(body, "examples")


@pytest.mark.parametrize(("text", "fault"), [
    (json.dumps({"signature": "def cut(text, limit):", "docstring": ENOUGH}), "The signature must be exactly"),
    (ENOUGH + "\n\n>>> cut('abcd', 2)\n'ab~'", "Write no examples"),
    (ENOUGH + "\n```\nreturn text\n```", "no code, no fences"),
    (ENOUGH + "\ntext if len(text) <= limit else text[:limit] + '~'", "copied from the body"),
    (ENOUGH.replace(" with the message `limit is below 2`", "").replace("a ValueError is raised", "it fails"),
     "ValueError"),
    (ENOUGH.replace("followed by a `~`", "followed by a sign").replace("`~`", "a sign"), "'~'"),
    (ENOUGH.replace("    limit: How", "    width: The width.\n    limit: How"), "width"),
    ("", "must have some words"),
    ("x" * 9000, "at most 8000"),
    ("Cut it.\x07", "control characters"),
], ids=lambda value: str(value)[-30:])
def test_a_fault_goes_back_and_what_is_mended_is_used(asking: Asking, text: str, fault: str) -> None:
    desk = asking(text, ENOUGH)
    found = desk.run(suite(CUT, CUTS))
    assert isinstance(found, Instruction) and found.author.startswith("llm:")
    assert "followed by a `~`." in found.text
    assert len(desk.sent_back) == 1 and fault in desk.sent_back[0]
    assert [bool(one.fault) for one in desk.exchanges].count(True) == 1


def test_after_three_repairs_the_author_s_text_is_taken(asking: Asking) -> None:
    desk = asking(*(f"Return {number}." for number in range(9)))
    found = desk.run(suite(GOOD, INPUTS))
    assert isinstance(found, Instruction) and found.author == "author-1" and TEXT.split("\n")[0] in found.text
    assert len(desk.exchanges) == 4 and all(one.fault for one in desk.exchanges)


def test_an_author_s_text_that_is_not_enough_is_not_fallen_back_on(asking: Asking) -> None:
    given = suite(GOOD, INPUTS)
    judgement = Judgement("llm:x", "Easy", (), "unknown names: Nothing explains Widget.")
    given = replace(given, candidate=replace(given.candidate, judgement=judgement))
    found = asking("Return something.").run(given)
    assert isinstance(found, Rejection) and found.reason == Reason.UNDERSPECIFIED.name.lower()
    assert "Widget" in found.evidence


def test_nobody_is_asked_where_no_text_would_help(asking: Asking) -> None:
    desk = asking(ENOUGH)
    found = desk.run(suite(CUT, [("abcdef", 3)] * 6))
    assert isinstance(found, Rejection) and "answers:" in found.evidence and not desk.model.requests


@pytest.mark.parametrize("text", ['"""Do it.\n\n    And so.\n    """', "'''Do it.\n\n    And so.'''", "Do it.\n\n    And so."])
def test_quotes_and_indentation_around_a_text_are_no_part_of_it(text: str) -> None:
    assert tidy(text) == "Do it.\n\nAnd so."


def test_the_style_for_java_is_ready() -> None:
    code = "static int twice(int value) { return 2 * value; }"
    asked = render("instruct-java", code=code, signature="static int twice(int value)", examples="", missing="")
    assert "{@code ...}" in asked.messages[0]["content"] and code in asked.messages[1]["content"]
    answer = read('{"signature": "static int twice(int value)", "docstring": "Doubles."}', Written)
    assert answer.docstring == "Doubles."
