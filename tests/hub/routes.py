"""Which request goes where, and what one needs for it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

from tests.hub import commits, files, lfs, repos
from tests.hub.answers import Answer, Request, refuse

if TYPE_CHECKING:
    from tests.hub.hub_server import Hub

ID = r"(?P<id>[^/]+/[^/]+)"
API = rf"/api/(?P<kind>datasets|models|spaces)/{ID}"
PLAIN = rf"/(?:(?P<kind>datasets|spaces)/)?{ID}"
REVISION = r"(?P<revision>[^/]+)"
OBJECT = rf"/(?P<kind>datasets|models|spaces)/{ID}/(?P<oid>[0-9a-f]{{64}})"


@dataclass(frozen=True)
class Route:
    """A kind of request. `need`: nothing, to `read`, the `files`, to `write`, or a `signed` address."""

    method: str
    pattern: str
    work: Callable[[Hub, Request], Answer]
    need: str = "read"
    reads: bool = False
    storage: bool = False


ROUTES = (
    Route("GET", "/api/whoami-v2", repos.whoami),
    Route("POST", "/api/validate-yaml", repos.validate_yaml),
    Route("POST", "/api/repos/create", repos.create),
    Route("DELETE", "/api/repos/delete", repos.delete),
    Route("GET", "/api/(?P<kind>datasets|models|spaces)", repos.listing),
    Route("GET", API, repos.info, reads=True),
    Route("GET", f"{API}/revision/{REVISION}", repos.info, reads=True),
    Route("GET", f"{API}/auth-check", repos.allowed, "files"),
    Route("GET", f"{API}/auth-check/write", repos.allowed, "write"),
    Route("PUT", f"{API}/settings", repos.settings, "write"),
    Route("GET", f"{API}/refs", repos.refs, reads=True),
    Route("GET", f"{API}/commits/{REVISION}", repos.commits, reads=True),
    Route("POST", f"{API}/tag/{REVISION}", repos.tag, "write"),
    Route("DELETE", f"{API}/tag/{REVISION}", repos.untag, "write"),
    Route("POST", f"{API}/branch/{REVISION}", repos.branch, "write"),
    Route("DELETE", f"{API}/branch/{REVISION}", repos.unbranch, "write"),
    Route("GET", f"{API}/tree/{REVISION}(?P<path>/.*)?", files.tree, reads=True),
    Route("POST", f"{API}/paths-info/{REVISION}", files.paths_info, reads=True),
    Route("POST", f"{API}/preupload/{REVISION}", commits.preupload, "write", reads=True),
    Route("POST", f"{API}/commit/{REVISION}", commits.commit, "write"),
    Route("POST", f"/api/complete_multipart{OBJECT}", lfs.complete, "signed"),
    Route("POST", f"{PLAIN}.git/info/lfs/objects/batch", lfs.batch, "files"),
    Route("POST", f"{PLAIN}.git/info/lfs/objects/verify", lfs.verify, "write"),
    Route("GET", f"{PLAIN}/resolve/{REVISION}/(?P<path>.+)", files.resolve, "files", reads=True),
    Route("GET", f"/api/resolve-cache/(?P<kind>datasets|models|spaces)/{ID}/{REVISION}/(?P<path>.+)", files.resolve, "files"),
    Route("PUT", OBJECT, lfs.put, "signed", storage=True),
    Route("GET", OBJECT, lfs.get, "signed", storage=True),
)


def find(request: Request) -> Route:
    """The route of a request, whose parts it notes; HEAD goes where GET goes."""
    method = "GET" if request.method == "HEAD" else request.method
    for route in ROUTES:
        match = re.fullmatch(route.pattern, request.path)
        if match and (method, request.storage) == (route.method, route.storage):
            request.parts = {name: unquote(text) for name, text in match.groupdict().items() if text is not None}
            return route
    return Route(method, "", _unknown, "none")


def _unknown(hub: Hub, request: Request) -> Answer:
    raise refuse(501, f"Not spoken by the Hub of the tests: {request.line}")
