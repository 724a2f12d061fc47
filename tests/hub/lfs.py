"""Large files: the batch of git-lfs, one or many parts, and the storage, which is another host and knows no tokens."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from tests.hub import files
from tests.hub.answers import Answer, Request, refuse, told
from tests.hub.repository import Repository

if TYPE_CHECKING:
    from tests.hub.hub_server import Hub

SHA256 = re.compile(r"[0-9a-f]{64}")


def signed(hub: Hub, method: str, repo: Repository, oid: str, **more: str) -> str:
    """An address of the storage that anybody may use for this one thing."""
    path = f"/{repo.kind}/{repo.id}/{oid}"
    return f"{hub.storage}{path}?{urlencode(more | {'signature': _signature(hub, method, path, more)})}"


def batch(hub: Hub, request: Request) -> Answer:
    """Where to put large files, or where to get them; those that are there already need no action."""
    about = request.json
    made: list[dict[str, Any]] = []
    parts = "multipart" in about.get("transfers", [])
    for one in about.get("objects", []):
        oid, size = str(one.get("oid")), int(one.get("size", -1))
        if not SHA256.fullmatch(oid) or size < 0:
            raise refuse(422, "Invalid oid or size")
        made.append({"oid": oid, "size": size} | _actions(hub, request, about.get("operation", ""), oid, size, parts))
    several = any("chunk_size" in one.get("actions", {}).get("upload", {}).get("header", {}) for one in made)
    answer = told({"transfer": "multipart" if several else "basic", "objects": made})
    answer.headers["Content-Type"] = "application/vnd.git-lfs+json"
    return answer


def verify(hub: Hub, request: Request) -> Answer:
    """Whether a large file has arrived whole."""
    oid, size = str(request.json.get("oid")), request.json.get("size")
    stored = _stored(request.repo, oid)
    if not stored.is_file():
        raise refuse(404, "Object does not exist")
    if stored.stat().st_size != size:
        raise refuse(422, "The size is another")
    return told({})


def complete(hub: Hub, request: Request) -> Answer:
    """Put the parts of a large file together."""
    repo, oid = request.repo, request.parts["oid"]
    _check(hub, request, "POST")
    listed = request.json.get("parts", [])
    found = [(repo.folder / "lfs" / f"{oid}.{part.get('partNumber')}", part.get("etag")) for part in listed]
    if not found or any(not file.is_file() or _etag(file.read_bytes()) != etag for file, etag in found):
        raise refuse(400, "One or more of the specified parts could not be found")
    _store(repo, oid, b"".join(file.read_bytes() for file, _ in found))
    for file, _ in found:
        file.unlink()
    return told({})


def put(hub: Hub, request: Request) -> Answer:
    """Take a large file, or a part of it."""
    repo, oid = request.repo, request.parts["oid"]
    part = request.query.get("part", [""])[0]
    _check(hub, request, "PUT")
    if part:
        (repo.folder / "lfs" / f"{oid}.{int(part)}").write_bytes(request.body)
    else:
        _store(repo, oid, request.body)
    return Answer(200, b"", {"ETag": _etag(request.body)})


def get(hub: Hub, request: Request) -> Answer:
    """Give a large file, or a range of it."""
    _check(hub, request, "GET")
    stored = _stored(request.repo, request.parts["oid"])
    if not stored.is_file():
        return Answer(404, b"<Error><Code>NoSuchKey</Code></Error>", {"Content-Type": "application/xml"})
    headers = {"ETag": f'"{stored.name}"', "Accept-Ranges": "bytes", "Content-Type": "application/octet-stream"}
    return files.ranged(request, stored.read_bytes(), headers)


def _actions(hub: Hub, request: Request, operation: str, oid: str, size: int, parts: bool) -> dict[str, Any]:
    repo = request.repo
    there = _stored(repo, oid).is_file()
    if operation == "download":
        missing = {"error": {"code": 404, "message": "Object does not exist"}}
        return {"actions": {"download": {"href": signed(hub, "GET", repo, oid)}}} if there else missing
    hub.need_write(request)
    if there:
        return {}
    verification = {"href": f"{hub.address}/{repo.prefix}{repo.id}.git/info/lfs/objects/verify"}
    if size <= hub.part_size or not parts:
        return {"actions": {"upload": {"href": signed(hub, "PUT", repo, oid)}, "verify": verification}}
    count = -(-size // hub.part_size)
    header = {str(n): signed(hub, "PUT", repo, oid, part=str(n)) for n in range(1, count + 1)}
    end = signed(hub, "POST", repo, oid).replace(hub.storage, f"{hub.address}/api/complete_multipart")
    upload = {"href": end, "header": {"chunk_size": str(hub.part_size), **header}}
    return {"actions": {"upload": upload, "verify": verification}}


def _store(repo: Repository, oid: str, content: bytes) -> None:
    if hashlib.sha256(content).hexdigest() != oid:
        raise refuse(400, "BadDigest: the content has another SHA-256")
    place = _stored(repo, oid)
    half = place.with_suffix(f".{os.urandom(4).hex()}")
    half.write_bytes(content)
    half.replace(place)


def _stored(repo: Repository, oid: str) -> Path:
    if not SHA256.fullmatch(oid):
        raise refuse(422, "Invalid oid")
    return repo.object(oid)


def _etag(content: bytes) -> str:
    return f'"{hashlib.md5(content).hexdigest()}"'


def _signature(hub: Hub, method: str, path: str, more: dict[str, str]) -> str:
    return hmac.new(hub.secret, f"{method} {path} {sorted(more.items())}".encode(), "sha256").hexdigest()[:32]


def _check(hub: Hub, request: Request, method: str) -> None:
    """Refuse what was not signed, and tokens, which have no business here."""
    query = {key: values[0] for key, values in request.query.items()}
    given = query.pop("signature", "")
    path = f"/{request.repo.kind}/{request.repo.id}/{request.parts['oid']}"
    if given != _signature(hub, method, path, query):
        raise refuse(403, "SignatureDoesNotMatch")
    if request.storage and request.headers.get("Authorization"):
        raise refuse(400, "InvalidArgument: Only one auth mechanism allowed")
