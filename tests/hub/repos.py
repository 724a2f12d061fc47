"""Repositories as a whole: who am I, create, delete, settings, what they are, branches, tags, history."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tests.hub import card
from tests.hub.answers import LOG_IN, MISSING, Account, Answer, Request, refuse, told

if TYPE_CHECKING:
    from tests.hub.hub_server import Hub
    from tests.hub.repository import Entry, Repository


def whoami(hub: Hub, request: Request) -> Answer:
    account = request.account
    if account is None:
        raise refuse(401, LOG_IN)
    orgs = [{"type": "org", "id": f"org-{name}", "name": name, "fullname": name, "isEnterprise": False,
             "roleInOrg": "write" if account.right == "write" else "read"} for name in account.orgs]
    token = {"displayName": "a token", "role": account.right, "createdAt": "2026-01-01T00:00:00.000Z"}
    return told({
        "type": "user", "id": f"user-{account.name}", "name": account.name, "fullname": account.name, "isPro": False,
        "canPay": False, "orgs": orgs, "auth": {"type": "access_token", "accessToken": token},
    })


def validate_yaml(hub: Hub, request: Request) -> Answer:
    errors, warnings = card.complaints(str(request.json.get("content", "")))
    said = {"errors": [{"message": one} for one in errors], "warnings": [{"message": one} for one in warnings]}
    return told(said, 400 if errors else 200)


def create(hub: Hub, request: Request) -> Answer:
    about = request.json
    kind = f"{about.get('type') or 'model'}s"
    account, id = _named(request, about)
    if kind not in ("datasets", "models", "spaces"):
        raise refuse(400, f"Not spoken by the Hub of the tests: {kind}")
    if not re.fullmatch(r"[\w.-]{1,96}", about["name"]) or "--" in about["name"] or about["name"].endswith(".git"):
        raise refuse(400, "Invalid repository name")
    if account.right != "write" or id.split("/")[0] not in account.namespaces:
        raise refuse(403, f"You don't have the rights to create a {kind[:-1]} under the namespace \"{id.split('/')[0]}\"")
    address = _address(hub, kind, id)
    if (kind, id) in hub.repositories:
        raise refuse(409, f"You already created this {kind[:-1]} repo", url=address)
    hub.create(id, kind, private=about.get("visibility") == "private" or about.get("private") is True)
    return told({"url": address, "name": id, "id": f"{kind}-{id}"})


def delete(hub: Hub, request: Request) -> Answer:
    about = request.json
    kind = f"{about.get('type') or 'model'}s"
    account, id = _named(request, about)
    if (kind, id) not in hub.repositories:
        raise refuse(404, MISSING, "RepoNotFound")
    if account.right != "write" or id.split("/")[0] not in account.namespaces:
        raise refuse(403, "You don't have the rights to delete this repo")
    hub.delete(id, kind)
    return told({})


def settings(hub: Hub, request: Request) -> Answer:
    about = request.json
    if "gated" in about and about["gated"] not in ("auto", "manual", False):
        raise refuse(400, '"gated" must be one of [auto, manual, false]')
    if "visibility" in about and about["visibility"] not in ("public", "private"):
        raise refuse(400, '"visibility" must be one of [public, private]')
    if "visibility" in about or "private" in about:
        request.repo.private = about.get("visibility") == "private" or about.get("private") is True
    request.repo.gated = about.get("gated", request.repo.gated)
    return told({"private": request.repo.private, "gated": request.repo.gated})


def listing(hub: Hub, request: Request) -> Answer:
    kind, query = request.parts["kind"], request.query
    found = [one for one in hub.repositories.values() if one.kind == kind and hub.visible(one, request.account)]
    found = [one for one in found if one.namespace in query.get("author", [one.namespace])]
    found = [one for one in found if all(word.lower() in one.id.lower() for word in query.get("search", []))]
    return told([_about(one, one.head()) for one in found[: int(query.get("limit", ["1000"])[0])]])


def info(hub: Hub, request: Request) -> Answer:
    repo = request.repo
    commit = repo.find(request.parts.get("revision", "main"), request.refs)
    files = [entry for entry in repo.entries(commit).values() if not entry.folder]
    siblings = [_sibling(entry, "blobs" in request.query) for entry in files]
    return told({**_about(repo, commit), "siblings": siblings})


def allowed(hub: Hub, request: Request) -> Answer:
    """The answer to whether a repository may be read or written: whoever gets here may."""
    return told({})


def refs(hub: Hub, request: Request) -> Answer:
    def under(start: str) -> list[dict[str, str]]:
        names = sorted(name for name in request.refs if name.startswith(start))
        return [{"name": n.removeprefix(start), "ref": n, "targetCommit": request.refs[n]} for n in names]

    shown = {"branches": under("refs/heads/"), "tags": under("refs/tags/"), "converts": []}
    return told(shown | ({"pullRequests": []} if "include_prs" in request.query else {}))


def tag(hub: Hub, request: Request) -> Answer:
    about = request.json
    name = str(about.get("tag", ""))
    if not re.fullmatch(r"[A-Za-z0-9][\w./-]*", name):
        raise refuse(400, "Invalid tag name")
    request.repo.set_ref(f"refs/tags/{name}", request.repo.find(request.parts["revision"]), about.get("message", ""))
    return told({})


def untag(hub: Hub, request: Request) -> Answer:
    request.repo.delete_ref(f"refs/tags/{request.parts['revision']}")
    return told({})


def branch(hub: Hub, request: Request) -> Answer:
    start = request.repo.find(request.json.get("startingPoint", "main"))
    request.repo.set_ref(f"refs/heads/{request.parts['revision']}", start)
    return told({})


def unbranch(hub: Hub, request: Request) -> Answer:
    if request.parts["revision"] == "main":
        raise refuse(403, "Cannot delete the main branch")
    request.repo.delete_ref(f"refs/heads/{request.parts['revision']}")
    return told({})


def commits(hub: Hub, request: Request) -> Answer:
    repo, start = request.repo, int(request.query.get("p", ["0"])[0]) * hub.page
    past = repo.history(repo.find(request.parts["revision"], request.refs))
    shown = [
        {"id": one.sha, "title": one.title, "message": one.message, "date": one.date, "authors": [{"user": one.author}]}
        for one in past[start : start + hub.page]
    ]
    more = start + hub.page < len(past)
    answer = told(shown)
    if more:
        answer.headers["Link"] = f'<{hub.address}{request.path}?p={start // hub.page + 1}>; rel="next"'
    return answer


def _named(request: Request, about: dict[str, Any]) -> tuple[Account, str]:
    if request.account is None:
        raise refuse(401, LOG_IN)
    return request.account, f"{about.get('organization') or request.account.name}/{about.get('name')}"


def _address(hub: Hub, kind: str, id: str) -> str:
    return f"{hub.address}/{'' if kind == 'models' else f'{kind}/'}{id}"


def _about(repo: Repository, commit: str) -> dict[str, Any]:
    readme = repo.entries(commit).get("README.md")
    text = repo.blob(readme.oid).decode("utf-8", "replace") if readme and not readme.large else ""
    stored = sum(entry.size for entry in repo.entries(commit).values())
    return {
        "_id": f"{repo.kind}-{repo.id}", "id": repo.id, "author": repo.namespace, "sha": commit,
        "cardData": card.metadata(text) or None, "createdAt": repo.created, "lastModified": repo.history(commit)[0].date,
        "private": repo.private, "gated": repo.gated, "disabled": False, "downloads": 0, "likes": 0, "tags": [],
        "usedStorage": stored,
    }  # fmt: skip


def _sibling(entry: Entry, detailed: bool) -> dict[str, Any]:
    about: dict[str, Any] = {"rfilename": entry.path}
    if detailed:
        about |= {"size": entry.size, "blobId": entry.oid}
    if detailed and entry.large:
        about["lfs"] = {"sha256": entry.large.sha256, "size": entry.size, "pointerSize": len(entry.large.pointer)}
    return about
