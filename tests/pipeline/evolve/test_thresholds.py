"""The thresholds that the projects of a lock set, whatever workers, and what becomes of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipeline import flow
from pipeline.evolve.thresholds import Thresholds, high
from pipeline.flow import Options
from pipeline.measures.profile import C_NAMES, R_NAMES, profile
from tests.pipeline.make_project import data_folder, fill, new_cache
from tests.pipeline.sources.conftest import Server, sdist, serving
from tests.pipeline.vary.commands import run

BOX = "class Box:\n    def size(self):\n        return 1\n"


@pytest.fixture
def locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, Server]]:
    """A configuration with its lock, and the registry, from which nothing is fetched any more."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CODE2BENCH_CACHE", str(new_cache(tmp_path / "cache")))
    config = data_folder(tmp_path)
    with serving() as made:
        fill(made)
        for version, day in (("2.0", "2026-03-01"), ("2.1", "2026-07-01")):
            files = {"gone/__init__.py": BOX, "gone/bad.py": "def f(:", "tests/test_box.py": "def f(): pass\n"}
            made.upload("gone", version, day, sdist(files, f"gone-{version}"))
        flow.build(config, Options(workers=1, folder=tmp_path / "work", until_stage="mine"))
        yield config, made


def measured(config: Path, *options: object) -> dict[str, Any]:
    told = run("evolve", "thresholds", config, "--json", *options)
    assert told.exit_code == 0, told.output
    return json.loads(told.stdout.splitlines()[-1])


def shards() -> list[Path]:
    return sorted(Path("build/tiny-thresholds/stages/thresholds").glob("*.kept.parquet"))


def test_projects_are_measured_from_the_cache_alone(locked: tuple[Path, Server]) -> None:
    config, registry = locked
    asked = registry.asked.total()
    found = measured(config, "--workers", 1)
    assert found["projects"] == 3 and found["units"] == {"class": 1, "function": 4} and not found["missing"]
    assert (found["files"], found["left_out"]) == (4, 1)
    assert registry.asked.total() == asked


def test_what_is_not_in_the_cache_is_named_and_left_out(locked: tuple[Path, Server], tmp_path: Path) -> None:
    config, registry = locked
    asked = registry.asked.total()
    for kept in (tmp_path / "cache" / "archives").rglob("*"):
        if kept.is_file() and kept.read_bytes() == registry.files["alpha-1.1.tar.gz"]:
            kept.unlink()
    told = run("evolve", "thresholds", config, "--workers", 1)
    assert "Left out: alpha (it is not in the cache)" in told.output and "1 classes and 2 functions" in told.output
    assert registry.asked.total() == asked


@pytest.mark.slow  # processes of their own begin twice
def test_a_stopped_run_goes_on_to_the_same_bytes_whatever_workers(locked: tuple[Path, Server]) -> None:
    found = measured(locked[0], "--workers", 2)
    before = [path.read_bytes() for path in shards()]
    shards()[1].unlink()
    marker = shards()[0].with_name("stage.json")
    marker.write_text(marker.read_text().replace("true", "false"))
    times = [path.stat().st_mtime_ns for path in shards()]
    assert measured(locked[0], "--workers", 1) == found
    assert [path.read_bytes() for path in shards()] == before
    assert [path.stat().st_mtime_ns for path in (shards()[0], shards()[2])] == times


def test_a_configuration_without_a_lock_is_told(tmp_path: Path) -> None:
    told = run("evolve", "thresholds", data_folder(tmp_path))
    assert told.exit_code == 2 and "There is no lock" in told.output


def of(rows: list[tuple[float, ...]]) -> Thresholds:
    return Thresholds("demo", 2, 3, 0, (), {"class": rows, "function": rows})


def test_nine_in_ten_are_not_above_the_high_point() -> None:
    assert high([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) == 9
    assert high([3, 1]) == 3 and high([7]) == 7
    assert high([0] * 9 + [5]) == 0


def test_a_profile_is_the_high_points_and_stands_in_its_file(tmp_path: Path) -> None:
    rows = [(*[float(number)] * 19, 4.2) for number in range(11)]
    file = tmp_path / "complexity.toml"
    file.write_text('# Ours.\n[paper.complexity]\nc1 = 2\n[mined.complexity]\nc1 = 3\n\n[mined.readability]\nr1 = 1\n[z.complexity]\nc1 = 5\n')
    of(rows).write(file)
    of(rows).write(file)
    text = file.read_text()
    assert text.count("[mined.") == 2 and text.startswith("# Ours.\n[paper.complexity]\nc1 = 2\n[z.complexity]\nc1 = 5\n")
    made = of(rows).profile()
    assert made.complexity == (9.0,) * 7 and made.readability == (9,) * 12 + (5,)
    assert "r13 = 5" in text and "11 functions" in text


def test_what_no_function_has_counts_from_the_first() -> None:
    made = of([(0.0,) * 20]).profile()
    assert made.complexity == (1,) * len(C_NAMES) and made.readability == (1,) * len(R_NAMES)


def test_a_file_of_something_else_stays_as_it_is(locked: tuple[Path, Server], tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("my notes\n")
    told = run("evolve", "thresholds", locked[0], "--workers", 1, "--out", other)
    assert told.exit_code == 2 and "is no file of profiles" in told.output and other.read_text() == "my notes\n"


def test_the_profile_of_real_projects_is_there() -> None:
    mined, paper = profile("mined"), profile("paper")
    assert all(own < of_classes for own, of_classes in zip(mined.complexity[:5], paper.complexity[:5], strict=True))
    assert mined.readability[0] < paper.readability[0]
