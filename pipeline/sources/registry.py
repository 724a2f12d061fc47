"""A client of a registry that speaks PyPI's JSON: polite, cached, every archive's hash checked."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

import requests

from harness import __version__
from harness.errors import UserError
from pipeline.records import Archive, Reason
from pipeline.sources import Unusable
from pipeline.sources.retrying import Again, T, trying

ADDRESS = "CODE2BENCH_PYPI"
"""The environment variable that names another registry, such as a mirror, up to `/NAME/json`."""

_DEFAULT = "https://pypi.org/pypi"
_TIMEOUT = (10, 60)
_CHUNK = 1 << 18


@dataclass(frozen=True)
class Registry:
    """A registry at an address, with its cache; `pause` doubles from one of the `attempts` to the next, in seconds."""

    address: str
    cache: Path
    offline: bool = False
    attempts: int = 5
    pause: float = 1.0

    def project(self, name: str) -> dict[str, Any] | None:
        """What the registry says of a project now (offline: what it said last); None when it has no such project."""
        kept = self.cache / "registry" / f"{_normal(name)}.json"
        if self.offline:
            if not kept.is_file():
                raise UserError(f"{name} is not in the cache: run once without --offline.")
            return _json(kept.read_bytes(), name)
        data = self._persist(lambda: self._get(self._page(name)))
        if data is None:
            return None
        found = _json(data, name)
        _write(kept, iter([data]))
        return found

    def archive(self, project: str, archive: Archive, max_bytes: int) -> Path:
        """The archive on disk, its hash checked; downloaded when the cache does not have it, or not as it was."""
        kept = self.cache / "archives" / archive.sha256[:2] / archive.sha256
        if not kept.is_file() or _sha256(kept) != archive.sha256:
            if self.offline:
                raise UserError(f"{archive.file_name} {_state(kept, archive)}: run once without --offline.")
            address = self._address_of(project, archive)
            if self._persist(lambda: self._download(address, archive, kept, max_bytes)) is None:
                raise Unusable(Reason.PROJECT_GONE, f"the registry no longer has {archive.file_name}")
        return kept

    def _page(self, name: str) -> str:
        return f"{self.address.rstrip('/')}/{quote(name, safe='')}/json"

    def _address_of(self, project: str, archive: Archive) -> str:
        kept = self.cache / "registry" / f"{_normal(project)}.json"
        known = _find(_json(kept.read_bytes(), project), archive) if kept.is_file() else ""
        known = known or _find(self.project(project) or {}, archive)
        if not known:
            raise Unusable(Reason.PROJECT_GONE, f"the registry no longer names {archive.file_name}")
        return urljoin(self._page(project), known)

    def _get(self, address: str) -> bytes | None:
        with self._response(address) as response:
            if response is None:
                return None
            data = b"".join(response.iter_content(_CHUNK))
            _whole(response, len(data))
            return data

    def _download(self, address: str, archive: Archive, kept: Path, max_bytes: int) -> bool | None:
        with self._response(address) as response:
            if response is None:
                return None
            digest = _write(kept, _at_most(response.iter_content(_CHUNK), max_bytes, archive), archive.sha256)
        if digest != archive.sha256:
            raise Again(f"{archive.file_name} has the SHA-256 {digest}, not {archive.sha256}")
        return True

    @contextlib.contextmanager
    def _response(self, address: str) -> Iterator[requests.Response | None]:
        headers = {"User-Agent": f"code2bench/{__version__}", "Accept-Encoding": "identity"}
        try:
            with requests.get(address, headers=headers, timeout=_TIMEOUT, stream=True) as response:
                if response.status_code in (404, 410):
                    yield None
                    return
                if response.status_code == 429 or response.status_code >= 500:
                    asked = response.headers.get("Retry-After", "")
                    raise Again(f"it answered {response.status_code}", min(float(asked), 60) if asked.isdigit() else 0)
                if response.status_code != 200:
                    raise UserError(f"{_host(address)} answered {response.status_code}: check {ADDRESS} or try later.")
                yield response
        except requests.RequestException as error:
            raise Again(type(error).__name__) from error

    def _persist(self, action: Callable[[], T]) -> T:
        try:
            return trying(action, self.attempts, self.pause)
        except Again as fault:
            raise _given_up(fault, self.address) from fault


def registry(cache: Path, offline: bool = False) -> Registry:
    """The registry that the environment names, or PyPI."""
    return Registry(os.environ.get(ADDRESS) or _DEFAULT, cache, offline)


def _given_up(fault: Again, address: str) -> Exception:
    if "SHA-256" in str(fault):
        return Unusable(Reason.CORRUPT_SOURCE, str(fault))
    return UserError(f"{_host(address)} can't be read ({fault}): check the network and run again, nothing is lost.")


def _host(address: str) -> str:
    return urlsplit(address).hostname or address


def _normal(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower())


def _json(data: bytes, name: str) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except ValueError as error:
        raise Unusable(Reason.CORRUPT_SOURCE, f"what the registry says of {name} is no JSON") from error
    if not isinstance(found, dict):
        raise Unusable(Reason.CORRUPT_SOURCE, f"what the registry says of {name} is no JSON object")
    return found


def _find(project: dict[str, Any], archive: Archive) -> str:
    for files in (project.get("releases") or {}).values():
        for file in files:
            if file.get("digests", {}).get("sha256") == archive.sha256 and file["filename"] == archive.file_name:
                return str(file["url"])
    return ""


def _whole(response: requests.Response, size: int) -> None:
    said = response.headers.get("Content-Length", "")
    if said.isdigit() and int(said) != size:
        raise Again(f"it sent {size} of {said} bytes")


def _at_most(chunks: Iterator[bytes], max_bytes: int, archive: Archive) -> Iterator[bytes]:
    total = 0
    for chunk in chunks:
        total += len(chunk)
        if total > max_bytes:
            raise Unusable(Reason.CORRUPT_SOURCE, f"{archive.file_name} is larger than {max_bytes} bytes")
        yield chunk


def _state(kept: Path, archive: Archive) -> str:
    """What is wrong with an archive in the cache."""
    if not kept.is_file():
        return "is not in the cache"
    size = kept.stat().st_size
    if size < archive.size:
        return f"is truncated in the cache ({size:,} of {archive.size:,} bytes in {kept})"
    return f"is damaged in the cache ({kept} has another SHA-256 than the lock says)"


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write(path: Path, chunks: Iterator[bytes], expected: str = "") -> str:
    """Write a file whole or not at all, and only with the expected hash, if any; gives the hash of what came."""
    path.parent.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".part-")
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            for chunk in chunks:
                digest.update(chunk)
                file.write(chunk)
        if expected in ("", digest.hexdigest()):
            part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return digest.hexdigest()
