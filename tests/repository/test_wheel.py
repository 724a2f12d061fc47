"""From an empty environment to a score, with the wheel alone: what an evaluator's first five minutes are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MINUTES = 4


def run(folder: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    """A command in a folder where nothing of the tree is to be seen."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "CODE2BENCH"))}
    env = {**kept, "CODE2BENCH_CACHE": str(folder / "cache")}
    return subprocess.run([str(one) for one in command], cwd=folder, env=env, capture_output=True, text=True)


@pytest.mark.slow
@pytest.mark.network
def test_three_commands_lead_to_a_score(tmp_path: Path) -> None:
    """Installs all of lm-eval and of the runtime from the package index."""
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(tmp_path), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    [wheel] = tmp_path.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "env")], check=True)
    own = tmp_path / "env" / "bin"
    start = time.monotonic()
    installed = run(tmp_path, own / "pip", "install", "-q", "--disable-pip-version-check", wheel)
    assert installed.returncode == 0, installed.stderr
    refused = run(tmp_path, own / "code2bench", "evaluate", "demo", "--reference", "--lite")
    assert refused.returncode == 2 and "give --yes" in refused.stderr and "at most some 440 MB" in refused.stderr
    scored = run(tmp_path, own / "lm_eval", "--model", "dummy", "--tasks", "code2bench", "--output_path", tmp_path / "out")
    assert scored.returncode == 0, scored.stderr[-2000:]
    assert time.monotonic() - start < 60 * MINUTES
    assert "The runtime that answers run in is made now, once: Python 3.11" in scored.stderr
    assert "the snapshot that came with code2bench" in scored.stderr
    [found] = (tmp_path / "out").rglob("results_*.json")
    assert json.loads(found.read_text())["results"]["code2bench"]["pass@1,judged"] == 0
    judged = run(tmp_path, own / "code2bench", "evaluate", "demo", "--reference", "--lite", "--json")
    assert judged.returncode == 0, judged.stderr[-2000:]
    assert json.loads(judged.stdout)["score"]["pass_at"]["1"] == 1.0
