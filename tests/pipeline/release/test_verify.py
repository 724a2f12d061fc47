"""Forged releases: one thing is changed, all digests are made again, and a gate finds it.

What can't be known from a release alone is not here: another word in a project's licence that leaves its kind, an
address that lock and row forge together, another day of a commit between the baseline and the upper one, how many of
the cases are usual, a mutation score with as many survivors as it tells of, words in an instruction that no example
contradicts, the versions of the tools, a stage's reasons against each other, what models said, and a whole release that is passed off as one of older rows.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.errors import UserError
from harness.records import Comparison, Strength, Task
from harness.releases.dataset import load_release
from harness.releases.rows import row_digest, task_digest, write_track
from pipeline.flow import Build
from pipeline.records import Archive, LockedSource, Source
from pipeline.release.card import write_card
from pipeline.release.facts import facts_of
from pipeline.release.verify import verify
from pipeline.release.verifying import Evidence
from pipeline.release.verifying.provenance import provenance
from pipeline.vary.verify import verify as verify_any
from tests.mistakes import is_told

Forge = Callable[[Task], Task]


def sealed(folder: Path, card: bool = True) -> Path:
    """Make every digest and, for a `card`, every text that follows from the others right again."""
    manifest = json.loads((folder / "manifest.json").read_text())
    if card:
        release = load_release(_hashed(folder, manifest), whole=False)
        write_card(folder, facts_of(release, folder))
    return _hashed(folder, manifest)


def _hashed(folder: Path, manifest: dict[str, Any]) -> Path:
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "manifest.json"]
    manifest["files"] = {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    manifest["runtime"]["sha256"] = manifest["files"][manifest["runtime"]["lock"]]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


def forged(release: Path, place: Path, change: Forge, name: str = "merge_ranges") -> Path:
    """A copy of a release in which one task is changed, and all that follows from it."""
    folder = place / "release"
    shutil.copytree(release, folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    for track, entry in manifest["tracks"].items():
        own = [task for task in load_release(release).tasks if task.track == track]
        own = [_digested(change(task)) if task.entry_point == name else task for task in own]
        write_track(own, folder / entry["file"])
        entry |= {"row_digest": row_digest(own), "rows": len(own)}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return sealed(folder)


def _digested(task: Task) -> Task:
    return replace(task, task_digest=task_digest(task.instruction, task.cases, task.comparison, task.given))


def gates(folder: Path) -> set[str]:
    return {finding.gate for finding in verify(str(folder), 1)}


def origin(**changes: Any) -> Forge:
    return lambda task: replace(task, provenance=replace(task.provenance, **changes))


def sharp(**changes: Any) -> Forge:
    return lambda task: replace(task, strength=replace(task.strength, **changes))


def shown_otherwise(task: Task) -> Task:
    """The task with another answer below the first example."""
    lines = task.instruction.split("\n")
    place = next(number for number, line in enumerate(lines) if line.strip().startswith(">>> merge_ranges"))
    lines[place + 1] = lines[place + 1][: len(lines[place + 1]) - len(lines[place + 1].lstrip())] + "[(7, 7)]"
    return replace(task, instruction="\n".join(lines))


def one_line_down(task: Task) -> Task:
    return replace(task, provenance=replace(task.provenance, line_end=task.provenance.line_end + 9))


ROWS: dict[str, tuple[Forge, str]] = {
    "not_before on another day": (origin(not_before="2026-06-01T12:00:00Z"), "provenance"),
    "not_before in the baseline": (origin(not_before="2026-01-10T12:00:00Z"), "provenance"),
    "no not_before": (origin(not_before=""), "provenance"),
    "not_before that is no time": (origin(not_before="May"), "provenance"),
    "first_seen on another day of the window": (origin(first_seen="2026-06-11T12:00:00Z"), "provenance"),
    "first_seen before the window": (origin(first_seen="2026-04-11T12:00:00Z"), "provenance"),
    "revision_date on another day of the window": (origin(revision_date="2026-07-10T12:00:00Z"), "provenance"),
    "an author's date": (origin(author_date="2026-06-01T00:00:00Z"), "provenance"),
    "another revision": (origin(revision="1.2"), "provenance"),
    "another state": (origin(state="1.0"), "provenance"),
    "another path's form": (origin(path="beta/./__init__.py"), "provenance"),
    "a path with the archive's own folder back": (origin(path="beta/../beta/__init__.py"), "provenance"),
    "a path of a test": (origin(path="tests/test_it.py"), "provenance"),
    "a path of another language": (origin(path="beta/__init__.js"), "provenance"),
    "lines that are too many": (one_line_down, "provenance"),
    "a similarity that makes it a version": (
        origin(similarity=0.6, nearest="merge_ranges in beta/__init__.py (beta-1.0.tar.gz)"), "provenance"),
    "a similarity that makes it a copy": (origin(similarity=0.9, nearest="old in beta/__init__.py (beta-1.0.tar.gz)"), "provenance"),
    "a similarity to nothing": (origin(similarity=0.3, nearest=""), "provenance"),
    "a nearest function of no baseline": (origin(similarity=0.2, nearest="old in beta/__init__.py (beta-0.1.tar.gz)"), "provenance"),
    "one baseline more": (origin(baseline=("beta-1.0.tar.gz", "beta-0.9.tar.gz")), "provenance"),
    "another licence": (origin(licence="BSD-3-Clause"), "provenance"),
    "another licence's source": (origin(licence_source="LICENSE.md"), "provenance"),
    "another address": (origin(url="https://example.org"), "provenance"),
    "another hash of the archive": (origin(archive_sha256="0" * 64), "provenance"),
    "another difficulty": (lambda t: replace(t, difficulty="Hard" if t.difficulty != "Hard" else "Easy"), "analysis"),
    "another judge": (lambda t: replace(t, judged_by="nobody"), "form"),
    "a judge that the configuration lacks": (lambda t: replace(t, judged_by="llm:main"), "form"),
    "a writer that the configuration lacks": (lambda t: replace(t, instructed_by="llm:main"), "form"),
    "a laxer comparison": (lambda t: replace(t, comparison=replace(t.comparison, relative=0.5)), "form"),
    "a comparison that looks at arguments": (lambda t: replace(t, comparison=Comparison(mutation=not t.comparison.mutation)), "form"),
    "a share of usual cases that is none": (lambda t: replace(t, usual=0.12345), "content"),
    "another share of raising cases": (lambda t: replace(t, raising=0.5), "content"),
    "a mutation score above what survives": (lambda t: sharp(mutation_score=_other(t.strength.mutation_score))(t), "strength"),
    "a mutation score below the least": (sharp(mutation_score=0.5), "strength"),
    "survivors that are no mutants": (sharp(survivors=("line 1: magic",)), "strength"),
    "another higher-order score": (sharp(higher_order_score=0.123), "strength"),
    "no scores": (lambda t: replace(t, strength=Strength(1.0)), "strength"),
    "an example that is not true": (shown_otherwise, "examples"),
    "fewer cases than the least": (lambda t: replace(t, cases=t.cases[:5], lite=None), "form"),
    "an older version, of which less is held": (lambda t: replace(t, schema_version=4), "manifest"),
    "the canary": (lambda t: replace(t, canary="none"), "form"),
    "measures": (lambda t: replace(t, measures=replace(t.measures, lines=99)), "analysis"),
}


def _other(score: float | None) -> float:
    return 0.97 if score == 1.0 or score is None else 1.0


@pytest.mark.parametrize(("change", "gate"), ROWS.values(), ids=ROWS)
def test_a_forged_row_is_found_though_all_digests_are_right(
    built: Build, tmp_path: Path, change: Forge, gate: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if gate != "examples":
        monkeypatch.setattr("pipeline.release.verify._runs", lambda *_: [])
    assert gate in gates(forged(built.release, tmp_path, change))


def manifested(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], object]:
    """A change of the manifest."""

    def apply(folder: Path) -> None:
        path = folder / "manifest.json"
        manifest = json.loads(path.read_text())
        change(manifest)
        path.write_text(json.dumps(manifest))

    return apply


def rewritten(name: str, old: str, new: str) -> Callable[[Path], object]:
    """A change of a file."""

    def apply(folder: Path) -> None:
        text = (folder / name).read_text("utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1), "utf-8")

    return apply


def stage(name: str, **changes: Any) -> Callable[[Path], object]:
    """A change of a stage of the funnel."""
    return manifested(lambda m: next(row for row in m["funnel"] if row["stage"] == name).update(changes))


FILES: dict[str, tuple[Callable[[Path], object], str]] = {
    "the name": (manifested(lambda m: m.update(name="other")), "manifest"),
    "the title": (manifested(lambda m: m.update(title="A better release")), "manifest"),
    "the seed": (manifested(lambda m: m.update(seed=1)), "manifest"),
    "the window's start": (manifested(lambda m: m["window"].update(after="2026-06-01")), "manifest"),
    "the window's end": (manifested(lambda m: m["window"].update(until="2026-12-01")), "manifest"),
    "the version of the rows": (manifested(lambda m: m.update(schema_version=5)), "manifest"),
    "the canary": (manifested(lambda m: m.update(canary="none")), "canary"),
    "the tools": (manifested(lambda m: m["tools"].pop("hypothesis")), "manifest"),
    "the runtime's version": (manifested(lambda m: m["runtime"].update(python="3.12")), "manifest"),
    "what a stage read": (stage("classify", read=10**6), "funnel"),
    "what a stage kept": (stage("screen", kept=10**6), "funnel"),
    "what a stage rejected": (stage("mine", reasons={}), "funnel"),
    "the sources": (stage("lock", read=9, kept=9, reasons={}), "funnel"),
    "the tasks": (stage("package", tracks={"sc-python": 1}), "funnel"),
    "no funnel": (manifested(lambda m: m.update(funnel=[])), "funnel"),
    "the configuration's window": (rewritten("release.toml", "2026-05-01", "2026-05-02"), "manifest"),
    "a strict window, which not all pass": (rewritten("release.toml", "[sources]", "[mine]\nbaseline_archives = 2\ndating_archives = 0\n[sources]"), "provenance"),
    "the configuration's limits": (rewritten("release.toml", "cases = 60", "cases = 60\nmin_cases = 400"), "form"),
    "the lock's window": (rewritten("sources.lock", "2026-05-01", "2026-04-01"), "manifest"),
    "the upper end's time": (rewritten("sources.lock", "2026-06-10T", "2026-06-20T"), "provenance"),
    "the baseline's time": (rewritten("sources.lock", "2026-01-10T", "2026-05-10T"), "manifest"),
    "what the lock refuses": (rewritten("sources.lock", "project_gone", "no_answer"), "funnel"),
    "what lies in between": (rewritten("sources.lock", '"uploaded": "2026-05-20T', '"uploaded": "2026-05-30T'), "provenance"),
}


@pytest.mark.parametrize(("change", "gate"), FILES.values(), ids=FILES)
def test_a_forged_file_is_found_though_all_digests_are_right(
    built: Build, tmp_path: Path, change: Callable[[Path], object], gate: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.release.verify._runs", lambda *_: [])
    folder = tmp_path / "release"
    shutil.copytree(built.release, folder)
    change(folder)
    assert gate in gates(sealed(folder, card=(gate != "funnel")))


TEXTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a number of the card": (rewritten("README.md", "tasks are shown", "of 99 tasks are shown"), "card"),
    "a claim of the card": (rewritten("README.md", "## Window", "Nothing in it is older than 2027.\n\n## Window"), "card"),
    "a figure": (rewritten("figures/funnel.svg", "mine", "mined"), "card"),
    "what the Hub evaluates": (rewritten("eval.yaml", "name", "nome"), "card"),
    "what programs read": (rewritten("croissant.json", "Code2Bench", "Somebody"), "card"),
    "the licence of the whole": (rewritten("LICENSE", "MIT", "ISC"), "card"),
    "a project's notice": (rewritten("NOTICE.txt", "beta", "gamma"), "notice"),
    "a project that is none": (rewritten("LICENSES.txt", "beta 1.1", "gamma 1.1"), "licences"),
    "another licence's text": (rewritten("LICENSES.txt", "Permission is hereby granted", "GNU GENERAL PUBLIC LICENSE\nVersion 3"), "licences"),
    "a library that the build had not": (lambda folder: (folder / "answers.lock").write_text("evil==1.0\n"), "manifest"),
    "a file that nobody names": (lambda folder: (folder / "more.txt").write_text("x"), "files"),
}


@pytest.mark.parametrize(("change", "gate"), TEXTS.values(), ids=TEXTS)
def test_a_forged_text_is_found_though_all_digests_are_right(
    built: Build, tmp_path: Path, change: Callable[[Path], object], gate: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.release.verify._runs", lambda *_: [])
    folder = tmp_path / "release"
    shutil.copytree(built.release, folder)
    change(folder)
    if gate != "files":
        sealed(folder, card=False)
    assert gate in gates(folder)


def test_what_is_sealed_again_without_a_change_passes(built: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.release.verify._runs", lambda *_: [])
    assert verify(str(forged(built.release, tmp_path, lambda task: task))) == []


def test_a_runtime_that_is_missing_is_made_with_consent_alone(
    built: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODE2BENCH_CACHE", str(tmp_path))
    is_told("verify {built}", ["The runtime is missing (Python 3.11 with ", "give --yes, and it is made first"], {"built": built.release})
    told: list[str] = []
    with pytest.raises(UserError, match="Not here"):
        verify_any(str(built.release), consent=lambda sentence: refuse(told, sentence))
    assert "Python 3.11 with " in told[0]
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def refuse(told: list[str], sentence: str) -> None:
    told.append(sentence)
    raise UserError("Not here.")


def as_older(folder: Path) -> Path:
    """The release as it would have been made of rows of version 4."""
    manifest = json.loads((folder / "manifest.json").read_text()) | {"schema_version": 4}
    tasks = [replace(task, schema_version=4) for task in load_release(folder).tasks]
    for track, entry in manifest["tracks"].items():
        own = [task for task in tasks if task.track == track]
        write_track(own, folder / entry["file"])
        entry["row_digest"] = row_digest(own)
    (folder / "models.toml").unlink()
    lock = json.loads((folder / "sources.lock").read_text())
    del lock["window"]
    (folder / "sources.lock").write_text(json.dumps(lock))
    return _hashed(folder, manifest)


def test_a_release_of_older_rows_is_held_to_what_it_was_held_to(built: Build, tmp_path: Path) -> None:
    shutil.copytree(built.release, tmp_path / "release")
    folder = as_older(tmp_path / "release")
    assert {task.provenance.not_before for task in load_release(folder).tasks} == {""}
    assert verify(str(folder), 1) == []
    rewritten("sources.lock", "beta-1.1.tar.gz", "beta-1.2.tar.gz")(folder)
    assert gates(_hashed(folder, json.loads((folder / "manifest.json").read_text()))) == {"provenance"}


COMMIT, UPPER = "a" * 40, "b" * 40
COMMITTED = {
    "as it was": ({}, ""),
    "another state": ({"state": COMMIT}, "state is"),
    "a commit that is none": ({"revision": "1.0"}, "can't be"),
    "seen before its commit": ({"first_seen": "2026-05-25T00:00:00Z"}, "but it was seen first on"),
    "lacked later than it was there": ({"not_before": "2026-06-11T00:00:00Z"}, "not_before is"),
    "lacked by nothing": ({"not_before": ""}, "not_before is"),
    "written at no time": ({"author_date": "yesterday"}, "author_date 'yesterday' is no time"),
}


@pytest.mark.parametrize(("changes", "said"), COMMITTED.values(), ids=COMMITTED)
def test_a_commits_dates_are_held_against_each_other(built: Build, changes: dict[str, str], said: str) -> None:
    def archive(commit: str, day: str) -> Archive:
        return Archive(commit, "", commit, f"{day}T00:00:00Z", 0)

    task = load_release(built.release).tasks[0]
    own = task.provenance
    source = Source("git", own.project, own.domain, "https://example.org/it")
    locked = LockedSource(source, own.url, own.licence, own.licence_source, archive(UPPER, "2026-09-01"), (archive("c" * 40, "2026-04-01"),))
    where = replace(
        own, source="git", revision=COMMIT, revision_date="2026-06-10T00:00:00Z", author_date="2026-06-09T00:00:00Z",
        archive="", archive_sha256=UPPER, baseline=("c" * 40,), similarity=0.0, nearest="", state=UPPER,
        first_seen="2026-06-10T00:00:00Z", not_before="2026-06-01T00:00:00Z",
    )
    evidence = Evidence(load_release(built.release), Path(), {own.project: locked}, {}, (), built.config)
    found = list(provenance(replace(task, provenance=replace(where, **changes)), evidence))
    assert (not found) if not said else any(said in one for one in found), found


def test_each_task_of_the_tiny_release_is_shown_to_be_younger_than_the_window(built: Build) -> None:
    tasks = load_release(built.release).tasks
    assert {task.provenance.not_before for task in tasks} == {"2026-05-20T12:00:00Z"}
    assert f"All {len(tasks)} tasks are shown to be younger than the window's start" in (built.release / "README.md").read_text()
