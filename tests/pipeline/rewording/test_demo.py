"""The demo's questions put otherwise: how many ways there are, and the command that shows them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.cli import cli
from harness.records import Task
from pipeline.config import VaryConfig
from pipeline.rewording.asked import USUAL, reword
from pipeline.rewording.edits import applied
from tests.harness.conftest import LOCK
from tests.harness.make_release import make_release

EACH = 12
"""Of so many tasks one is looked at."""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [*map(str, arguments)])


@pytest.mark.slow  # all strategies on tasks of the demo
def test_a_question_of_the_demo_has_seventy_variants(demo: Sequence[Task]) -> None:
    counts: list[Counter[str]] = []
    for task in demo[::EACH]:
        rows = reword(task, VaryConfig())
        made = [row for row in rows if not row.reason]
        assert all(applied(task.instruction, row.edits) == (row.instruction or task.instruction) for row in made)
        assert made[0].scored and set(made[0].scored).isdisjoint(number for row in made for number in row.shown)
        counts.append(Counter(row.strategy for row in made))
    assert sum(map(Counter.total, counts)) / len(counts) >= 70 and min(map(Counter.total, counts)) >= 65
    assert all(one["description_typo"] == 10 and one["function_typo"] >= 1 and one["example_removal"] >= 1 for one in counts)


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_release(tmp_path_factory.mktemp("made") / "build" / "made" / "release", LOCK.read_text())


def test_the_command_shows_variants_and_what_has_changed(release: Path) -> None:
    whole = run("reword", release, "merge", "--strategy", "variable_typo", "--strategy", "control")
    assert whole.exit_code == 0 and whole.stdout.count("def merge(") == 13 and "tells the same" in whole.stdout
    diff = run("reword", release, "merge", "--strategy", "description_typo", "--diff", "--seed", 7).stdout
    assert diff.count("--- first") == 10 and '\n-    """Return' in diff and '\n+    """R' in diff
    lines = run("reword", release, "merge", "--strategy", "description_typo", "--rate", "0.1", "--json").stdout.splitlines()
    assert [json.loads(line)["rate"] for line in lines] == [0.1] * len(lines)
    refused = run("reword", release, "clamp", "--strategy", "example_removal", "--synonyms", "curated").stdout
    assert refused.startswith("# example_removal: none. The question has nothing that the strategy could put otherwise. The question")


@pytest.mark.parametrize(("arguments", "told"), [
    (("merg",), "did you mean 'merge'"), (("merge", "--strategy", "typo"), "There is no strategy 'typo'"),
    (("merge", "--rate", 2), "give a number from 0 to 1"), (("merge", "--variants", 0), "ask for at least 1"),
    (("merge", "--synonyms", "wordnt"), "did you mean 'wordnet'"),
])
def test_mistakes_end_in_a_sentence(release: Path, arguments: Sequence[object], told: str) -> None:
    result = run("reword", release, *arguments)
    assert result.exit_code == 2 and told in result.stderr and len(result.stderr.splitlines()) == 1


def test_the_usual_strategies_are_those_of_the_paper() -> None:
    assert len(USUAL) == 11 and "camel_case" not in USUAL
