"""A model puts descriptions otherwise: its texts are checked, kept with what they were asked, and made again from that."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from harness.records import PromptVariant, Task
from harness.releases.dataset import load_release
from harness.rewordings import read_rewordings
from pipeline.config import LlmConfig, ModelConfig, VaryConfig
from pipeline.llm.desk import Office
from pipeline.rewording.asked import reword
from pipeline.rewording.model import ModelWriter
from tests.harness.conftest import LOCK
from tests.harness.make_release import make_release, make_task
from tests.pipeline.llm.model_server import ModelServer, serving
from tests.pipeline.vary.commands import run

SOURCE = '''\
def kept(header: dict, limit: int = 12) -> list:
    """Return the keys of a header, sorted, at most `limit` of them.

    A key that begins with "x-" is left out, and one named authorization comes first. More than 12 are never asked for.
    """
    found = sorted(key for key in header if not key.startswith("x-"))
    return sorted(found, key=lambda key: key != "authorization")[:limit]
'''
GOOD = (
    'Give back what the header has as keys in sorted order, no more than `limit`.\n\nThe key authorization goes to the front, keys that start '
    'with "x-" are not part of it. Nobody asks for more than 12.'
)
FAULTS = {
    GOOD.replace("`limit`", "some"): "have to stay as they are: `limit`", GOOD.replace("12", "13"): "12",
    GOOD.replace("authorization", "login"): "authorization", f"{GOOD} There are 77 at most.": "not in the text: 77",
    f"{GOOD}\n```\ncode\n```": "prose alone", GOOD.replace("\n\n", ' """ '): "prose alone", "": "some words", GOOD * 9: "at most 4 times",
}


def task() -> Task:
    return make_task("kept", SOURCE, [({"a": number, "x-b": 1},) for number in range(20)])


class Mind:
    """Answers to both questions: texts, one after the other and the last for ever, and whether they mean the same."""

    def __init__(self, *texts: str, same: bool = True) -> None:
        self.texts, self.same = list(texts), same
        self.through: list[str] = []

    def __call__(self, body: dict[str, Any]) -> str:
        if "You compare two descriptions" in body["messages"][0]["content"]:
            return json.dumps({"same": self.same, "difference": "" if self.same else "It tells another order."})
        if "You translate" in body["messages"][0]["content"]:
            return json.dumps({"text": self._translated(body)})
        text = self.texts.pop(0) if len(self.texts) > 1 else self.texts[0]
        return json.dumps({"signature": task().signature, "docstring": text})

    def _translated(self, body: dict[str, Any]) -> str:
        """What is said in another language in some words of it, and of a text in that language the next text."""
        there = re.search(r"from English to (\w+)", body["messages"][0]["content"])
        if there:
            self.through.append(there[1])
            return f"({there[1]}) Alle Namen `limit`."
        return self.texts.pop(0) if len(self.texts) > 1 else self.texts[0]


def rows(place: Path, mind: Mind, strategy: str = "description_paraphrase", variants: int = 2) -> tuple[list[PromptVariant], ModelServer]:
    with serving(mind) as server:
        office = Office(LlmConfig(), (("pen", ModelConfig("mind-1", server.address)),), place / "answers", place / "account.json")
        writer = ModelWriter("pen", office.desk("reword", "one"))
        return reword(task(), VaryConfig(strategies=(strategy,), variants=variants, model="pen"), writer), server


def test_what_a_model_has_written_comes_before_what_rules_make(tmp_path: Path) -> None:
    found, _ = rows(tmp_path, Mind(GOOD), variants=4)
    assert [row.author for row in found] == ["llm:mind-1", "rules", "rules", "rules"], "a text that was there already is no variant"
    first = found[0]
    assert (first.meaning, first.information, first.number) == ("checked:mind-1", "same", 1)
    assert "Give back what the header has" in first.instruction and '\n\n    The key authorization' in first.instruction
    assert first.instruction.startswith(task().instruction.split('"""')[0]) and "Return the keys" not in first.instruction
    outline, _ = rows(tmp_path, Mind(f"{GOOD}\n1. Sort."), "description_summary", 1)
    assert outline[0].author == "llm:mind-1" and "    1. Sort." not in task().instruction


