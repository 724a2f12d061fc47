"""Releases on the Hub: which there are, which one a name means, and getting it, whole and checked.

A release is a tag of one dataset repository: `2611` means exactly `v2611`, and a correction of it is `v2611.1`. A newer
correction, or an advisory on a task, is announced and never acted upon.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from harness.errors import UserError

T = TypeVar("T")

ADVISORIES = "advisories.json"
"""The file of the default branch that says which tasks have been withdrawn, and why."""
MANIFEST = "manifest.json"
MAIN = "main"
ALL = "all"
"""The folder of the default branch with the tasks of all releases."""
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*(@[\w./-]+)?")
_TAG = re.compile(r"v(?P<release>\w[\w-]*)(?:\.(?P<correction>\d+))?")


@dataclass(frozen=True)
class Advisory:
    """A task that was withdrawn after its release: tags don't move, so whoever uses them has to be told."""

    task_id: str
    reason: str
    date: str
    releases: tuple[str, ...]

    @property
    def note(self) -> str:
        """The sentence for whoever uses a release that holds the task."""
        return f"Task {self.task_id} was withdrawn on {self.date} ({self.reason}): leave it out of what you report."


@dataclass(frozen=True)
class Fetched:
    """A release that was got: the folder, the commit, and what its users have to be told."""

    folder: Path
    commit: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Listed:
    """A release as `code2bench releases` tells it; tasks by track.

    `tag` and `commit` are those of a repository on the Hub; of a release that is here, `place` is its folder.
    """

    release: str
    tag: str
    commit: str
    after: str
    until: str
    tasks: dict[str, int]
    place: str = ""


def listed(manifest: dict[str, Any], tag: str = "", commit: str = "", place: str = "") -> Listed:
    """A release by its manifest."""
    window = manifest.get("window", {})
    tasks = {track: int(entry["rows"]) for track, entry in manifest["tracks"].items()}
    after, until = str(window.get("after", "")), str(window.get("until", ""))
    return Listed(str(manifest["name"]), tag, commit, after, until, tasks, place)


def is_name(where: str) -> bool:
    """Whether a text has the form ORG/NAME or ORG/NAME@REVISION."""
    return _NAME.fullmatch(where) is not None


def dataset_named(text: str) -> str:
    """The same text where it names a dataset of the Hub, without a revision; raises `UserError`."""
    if not is_name(text) or "@" in text:
        raise UserError(f"{text!r} is no name of a dataset on the Hub: give it as ORG/NAME, such as ORG/code2bench.")
    return text


def tag_of(release: str) -> str:
    """The tag of a release: `2611` and `v2611` are both `v2611`."""
    return release if release.startswith("v") else f"v{release}"


def base_of(tag: str) -> str:
    """The name of the release that a tag is, or corrects; "" where it is no tag of ours."""
    found = _TAG.fullmatch(tag)
    return found["release"] if found else ""


def order_of(tag: str) -> tuple[str, int]:
    """The order of a release's tags: the correction's number behind the release."""
    found = _TAG.fullmatch(tag)
    return (found["release"], int(found["correction"] or 0)) if found else (tag, 0)


def fetch(where: str) -> Fetched:
    """The release that `ORG/NAME[@REVISION]` means, from the cache where it is there; raises `UserError`.

    A revision is a release's name, a tag, a branch or a commit; without one, it is the latest release.
    """
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError, RevisionNotFoundError

    repository, _, revision = where.partition("@")

    def got(wanted: str | None) -> Path:
        return Path(snapshot_download(
            repository, repo_type="dataset", revision=wanted, ignore_patterns=[f"{ALL}/*"]))

    *tags, last = _meanings(revision)
    for tag in tags:
        with suppress(RevisionNotFoundError, LocalEntryNotFoundError):
            folder = asked(where, partial(got, tag), (RevisionNotFoundError, LocalEntryNotFoundError))
            return Fetched(folder, folder.name, _notes(repository, tag, folder))
    folder = asked(where, partial(got, last))
    return Fetched(folder, folder.name, _notes(repository, last, folder))


def releases(repository: str) -> list[Listed]:
    """All releases of a repository, the oldest first; raises `UserError`."""
    from huggingface_hub import HfApi, hf_hub_download

    def one(tag: str, commit: str) -> Listed:
        path = asked(repository, lambda: hf_hub_download(repository, MANIFEST, repo_type="dataset", revision=commit))
        return listed(json.loads(Path(path).read_text("utf-8")), tag, commit)

    dataset_named(repository)
    refs = asked(repository, lambda: HfApi().list_repo_refs(repository, repo_type="dataset"))
    tags = sorted((ref for ref in refs.tags if base_of(ref.name)), key=lambda ref: order_of(ref.name))
    found = (one(ref.name, ref.target_commit) for ref in tags)
    return sorted(found, key=lambda listed: (listed.until, order_of(listed.tag)))


