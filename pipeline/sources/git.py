"""Git repositories: what the default branch has at the end of the window and no commit from before it ever had."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from harness.records import digest
from pipeline.config import MineConfig
from pipeline.languages.reading import Definition, Reader
from pipeline.records import Archive, LockedSource, Reason, Rejection, Source, reject_source
from pipeline.sources import Damaged, Origin, Reading, SourceFile, Unusable, licence, persisting
from pipeline.sources.dating import Past, first_holding
from pipeline.sources.fetching import Mirror, is_remote, without_secrets
from pipeline.sources.history import DAMAGE, Commit, History, opened
from pipeline.sources.history_index import HistoryIndex, View
from pipeline.sources.novelty import Known
from pipeline.stage import Context

_LICENCE_BYTES = 200_000


class Git:
    """The source `git`: `location` is the path or the URL of a repository.

    The cutoff is by committer date along the history: a commit existed before it when its committer date is earlier
    or when it is an ancestor of such a commit. Author dates are kept, but anybody can set them, so they do not count.
    """

    def lock(self, source: Source, config: MineConfig, context: Context) -> LockedSource | Rejection:
        """Choose the last commit of the default branch in the window, and the last ones before it of all branches.

        A source that names a commit of the window is locked at that one.
        """

        def read() -> LockedSource:
            with _opened(_place(source, config, context), fresh=not context.offline) as history:
                return _lock(source, history, context)

        try:
            return persisting(read)
        except Unusable as error:
            return reject_source("lock", source, error.reason, error.evidence)

    def fetch(self, reading: Reading) -> None:
        """Bring all versions of the files in the language that is read, and the licences of the upper commit.

        A mirror that does not have the locked commits is brought up to date before; without one of the baseline there
        is no proof. What a mirror once had in full, it keeps, though no branch leads to it any more.
        """
        locked = reading.locked
        place = _place(locked.source, reading.config, reading.context)
        commits = [locked.upper.version, *(a.version for a in locked.baseline)]
        what = digest(*commits, *sorted(reading.suffixes))[:16]
        if isinstance(place, Path):
            return
        gone = commits
        for fresh in (False, not reading.context.offline):
            with _opened(place, fresh) as history:
                gone = [commit for commit in commits if commit not in history.commits]
                if place.has(what) and commits[0] not in gone:
                    return
                if not gone:
                    history.bring(_needed(history, commits, reading))
                    place.note(what)
                    return
        raise Unusable(Reason.PROJECT_GONE, f"the repository no longer has the commit {gone[0]}")

    def upper_files(self, reading: Reading) -> Iterator[SourceFile]:
        """The files of the upper commit; submodules and links are none."""
        with _reading(reading) as history:
            files = [f for f in history.files(reading.locked.upper.version) if reading.wants(f[0])]
            _check_limits(files, reading.config)
            for path, blob, size in files:
                data = history.read(blob) if size <= reading.config.max_file_bytes else b""
                yield SourceFile(path, data, size)

    def past(self, reading: Reading, reader: Reader) -> Past:
        """Every version of every file that the commits from before the cutoff reach.

        The index of the repository learns what it does not know of them, and of the commits since.
        """
        with _reading(reading) as history:
            upper, older = reading.locked.upper.version, [a.version for a in reading.locked.baseline]
            own = {blob for path, blob, _ in history.files(upper) if reading.wants(path)}
            old = [(blob, path) for blob, path in history.blobs(older) if reading.wants(path) or blob in own]
            since = [(commit, path, blob) for commit, path, blob in history.changes(upper, older)
                     if reading.wants(path)]
            sizes = history.sizes([*(blob for blob, _ in old), *(blob for _, _, blob in since)])
            sizes = {blob: size for blob, size in sizes.items() if size <= reading.config.max_file_bytes}
            index = HistoryIndex(reading.context.cache / "history" / _key(reading.locked.source), reader)
            index.learn(sizes, history.read, f"history of {reading.locked.source.name}")
            commits = [history.commits[commit] for commit, _, _ in since]
            absent = {commit.hash: _absent(commit, older, history) for commit in (*commits, history.commits[upper])}
            last = history.commits[upper]
        before = View(index, [file for file in old if file[0] in sizes], f"the history before {reading.context.after}")
        window = View(index, [(blob, path) for _, path, blob in since], "the window")
        return _GitPast(before, window, commits, last, absent, reader, reading.config)

    def licence_files(self, reading: Reading) -> dict[str, str]:
        """The licences and notices at the root of the upper commit."""
        with _reading(reading) as history:
            return _licence_files(history, reading.locked.upper.version)


GIT = Git()


@dataclass(frozen=True)
class _GitPast:
    """What was before the cutoff, and what came since, file by file with the commits that brought them.

    `absent` has for each commit when the newest one before it was committed.
    """

    before: View
    since: View
    commits: Sequence[Commit]
    upper: Commit
    absent: Mapping[str, str]
    reader: Reader
    config: MineConfig

    def __iter__(self) -> Iterator[Known]:
        return iter(self.before)

    def same(self, fingerprints: Collection[str]) -> Mapping[str, Known]:
        return self.before.same(fingerprints)

    def renamed(self, shapes: Collection[str]) -> Mapping[str, Known]:
        return self.before.renamed(shapes)

    def origins(self, new: Sequence[Definition]) -> Sequence[Origin]:
        """The first commit since the cutoff that had the function, or a version of it."""
        later = self.since.like({one.name for one in new}, {one.fingerprint for one in new}) if new else ()
        first = first_holding(new, later, self.reader, self.config)
        brought = [self.commits[self.since.file_of(known)] if known else self.upper for known in first]
        return [Origin(c.hash, c.committed, c.authored, c.committed, self.absent[c.hash]) for c in brought]


def _key(source: Source) -> str:
    """A name for what is kept of a repository, by its address alone."""
    return digest(source.location)[:16]


def _place(source: Source, config: MineConfig, context: Context) -> Path | Mirror:
    if is_remote(source.location):
        return Mirror(source.location, context.cache, config, context.github, context.offline)
    return Path(source.location)


def _needed(history: History, commits: list[str], reading: Reading) -> set[str]:
    licences = {blob for path, blob, _ in history.files(commits[0]) if licence.is_licence_file(path)}
    return licences | {blob for path, blob in history.versions(commits) if reading.wants(path)}


@contextmanager
def _opened(place: Path | Mirror, fresh: bool = False) -> Iterator[History]:
    try:
        with opened(place, fresh) as history:
            yield history
    except DAMAGE as error:
        raise Damaged(Reason.CORRUPT_SOURCE, f"the repository can't be read: {type(error).__name__}") from error


@contextmanager
def _reading(reading: Reading) -> Iterator[History]:
    with _opened(_place(reading.locked.source, reading.config, reading.context)) as history:
        if reading.locked.upper.version not in history.commits:
            commit = reading.locked.upper.version
            raise Unusable(Reason.PROJECT_GONE, f"the repository no longer has the commit {commit}")
        yield history


def _lock(source: Source, history: History, context: Context) -> LockedSource:
    if not history.refs.head:
        raise Unusable(Reason.NO_NEW_RELEASE, "the repository has no commit")
    if history.refs.shallow:
        raise Unusable(Reason.NO_BASELINE, "the clone is shallow, so its history does not show what is older")
    older = history.older(context.after)
    line = list(history.main_line())
    upper = _named(source, history, context) or next((c for c in line if c.committed < context.until), None)
    if upper is None or upper.hash in older:
        last = upper.committed[:10] if upper else f"later than {context.until}"
        raise Unusable(Reason.NO_NEW_RELEASE, f"the default branch has no commit in the window, the last is {last}")
    said, file = licence.of_files(_licence_files(history, upper.hash))
    if not licence.is_permissive(said):
        raise Unusable(Reason.LICENCE, f"{file} is {said}" if said else "no licence file says which")
    at_cutoff = next((c.hash for c in line if c.hash in older), "")
    tips = sorted({at_cutoff, *history.tips(older)} - {""}, key=lambda c: (c != at_cutoff, c))
    baseline = tuple(_archive(history.commits[c]) for c in tips)
    return LockedSource(source, _url(source), said, file, _archive(upper), baseline)


def _named(source: Source, history: History, context: Context) -> Commit | None:
    """The commit that a source list names; none where the list was made for another window."""
    commit = history.commits.get(source.commit)
    if source.commit and commit is None:
        raise Unusable(Reason.PROJECT_GONE, f"the repository no longer has the commit {source.commit} of the list")
    return commit if commit and context.after <= commit.committed < context.until else None


def _archive(commit: Commit) -> Archive:
    return Archive(commit.hash, "", commit.hash, commit.committed, 0)


def _absent(commit: Commit, older: Sequence[str], history: History) -> str:
    """When the newest of a commit's parents was committed; for a first commit the newest of the baseline, if any.

    It is no later than the commit itself, whatever the dates say.
    """
    before = [history.commits[one].committed for one in commit.parents or older if one in history.commits]
    return min(max(before), commit.committed) if before else ""


def _check_limits(files: list[tuple[str, str, int]], config: MineConfig) -> None:
    if len(files) > config.max_files:
        raise Unusable(Reason.CORRUPT_SOURCE, f"it holds more than {config.max_files} files")
    if sum(size for _, _, size in files) > config.max_unpacked_bytes:
        raise Unusable(Reason.CORRUPT_SOURCE, f"its files are larger than {config.max_unpacked_bytes} bytes")


def _licence_files(history: History, commit: str) -> dict[str, str]:
    files = {path: blob for path, blob, _ in history.files(commit) if licence.is_licence_file(path)}
    history.bring(files.values())
    small = {path: blob for path, blob in files.items() if history.size(blob) <= _LICENCE_BYTES}
    return {path: history.read(blob).decode("utf-8", "replace") for path, blob in small.items()}


def _url(source: Source) -> str:
    """The repository's public address: its own, or the one that a local clone says it came from."""
    if "://" in source.location and not source.location.startswith("file:"):
        return without_secrets(source.location)
    config = Path(source.location.removeprefix("file://")) / ".git" / "config"
    text = config.read_text("utf-8", "replace") if config.is_file() else ""
    match = re.search(r'\[remote "origin"\][^\[]*?^\s*url\s*=\s*(https?://\S+)', text, re.M)
    return without_secrets(match.group(1)) if match else source.name
