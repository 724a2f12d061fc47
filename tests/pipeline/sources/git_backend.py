"""Real repositories over HTTP, with faults and with tokens: git's own `http-backend` does the work."""

from __future__ import annotations

import base64
import os
import socket
import subprocess
import time
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from tests.pipeline.sources.github_server import GitHubServer

STALL = 8.0


def answer(handler: Any, server: GitHubServer) -> None:
    """Answer a request of git's; `faults` may turn it into a status, a `reset`, a `stall`, or `half` of the answer.

    `to ADDRESS` redirects, "" is no fault.
    """
    where = urlsplit(handler.path)
    body = _body(handler)
    kinds = next((v for k, v in server.faults.items() if k in handler.path and v), [])
    kind = kinds.pop(0) if kinds else ""
    if kind == "reset":
        handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    if kind == "stall":
        time.sleep(STALL)
    if kind in ("reset", "stall"):
        handler.close_connection = True
    elif kind.startswith("to "):
        handler.send(302, b"", {"Location": kind.removeprefix("to ") + handler.path})
    elif kind.isdigit():
        handler.send(int(kind), b"sorry", {})
    elif not _is_open(handler, server, where.path):
        handler.send(401, b"who are you?", {"WWW-Authenticate": 'Basic realm="GitHub"'})
    else:
        server.under_way += 1
        server.at_once = max(server.at_once, server.under_way)
        time.sleep(server.slow)
        status, data, headers = _backend(handler, server, body)
        server.under_way -= 1
        server.sent += len(data)
        handler.send(status, data, headers) if kind != "half" else _half(handler, data)


def _body(handler: BaseHTTPRequestHandler) -> bytes:
    if handler.headers.get("Transfer-Encoding") != "chunked":
        return handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
    found = b""
    while size := int(handler.rfile.readline(), 16):
        found += handler.rfile.read(size)
        handler.rfile.readline()
    handler.rfile.readline()
    return found


def _half(handler: BaseHTTPRequestHandler, data: bytes) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "application/x-git-upload-pack-result")
    handler.send_header("Content-Length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data[: len(data) // 2])
    handler.close_connection = True


def _is_open(handler: BaseHTTPRequestHandler, server: GitHubServer, path: str) -> bool:
    token = next((token for name, token in server.private.items() if path.startswith(f"/{name}.git/")), "")
    expected = base64.b64encode(f"x-access-token:{token}".encode()).decode()
    return not token or handler.headers.get("Authorization") == f"Basic {expected}"


def _backend(handler: BaseHTTPRequestHandler, server: GitHubServer, body: bytes) -> tuple[int, bytes, dict[str, str]]:
    where = urlsplit(handler.path)
    about = {
        "GIT_PROJECT_ROOT": str(server.folder), "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": where.path,
        "QUERY_STRING": where.query, "REQUEST_METHOD": handler.command, "REMOTE_ADDR": "127.0.0.1",
        "CONTENT_TYPE": handler.headers.get("Content-Type", ""), "CONTENT_LENGTH": str(len(body)),
        "HTTP_CONTENT_ENCODING": handler.headers.get("Content-Encoding", ""),
        "GIT_PROTOCOL": "" if server.old else handler.headers.get("Git-Protocol", ""), "PATH": os.environ["PATH"],
    }  # fmt: skip
    done = subprocess.run(["git", "http-backend"], input=body, env=about, capture_output=True, check=True)
    head, _, data = done.stdout.partition(b"\r\n\r\n")
    headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
    return int(headers.pop("Status", "200").split()[0]), data, headers
