"""Publishing: upload beside, read again from an empty cache, compare everything, and only then tag.

Interrupted anywhere, the same command goes on: what is half done lies on a branch that nobody is told of, and a tag is
set once, by the last step but one. A tag that exists is never moved.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi, snapshot_download
from huggingface_hub.errors import HfHubHTTPError, RepositoryNotFoundError, RevisionNotFoundError

from harness.errors import UserError
from harness.locations import files_below
from harness.releases.dataset import DERIVED, MANIFEST, Release, load_release
from harness.releases.hub import asked, base_of, dataset_named, order_of
from harness.sandbox.choice import BUBBLEWRAP
from pipeline.hub.latest import bring_up_to_date
from pipeline.hub.page import create_page, has_page, renew_page
from pipeline.hub.prepared import Prepared, prepare
from pipeline.hub.withdrawal import causes
from pipeline.progress import say
from pipeline.release.changes import Changes, changes
from pipeline.vary.verify import verify

T = TypeVar("T")

KEPT = (".gitattributes",)
"""Files of a repository that are the Hub's own."""
PATIENCE = (0.2, 0.5, 1.0, 2.0, 4.0)
"""Seconds between looks at what was written a moment ago: readers of the Hub may be behind."""


@dataclass(frozen=True)
class Options:
    """How to publish: visible to whom, as a correction, or nothing but a look at what would change.

    `space` puts up a page beside it. `veil` hides references and expected answers from crawlers, with a key that stands
    in the card. `workers` and `sandbox` are for the gates, `origin` is where the release lies that one of variants
    was made of.
    """

    public: bool = False
    gated: bool = False
    correction: bool = False
    dry_run: bool = False
    veil: bool = False
    space: bool = False
    workers: int = 0
    sandbox: str = BUBBLEWRAP
    origin: str = ""


@dataclass(frozen=True)
class Published:
    """What became of it: `steps` say what was done, or would be; `commit` is "" where nothing was written."""

    repository: str
    tag: str
    commit: str
    url: str
    track: str
    steps: tuple[str, ...] = field(default=())

    @property
    def lines(self) -> tuple[str, str]:
        """The two lines that load it."""
        call = f'load_dataset("{self.repository}", "{self.track}", revision="{self.tag}", split="test")'
        return "from datasets import load_dataset", f"tasks = {call}"


def publish(where: str, repository: str, options: Options) -> Published:
    """Publish a release under its tag; raises `UserError` where it fails a gate, or the Hub refuses."""
    hub = _Hub(dataset_named(repository))
    release = load_release(where)
    if not options.dry_run:
        hub.check_right()
    findings = verify(where, options.workers, options.sandbox, options.origin)
    if findings:
        first = findings[0]
        raise UserError(
            f"{where} fails {len(findings)} gates, so it is not published; the first: {first.gate}, {first.where}: "
            f"{first.what}. `code2bench verify {where}` lists all."
        )
    with TemporaryDirectory(prefix="code2bench-") as place:
        made = _named(release, hub, options, Path(place) / "release")
        if options.dry_run:
            return hub.told(made, "", _plan(hub, made, release))
        return _published(hub, made, release, options, Path(place))


def _named(release: Release, hub: _Hub, options: Options, folder: Path) -> Prepared:
    """The release under the name that it gets: its own, the one it has already, or that of a correction."""
    tags = hub.tags()
    own = sorted((tag for tag in tags if base_of(tag) == release.name), key=order_of)
    if not own:
        if options.correction:
            raise UserError(f"{hub.repository} has no v{release.name} to correct: publish it without --correction.")
        return prepare(release, hub.repository, release.name, _since_the_last(release, hub, tags), folder, options.veil)
    for place, tag in enumerate(own):
        before = _since_the_last(release, hub, tags) if place == 0 else _since(own[place - 1], release, hub, tags)
        made = prepare(release, hub.repository, tag.removeprefix("v"), before, folder, options.veil)
        if hub.manifest(tags[tag]) == made.manifest:
            return made
    if not options.correction:
        raise UserError(
            f"v{release.name} of {hub.repository} is another release, and a tag is never moved: build again from its "
            "lock to get the same, or publish this as a correction of it with --correction."
        )
    number = order_of(own[-1])[1] + 1
    before = _since(own[-1], release, hub, tags)
    return prepare(release, hub.repository, f"{release.name}.{number}", before, folder, options.veil)


