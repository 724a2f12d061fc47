"""Whole builds with language models: every use of them, resumed, repeated, offline, and from a release's own answers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness.dataset import load_release
from harness.errors import UserError
from pipeline import flow
from pipeline.commands import _told
from pipeline.flow import Build, Options
from pipeline.release.asked import ANSWERS, account
from pipeline.release.funnel import asked, funnel
from pipeline.release.verify import verify
from tests.pipeline.llm.minds import helpful
from tests.pipeline.llm.model_server import ModelServer, serving
from tests.pipeline.make_project import ALPHA, BETA
from tests.pipeline.sources.conftest import Server, server  # noqa: F401 (a fixture)
from tests.pipeline.test_flow import data_folder, fill, tree

ROOT = Path(__file__).parents[2]
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
[suite]
model = "one"
[instruct]
model = "one"
solvers = ["two"]
solver_attempts = 2
levels = true
rephrasings = 1
languages = ["de"]
'''


@pytest.fixture
def registry(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Server:  # noqa: F811
    monkeypatch.setenv("CODE2BENCH_CACHE", str(tmp_path / "cache"))
    runtimes = Path.home() / ".cache" / "code2bench" / "runtimes"
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "runtimes").symlink_to(runtimes)
    fill(server)
    return server


def config_for(place: Path, model: ModelServer, more: str = "") -> Path:
    config = data_folder(place)
    config.write_text(config.read_text() + MODELS.replace("{address}", model.address) + more)
    return config


def made(config: Path, folder: Path, **options: object) -> Build:
    return flow.build(config, Options(workers=1, folder=folder, **options))  # type: ignore[arg-type]


def test_a_build_uses_models_for_all_and_never_asks_twice(registry: Server, tmp_path: Path) -> None:
    with serving(helpful(SOLUTIONS)) as model:
        config = config_for(tmp_path, model)
        built = made(config, tmp_path / "build")
        asked_once = model.requests
        assert asked_once > 0 and verify(str(built.release), 2) == []
        again = made(config, tmp_path / "again")
        assert model.requests == asked_once and tree(again.release) == tree(built.release)
    offline = made(config, tmp_path / "offline", offline=True)
    assert tree(offline.release) == tree(built.release)
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
    manifest = json.loads((built.release / "manifest.json").read_text())
    assert manifest["models"] == found and manifest["models"]["per_task"]["tokens"] > 0
