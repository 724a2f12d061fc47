"""The sample: domains and projects in turn, by worth, no project above its share, every record accounted for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.config import SampleConfig, WorthConfig
from pipeline.records import Candidate, Rejection
from pipeline.sample import SampleStage, in_turns, project_limit
from tests.pipeline.making import candidate, context


def many(project: str, count: int, domain: str = "Text", files: int = 1) -> list[Candidate]:
    found = []
    for i in range(count):
        made = candidate("def f(x):\n    return x\n", project, domain, path=f"{project}/{i % files}.py")
        found.append(replace(made, function=replace(made.function, id=f"{project}-{i:03d}")))
    return found


def kept(results: Iterable[Candidate | Rejection]) -> list[Candidate]:
    return [result for result in results if isinstance(result, Candidate)]


def sample(records: list[Candidate], folder: Path, size: int, share: float, seed: int = 7) -> list[Candidate]:
    results = list(SampleStage(SampleConfig(size, share)).run(records, context(folder, seed)))
    assert len(results) == len(records)
    return kept(results)


def test_domains_come_first(tmp_path: Path) -> None:
    records = many("a", 20, "Text") + many("b", 20, "Web") + many("c", 1, "Media")
    assert Counter(r.function.provenance.domain for r in sample(records, tmp_path, 9, 1.0)) == {
        "Text": 4, "Web": 4, "Media": 1}


def test_projects_come_before_files_and_files_before_functions_that_are_worth_the_same() -> None:
    records = many("a", 30, files=3) + many("b", 30, files=3)
    first = in_turns(records, 30, SampleConfig(), 1)[:6]
    assert Counter(r.function.provenance.path for r in first) == {
        f"{project}/{file}.py": 1 for project in "ab" for file in range(3)}


def test_functions_with_helpers_have_their_share_first_if_there_are_so_many(tmp_path: Path) -> None:
    plain = [replace(one, layers=layers) for one, layers in zip(many("a", 20), (None, 0) * 10, strict=True)]
    bundles = [replace(one, layers=2) for one in many("b", 7)]

    def drawn(share: float) -> int:
        config = SampleConfig(10, 1.0, share)
        return sum(bool(one.layers) for one in kept(SampleStage(config).run(plain + bundles, context(tmp_path))))

    assert drawn(0.0) == 5 and drawn(0.6) >= 6 and drawn(1.0) == 7


LOOP = """
    def f{i}(rows):
        total = 0
        for row in rows:
            if row > {i}:
                total += row % 7
        return total
"""


def test_of_a_project_what_is_worth_most_is_taken(tmp_path: Path) -> None:
    loops = [candidate(LOOP.format(i=i), "a", "Text", path="a/0.py") for i in range(3)]
    chosen = sample(many("a", 30, files=30) + loops + many("b", 3), tmp_path, 6, 0.5)
    assert {r.id for r in loops} < {r.id for r in chosen}
    assert Counter(r.function.provenance.project for r in chosen) == {"a": 3, "b": 3}


def test_what_makes_worth_is_configured(tmp_path: Path) -> None:
    calls = candidate("def f(x):\n    return sorted(x.strip().split(','))[0]\n", "a")
    loop = candidate("def f(x):\n    while x: x -= 1\n    return x\n", "a")
    first = [in_turns([calls, loop], 1, SampleConfig(worth=worth), 1)
             for worth in (WorthConfig(0, 0, 0, 1), WorthConfig(0, 0, 1, 0))]
    assert first == [[calls], [loop]]


def test_the_project_with_the_better_candidate_comes_first_in_its_domain() -> None:
    better = candidate(LOOP.format(i=1), "z", "Text")
    assert in_turns([*many("a", 3), better, *many("b", 3)], 3, SampleConfig(), 1)[0] == better


def test_no_project_exceeds_its_share(tmp_path: Path) -> None:
    records = many("big", 500) + [r for i in range(40) for r in many(f"p{i}", 5)]
    chosen = sample(records, tmp_path, 1000, 0.05)
    counts = Counter(r.function.provenance.project for r in chosen)
    assert counts["big"] <= 0.05 * len(chosen)
    assert counts["p0"] == 5


@pytest.mark.parametrize(("sizes", "expected"), [
    ([500, *[5] * 40], 10), ([1, 1], 1), ([], 1), ([100] * 100, 50), ([30, 1, 1], 1),
], ids=["one big", "tiny", "none", "many", "lopsided"])
def test_the_limit_of_a_project(sizes: list[int], expected: int) -> None:
    assert project_limit(sizes, SampleConfig(1000, 0.05)) == expected


def test_the_order_of_the_records_does_not_matter(tmp_path: Path) -> None:
    records = many("a", 30, "Text", 4) + many("b", 30, "Web", 2)
    one = {r.id for r in sample(records, tmp_path, 20, 1.0)}
    assert one == {r.id for r in sample(records[::-1], tmp_path, 20, 1.0)}


def test_the_seed_matters(tmp_path: Path) -> None:
    records = many("a", 200)
    one, other = ({r.id for r in sample(records, tmp_path, 20, 1.0, seed)} for seed in (1, 2))
    assert one != other


def test_what_is_left_out_says_why(tmp_path: Path) -> None:
    records = many("a", 3) + many("b", 1)
    results = list(SampleStage(SampleConfig(2, 0.5)).run(records, context(tmp_path)))
    rejected = [r for r in results if isinstance(r, Rejection)]
    assert {r.reason for r in rejected} == {"not_sampled"}
    assert rejected[0].evidence == "a has its 1 candidates."
