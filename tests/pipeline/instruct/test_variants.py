"""Other wordings of an instruction by a language model: levels, rephrasings, translations there and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.records import Instruction
from tests.pipeline.instruct.desks import CUT, CUTS, ENOUGH, Desk
from tests.pipeline.llm.minds import helpful, material, written
from tests.pipeline.llm.model_server import serving
from tests.pipeline.making import suite


def test_a_level_that_is_not_longer_or_names_what_is_inside_is_left_out(tmp_path: Path) -> None:
    mind = helpful(
        instruction=lambda body: written(body, ENOUGH),
        level_1=lambda body: written(body, "Cut a text."),
        level_2=lambda body: written(body, "Cut it."),
        level_3=lambda body: written(body, f"{ENOUGH} First the limit is looked at, then the length of the text."),
    )
    with serving(mind) as model:
        found = Desk(tmp_path, model, levels=True).run(suite(CUT, CUTS))
    assert isinstance(found, Instruction) and [one.level for one in found.variants] == [1, 3]
    assert all(">>>" not in one.text and one.text.startswith("def cut(") for one in found.variants)


@pytest.mark.parametrize(("changed", "kept"), [
    ("Said otherwise: {}", True), ("{}", False), ("The limit is 3. {}", False), ("Cut a text.", False)])
def test_a_translation_there_and_back_keeps_numbers_and_quoted_texts(tmp_path: Path, changed: str, kept: bool) -> None:
    def translation(body: dict[str, Any]) -> str:
        english = "to English" in body["messages"][0]["content"]
        text = material(body, "text").removeprefix("Auf Deutsch: ")
        return json.dumps({"text": changed.replace("{}", text) if english else f"Auf Deutsch: {text}"})

    with serving(helpful(instruction=lambda body: written(body, ENOUGH), translation=translation)) as model:
        found = Desk(tmp_path, model, languages=("de",)).run(suite(CUT, CUTS))
    assert isinstance(found, Instruction)
    assert [one.language for one in found.variants] == (["de"] if kept else [])


def test_another_meaning_is_left_out(tmp_path: Path) -> None:
    mind = helpful(
        instruction=lambda body: written(body, ENOUGH),
        comparison=lambda body: json.dumps({"same": False, "difference": "The limit counts words."}))
    with serving(mind) as model:
        found = Desk(tmp_path, model, levels=True, rephrasings=2, languages=("fr",)).run(suite(CUT, CUTS))
    assert isinstance(found, Instruction) and found.variants == ()


def asked_for(folder: Path, minds: dict[str, Any], **settings: Any) -> Instruction:
    """What becomes of a function when such wordings are asked for."""
    with serving(helpful(**{"instruction": lambda body: written(body, ENOUGH), **minds})) as model:
        found = Desk(folder, model, **settings).run(suite(CUT, CUTS))
    assert isinstance(found, Instruction)
    return found


def test_the_levels_tell_more_and_more_and_each_has_its_rephrasings(tmp_path: Path) -> None:
    minds = {
        "level_1": lambda body: written(body, "Cut a text."),
        "level_2": lambda body: written(body, ENOUGH),
        "level_3": lambda body: written(body, f"{ENOUGH} First the limit is looked at, then the length of the text."),
        "rephrasing": lambda body: written(body, f"In other words: {material(body, 'text')}"),
    }
    found = asked_for(tmp_path, minds, levels=True, rephrasings=1)
    assert [(one.kind, one.level, one.number) for one in found.variants] == [
        ("level", 1, 0), ("rephrasing", 1, 1), ("level", 2, 0), ("rephrasing", 2, 1), ("level", 3, 0), ("rephrasing", 3, 1)]
    assert {one.author for one in found.variants} == {"llm:mind-1"}
    assert found.variants[0].text == 'def cut(text: str, limit: int) -> str:\n    """Cut a text.\n    """\n'
    assert "In other words: Cut a text." in found.variants[1].text


FAULTY_LEVELS = {
    "too little": ("level_3", "Cut a text to `limit` characters.", "length: "),
    "a constant less": ("level_3", f"{ENOUGH} Then some more words, and so on.".replace("`~`", "sign"), "constants: Nothing tells of '~'."),
    "lines of the body": ("level_1", "text if len(text) <= limit else text[:limit] + '~'", "copied from the body"),
    "examples": ("level_1", "Cut a text.\n\n>>> cut('a', 2)\n'a'", "Write no examples"),
}


@pytest.mark.parametrize(("level", "text", "fault"), FAULTY_LEVELS.values(), ids=FAULTY_LEVELS)
def test_a_level_passes_the_checks_of_instructions(tmp_path: Path, level: str, text: str, fault: str) -> None:
    number = int(level[-1])
    minds = {
        "level_1": lambda body: written(body, "Cut a text."), "level_2": lambda body: written(body, ENOUGH),
        "level_3": lambda body: written(body, f"{ENOUGH} First the limit is looked at."),
        level: lambda body: written(body, text),
    }
    with serving(helpful(**{"instruction": lambda body: written(body, ENOUGH), **minds})) as model:
        desk = Desk(tmp_path, model, levels=True)
        found = desk.run(suite(CUT, CUTS))
    assert isinstance(found, Instruction) and number not in {one.level for one in found.variants}
    assert any(fault in one for one in desk.sent_back)


REPHRASED = {
    "other words": ("Again: {}", True), "the same": ("{}", False), "another number": ("{} Not 7.", False),
    "a text less": ("A text is cut.", False), "fences": ("```\n{}\n```", False),
}


@pytest.mark.parametrize(("changed", "kept"), REPHRASED.values(), ids=REPHRASED)
def test_a_rephrasing_keeps_numbers_and_quoted_texts(tmp_path: Path, changed: str, kept: bool) -> None:
    minds = {
        "level_1": lambda body: written(body, "Cut a text to 3 characters or `limit`."),
        "level_2": lambda body: written(body, ""), "level_3": lambda body: written(body, ""),
        "rephrasing": lambda body: written(body, changed.replace("{}", material(body, "text"))),
    }
    found = asked_for(tmp_path, minds, levels=True, rephrasings=1)
    assert [one.kind for one in found.variants] == ["level", *(["rephrasing"] if kept else [])]


def test_no_wordings_are_asked_for_by_default(tmp_path: Path) -> None:
    assert asked_for(tmp_path, {}).variants == ()
