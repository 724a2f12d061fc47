"""What comes with the project is found from any folder, in a working copy and in a wheel."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from harness.runtime import ensure_runtime
from pipeline import shipped
from pipeline.shipped import LIBRARIES, RUNTIME

ROOT = Path(__file__).parents[2]
TEXT = """import math


def hypotenuse(a: int, b: int) -> float:
    \"\"\"The longest side.\"\"\"
    if a < 0 or b < 0:
        return 0.0
    return math.sqrt(a * a + b * b)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages as a wheel installs them."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    [made] = folder.glob("*.whl")
    with zipfile.ZipFile(made) as file:
        file.extractall(folder / "site")
    return folder / "site"


def run(folder: Path, code: Path, *command: str) -> str:
    """What a command says in a folder, with the packages that are elsewhere."""
    (folder / "shapes.py").write_text(TEXT)
    env = {**os.environ, "PYTHONPATH": str(code)}
    done = subprocess.run(
        [sys.executable, "-m", "harness", *command], cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def classified(folder: Path, code: Path) -> tuple[str, list[str]]:
    row = json.loads(run(folder, code, "classify", "shapes.py", "--json"))
    return row["class"], row["libraries"]


def suite(folder: Path, code: Path) -> dict[str, object]:
    ensure_runtime(ROOT / RUNTIME)
    return dict(json.loads(run(folder, code, "suite", "shapes.py", "--budget", "300", "--json")))


def test_commands_work_from_any_folder(tmp_path: Path) -> None:
    assert classified(tmp_path, ROOT) == ("WSC", ["math"])
    assert suite(tmp_path, ROOT)["branch_coverage"] == 1.0


def test_what_is_named_is_there() -> None:
    assert shipped.shipped(LIBRARIES) == ROOT / "data" / "libraries.toml"
    assert shipped.shipped(RUNTIME) == ROOT / "data" / "runtimes" / "python-3.11.txt"


def test_a_wheel_holds_what_the_project_has(wheel: Path) -> None:
    for folder in ("data", "dataset_cards"):
        there = {path.relative_to(ROOT): path.read_bytes() for path in (ROOT / folder).rglob("*") if path.is_file()}
        assert {path.relative_to(wheel / "harness"): path.read_bytes()
                for path in (wheel / "harness" / folder).rglob("*") if path.is_file()} == there  # fmt: skip


@pytest.mark.slow  # commands of an unpacked wheel, one of which builds a suite
def test_commands_work_from_a_wheel(tmp_path: Path, wheel: Path) -> None:
    where = run(tmp_path, wheel, "classify", "--help")
    assert "data/libraries.toml" not in where
    program = "from pipeline.shipped import RUNTIME, shipped; print(shipped(RUNTIME))"
    env = {**os.environ, "PYTHONPATH": str(wheel)}
    found = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert found.stdout.strip() == str(wheel / "harness" / RUNTIME)
    assert classified(tmp_path, wheel) == ("WSC", ["math"])
    assert suite(tmp_path, wheel)["branch_coverage"] == 1.0