@pytest.mark.parametrize("text", FAULTS)
def test_what_a_text_must_not_change_goes_back_to_the_model(text: str, tmp_path: Path) -> None:
    found, server = rows(tmp_path, Mind(text, GOOD), variants=1)
    assert found[0].author == "llm:mind-1" and "Give back" in found[0].instruction
    assert any(FAULTS[text] in body["messages"][-1]["content"] for body in server.bodies if len(body["messages"]) > 2)


def test_a_text_that_asks_for_something_else_is_no_variant(tmp_path: Path) -> None:
    found, _ = rows(tmp_path, Mind(GOOD, same=False))
    assert found and {row.author for row in found} == {"rules"}


def test_descriptions_go_through_the_languages_in_turn_and_come_back(tmp_path: Path) -> None:
    others = [GOOD.replace("Give back", word) for word in ("Hand back", "Return", "Deliver", "Yield", "Supply")]
    mind = Mind(*others)
    found, server = rows(tmp_path, mind, "description_roundtrip", 5)
    assert mind.through == ["German", "French", "Spanish", "Chinese", "German"]
    assert [(row.author, row.meaning, row.information) for row in found] == [("llm:mind-1", "checked:mind-1", "same")] * 5
    assert all(text.split("\n")[0] in row.instruction for text, row in zip(others, found, strict=True))
    assert "from German to English" in server.bodies[1]["messages"][0]["content"]
    assert "(German) Alle Namen" in server.bodies[1]["messages"][-1]["content"]


def test_what_comes_back_is_checked_like_a_paraphrase(tmp_path: Path) -> None:
    found, server = rows(tmp_path / "a", Mind(GOOD.replace("12", "13"), GOOD), "description_roundtrip", 1)
    assert found[0].author == "llm:mind-1" and "than 12" in found[0].instruction
    assert any("12" in body["messages"][-1]["content"] for body in server.bodies if len(body["messages"]) > 2)
    for other, mind in (("b", Mind(GOOD, same=False)), ("c", Mind(GOOD.replace("`limit`", "some")))):
        [none], _ = rows(tmp_path / other, mind, "description_roundtrip", 2)
        assert none.reason == "meaning_changed" and "nothing passed all checks" in none.evidence


def test_a_release_with_a_models_words_can_be_made_again_by_anybody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    origin = make_release(tmp_path / "build" / "made" / "release", LOCK.read_text())
    monkeypatch.setenv("CODE2BENCH_CACHE", str(tmp_path / "cache"))
    with serving(Mind("Do in other words what was said.")) as server:
        file = tmp_path / "models.toml"
        file.write_text(f'[models.pen]\nmodel = "mind-1"\nbase_url = "{server.address}"\n')
        how = ["--strategy", "description_paraphrase", "--strategy", "description_roundtrip", "--variants", 1, "--model", "pen", "--models", file]
        told = run("vary", origin, *how, "--folder", tmp_path / "one", "--workers", 1)
    assert told.exit_code == 0, told.output
    release = load_release(tmp_path / "one")
    written = [row for row in read_rewordings(release) if row.author == "llm:mind-1"]
    assert {row.strategy for row in written} == {"description_paraphrase", "description_roundtrip"}
    assert "answers.parquet" in release.manifest["files"]
    monkeypatch.setenv("CODE2BENCH_CACHE", str(tmp_path / "elsewhere"))
    checked = run("verify", tmp_path / "one" / "release", "--origin", origin)
    assert checked.exit_code == 0, checked.output


@pytest.mark.parametrize(("arguments", "why"), [
    (["--strategy", "control", "--model", "pen"], "give both --model NAME and --models FILE"), (["--model", "pen"], "name a --strategy"),
    (["--strategy", "description_roundtrip"], "description_roundtrip needs a model that translates: name it by"),
    (["--strategy", "control", "--model", "ink", "--models", "FILE"], "There is no model 'ink'"),
])
def test_a_model_that_nobody_describes_is_refused(arguments: list[str], why: str, tmp_path: Path) -> None:
    (tmp_path / "models.toml").write_text('[models.pen]\nmodel = "m"\nbase_url = "http://127.0.0.1:1/v1"\n')
    told = run("vary", "demo", *(str(tmp_path / "models.toml") if one == "FILE" else one for one in arguments))
    assert told.exit_code == 2 and why in told.output

