"""Mirrors of remote repositories in the cache: all commits and trees, and of the blobs those that were asked for."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote, urlsplit

from filelock import FileLock, Timeout
from git import Git, GitCommandError

from harness.errors import UserError
from harness.records import digest
from pipeline.config import MineConfig
from pipeline.records import Reason
from pipeline.sources import Unusable
from pipeline.sources.github import token_from
from pipeline.sources.retrying import Again, trying

QUIET = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_COUNT": "0",
    "GIT_CONFIG_PARAMETERS": "",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "true",
    "GIT_SSH_COMMAND": "ssh -oBatchMode=yes -oConnectTimeout=30 -oServerAliveInterval=30",
    "GIT_TEMPLATE_DIR": "",
    "GIT_LFS_SKIP_SMUDGE": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh",
    "GIT_ATTR_NOSYSTEM": "1",
}
"""The environment in which git honours no configuration but ours, asks nobody, and fetches nothing on its own."""

_PARTIAL = "--filter=blob:none"
_HEAD = "refs/remotes/origin/HEAD"
_OPTIONS = (
    "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--no-auto-maintenance",
    "--no-show-forced-updates",
)
_BATCH = 20_000
_BLOCK = 512
_USER, _PASSWORD = "CODE2BENCH_GIT_USER", "CODE2BENCH_GIT_PASSWORD"
_HELPER = f"!f() {{ printf 'username=%s\\npassword=%s\\n' \"${_USER}\" \"${_PASSWORD}\"; }}; f"
_LIMITED = ("sh", "-c", 'ulimit -f "$1"; shift; exec "$@"', "sh")
_PASSING = re.compile(
    r"returned error: (408|429|5\d\d)|unable to access(?!.*returned error: 4)|connection (refused|closed)|too slow"
    r"|timed? ?out|reset by|hung up|disconnect|early EOF|RPC failed|empty reply|curl \d+|gnutls|ssl_|unexpected end"
    r"|temporary failure|bad line length|expected flush|invalid index-pack|index-pack failed|inflate",
    re.I,
)
_NO_NETWORK = re.compile(r"could not resolve|couldn't connect|failed to connect", re.I)
_TOO_LARGE = re.compile(r"died of signal 25|file too large", re.I)


class _Refused(Unusable):
    """A fault that lasts: of the server, or of the mirror."""


@dataclass(frozen=True)
class Mirror:
    """The bare mirror of what lies at a URL. `api` is GitHub's, whose host alone is given the token.

    Where the server filters, commits and trees come first and blobs when they are asked for; where it does not, all
    comes at once. One process at a time changes a mirror, and at most `fetches` transfers run on the machine.
    `pause` doubles from one attempt to the next, in seconds.
    """

    url: str
    cache: Path
    config: MineConfig
    api: str = ""
    offline: bool = False
    pause: float = 1.0

    @property
    def folder(self) -> Path:
        """Where it lies; that the folder exists says that it is whole, or was."""
        name = re.sub(r"[^\w.-]+", "-", without_secrets(self.url))[:100]
        return self.cache / "git" / f"{name}-{digest(self.url)[:12]}"

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep others from changing it meanwhile; the lock goes with its process."""
        with _lock(self.cache / "git-locks" / self.folder.name):
            yield

    def update(self) -> None:
        """Bring it up to date, or make it: also where what is there can't be used any more."""
        self._refuse_offline()
        with self.alone(), self._slot():
            if self.folder.is_dir():
                with suppress(_Refused):
                    self._fetch(self.folder)
                    return
            self._make(_PARTIAL)

    def bring(self, blobs: list[str]) -> None:
        """Fetch blobs, thousands in one transfer; or all there is, from a server that gives no single ones."""
        self._refuse_offline()
        command = ("-c", "fetch.negotiationAlgorithm=noop", "fetch", *_OPTIONS, _PARTIAL, "--stdin")
        with self.alone(), self._slot():
            if not self.folder.is_dir():
                self._make(_PARTIAL)
            try:
                for start in range(0, len(blobs), _BATCH):
                    given = "\n".join(blobs[start : start + _BATCH]).encode() + b"\n"
                    self._git(self.folder, *command, "origin", given=given)
            except _Refused:
                self._make("--no-filter")

    def discard(self) -> None:
        """Remove it, because it is damaged."""
        with self.alone():
            shutil.rmtree(self.folder, ignore_errors=True)

    def has(self, what: str) -> bool:
        """Whether it was noted that all of something is there."""
        return (self.folder / f"has-{what}").is_file()

    def note(self, what: str) -> None:
        """Note that all of something is there, until it is made anew."""
        (self.folder / f"has-{what}").touch()

    def _make(self, choice: str) -> None:
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        prefix = f".part-{self.folder.name}-"
        for left in self.folder.parent.glob(f"{prefix}*"):
            shutil.rmtree(left, ignore_errors=True)
        part = Path(tempfile.mkdtemp(dir=self.folder.parent, prefix=prefix))
        try:
            store = part / "mirror"
            self._git(store, "init", "--quiet", "--bare", str(store))
            self._git(store, "symbolic-ref", "HEAD", _HEAD)
            self._fetch(store, choice)
            shutil.rmtree(self.folder, ignore_errors=True)
            store.rename(self.folder)
        finally:
            shutil.rmtree(part, ignore_errors=True)

    def _fetch(self, store: Path, choice: str = _PARTIAL) -> None:
        """Fetch branches, tags and the default branch, which a repository without commits does not have."""
        refs = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"]
        if self._git(store, "ls-remote", "origin", "HEAD"):
            refs.append(f"+HEAD:{_HEAD}")
        else:
            self._git(store, "update-ref", "-d", _HEAD)
        self._git(store, "fetch", *_OPTIONS, "--prune", choice, "origin", *refs)

    def _git(self, store: Path, *command: str, given: bytes = b"") -> str:
        attempts = self.config.fetch_attempts
        try:
            return trying(lambda: self._once(store, command, given), attempts, self.pause)
        except Again as fault:
            if _NO_NETWORK.search(str(fault)):
                host = urlsplit(self.url).hostname or self.url
                cure = "check the network and the source list, and run again, nothing is lost"
                raise UserError(f"{host} can't be reached ({fault}): {cure}.") from None
            raise Unusable(Reason.NO_ANSWER, f"{attempts} attempts failed: {fault}") from None

    def _once(self, store: Path, command: tuple[str, ...], given: bytes) -> str:
        _sweep(store)
        room = self.config.max_repository_bytes - _size(store)
        git = Git(store.parent)
        git.update_environment(**QUIET | {"GIT_DIR": str(store)} | self._settings)
        with tempfile.TemporaryFile() as stdin:
            stdin.write(given)
            stdin.seek(0)
            try:
                return str(git.execute(
                    [*_LIMITED, str(max(room // _BLOCK, 1)), "git", *command], istream=stdin,
                    kill_after_timeout=self.config.fetch_seconds,
                ))  # fmt: skip
            except GitCommandError as error:
                _sweep(store)
                raise self._fault(str(error.stderr)) from None

    def _fault(self, said: str) -> Exception:
        what = self._first_fault(said)
        if "Timeout: the command" in said:
            return Unusable(Reason.NO_ANSWER, f"fetching it took longer than {self.config.fetch_seconds:g} s")
        if "No space left on device" in said:
            return UserError(f"The disk of {self.cache} is full: make room, or set CODE2BENCH_CACHE to another one.")
        if _TOO_LARGE.search(said):
            limit = f"{self.config.max_repository_bytes} bytes"
            return Unusable(Reason.CORRUPT_SOURCE, f"what is fetched of it is larger than {limit}")
        return Again(what) if _PASSING.search(said) else _Refused(Reason.PROJECT_GONE, f"it can't be fetched: {what}")

    def _first_fault(self, said: str) -> str:
        lines = [line.strip(" '") for line in re.split(r"[\r\n]+", said.partition("stderr: ")[2])]
        found = next((line for line in lines if re.match(r"(fatal|error):", line)), "".join(lines[-1:]))
        found = without_secrets(found.partition(": ")[2] or found)[:200]
        secret = self._credentials[2]
        return found.replace(secret, "***") if secret else found

    @cached_property
    def _settings(self) -> dict[str, str]:
        """Git's configuration as an environment, so that no secret is on disk or in a command line."""
        site, user, password = self._credentials
        settings = {
            "remote.origin.url": without_secrets(self.url) if site else self.url, "core.hooksPath": os.devnull,
            "gc.auto": "0", "protocol.version": "2", "http.lowSpeedLimit": "1",
            "http.lowSpeedTime": str(self.config.stall_seconds),
        }  # fmt: skip
        if site:
            settings[f"credential.{site}.helper"] = _HELPER
        keys = {f"GIT_CONFIG_KEY_{number}": key for number, key in enumerate(settings)}
        values = {f"GIT_CONFIG_VALUE_{number}": value for number, value in enumerate(settings.values())}
        return {**keys, **values, "GIT_CONFIG_COUNT": str(len(settings)), _USER: user, _PASSWORD: password}

    @cached_property
    def _credentials(self) -> tuple[str, str, str]:
        """The site that is given a user and a password, and both: those of the address, or the token."""
        where = urlsplit(self.url)
        user, _, host = where.netloc.rpartition("@")
        if user and where.scheme in ("http", "https"):
            name, _, password = user.partition(":")
            return f"{where.scheme}://{host}", unquote(name), unquote(password)
        site = site_of(self.api)
        token = token_from(os.environ, self.api) if site and self.url.startswith(f"{site}/") else ""
        return (site, "x-access-token", token) if token else ("", "", "")

    @contextmanager
    def _slot(self) -> Iterator[None]:
        """One of the machine's `fetches` places."""
        while True:
            for number in range(self.config.fetches):
                with suppress(Timeout), _lock(self.cache / "git-locks" / f"slot-{number}", blocking=False):
                    yield
                    return
            time.sleep(0.1)

    def _refuse_offline(self) -> None:
        if self.offline:
            raise UserError(f"{without_secrets(self.url)} is not in the cache: run once without --offline.")


def _lock(path: Path, blocking: bool = True) -> FileLock:
    path.parent.mkdir(parents=True, exist_ok=True)
    return FileLock(path, blocking=blocking)


def _sweep(store: Path) -> None:
    """Remove what a git that was killed has left: locks and half of a pack. What else there is, is whole."""
    for left in [*store.rglob("*.lock"), *store.glob("objects/**/tmp_*")]:
        with suppress(OSError):
            left.unlink()


def _size(store: Path) -> int:
    return sum(file.stat().st_size for file in store.glob("objects/pack/*"))


def is_remote(location: str) -> bool:
    """Whether a location is a URL, or a host and a path as ssh takes them; else it is a path."""
    return "://" in location or bool(re.match(r"[\w.-]+@[\w.-]+:", location))


def site_of(api: str) -> str:
    """Where the repositories lie that an API tells of: `https://github.com` for GitHub's, the same host for others."""
    where = urlsplit(api)
    return f"{where.scheme}://{where.netloc.removeprefix('api.')}" if where.netloc else ""


def without_secrets(url: str) -> str:
    """The address without a user's name and password in it."""
    return re.sub(r"(\w+://)[^/@\s]*@", r"\1", url)
