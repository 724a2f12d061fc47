"""Names by a language model: only what evolution has brought is renamed, everywhere, and what comes of it is proved."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

from harness.evolved import version
from harness.releases.dataset import load_release
from pipeline import store
from pipeline.evolve.naming import Names, Pair, faults
from pipeline.evolve.renamed import brought, rename
from pipeline.evolve.rows import Bug, EvolvedProgram
from tests.pipeline.evolve.small import evolved
from tests.pipeline.llm.model_server import serving
from tests.pipeline.vary.commands import run

FIRST = [("main", "def total(values):\n    found = sum(values)\n    return found\n")]
MADE = [
    ("main", "import logging\nfrom steps import helper\nLIMITS = {'found': 1}\n\ndef total(values, *, kind=None):\n"
             "    found = helper(values, way=1)\n    step = found\n    logging.debug('step two', extra={})\n"
             "    item = step\n    return item.extra\n"),
    ("steps", "def helper(rows, way=0):\n    return sum(rows)\n"),
]


def named(body: dict[str, Any]) -> str:
    """A model that puts a word before each name that it is shown, but one that is kept by Python."""
    asked = re.findall(r"may be changed: (.*)$", body["messages"][-1]["content"], re.MULTILINE)[-1]
    pairs = [{"old": old, "new": f"GOOD_{old}" if old.isupper() else f"good_{old}"} for old in asked.split(", ")]
    return json.dumps({"names": [one for one in pairs if not one["old"].startswith("_")]})


def test_only_names_that_are_new_and_the_program_s_own_are_changed() -> None:
    assert brought(FIRST, MADE) == {"helper", "LIMITS", "item", "kind", "rows"}
    trees = [ast.parse(text) for _, text in MADE]
    rename(trees, ["steps"], {"helper": "added", "item": "result", "rows": "numbers"})
    main, steps = map(ast.unparse, trees)
    assert "from steps import added" in main and "found = added(values, way=1)" in main and "return result.extra" in main
    assert steps == "def added(numbers, way=0):\n    return sum(numbers)"


@pytest.mark.parametrize(("old", "new", "sentence"), [
    ("found", "total_found", "none of the names"), ("helper", "class", "is no name"), ("helper", "a b", "is no name"),
    ("helper", "x" * 41, "is no name"), ("helper", "values", "something else already"),
    ("helper", "print", "something else already"), ("helper", "Helper", "another form"),
    ("LIMITS", "limits", "another form"),
])
def test_names_that_can_not_be_given_are_told(old: str, new: str, sentence: str) -> None:
    made = type("Made", (), {"modules": tuple(MADE)})()
    [fault] = faults(Names(names=[Pair(old=old, new=new)]), brought(FIRST, MADE), made)
    assert sentence in fault


def test_a_model_names_what_was_added_and_its_answers_are_published(origin: Path, tmp_path: Path) -> None:
    with serving(named) as server:
        file = tmp_path / "models.toml"
        file.write_text(f'[models.pen]\nmodel = "mind-1"\nbase_url = "{server.address}"\n')
        made = evolved(origin, tmp_path / "one", "--model", "pen", "--models", file)
    [row] = [one for one in store.read(made / "evolved.parquet", EvolvedProgram) if one.version == "v1"]
    assert row.named_by == "llm:mind-1" and "good_" in row.program.lower()
    repaired = [task for task in load_release(str(made)).tasks if task.family == "repair" and version(task) == "v1"]
    assert repaired and all(task.reference == row.program for task in repaired)
    bugs = [one for one in store.read(made / "bugs.parquet", Bug) if one.version == "v1" and one.program]
    assert bugs and all("good_" in one.program.lower() for one in bugs)
    told = run("verify", made, "--workers", 1, "--origin", origin)
    assert told.exit_code == 0 and "passes every gate" in told.output, told.output


def test_a_model_without_a_file_is_told(origin: Path, tmp_path: Path) -> None:
    told = run("evolve", origin, "--out", tmp_path / "x", "--model", "pen")
    assert told.exit_code == 2 and "give both --model NAME and --models FILE" in told.output