def _since(tag: str, release: Release, hub: _Hub, tags: dict[str, str]) -> Changes:
    """What has changed since a published release, with the reasons that advisories give."""
    before = load_release(f"{hub.repository}@{tags[tag]}")
    return changes(before, release, advisories=causes(hub.repository))


def _since_the_last(release: Release, hub: _Hub, tags: dict[str, str]) -> Changes | None:
    """What has changed since the release that was published for the window before; None for the first."""
    until = release.manifest["window"]["until"]
    windows = {tag: hub.manifest(commit).get("window", {}).get("until", "") for tag, commit in tags.items()}
    earlier = [tag for tag, end in windows.items() if base_of(tag) and base_of(tag) != release.name and end < until]
    last = max(earlier, key=lambda tag: (windows[tag], order_of(tag)), default="")
    return _since(last, release, hub, tags) if last else None


def _published(hub: _Hub, made: Prepared, release: Release, options: Options, place: Path) -> Published:
    hub.create(options)
    tags, steps = hub.tags(), list[str]()
    commit = tags.get(made.tag, "")
    if commit:
        steps.append(f"{made.tag} was there already, and is this release")
    else:
        commit = hub.upload(made)
        _compare(made, commit, place / "cache")
        hub.tag(made.tag, commit)
        steps += [f"{len(made.files)} files uploaded, read again and compared", f"{made.tag} set"]
    hub.clear(made)
    newest = all(order_of(tag) <= order_of(made.tag) for tag in tags if base_of(tag) == base_of(made.tag))
    if DERIVED in release.manifest:
        steps.append("the default branch stays as it is, since this asks about programs of another release")
    elif newest:
        steps += bring_up_to_date(hub.api, made, release)
    if options.space:
        create_page(hub.api, made.repository, not options.public)
    if options.space or has_page(hub.api, made.repository):
        steps.append(f"its page is {renew_page(hub.api, made.repository)}")
    return hub.told(made, commit, steps)


def _compare(made: Prepared, commit: str, cache: Path) -> None:
    """Read a commit into an empty cache and compare every file and row with what was to be published."""
    say("Reading again what was uploaded.")
    folder = Path(_patiently(lambda: snapshot_download(
        made.repository, repo_type="dataset", revision=commit, cache_dir=cache)))
    there = {name for name in files_below(folder) if name not in KEPT}
    for name in sorted(there ^ set(made.files)):
        raise UserError(f"{name} is {'missing' if name in made.files else 'there, and should not be'} in what the Hub "
                        "gives back: nothing was tagged, run the same command again.")
    read = Prepared(folder, made.repository, made.name, made.manifest)
    differing = [name for name, sha256 in made.files.items() if read.files[name] != sha256]
    if differing or load_release(folder).tasks != load_release(made.folder).tasks:
        raise UserError(f"The Hub gives back another {differing[0] if differing else 'row'} than was uploaded: nothing "
                        "was tagged, run the same command again.")


def _plan(hub: _Hub, made: Prepared, release: Release) -> list[str]:
    tags = hub.tags()
    if made.tag in tags:
        return [f"{made.tag} is there already, and is this release: nothing to upload"]
    size = sum((made.folder / name).stat().st_size for name in made.files)
    new = [f"upload {len(made.files)} files, {size / 1e6:.1f} MB, and tag them {made.tag}"]
    new += [f"{track}: {sum(task.track == track for task in release.tasks)} tasks" for track in made.manifest["tracks"]]
    if "corrects" in made.manifest:
        counts = made.manifest["corrects"]["changes"]
        new.append(f"correct {made.manifest['corrects']['release']}: " + ", ".join(
            f"{len(value)} {name}" for name, value in counts.items() if isinstance(value, list)))
    return new


