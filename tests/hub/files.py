"""Files and folders: lists of them, what is known of some paths, and their contents."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, quote, urlencode

from tests.hub import lfs
from tests.hub.answers import Answer, Refused, Request, missing_entry, refuse, told
from tests.hub.repository import Commit, Entry, Repository

if TYPE_CHECKING:
    from tests.hub.hub_server import Hub


def tree(hub: Hub, request: Request) -> Answer:
    """A folder's entries, or all below it, page by page."""
    repo, query = request.repo, request.query
    commit = repo.find(request.parts["revision"], request.refs)
    folder, entries = request.parts.get("path", "").strip("/"), repo.entries(commit)
    if folder and not (folder in entries and entries[folder].folder):
        raise missing_entry(f"{folder} does not exist on {request.parts['revision']}", commit)
    start = f"{folder}/" if folder else ""
    found = [entry for path, entry in entries.items() if path.startswith(start)]
    if not _yes(query, "recursive"):
        found = [entry for entry in found if "/" not in entry.path[len(start) :]]
    place = int(query.get("cursor", ["0"])[0])
    past = repo.history(commit) if _yes(query, "expand") else []
    answer = told([_shown(entry, past) for entry in found[place : place + hub.page]])
    if place + hub.page < len(found):
        following = {key: values[0] for key, values in query.items()} | {"cursor": str(place + hub.page)}
        answer.headers["Link"] = f'<{hub.address}{request.path}?{urlencode(following)}>; rel="next"'
    return answer


def paths_info(hub: Hub, request: Request) -> Answer:
    """What is known of some paths; those that do not exist are left out."""
    repo = request.repo
    if "json" in request.headers.get("Content-Type", ""):
        asked: dict[str, Any] = request.json
    else:
        asked = parse_qs(request.body.decode())
    commit = repo.find(request.parts["revision"], request.refs)
    if len(asked.get("paths", [])) > 1000:
        raise refuse(413, "too many parameters")
    past = repo.history(commit) if str(asked.get("expand", "")).lower() in ("true", "['true']") else []
    entries = repo.entries(commit)
    wanted = [path.strip("/") for path in asked.get("paths", [])]
    return told([_shown(entries[path], past) for path in wanted if path in entries])


def resolve(hub: Hub, request: Request) -> Answer:
    """Where a file lies: a small one in the cache, which is asked here too, a large one in the storage.

    HEAD gets the same answers; the body is left out when they are sent.
    """
    repo, path = request.repo, request.parts["path"]
    commit = repo.find(request.parts["revision"], request.refs)
    entry = repo.entries(commit).get(path)
    if entry is None or entry.folder:
        raise missing_entry("Entry not found", commit)
    name = path.split("/")[-1]
    shown = f"inline; filename*=UTF-8''{quote(name)}; filename=\"{quote(name)}\";"
    headers = {"X-Repo-Commit": commit, "Accept-Ranges": "bytes", "Content-Disposition": shown}
    if entry.large:
        return _elsewhere(hub, repo, entry, headers)
    cached = f"/api/resolve-cache/{repo.kind}/{repo.id}/{commit}/{quote(path)}"
    headers |= {"ETag": f'"{entry.oid}"', "Content-Type": "text/plain; charset=utf-8"}
    if not request.path.startswith("/api/resolve-cache/"):
        there = {"Location": f"{cached}?{urlencode({'etag': headers['ETag']})}", "X-Linked-ETag": headers["ETag"]}
        return Answer(307, b"Temporary Redirect. Redirecting to the cache", headers | there | {"X-Linked-Size": str(entry.size)})
    return ranged(request, repo.blob(entry.oid), headers)


def ranged(request: Request, content: bytes, headers: dict[str, str]) -> Answer:
    """The content, the part of it that was asked for, or nothing when the client has it."""
    if headers.get("ETag") and request.headers.get("If-None-Match") == headers["ETag"]:
        return Answer(304, b"", headers)
    wanted = request.headers.get("Range", "")
    match = re.fullmatch(r"bytes=(\d*)-(\d*)", wanted.replace(" ", ""))
    if not match or not (match[1] or match[2]):
        return Answer(200, content, headers)
    whole = len(content)
    start = int(match[1]) if match[1] else max(0, whole - int(match[2]))
    end = min(int(match[2]), whole - 1) if match[1] and match[2] else whole - 1
    if start > end:
        outside = Answer(416, b"", headers | {"Content-Range": f"bytes */{whole}"})
        raise Refused(outside)
    return Answer(206, content[start : end + 1], headers | {"Content-Range": f"bytes {start}-{end}/{whole}"})


def _elsewhere(hub: Hub, repo: Repository, entry: Entry, headers: dict[str, str]) -> Answer:
    assert entry.large
    where = lfs.signed(hub, "GET", repo, entry.large.sha256)
    linked = {"X-Linked-Size": str(entry.size), "X-Linked-ETag": f'"{entry.large.sha256}"', "Location": where}
    body = f"Found. Redirecting to {where}".encode()
    return Answer(302, body, headers | linked | {"Content-Type": "text/plain; charset=utf-8", "Vary": "Accept"})


def _yes(query: dict[str, list[str]], name: str) -> bool:
    return query.get(name, ["false"])[0].lower() in ("true", "1")


def _shown(entry: Entry, past: list[Commit]) -> dict[str, Any]:
    kind = "directory" if entry.folder else "file"
    about: dict[str, Any] = {"type": kind, "oid": entry.oid, "size": entry.size, "path": entry.path}
    if entry.large:
        about["lfs"] = {"oid": entry.large.sha256, "size": entry.size, "pointerSize": len(entry.large.pointer)}
    touched = (one for one in past for path in one.paths if path == entry.path or path.startswith(f"{entry.path}/"))
    if last := next(touched, None):
        about["lastCommit"] = {"id": last.sha, "title": last.title, "date": last.date}
    return about
