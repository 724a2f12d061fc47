"""How a commit is made: which files are large, then the lines of the commit itself."""

from __future__ import annotations

import base64
import binascii
import json
from fnmatch import fnmatch
from typing import TYPE_CHECKING, Any

from tests.hub import card
from tests.hub.answers import Answer, Request, missing_entry, refuse, told
from tests.hub.repository import Entry, Large

if TYPE_CHECKING:
    from tests.hub.hub_server import Hub

MOST = 10 << 20
"""The size above which a file has to be a large one."""


def preupload(hub: Hub, request: Request) -> Answer:
    """Which files are large, which are ignored, and what is there already."""
    repo, about = request.repo, request.json
    _no_pull_request(request)
    entries = repo.entries(repo.find(request.parts["revision"], request.refs))

    def stored(path: str) -> str:
        return repo.blob(entries[path].oid).decode() if path in entries else ""

    large = [line.split()[0] for line in stored(".gitattributes").splitlines() if "filter=lfs" in line]
    ignored = [line.strip() for line in (about.get("gitIgnore") or stored(".gitignore")).splitlines()]
    files = []
    for file in about.get("files", []):
        path = _checked(str(file["path"]))
        mode = "lfs" if _matches(path, large) or _heavy(file) else "regular"
        answer = {"path": path, "uploadMode": mode, "shouldIgnore": _matches(path, ignored)}
        files.append(answer | ({"oid": _identity(entries[path])} if path in entries else {}))
    return told({"files": files})


def commit(hub: Hub, request: Request) -> Answer:
    """Make a commit of the lines in the body: a header, files, large files, deletions."""
    repo, branch = request.repo, request.parts["revision"]
    _no_pull_request(request)
    lines = _lines(request.body)
    header = next((value for key, value in lines if key == "header"), {})
    if not header.get("summary"):
        raise refuse(400, '"summary" is required')
    with repo.lock:
        refs = repo.refs()
        head = repo.find(branch, refs)
        if f"refs/heads/{branch}" not in refs:
            raise refuse(400, f"{branch} is not a branch")
        if header.get("parentCommit") not in (None, head):
            raise refuse(412, "A commit has happened since. Please refresh and try again.")
        changes: dict[str, bytes | Large | None] = {}
        for key, value in lines:
            changes |= _change(request, key, value, repo.entries(head))
        _check_card(changes.get("README.md"))
        message = "\n\n".join(text for text in (header["summary"], header.get("description")) if text)
        made = repo.commit(changes, message, branch, request.account.name if request.account else "hub")
    address = f"{hub.address}/{repo.prefix}{repo.id}/commit/{made}"
    return told({"success": True, "commitOid": made, "commitUrl": address, "hookOutput": ""})


def _lines(body: bytes) -> list[tuple[str, dict[str, Any]]]:
    try:
        read = [json.loads(line) for line in body.splitlines() if line.strip()]
        return [(line["key"], line["value"]) for line in read]
    except (ValueError, TypeError, KeyError) as error:
        raise refuse(400, f"Invalid NDJSON: {error}") from error


def _change(request: Request, key: str, value: dict[str, Any], entries: dict[str, Entry]) -> dict[str, bytes | Large | None]:
    """What one line changes."""
    if key == "header":
        return {}
    path = _checked(str(value.get("path", "")).rstrip("/"))
    if key == "file":
        return {path: _content(path, value)}
    if key == "lfsFile":
        return {path: _large(request, path, value)}
    if key == "deletedFile":
        if path not in entries or entries[path].folder:
            raise missing_entry(f"A file with this name doesn't exist: {path}")
        return {path: None}
    if key == "deletedFolder":
        inside = [name for name in entries if name.startswith(f"{path}/")]
        if not inside:
            raise missing_entry(f"A folder with this name doesn't exist: {path}")
        return dict.fromkeys(inside)
    raise refuse(400, f"Not spoken by the Hub of the tests: {key}")


def _content(path: str, value: dict[str, Any]) -> bytes:
    try:
        if value.get("encoding", "utf-8") != "base64":
            return str(value["content"]).encode()
        content = base64.b64decode(value["content"], validate=True)
    except (KeyError, binascii.Error) as error:
        raise refuse(400, f"Invalid content of {path}") from error
    if len(content) > MOST:
        raise refuse(400, f"Your push was rejected because it contains files larger than 10 MiB. Offending files: {path}")
    return content


def _large(request: Request, path: str, value: dict[str, Any]) -> Large:
    stored = request.repo.object(_checked(str(value.get("oid", ""))))
    if value.get("algo") != "sha256" or not stored.is_file():
        raise refuse(400, f"Your push was rejected because an LFS pointer pointed to a file that does not exist. Offending file: {path}")
    size = stored.stat().st_size
    if value.get("size", size) != size:
        raise refuse(400, f"The size of {path} is {size}, not {value['size']}")
    return Large(stored.name, size)


def _check_card(content: bytes | Large | None) -> None:
    errors = card.complaints(content.decode("utf-8", "replace"))[0] if isinstance(content, bytes) else []
    if errors:
        raise refuse(400, f"Invalid metadata in README.md: {'; '.join(errors)}")


def _no_pull_request(request: Request) -> None:
    if "create_pr" in request.query:
        raise refuse(501, "Pull requests are not spoken by the Hub of the tests")


def _checked(path: str) -> str:
    """A path that stays in the repository."""
    if not path or path.startswith("/") or "\n" in path or {"", ".", "..", ".git"} & set(path.split("/")):
        raise refuse(400, f"Invalid path: {path}")
    return path


def _matches(path: str, patterns: list[str]) -> bool:
    """Whether a path matches patterns as git has them, of the simple kinds."""
    names = path.split("/")
    for pattern in patterns:
        bare = pattern.strip("/")
        if not bare or bare.startswith("#"):
            continue
        starts = ["/".join(names[:end]) for end in range(1, len(names) + 1)]
        if any(fnmatch(one, bare) for one in (starts if "/" in pattern.rstrip("/") else names)):
            return True
    return False


def _heavy(file: dict[str, Any]) -> bool:
    """Whether a file is too long for git, or no text."""
    sample = base64.b64decode(file.get("sample", ""))
    return int(file.get("size", 0)) > MOST or b"\0" in sample


def _identity(entry: Entry) -> str:
    return entry.large.sha256 if entry.large else entry.oid
