"""The seam of families: a second one, whose answers are lines in a frame, is asked, judged and published for real."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from harness.answers.extraction import extract
from harness.errors import UserError
from harness.families.registry import families, family_of, registered
from harness.languages import Machine
from harness.languages.python.framing import fits
from harness.prompts import prompt, stop
from harness.records import Frame, Spectrum, Task
from harness.releases.dataset import load_release, read_track
from harness.releases.rows import SCHEMA, row_digest, row_to_task, task_to_row, write_track
from harness.scoring.evaluate import Options, evaluate, references, stubs
from harness.scoring.judging import judge
from harness.show import as_text
from tests.harness.conftest import LOCK
from tests.harness.lines import LINE, MARK, without_line
from tests.harness.make_release import make_release, make_tasks, write_manifest

CLAMP, RUNS, _ = make_tasks("sc-python")


def line_of(task: Task, text: str) -> Task:
    """The task in which the line is missing that begins with a text."""
    numbers = [n for n, line in enumerate(task.reference.split("\n")) if line.strip().startswith(text)]
    return without_line(task, numbers[0])


@pytest.fixture
def line() -> Iterator[None]:
    with registered(LINE):
        yield


@pytest.mark.usefixtures("line")
@pytest.mark.parametrize(("task", "start"), [(CLAMP, "return high"), (CLAMP, "raise"), (RUNS, "found[-1]"), (RUNS, "return found"), (RUNS, "for")])
def test_the_reference_in_its_frame_is_perfect_and_a_stub_is_not(task: Task, start: str, machine: Machine) -> None:
    made = line_of(task, start)
    assert judge(made, made.reference, machine).outcome is Spectrum.PERFECT
    assert not judge(made, family_of(made).stub(made), machine).perfect


@pytest.mark.usefixtures("line")
def test_the_family_is_asked_and_answers_in_its_own_way() -> None:
    made = line_of(CLAMP, "return high")
    asked = prompt(made)
    assert asked.user.endswith(f"        return low\n{MARK}\n") and asked.user.count("\n") == CLAMP.reference.count("\n")
    assert (asked.completion, stop(made)) == (made.given.before if made.given else "", ("\n",))
    assert extract("It is:\n```python\nreturn high if value > high else value\n```\n", made) == made.reference.rstrip("\n")


RETURN = "    return high if value > high else value"
BREAKS_OUT = {
    "redefines the function behind itself": f"{RETURN}\n\ndef clamp(value, low=0.0, high=1.0):\n    return 7",
    "stands outside of the function": "clamp = min",
    "ends the function and begins another": f"{RETURN}\nclamp = lambda *a: 7",
}
SWALLOWS = {
    "opens a text": '        count = """',
    "opens a bracket": "        found = (found",
    "takes the rest as its own": "        pass\n    def inner():\n        pass\n    if inner():",
    "hides the rest in another function": "        pass\ndef other(text, found):\n    if 0:\n        pass",
}


@pytest.mark.usefixtures("line")
@pytest.mark.parametrize("how", sorted(BREAKS_OUT))
def test_an_answer_that_breaks_out_of_its_frame_is_a_syntax_error(how: str, machine: Machine) -> None:
    verdict = judge(line_of(CLAMP, "return high"), BREAKS_OUT[how], machine)
    assert (verdict.outcome, verdict.passed) == (Spectrum.SYNTAX_ERR, 0)


@pytest.mark.usefixtures("line")
@pytest.mark.parametrize("how", sorted(SWALLOWS))
def test_an_answer_that_swallows_what_stands_behind_it_is_a_syntax_error(how: str, machine: Machine) -> None:
    verdict = judge(line_of(RUNS, "found.append"), SWALLOWS[how] + "\n", machine)
    assert (verdict.outcome, verdict.passed) == (Spectrum.SYNTAX_ERR, 0)


@pytest.mark.parametrize(("answer", "right"), [
    ("y + 1", True), ("(y\n  + 1)", True), ("(lambda: y)()", True), ("y  #", False), ("y\n    -y", False), ("y; y", False),
    ("y\n\ndef g(y):\n    return y", False), ("'''", True), ("(y", True),
])
def test_a_frame_may_end_within_a_line(answer: str, right: bool) -> None:
    """What makes no program at all, as the last two, is left to the compiler."""
    assert fits(Frame("def f(y):\n    return ", " * 2\n"), answer, "y") is right


