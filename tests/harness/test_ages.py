"""Which tasks are younger than a day or a model: the earliest day counts, and a mistake is told with its cure."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.errors import UserError
from harness.records import Task
from harness.releases.ages import contradiction, cutoff, first_public, younger
from tests.harness.make_release import make_tasks

TASK = make_tasks("sc-python")[0]


def seen(first_seen: str, revision_date: str = "2026-09-01T10:00:00Z", author_date: str = "") -> Task:
    where = replace(TASK.provenance, first_seen=first_seen, revision_date=revision_date, author_date=author_date)
    return replace(TASK, provenance=where)


@pytest.mark.parametrize(("task", "day"), [
    (seen("2026-06-01T23:59:59Z"), "2026-06-01"),
    (seen("2026-06-01"), "2026-06-01"),
    (seen("2026-10-01T00:00:00Z"), "2026-09-01"),
    (seen("2026-06-01T00:00:00Z", author_date="2025-12-31T23:00:00Z"), "2025-12-31"),
    (seen("2026-06-01T00:00:00Z", author_date="2026-08-01T00:00:00Z"), "2026-06-01"),
], ids=["seen first", "a day alone", "the version is older", "written before", "written after, they say"])
def test_the_earliest_day_counts(task: Task, day: str) -> None:
    assert first_public(task) == day


def lacking(not_before: str, author_date: str = "") -> Task:
    where = seen("2026-09-01T00:00:00Z", author_date=author_date).provenance
    return replace(TASK, provenance=replace(where, not_before=not_before))


@pytest.mark.parametrize(("task", "day"), [
    (lacking("2026-05-07T10:00:00Z"), "2026-05-07"),
    (lacking("2026-04-20T10:00:00Z"), "2026-04-20"),
    (lacking("2026-05-07T10:00:00Z", "2026-06-01T00:00:00Z"), "2026-05-07"),
    (lacking("2026-05-07T10:00:00Z", "2025-12-31T23:00:00Z"), "2025-12-31"),
], ids=["lacked in the window", "lacked before the window alone", "written later", "written earlier"])
def test_what_lacks_the_function_counts_where_it_is_told(task: Task, day: str) -> None:
    assert first_public(task) == day


def test_a_task_of_the_day_itself_is_not_younger() -> None:
    tasks = [seen(f"2026-06-{day:02d}T12:00:00Z") for day in (1, 2, 3)]
    assert [first_public(task) for task in younger(tasks, cutoff("2026-06-02"))] == ["2026-06-03"]
    assert len(younger(tasks, cutoff("2026-05-31"))) == 3


def test_a_models_name_stands_for_the_last_day_of_its_knowledge() -> None:
    found = cutoff("gpt-4.1")
    assert (found.what, found.day) == ("gpt-4.1", "2024-06-30")
    assert "OpenAI" in found.source


def test_too_late_a_cutoff_says_how_young_the_tasks_are() -> None:
    sentence = "None of the 1 tasks is younger than 2026-06-01, the youngest is of 2026-06-01; take an earlier cutoff"
    with pytest.raises(UserError, match=sentence):
        younger([seen("2026-06-01T00:00:00Z")], cutoff("2026-06-01"))


@pytest.mark.parametrize(("what", "sentence"), [
    ("gpt4o", r"'gpt4o' is not known \(did you mean 'gpt-4o'\?\): give its day as a date such as 2026-05-01, or add the model to"),
    ("zzz", r"'zzz' is not known: give its day as a date"),
    ("2026-02-30", "'2026-02-30' is no day"),
    ("2026-05", "'2026-05' is no day"),
    ("20260501", "'20260501' is no day"),
    ("", "'' is not known"),
])
def test_what_is_neither_a_day_nor_a_model_is_refused(what: str, sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        cutoff(what)


@pytest.mark.parametrize(("author", "committer", "said"), [
    ("", "2026-06-01T10:00:00Z", ""),
    ("2026-06-01T09:00:00Z", "2026-06-01T10:00:00Z", ""),
    ("2026-05-01T09:00:00Z", "2026-06-01T10:00:00Z", ""),
    ("2026-06-04T10:00:00Z", "2026-06-01T10:00:00Z", "its author dates it 3 days after it was committed"),
    ("2025-06-01T10:00:00Z", "2026-06-01T10:00:00Z", "its author dates it 365 days before it was committed"),
])
def test_dates_that_contradict_each_other_are_told(author: str, committer: str, said: str) -> None:
    assert contradiction(author, committer) == said
