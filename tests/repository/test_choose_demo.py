"""Choosing the projects of a demonstration: what is measured of one, what is chosen under which limits, going on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from choose_demo import Found, Limits, Measured, Results, choose, selection, table

from harness.errors import UserError
from tests.pipeline.sources.conftest import MIT, Repository, repository  # noqa: F401 (a fixture)

ROOT = Path(__file__).parents[2]
WIDE = Limits(1e9, 1e9, 10, 0.4, 16)
FUNCTION = '''
def longest_runs(rows, least=2):
    """The runs of equal neighbours in a list that have a least length, as pairs of a value and how often it stands."""
    found = []
    for row in rows:
        if found and found[-1][0] == row:
            found[-1] = (row, found[-1][1] + 1)
        else:
            found.append((row, 1))
    return [pair for pair in found if pair[1] >= least]
'''


def measured(
    project: str, *worths: float, domain: str = "Text", size: int = 1000, seconds: float = 1.0
) -> Measured:
    found = tuple(Found(f"f{i}", worth, 10, 4) for i, worth in enumerate(worths))
    return Measured(project, domain, size, seconds, "", (1, 9, 9, 5, 4, len(found)), found)


def names(chosen: list[Measured]) -> list[str]:
    return [one.project for one in chosen]


def test_the_domains_take_turns_and_each_gives_its_best_first() -> None:
    there = [measured("a", 0.5), measured("b", 0.5, 0.6), measured("c", 0.9, 0.9, 0.9), measured("w", 0.45, domain="Web")]
    assert names(choose(there, WIDE)) == ["c", "w", "b", "a"]


def test_what_gives_nothing_of_worth_is_not_chosen() -> None:
    assert names(choose([measured("a", 0.39, 0.3), measured("b"), measured("c", 0.4)], WIDE)) == ["c"]


@pytest.mark.parametrize(("limits", "chosen"), [
    (Limits(1500, 1e9, 10, 0.4, 16), ["small"]),
    (Limits(1e9, 4.0, 10, 0.4, 16), ["small", "large"]),
    (Limits(1e9, 1e9, 1, 0.4, 16), ["slow"]),
], ids=["bytes", "seconds", "projects"])
def test_no_limit_is_exceeded(limits: Limits, chosen: list[str]) -> None:
    there = [measured("small", 0.6), measured("large", 0.5, size=2000, seconds=2.0),
             measured("slow", 0.9, size=5000, seconds=5.0)]
    assert names(choose(there, limits)) == chosen


def test_a_project_counts_with_its_best_candidates() -> None:
    assert measured("a", *[0.5] * 40).score(0.4, 16) == 8.0
    assert [one.worth for one in measured("a", 0.1, 0.9, 0.5).upper_half()] == [0.9, 0.5]


def test_the_choice_is_printed_as_a_table_and_as_a_list_for_the_configuration() -> None:
    there = [measured("a", 0.5), measured("b", 0.2)]
    rows = list(table(there, there[:1], WIDE))
    assert rows[2].startswith("| * | a | Text | 0.0 | 1.0 | 9 | 1 | 0.50 | 0.50 | 10.0 | 4.0 |")
    assert rows[3].startswith("|  | b |")
    assert list(selection(there[:1])) == ["only = [", "    # Text", '    "a",', "]"]


def test_results_are_read_as_they_were_written_and_a_torn_line_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    one = measured("a", 0.5)
    Results(path, "key").add(one)
    with path.open("a") as file:
        file.write('{"project": "tor')
    again = Results(path, "key")
    assert again.there == [one]
    again.add(measured("b"))
    assert names(Results(path, "key").there) == ["a", "b"]
    with pytest.raises(UserError, match="other code or settings"):
        Results(path, "another")


@pytest.mark.slow  # a whole run of a script that only maintainers start
def test_a_run_measures_what_is_new_ranks_it_and_goes_on(repository: Repository, tmp_path: Path) -> None:  # noqa: F811
    repository.commit("2026-03-01", {"LICENSE": MIT, "a.py": "def old(x):\n    return [x, x + 1]\n"})
    repository.commit("2026-06-01", {"b.py": FUNCTION})
    texts = {
        "runtimes/python-3.11.txt": "",
        "libraries.toml": (ROOT / "data" / "libraries.toml").read_text("utf-8"),
        "sources/one.toml": f'kind = "git"\n[[source]]\nname = "one"\ndomain = "System Utilities"\nlocation = "{repository.path}"\n',
        "releases/one.toml": 'name = "one"\ntitle = "One"\n[window]\nafter = "2026-05-01"\nuntil = "2026-11-01"\n'
                             '[sources]\nlists = ["../sources/one.toml"]\n',
    }  # fmt: skip
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    results = tmp_path / "results.jsonl"
    command = [sys.executable, str(ROOT / "scripts" / "choose_demo.py"), str(tmp_path / "releases" / "one.toml"),
               "--results", str(results)]
    clean = {**os.environ, "CODE2BENCH_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT)}
    told = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120, env=clean).stdout
    assert "| * | one | System Utilities |" in told and '    "one",' in told
    assert "1 of 1 projects (0 were refused)" in told
    before = results.read_bytes()
    assert subprocess.run(command, check=True, capture_output=True, text=True, timeout=120, env=clean).stdout == told
    assert results.read_bytes() == before
