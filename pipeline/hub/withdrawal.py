"""Withdrawing a task: tags don't move, so the default branch says so, and the next correction leaves it out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from huggingface_hub import CommitOperationAdd, HfApi
from huggingface_hub.errors import HfHubHTTPError

from harness.errors import UserError
from harness.releases.dataset import load_release
from harness.releases.hub import ADVISORIES, MAIN, Advisory, advisories, asked, releases, write_advisories
from pipeline.hub.page import has_page, renew_page
from pipeline.packaging.exclusions import Exclusion, add_exclusion, load_exclusions

ATTEMPTS = 4


@dataclass(frozen=True)
class Withdrawn:
    """A task that was withdrawn; `page` is the address of the page that shows it no more, "" where there is none."""

    advisory: Advisory
    page: str


def withdraw(wanted: str, repository: str, reason: str, exclusions: Path, today: str = "") -> Withdrawn:
    """Announce that a task, given by its id or its function's name, has to go, and keep it out of the next build.

    The page of the latest release, where there is one, shows it no more. Stopped anywhere, the same call goes on.
    Raises `UserError` where no release has it, or several tasks have that name.
    """
    if not reason.strip():
        raise UserError("A withdrawal needs a reason that everybody may read: give --reason.")
    there = {listed.release: load_release(f"{repository}@{listed.commit}").tasks for listed in releases(repository)}
    every = [task for tasks in there.values() for task in tasks]
    ids = sorted({task.task_id for task in every if wanted in (task.task_id, task.entry_point)})
    if not ids:
        raise UserError(f"No release of {repository} has the task {wanted!r}: `code2bench prompts` lists the ids.")
    if len(ids) > 1:
        raise UserError(f"{len(ids)} tasks are called {wanted!r} ({', '.join(ids)}): give the id.")
    [task_id] = ids
    holding = tuple(name for name, tasks in there.items() if any(task.task_id == task_id for task in tasks))
    found = Advisory(task_id, reason.strip(), today or datetime.now(UTC).date().isoformat(), holding)
    _announce(repository, found)
    if task_id not in load_exclusions(exclusions):
        add_exclusion(exclusions, Exclusion(task_id, reason.strip(), f"withdrawn from {repository}"))
    api = HfApi()
    return Withdrawn(found, renew_page(api, repository) if has_page(api, repository) else "")


def causes(repository: str) -> list[Exclusion]:
    """The advisories of a repository as reasons for changes."""
    found = asked(repository, lambda: advisories(repository))
    return [Exclusion(one.task_id, one.reason) for one in found]


def _announce(repository: str, found: Advisory) -> None:
    """Add an advisory to the file of the default branch, on top of what others have written meanwhile."""
    api = HfApi()
    for attempt in range(ATTEMPTS):
        head = asked(repository, lambda: api.repo_info(repository, repo_type="dataset", revision=MAIN)).sha
        known = asked(repository, lambda: advisories(repository))
        same = next((one for one in known if one.task_id == found.task_id), None)
        if same is not None and replace(same, date=found.date) == found:
            return
        others = [one for one in known if one.task_id != found.task_id]
        text = write_advisories([*others, found]).encode()
        operation = CommitOperationAdd(ADVISORIES, text)
        try:
            asked(repository, partial(
                api.create_commit, repository, [operation], commit_message=f"Withdraw {found.task_id}",
                repo_type="dataset", parent_commit=head), (HfHubHTTPError,))
        except HfHubHTTPError as error:
            if attempt == ATTEMPTS - 1 or error.response is None or error.response.status_code not in (409, 412):
                raise UserError(f"{repository} could not be written ({str(error).splitlines()[0]}): check HF_TOKEN and "
                                "run the same command again.") from None
        else:
            return
