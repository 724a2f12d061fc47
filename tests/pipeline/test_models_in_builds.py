"""Whole builds with language models: every use of them, resumed, repeated, offline, and from a release's own answers."""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.errors import UserError
from harness.records import Sufficiency, Task
from harness.releases.dataset import load_release
from harness.show import as_text
from pipeline import flow, store
from pipeline.commands import _told
from pipeline.flow import Build, Options
from pipeline.llm import Exchange
from pipeline.release.asked import ANSWERS, account
from pipeline.release.explain import explain
from pipeline.release.funnel import asked, funnel
from pipeline.release.verify import verify
from tests.forked import Forked
from tests.pipeline.llm.minds import docstring, helpful, material, solved, written
from tests.pipeline.llm.model_server import ModelServer, serving
from tests.pipeline.make_project import ALPHA, BETA, data_folder, new_cache, tree
from tests.pipeline.sources.conftest import Server
from tests.pipeline.test_flow import republished

SOLUTIONS = {
    name: source[source.index(f"def {name}") :].split("\n\n\n")[0]
    for source in (ALPHA, BETA) for name in ("shorten", "merge_ranges", "count_words") if f"def {name}" in source
} | {"count_words": "import re\n" + ALPHA[ALPHA.index("def count_words") :]}
MODELS = '''
[models.one]
model = "mind-1"
base_url = "{address}"
input_price = 2.0
output_price = 10.0
[models.two]
model = "mind-2"
base_url = "{address}"
[judge]
models = ["one", "two"]
[instruct]
model = "one"
solvers = ["two"]
solver_attempts = 2
'''
OTHERS = '''
levels = true
rephrasings = 1
languages = ["de"]
'''


