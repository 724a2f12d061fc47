"""The tools beside the packages, called as a person calls them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline import flow
from pipeline.flow import Options
from tests.pipeline.make_project import archive, data_folder, fill, new_cache
from tests.pipeline.sources.conftest import MIT, Repository, repository, serving  # noqa: F401 (a fixture)
from tests.pipeline.sources.test_elsewhere import ELDER, HONEST, with_other_names

ROOT = Path(__file__).parents[2]
FUNCTION = '''
import numpy as np


def sign(x):
    """The sign of a number."""
    if x is None:
        raise ValueError("nothing")
    if np.isnan(x):
        return "none"
    return "minus" if x < 0 else "plus"
'''


def _told(folder: Path, inputs: str) -> list[str]:
    (folder / "function.py").write_text(FUNCTION, "utf-8")
    (folder / "inputs.py").write_text(f"INPUTS = {inputs}\n", "utf-8")
    command = [sys.executable, str(ROOT / "scripts" / "cover.py"), "function.py", "inputs.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout.splitlines()


def test_what_inputs_leave_uncovered_is_told(tmp_path: Path) -> None:
    told = _told(tmp_path, "[((1,), {}), ((None,), {}), (('a',), {}), ((object(),), {})]")
    assert told[0] == "input 0: 'plus'"
    assert told[1].startswith("input 1: raised on purpose: ValueError")
    assert told[2].startswith("input 2: a crash, which does not count: TypeError")
    assert told[3].startswith("input 3: the codec refuses it")
    assert told[4] == "missing lines [10], missing branches [(9, 10)]"


def test_inputs_that_cover_all_are_enough(tmp_path: Path) -> None:
    assert _told(tmp_path, "[((1,), {}), ((None,), {}), ((float('nan'),), {})]")[-1] == "all branches are covered"


def _release(folder: Path, location: Path) -> Path:
    """A configuration whose only source is a repository."""
    texts = {
        "runtimes/python-3.11.txt": "",
        "sources/one.toml": f'kind = "git"\n[[source]]\nname = "one"\ndomain = "System Utilities"\nlocation = "{location}"\n',
        "releases/one.toml": 'name = "one"\ntitle = "One"\n[window]\nafter = "2026-05-01"\nuntil = "2026-11-01"\n'
                             '[sources]\nlists = ["../sources/one.toml"]\n',
    }  # fmt: skip
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(text, "utf-8")
    return folder / "releases" / "one.toml"


@pytest.mark.slow
def test_what_is_kept_is_looked_for_elsewhere_by_a_slow_walk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODE2BENCH_CACHE", str(new_cache(tmp_path / "cache")))
    with serving() as server:
        fill(server)
        planted = with_other_names(ELDER) + HONEST
        for name, old, new in (("gone", ELDER, "X = 1\n"), ("alpha", "X = 1\n", planted)):
            server.project(name)
            server.upload(name, "1.0", "2026-01-10", archive(name, "1.0", old))
            server.upload(name, "1.1", "2026-06-10", archive(name, "1.1", new))
        flow.build(data_folder(tmp_path), Options(workers=1, folder=tmp_path / "build", until_stage="elsewhere"))

    def told(stage: str) -> str:
        script = str(ROOT / "scripts" / "check_elsewhere.py")
        command = [sys.executable, script, str(tmp_path / "build"), "--stage", stage, "--projects-only"]
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120, env={
            **os.environ, "PYTHONPATH": str(ROOT)}).stdout  # fmt: skip

    assert "planted  RENAMED widest in gone-1.0/gone/__init__.py of gone-1.0.tar.gz" in told("screen")
    assert told("elsewhere") == "2 functions were kept, 0 of them stood elsewhere by the slow method\n"


@pytest.mark.slow
def test_what_mine_calls_new_is_compared_with_a_slow_walk(repository: Repository, tmp_path: Path) -> None:  # noqa: F811
    first = repository.commit("2026-03-01", {"LICENSE": MIT, "a.py": "def old(x):\n    return [x, x + 1]\n"})
    new = "def new(rows):\n    return {row.key: row for row in rows}\n"
    repository.commit("2026-06-01", {"b.py": f"{new}\n\ndef again(x):\n    return [x, x + 1]\n"})
    config = _release(tmp_path / "data", repository.path)
    clean = {**os.environ, "CODE2BENCH_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT)}
    build = [sys.executable, "-c", "from harness.cli import main; main()", "build", str(config), "--until-stage", "mine"]
    subprocess.run([*build, "--folder", str(tmp_path / "one")], check=True, capture_output=True, timeout=120, env=clean)

    def told(out: str) -> str:
        command = [sys.executable, str(ROOT / "scripts" / "check_novelty.py"), str(config), "--builds", str(tmp_path)]
        done = subprocess.run([*command, "--out", str(tmp_path / out)], check=True, capture_output=True, text=True,
                              timeout=120, env=clean)  # fmt: skip
        return done.stdout.partition("## all")[0]

    text = told("found")
    assert "1 kept as new, 2 old: the same code" in text
    assert "precision 1.0000" in text
    assert "recall 1.0000" in text
    assert "the same commit 1, one of several 0, another 0" in text
    assert "EXACT" not in text
    repository.git("checkout", "-q", "-b", "aside", first)
    repository.commit("2026-04-01", {"d.py": new.replace("new", "elsewhere")})
    assert f"b.py:1 new [new: nearest 0%: ] slow: d.py of {repository.git('rev-parse', 'HEAD')[:10]}" in told("again")