def advisories(repository: str) -> tuple[Advisory, ...]:
    """The advisories of a repository's default branch; none where it has no such file."""
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import EntryNotFoundError

    try:
        path = hf_hub_download(repository, ADVISORIES, repo_type="dataset", revision=MAIN)
    except EntryNotFoundError:
        return ()
    return read_advisories(Path(path).read_text("utf-8"))


def read_advisories(text: str) -> tuple[Advisory, ...]:
    """Advisories from their file."""
    return tuple(Advisory(**{**one, "releases": tuple(one["releases"])}) for one in json.loads(text))


def write_advisories(found: Iterable[Advisory]) -> str:
    """The text of their file, by task and date."""
    rows = [asdict(one) for one in sorted(found, key=lambda one: (one.date, one.task_id))]
    return json.dumps(rows, indent=1) + "\n"


def asked(where: str, question: Callable[[], T], passing: tuple[type[Exception], ...] = ()) -> T:
    """What the Hub answers; a refusal becomes one sentence with the cure, but for what the caller deals with."""
    import httpx2
    from huggingface_hub import errors

    repository = where.partition("@")[0]
    try:
        return question()
    except passing:
        raise
    except errors.LocalTokenNotFoundError:
        cure = "set HF_TOKEN to one that may write there, or run `hf auth login`"
        raise UserError(f"The Hub takes nothing for {repository} without a token: {cure}.") from None
    except errors.GatedRepoError:
        cure = f"accept its terms on the page of {repository}, and set HF_TOKEN"
        raise UserError(f"{where} is given only to those who have accepted its terms: {cure}.") from None
    except errors.RevisionNotFoundError:
        raise UserError(f"{where} is not there: `code2bench releases {repository}` lists what is.") from None
    except errors.RepositoryNotFoundError:
        hidden = "check the name, and HF_TOKEN if it is private"
        raise UserError(f"The Hub knows no dataset {repository}, or does not show it to you: {hidden}.") from None
    except (errors.HfHubHTTPError, errors.HFValidationError, errors.LocalEntryNotFoundError,
            errors.OfflineModeIsEnabled, httpx2.HTTPError, OSError) as error:
        raise UserError(
            f"{where!r} is neither a folder nor a dataset that the Hub gives out ({_first(error)}); "
            "check the name, the revision, the network, and HF_TOKEN if it is private."
        ) from None


def _first(error: Exception) -> str:
    text = str(error).strip()
    return (text.splitlines()[0] if text else type(error).__name__).rstrip(".")


def _meanings(given: str) -> tuple[str | None, ...]:
    """What a revision may mean, the release of that name first; the last is what is there in any case."""
    if not given or given == MAIN:
        return (None,)
    exact = given.startswith("v") or re.fullmatch(r"[0-9a-f]{40}", given)
    return (given,) if exact else (f"v{given}", given)


def _notes(repository: str, wanted: str | None, folder: Path) -> tuple[str, ...]:
    """Newer corrections and advisories; without a network, what is known of them already."""
    return (*_newer(repository, wanted), *_withdrawn(repository, folder))


def _newer(repository: str, wanted: str | None) -> list[str]:
    from huggingface_hub import HfApi

    if wanted is None or not base_of(wanted):
        return []
    refs = _quietly(lambda: HfApi().list_repo_refs(repository, repo_type="dataset"), None)
    tags = [ref.name for ref in refs.tags] if refs is not None else []
    later = [tag for tag in tags if base_of(tag) == base_of(wanted) and order_of(tag) > order_of(wanted)]
    latest = max(later, key=order_of, default="")
    changed = f"`code2bench diff {repository}@{wanted} {repository}@{latest}` tells what changed"
    said = f"{repository} has a correction of this release, {latest}; you asked for {wanted} and got it. {changed}."
    return [said] if latest else []


def _withdrawn(repository: str, folder: Path) -> list[str]:
    found = _quietly(lambda: advisories(repository), ())
    if not found:
        return []
    name = json.loads((folder / MANIFEST).read_text("utf-8")).get("name") if (folder / MANIFEST).is_file() else ""
    return [one.note for one in found if name in one.releases]


def _quietly(question: Callable[[], T], otherwise: Any) -> Any:
    """What the Hub answers, or something else where it does not: what is only announced stops nobody."""
    try:
        return asked("", question)
    except UserError:
        return otherwise