@pytest.mark.usefixtures("line")
def test_lines_are_told_as_those_of_the_answer(machine: Machine) -> None:
    made = line_of(CLAMP, "return high")
    verdict = judge(made, "    x = 1\n    return {}[value]", machine)
    assert "(line 2 in clamp)" in verdict.detail
    assert "line 2" in judge(made, "    x = 1\n    return value +", machine).detail
    inside = judge(line_of(CLAMP, "if low"), "    low = '' + value\n    if 1:", machine)
    assert "(line 1 in clamp)" in inside.detail


@pytest.mark.usefixtures("line")
def test_a_release_with_a_family_of_its_own_is_read_and_judged(tmp_path: Path) -> None:
    folder = make_release(tmp_path / "release", LOCK.read_text())
    tasks = [line_of(CLAMP, "return high"), line_of(RUNS, "found.append")]
    file = "line-sc-python/test-00000-of-00001.parquet"
    write_track(tasks, folder / file)
    write_manifest(folder, {"line-sc-python": {"file": file, "rows": 2, "row_digest": row_digest(tasks)}})
    release = load_release(folder)
    assert {task.task_id: task for task in release.tasks} == {task.task_id: task for task in tasks}
    assert evaluate(release, references(release.tasks), Options(), "reference").score.pass_at[1] == 1.0
    assert evaluate(release, stubs(release.tasks), Options(), "stub").score.pass_at[1] == 0.0


def test_a_family_that_is_unknown_is_one_sentence(tmp_path: Path) -> None:
    assert sorted(families()) == ["function", "input", "lsc", "outcome", "output", "repair", "whole"]
    with pytest.raises(UserError, match="knows no family 'line' of tasks, only function, input, lsc, outcome, output, repair, whole; install"):
        prompt(line_of(CLAMP, "raise"))
    folder = make_release(tmp_path / "release")
    file = "line-sc-python/test-00000-of-00001.parquet"
    write_track([line_of(CLAMP, "raise")], folder / file)
    write_manifest(folder, {"line-sc-python": {"file": file, "rows": 1, "row_digest": ""}})
    with pytest.raises(UserError, match="knows no track 'line-sc-python'"):
        load_release(folder)


def test_tracks_without_frames_are_the_bytes_that_they_were(tmp_path: Path) -> None:
    write_track([CLAMP, RUNS], tmp_path / "plain.parquet")
    assert pq.ParquetFile(tmp_path / "plain.parquet").schema_arrow.names == SCHEMA.names
    assert "given" not in task_to_row(CLAMP)
    write_track([line_of(CLAMP, "raise"), RUNS], tmp_path / "framed.parquet")
    assert pq.ParquetFile(tmp_path / "framed.parquet").schema_arrow.names == [*SCHEMA.names, "given"]
    assert {task.family for task in read_track(tmp_path / "framed.parquet")} == {"line", "function"}


@pytest.mark.parametrize(("change", "says"), [
    ({"schema_version": 4}, "field given should be there in version 5, and not in version 4"),
    ({"schema_version": 5}, "field provenance.not_before should be there in version 6, and in none before"),
    ({"schema_version": 5, "given": None}, "field given should be there in version 5, and not in version 4"),
    ({"given": {"before": "", "behind": ""}}, "field given.behind is unknown"),
    ({"given": {"before": ""} | {"after": 1}}, "field given.after should be str"),
    ({"schema_version": 7}, "this harness reads 4 to 6"),
])
def test_rows_with_unfit_frames_are_refused(change: dict[str, object], says: str) -> None:
    row = task_to_row(line_of(CLAMP, "raise"))
    assert row_to_task(json.loads(json.dumps(row))) == line_of(CLAMP, "raise")
    with pytest.raises(UserError, match=says):
        row_to_task(row | change)


def test_what_is_given_is_shown() -> None:
    shown = as_text(line_of(CLAMP, "raise"))
    parts = [title for title in ("--- instruction", "--- given, with", "--- given, behind", "--- reference") if title in shown]
    assert len(parts) == 4 and "given" not in as_text(CLAMP).split("---")[3]


def test_what_is_given_is_part_of_what_tells_two_tasks_apart() -> None:
    made = line_of(CLAMP, "raise")
    assert made.task_digest != CLAMP.task_digest != replace(made, given=None).task_digest