@pytest.fixture
def registry(registry: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Server:
    monkeypatch.setenv("CODE2BENCH_CACHE", str(new_cache(tmp_path / "cache")))
    return registry


def config_for(place: Path, model: ModelServer, more: str = "") -> Path:
    """A release of one project, whose only new function is `merge_ranges`."""
    config = data_folder(place)
    lists = 'lists = ["../sources/pypi.toml"]\n'
    text = config.read_text().replace(lists, f'{lists}only = ["beta"]\n')
    text = text.replace("[suite]\n", '[suite]\nmodel = "one"\n')
    config.write_text(text + MODELS.replace("{address}", model.address) + more)
    return config


def made(config: Path, folder: Path, **options: object) -> Build:
    return flow.build(config, Options(workers=1, folder=folder, **options))  # type: ignore[arg-type]


def reworded(task: Task, old: str, new: str) -> Task:
    return replace(task, variants=tuple(replace(one, text=one.text.replace(old, new, 1)) for one in task.variants))


WRONG: dict[Callable[[Task], Task], str] = {
    lambda task: reworded(task, "def ", "def other_"): "lacks the signature",
    lambda task: reworded(task, '"""', '"""\n>>> 1\n'): "holds examples",
    lambda task: reworded(task, '"""', ""): "does not parse",
    lambda task: replace(task, variants=task.variants * 2): "have the same place",
    lambda task: replace(task, sufficiency=Sufficiency(("x",), 2, 3)): "attempts are said",
}


@pytest.mark.slow  # two whole builds, and the gates on several releases
def test_a_build_uses_models_for_all_and_never_asks_twice(
    registry: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(helpful(SOLUTIONS)) as model:
        config = config_for(tmp_path, model, OTHERS)
        built = made(config, tmp_path / "build")
        asked_once = model.requests
        assert asked_once > 0 and verify(str(built.release), 2) == []
    again = made(config, tmp_path / "again", offline=True)
    assert tree(again.release) == tree(built.release)
    for task in load_release(built.release).tasks:
        assert task.judged_by.startswith("llm:mind-1,mind-2@") and task.instructed_by.startswith("llm:mind-1@")
        assert task.difficulty == "Medium" and "Written by a model." in task.instruction
        assert task.sufficiency is not None and task.sufficiency.solved == task.sufficiency.attempts == 2
        kinds = [(one.kind, one.level, one.number, one.language) for one in task.variants]
        assert kinds == [*((kind, level, number, "") for level in (1, 2, 3)
                           for kind, number in (("level", 0), ("rephrasing", 1))), ("translation", 0, 0, "de")]
    rows, spent = funnel(built.folder), account(again.folder)
    found = asked(rows)
    assert found["total"]["input_tokens"] + found["total"]["output_tokens"] == model.paid
    assert spent["requests"] == asked_once == found["total"]["requests"] and spent["from_cache"] >= asked_once
    assert "tokens, " in _told(rows, again.folder) and "from the cache" in _told(rows, again.folder)
    steps = {step.stage: step for step in explain(built.folder, "merge_ranges")}
    assert len(steps["judge"].asked) == 4 and all(one.endswith(": taken") for one in steps["judge"].asked)
    assert "one on instruct-sc@" in " ".join(steps["instruct"].asked)
    assert "2 of 2 attempts by mind-2 solved it; 7 other wordings" in as_text(load_release(built.release).tasks[0])
    monkeypatch.setattr("pipeline.release.verify._runs", lambda *_: [])
    for change, said in WRONG.items():
        broken = republished(built.release, tmp_path / said, change, only={"merge_ranges"})
        assert ("wordings", True) in {(finding.gate, said in finding.what) for finding in verify(str(broken), 2)}
    manifest = json.loads((built.release / "manifest.json").read_text())
    assert manifest["models"] == found and manifest["models"]["per_task"]["tokens"] > 0


@pytest.mark.slow
def test_a_release_s_own_answers_repeat_it_without_a_server(
    registry: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(helpful(SOLUTIONS)) as model:
        config = config_for(tmp_path, model)
        built = made(config, tmp_path / "build")
    recorded = tmp_path / "recorded.parquet"
    recorded.write_bytes((built.release / ANSWERS).read_bytes())
    shutil.rmtree(tmp_path / "cache" / "llm")
    again = made(config, tmp_path / "again", answers=recorded)
    assert tree(again.release) == tree(built.release)
    shutil.rmtree(tmp_path / "cache" / "llm")
    with pytest.raises(UserError, match=r"no recorded answer .* --answers"):
        made(config, tmp_path / "third", offline=True)
    shutil.rmtree(config.parents[1])
    alone = made(built.folder / "release" / "release.toml", tmp_path / "fourth", offline=True)
    assert tree(alone.release) == tree(built.release)


@pytest.mark.slow  # a whole build, its gates, and another build
def test_changed_answers_of_a_release_are_found(registry: Server, tmp_path: Path) -> None:
    with serving(helpful(SOLUTIONS)) as model:
        built = made(config_for(tmp_path, model), tmp_path / "build")
    path = built.release / ANSWERS
    changed = [replace(one, request=one.request.replace("Medium", "Hard")) for one in store.read(path, Exchange)]
    store.write(path, Exchange, changed)
    manifest = json.loads((built.release / "manifest.json").read_text())
    manifest["files"][ANSWERS] = hashlib.sha256(path.read_bytes()).hexdigest()
    (built.release / "manifest.json").write_text(json.dumps(manifest))
    assert {finding.gate for finding in verify(str(built.release), 2)} == {"answers"}
    with pytest.raises(UserError, match="not under the key"):
        made(built.config.path, tmp_path / "again", answers=path)


def test_a_key_that_is_missing_is_told_before_anything_is_read(registry: Server, tmp_path: Path) -> None:
    with serving(helpful(SOLUTIONS)) as model:
        config = config_for(tmp_path, model)
        config.write_text(config.read_text().replace('model = "mind-2"', 'model = "mind-2"\nkey = "NO_SUCH_KEY"'))
        with pytest.raises(UserError, match="set the environment variable NO_SUCH_KEY"):
            made(config, tmp_path / "build")
    assert not registry.asked


@pytest.mark.slow  # two whole builds
def test_a_budget_stops_the_build_in_one_sentence_and_loses_nothing(registry: Server, tmp_path: Path) -> None:
    with serving(helpful(SOLUTIONS)) as model:
        config = config_for(tmp_path, model, OTHERS + "[llm]\nbudget_tokens = 12000\n")
        with pytest.raises(UserError, match="Raise budget_tokens"):
            made(config, tmp_path / "build")
        assert 0 < model.paid <= 12_000
        paid = model.requests
        config.write_text(config.read_text().replace("budget_tokens = 12000", "budget_tokens = 900000"))
        built = made(config, tmp_path / "build")
        keys = {one.key for output in built.outputs for one in output.exchanges()}
        assert model.requests == len(keys) > paid


@pytest.mark.slow
def test_answers_that_were_paid_survive_kills(registry: Server, tmp_path: Path) -> None:
    with serving(helpful(SOLUTIONS)) as model:
        config = config_for(tmp_path, model, OTHERS)
        whole = made(config, tmp_path / "whole")
        paid = model.requests
        shutil.rmtree(tmp_path / "cache" / "llm")
        model.bodies.clear()
        model.pause = 0.15
        folder, killed = tmp_path / "killed", 0
        for _ in range(2):
            process = Forked(flow.build, config, Options(workers=1, folder=folder))
            before, deadline = model.requests, time.monotonic() + 60
            while process.poll() is None and model.requests < before + 4 and time.monotonic() < deadline:
                time.sleep(0.02)
            time.sleep(0.1)
            killed += process.poll() is None
            process.kill()
            process.wait()
        model.pause = 0.0
        assert killed
        # What was under way when a process died could not be kept; all that had been answered before was.
        assert model.requests <= paid + 16 * killed
        assert tree(made(config, folder).release) == tree(whole.release)
        answers = list((tmp_path / "cache" / "llm" / "answers").rglob("*.json"))
        assert len(answers) == paid


@pytest.mark.slow  # builds a release
def test_what_a_model_says_in_vain_is_told_by_rules(registry: Server, tmp_path: Path) -> None:
    with serving(lambda body: "I would rather not.") as model:
        built = made(config_for(tmp_path, model), tmp_path / "build")
    for task in load_release(built.release).tasks:
        assert (task.judged_by, task.instructed_by) == ("rules-2", "author-1") and not task.variants
        assert task.sufficiency is not None and not task.sufficiency.solved
    assert asked(funnel(built.folder))["total"]["faults"] > 0


def test_an_instruction_that_tells_too_little_is_written_anew(registry: Server, tmp_path: Path) -> None:
    fact = "Ranges that only touch are merged as well."

    def instruction(body: dict[str, Any]) -> str:
        again = fact in material(body, "facts")
        return written(body, f"Merge ranges that overlap. {docstring(body)} {fact if again else ''}")

    def solution(body: dict[str, Any]) -> str:
        told = fact in body["messages"][-1]["content"] or "def merge" not in body["messages"][-1]["content"]
        return solved(body, SOLUTIONS if told else {})

    mind = helpful(
        SOLUTIONS, instruction=instruction, solution=solution, missing=lambda body: json.dumps({"missing": [fact]}))
    with serving(mind) as model:
        built = made(config_for(tmp_path, model), tmp_path / "build")
    tasks = {task.entry_point: task for task in load_release(built.release).tasks}
    found = tasks["merge_ranges"].sufficiency
    assert found is not None and found.mended and found.solved == 2 and fact in tasks["merge_ranges"].instruction


@pytest.mark.slow  # builds a release
def test_what_stays_underspecified_leaves(registry: Server, tmp_path: Path) -> None:
    def solution(body: dict[str, Any]) -> str:
        hinted = "Besides, this holds" in body["messages"][-1]["content"]
        return solved(body, SOLUTIONS if hinted else {})

    mind = helpful(SOLUTIONS, solution=solution, missing=lambda body: json.dumps({"missing": ["It is so."]}))
    with serving(mind) as model, pytest.raises(UserError, match="No task passed"):
        made(config_for(tmp_path, model), tmp_path / "build")
    row = next(row for row in funnel(tmp_path / "build") if row.stage == "instruct")
    assert row.reasons == {"underspecified": 1}