class _Hub:
    """What publishing asks of one dataset repository."""

    def __init__(self, repository: str) -> None:
        self.repository = repository
        self.api = HfApi()

    def ask(self, question: Callable[[], T]) -> T:
        """What the Hub answers, or one sentence."""
        return asked(self.repository, question)

    def tags(self) -> dict[str, str]:
        """The commits of the tags; none where there is no such repository yet."""
        import httpx2

        try:
            refs = self.api.list_repo_refs(self.repository, repo_type="dataset")
        except RepositoryNotFoundError:
            return {}
        except (HfHubHTTPError, httpx2.HTTPError, OSError):
            refs = self.ask(lambda: self.api.list_repo_refs(self.repository, repo_type="dataset"))
        return {ref.name: ref.target_commit for ref in refs.tags}

    def manifest(self, commit: str) -> dict[str, Any]:
        """The manifest at a commit; empty where there is none."""
        import json

        from huggingface_hub import hf_hub_download
        from huggingface_hub.errors import EntryNotFoundError

        try:
            path = self.ask(lambda: hf_hub_download(self.repository, MANIFEST, repo_type="dataset", revision=commit))
        except EntryNotFoundError:
            return {}
        return dict(json.loads(Path(path).read_text("utf-8")))

    def check_right(self) -> None:
        """Whether the token may write there, as far as it says so itself: asked before anything takes time."""
        who = self.ask(self.api.whoami)
        owner, token = self.repository.partition("/")[0], who.get("auth", {}).get("accessToken", {})
        roles = {who["name"]: "admin", **{one["name"]: one.get("roleInOrg", "") for one in who.get("orgs", ())}}
        if token.get("role") == "read" or roles.get(owner, "read") == "read":
            foreign = f"{who['name']} may not write to {owner}"
            why = "it is one that only reads" if token.get("role") == "read" else foreign
            raise UserError(f"This token may not write to {self.repository} ({why}): set HF_TOKEN to one that may.")

    def create(self, options: Options) -> None:
        """The repository, private unless it is to be seen; one that is there stays as it is."""
        api = self.api
        self.ask(lambda: api.whoami())
        self.ask(lambda: api.create_repo(
            self.repository, repo_type="dataset", private=not options.public, exist_ok=True))
        if options.gated:
            self.ask(lambda: api.update_repo_settings(self.repository, repo_type="dataset", gated="auto"))

    def upload(self, made: Prepared) -> str:
        """All files in one commit, on a branch of its own; gives the commit."""
        branch, api = staging(made), self.api
        self.clear(made)
        self.ask(lambda: api.create_branch(self.repository, repo_type="dataset", branch=branch, exist_ok=True))
        there = _patiently(lambda: self.paths(branch))
        operations: list[Any] = [CommitOperationAdd(name, made.folder / name) for name in made.files]
        operations += [CommitOperationDelete(name) for name in there if name not in made.files and name not in KEPT]
        say(f"Uploading {len(made.files)} files to {self.repository}.")
        found = self.ask(lambda: api.create_commit(
            self.repository, operations, commit_message=f"Release {made.name}", repo_type="dataset", revision=branch))
        return str(found.oid)

    def paths(self, revision: str) -> list[str]:
        """The files at a revision."""
        return self.api.list_repo_files(self.repository, repo_type="dataset", revision=revision)

    def tag(self, tag: str, commit: str) -> None:
        """Set a tag that was not there; raises where somebody has set it to something else meanwhile."""
        api = self.api
        try:
            api.create_tag(self.repository, tag=tag, revision=commit, repo_type="dataset")
        except HfHubHTTPError:
            if self.tags().get(tag) != commit:
                self.ask(lambda: api.create_tag(self.repository, tag=tag, revision=commit, repo_type="dataset"))
        for seconds in (*PATIENCE, 0.0):
            if self.tags().get(tag) == commit:
                return
            time.sleep(seconds)
        raise UserError(f"The Hub does not show {tag} where it was set: run the same command again in a minute.")

    def clear(self, made: Prepared) -> None:
        """Remove the branch of an upload."""
        try:
            self.api.delete_branch(self.repository, repo_type="dataset", branch=staging(made))
        except HfHubHTTPError:
            # There is none, or it goes with the next publication: nobody is told of it.
            return

    def told(self, made: Prepared, commit: str, steps: Sequence[str]) -> Published:
        """The outcome with its address."""
        url = f"{self.api.endpoint}/datasets/{self.repository}/tree/{made.tag}"
        return Published(self.repository, made.tag, commit, url, min(made.manifest["tracks"]), tuple(steps))


def staging(made: Prepared) -> str:
    """The branch of an upload that is under way."""
    return f"staging-{made.tag}"


def _patiently(question: Callable[[], T]) -> T:
    """What the Hub answers about something that was written a moment ago."""
    for seconds in PATIENCE:
        try:
            return question()
        except (RevisionNotFoundError, RepositoryNotFoundError):
            time.sleep(seconds)
    return asked("", question)
