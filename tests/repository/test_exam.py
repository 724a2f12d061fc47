"""The sealed exam: what is drawn, that nothing of it is told, and what two runs are compared by."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from drawing import Drawn, Exam, Sample, counted, draw, drawn, named, plain
from exam import Result, comparison, difference, figures, read, write

from harness.errors import UserError
from tests.pipeline.make_project import ALPHA
from tests.pipeline.sources.conftest import MIT, Repository

ROOT = Path(__file__).parents[2]
WORDS = re.compile("alpha|shorten|count_words|minimum|limit must", re.I)
"""Names and texts of the project that is drawn."""


def _repository(folder: Path, name: str, **files: str) -> None:
    path = folder / name
    path.mkdir(parents=True)
    made = Repository(path)
    made.git("init", "-q", "-b", "main", ".")
    texts = {key.replace("__", "."): text for key, text in files.items()}
    made.commit("2019-03-01", {"LICENSE": MIT, "alpha/texts.py": ALPHA, **texts})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    _repository(tmp_path / "repositories", "somebody+alpha")
    return tmp_path / "repositories"


def test_functions_of_each_track_are_drawn_whatever_their_age(folder: Path, tmp_path: Path) -> None:
    found = draw(Exam(1, 2, tmp_path), [folder])
    assert {one.entry_point: one.track for one in found} == {"shorten": "sc-python", "count_words": "wsc-python"}
    assert drawn(Exam(1, 2, tmp_path)) == found
    assert not any(WORDS.search(one.id + one.project) for one in found)


@pytest.mark.parametrize("name", ["somebody+black", "black+alpha", "python-black"])
def test_a_project_that_a_list_names_is_left_out(tmp_path: Path, name: str) -> None:
    _repository(tmp_path / "repositories", name)
    with pytest.raises(UserError, match="give only 0 of sc-python, 0 of wsc-python"):
        draw(Exam(1, 2, tmp_path), [tmp_path / "repositories"])


@pytest.mark.parametrize("files", [
    {"pyproject__toml": '[project]\nname = "Black"\n'}, {"setup__py": "setup(\n    name='black',\n)\n"},
], ids=["pyproject.toml", "setup.py"])  # fmt: skip
def test_a_project_that_calls_itself_by_a_known_name_is_left_out(tmp_path: Path, files: dict[str, str]) -> None:
    _repository(tmp_path / "repositories", "somebody+alpha", **files)
    with pytest.raises(UserError, match="give only 0 of sc-python"):
        draw(Exam(1, 2, tmp_path), [tmp_path / "repositories"])


def test_what_was_drawn_of_a_project_is_not_read_again(folder: Path, tmp_path: Path) -> None:
    exam = Exam(1, 2, tmp_path)
    found = draw(exam, [folder])
    exam.file.unlink()
    (folder / "somebody+alpha" / ".git" / "HEAD").write_text("nothing")
    assert draw(exam, [folder]) == found


def test_a_damaged_repository_gives_nothing(folder: Path, tmp_path: Path) -> None:
    (folder / "somebody+alpha" / ".git" / "HEAD").unlink()
    with pytest.raises(UserError, match="give only 0"):
        draw(Exam(1, 2, tmp_path), [folder])


def test_what_is_missing_is_told_with_the_cure(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="`draw` them first"):
        drawn(Exam(1, 2, tmp_path))
    with pytest.raises(UserError, match="give one that has git repositories"):
        draw(Exam(1, 2, tmp_path), [tmp_path / "nowhere"])


def test_the_lists_name_what_is_left_out() -> None:
    known = named(ROOT / "data")
    assert {"black", "django", "numpy"} <= known
    assert plain("Python-Black") == plain("black") == "black"
    assert plain("zope.interface") == "zope-interface"


def _function(number: int, project: str, track: str) -> Drawn:
    return Drawn(f"{project}-{track}-{number}", project, track, "", "", (), ())


def test_a_sample_has_half_of_each_track_and_few_of_one_project() -> None:
    sample = Sample(480)
    for place in range(100):
        functions = [_function(n, str(place), track) for n in range(50) for track in ("sc-python", "wsc-python")]
        assert sample.take(functions) == (8 if place < 60 else 0)
    assert sample.full
    assert counted(sample.taken) == {"sc-python": 240, "wsc-python": 240}


def test_a_full_track_takes_no_more_and_no_function_comes_twice() -> None:
    sample = Sample(2)
    assert sample.take([_function(1, "a", "sc-python")]) == 1
    assert sample.take([_function(1, "a", "sc-python"), _function(2, "b", "sc-python")]) == 0
    assert not sample.full


STEPS = {"start": 0.5, "coverage": 1.5}
KEPT = Result("1", "p", "sc-python", "", 4, 1.0, 0.9, 0.95, 500, 1.5, 2.0, STEPS)
WEAK = replace(KEPT, id="2", project="q", reason="weak_suite", mutation_score=0.5, cases=0)
LEFT = replace(KEPT, id="3", track="wsc-python", reason="coverage_below_100", branch_coverage=0.5, mutation_score=None)


def test_figures_tell_shares_reasons_scores_and_costs() -> None:
    told = "\n".join(figures([KEPT, WEAK, LEFT])).partition("all: ")[2]
    assert "3 functions of 2 projects" in told
    assert "all branches covered: 2 of 3 (66.7%); kept with all gates: 1 of 3 (33.3%)" in told
    assert "with all branches covered: weak_suite 1" in told
    assert "with branches left: coverage_below_100 1" in told
    assert "mutation score (2): mean 0.7000, median 0.7000, 50.0% >= 0.75, 50.0% >= 0.9, 0.0% >= 1" in told
    assert "search: median 1.500, p90 1.50, sum 4" in told
    assert "start 25.0%, coverage 75.0%" in told


def test_a_run_is_compared_function_by_function() -> None:
    later = [KEPT, replace(WEAK, reason="", mutation_score=0.8), replace(LEFT, id="other")]
    told = "\n".join(comparison([KEPT, WEAK, LEFT], later)).partition("all, ")[2]
    assert "2 functions that both have" in told
    assert "covered: 0 gained, 0 lost, +0.0000" in told
    assert "kept: 1 gained, 0 lost, +0.5000" in told
    assert "mutation score: +0.1500 (standard error 0.1500, 2 pairs)" in told


def test_functions_of_one_project_count_as_one_draw_for_the_error() -> None:
    pairs = [(replace(KEPT, id=str(n), project=str(n // 8), cpu_seconds=0.0),
              replace(KEPT, id=str(n), cpu_seconds=float(n // 8 % 2))) for n in range(32)]  # fmt: skip
    apart = [(replace(old, project=old.id), new) for old, new in pairs]
    together, alone = (difference(given, lambda one: one.cpu_seconds) for given in (pairs, apart))
    assert together.mean == alone.mean == 0.5
    assert together.error == pytest.approx((1 / 12) ** 0.5)
    assert alone.error == pytest.approx((0.25 / 31) ** 0.5)


def test_results_come_back_as_they_were_written(tmp_path: Path) -> None:
    write(tmp_path / "results.jsonl", [KEPT, WEAK, LEFT])
    assert read(tmp_path / "results.jsonl") == [KEPT, WEAK, LEFT]


@pytest.mark.slow  # a whole run of a script that only maintainers start
def test_a_run_tells_figures_and_no_word_of_what_was_drawn(folder: Path, tmp_path: Path) -> None:
    def told(*command: str) -> str:
        script = [sys.executable, str(ROOT / "scripts" / "exam.py"), *command, "--cache", str(tmp_path / "exam")]
        done = subprocess.run([*script, "--count", "2", "--workers", "1"], check=True, capture_output=True, text=True,
                              timeout=300)  # fmt: skip
        assert not WORDS.search(done.stdout + done.stderr)
        return done.stdout

    out = tmp_path / "results.jsonl"
    assert told("draw", "--folders", str(folder)) == "2 functions of 1 projects: sc-python 1, wsc-python 1\n"
    assert "all branches covered: 2 of 2 (100.0%)" in told("run", "--out", str(out))
    assert not WORDS.search(out.read_text("utf-8"))
    again = told("run", "--against", str(out))
    assert "all, against the earlier run: 2 functions that both have" in again
    assert "mutation score: +0.0000 (standard error 0.0000, 2 pairs)" in again
    assert "0 of them were not covered" in told("run", "--missed", str(out))
