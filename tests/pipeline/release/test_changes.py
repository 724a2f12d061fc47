"""What changed between two releases, which are real ones on disk."""

import json
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import pytest

from harness.records import Case, Comparison, Task
from harness.releases.dataset import Release, load_release
from harness.releases.rows import row_digest, task_digest, write_track
from pipeline.packaging.exclusions import Exclusion
from pipeline.release.changes import as_json, as_text, changes, differing
from tests.harness.make_release import make_release, make_tasks, write_manifest

TRACK = "sc-python"


def release(folder: Path, own: list[Task], name: str, window: tuple[str, str] = ("2026-05-01", "2026-11-01")) -> Release:
    """A release of that name whose sc track holds these tasks."""
    make_release(folder, name=name)
    tracks = json.loads((folder / "manifest.json").read_text())["tracks"]
    write_track(own, folder / tracks[TRACK]["file"])
    tracks[TRACK] |= {"rows": len(own), "row_digest": row_digest(own)}
    write_manifest(folder, tracks, name)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["window"] = {"after": window[0], "until": window[1]}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return load_release(str(folder))


def redone(task: Task) -> Task:
    return replace(task, task_digest=task_digest(task.instruction, task.cases, task.comparison))


def test_a_release_is_the_same_as_itself(tmp_path: Path) -> None:
    one = release(tmp_path / "a", make_tasks(TRACK), "2610")
    found = changes(one, one)
    assert not found.any and found.same == 5
    assert as_text(found) == "2610 against 2610: 0 added, 0 removed, 0 changed (0 in what is asked or how it is judged), 5 as they were."


def test_added_removed_and_changed_are_told_with_their_reasons(tmp_path: Path) -> None:
    clamp, runs, merge = make_tasks(TRACK)
    mended = redone(replace(clamp, instruction=clamp.instruction.replace("Return value", "Give value"), domain="other"))
    before, after = release(tmp_path / "a", [clamp, runs], "2610"), release(tmp_path / "b", [mended, merge], "2611")
    why = [Exclusion(runs.task_id, "Its text is wrong.", "https://example.org/1"), Exclusion("c2b-else", "No.")]
    told = [Exclusion(clamp.task_id, "The text said too little.")]
    found = changes(before, after, why, told)
    assert [c.entry_point for c in found.added] == ["merge"] and found.same == 2
    assert [(c.entry_point, c.why, c.link) for c in found.removed] == [
        ("runs", "excluded: Its text is wrong.", "https://example.org/1")
    ]
    [change] = found.changed
    assert (change.what, change.why, change.comparable) == (
        ("instruction", "domain"), "advisory: The text said too little.", False,
    )  # fmt: skip
    assert (change.digest_before, change.digest_after) == (clamp.task_digest, mended.task_digest)
    assert as_text(found).splitlines() == [
        "2611 against 2610: 1 added, 1 removed, 1 changed (1 in what is asked or how it is judged), 2 as they were.",
        "", "added:", f"  {merge.task_id}  sc-python  merge (example)",
        "", "removed:", f"  {runs.task_id}  sc-python  runs (example): excluded: Its text is wrong.; https://example.org/1",
        "", "changed:", f"  {clamp.task_id}  sc-python  clamp (example) in instruction, domain: advisory: The text said too little.",
    ]  # fmt: skip


CHANGES: dict[str, Callable[[Task], Task]] = {
    "instruction": lambda t: redone(replace(t, instruction=t.instruction + "\n")),
    "cases": lambda t: redone(replace(t, cases=(*t.cases[1:], Case(("x",), {}, t.cases[0].expected)))),
    "comparison": lambda t: redone(replace(t, comparison=Comparison(unordered=True))),
    "reference": lambda t: replace(t, reference=t.reference + "\n"),
    "provenance": lambda t: replace(t, provenance=replace(t.provenance, licence="ISC")),
    "lite": lambda t: replace(t, lite=None),
    "strength": lambda t: replace(t, strength=replace(t.strength, mutation_score=0.5)),
}


@pytest.mark.parametrize("column", CHANGES)
def test_each_kind_of_change_is_named(tmp_path: Path, column: str) -> None:
    old = make_tasks(TRACK)
    before = release(tmp_path / "a", old, "2610")
    after = release(tmp_path / "b", [CHANGES[column](old[1]), old[0], old[2]], "2611")
    found = changes(before, after)
    [change] = found.changed
    assert change.what == (column,) and found.same == 4
    assert change.comparable == (column not in ("instruction", "cases", "comparison"))


def test_no_column_is_overlooked() -> None:
    task = make_tasks(TRACK)[0]
    for field in fields(Task):
        other = replace(task, **{field.name: object()})
        assert differing(task, other) == (() if field.name in ("task_id", "task_digest") else (field.name,))


def test_windows_explain_what_came_and_what_went(tmp_path: Path) -> None:
    clamp, runs, merge = make_tasks(TRACK)
    young = replace(merge, provenance=replace(merge.provenance, first_seen="2026-11-05", revision_date="2026-11-05"))
    before = release(tmp_path / "a", [clamp, runs], "2610")
    after = release(tmp_path / "b", [clamp, young], "2611", ("2026-06-15", "2026-12-01"))
    found = changes(before, after)
    assert found.added[0].why == "its code is younger than 2610, which ends before 2026-11-01"
    assert found.removed[0].why == "its code is older than 2611, which begins on 2026-06-15"


def test_programs_get_the_same(tmp_path: Path) -> None:
    clamp, runs, merge = make_tasks(TRACK)
    found = changes(release(tmp_path / "a", [clamp, runs], "2610"), release(tmp_path / "b", [runs, merge], "2611"))
    told = json.loads(json.dumps(as_json(found)))
    assert (told["before"], told["after"], told["same"]) == ("2610", "2611", 3)
    assert [one["task_id"] for one in told["added"]] == [merge.task_id]
    assert [one["task_id"] for one in told["removed"]] == [clamp.task_id] and told["changed"] == []
    assert set(told["added"][0]) == {
        "task_id", "entry_point", "track", "project", "what", "digest_before", "digest_after", "why", "link", "comparable",
    }  # fmt: skip
