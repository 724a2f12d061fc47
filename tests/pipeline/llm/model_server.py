"""A language model's server that runs here: the OpenAI-compatible protocol, a mind of the test's own, and faults.

The real client speaks to it. `faults` are used up one per request, the first first: the name of one in `FAULTS`, "" for
none, bytes that are sent in place of a completion, or status, body and headers. `refuses` are parts of the protocol that it does not know and
answers with status 400, as many servers do.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Fault = str | bytes | tuple[Any, ...]
Mind = Callable[[dict[str, Any]], str]
"""What a model says to the body of a request."""


def silent(body: dict[str, Any]) -> str:
    del body
    return ""


@dataclass
class ModelServer:
    """What the server does, and what it has seen; `most_at_once` is the largest number of requests under way."""

    mind: Mind = silent
    faults: list[Fault] = field(default_factory=list)
    refuses: tuple[str, ...] = ()
    key: str = ""
    elsewhere: str = "http://127.0.0.1:1/v1/chat/completions"
    pause: float = 0.0
    counts_tokens: bool = True
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    tokens: Counter[str] = field(default_factory=Counter)
    times: list[float] = field(default_factory=list)
    under_way: int = 0
    most_at_once: int = 0
    address: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def requests(self) -> int:
        """How many requests have come."""
        return len(self.bodies)

    @property
    def paid(self) -> int:
        """The tokens of all answers that were made, whether or not they have come through."""
        return self.tokens.total()

    def begin(self, body: dict[str, Any], headers: dict[str, str]) -> Fault:
        """Note a request; gives the fault that it gets."""
        with self.lock:
            self.bodies.append(body)
            self.headers.append(headers)
            self.times.append(time.monotonic())
            self.under_way += 1
            self.most_at_once = max(self.most_at_once, self.under_way)
            return self.faults.pop(0) if self.faults else ""

    def end(self) -> None:
        with self.lock:
            self.under_way -= 1

    def completion(self, body: dict[str, Any]) -> dict[str, Any]:
        """The answer as the protocol has it."""
        text = self.mind(body)
        asked = sum(len(message["content"]) // 4 for message in body["messages"])
        most = body.get("max_tokens") or body.get("max_completion_tokens")
        finish = "length" if most and len(text) // 4 > most else "stop"
        text = text[: 4 * most] if finish == "length" else text
        message = {"role": "assistant", "content": text}
        made: dict[str, Any] = {
            "id": "one", "object": "chat.completion", "created": 1, "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
        }
        if self.counts_tokens:
            usage = {"prompt_tokens": asked, "completion_tokens": len(text) // 4}
            made["usage"] = usage | {"total_tokens": sum(usage.values())}
            with self.lock:
                self.tokens.update(usage)
        return made


def _error(message: str, code: str = "", param: str | None = None) -> bytes:
    return json.dumps({"error": {"message": message, "type": "error", "code": code, "param": param}}).encode()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: ModelServer

    def log_message(self, *_: Any) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        fault = self.model.begin(body, {name.lower(): value for name, value in self.headers.items()})
        try:
            time.sleep(self.model.pause)
            self._answer(body, fault)
        except (BrokenPipeError, ConnectionResetError):
            pass
        finally:
            self.model.end()

    def _answer(self, body: dict[str, Any], fault: Fault) -> None:
        said = self.headers.get("authorization", "").removeprefix("Bearer ")
        if self.model.key and said != self.model.key:
            self._send(401, _error(f"Incorrect API key provided: {said}", "invalid_api_key"))
        elif unknown := next((name for name in self.model.refuses if name in body), ""):
            self._send(400, _error(f"Unsupported parameter: '{unknown}'", "unsupported_parameter", unknown))
        elif isinstance(fault, bytes):
            self._send(200, fault)
        elif isinstance(fault, tuple) or fault in PLAIN:
            self._send(*(PLAIN[fault] if isinstance(fault, str) else fault))
        elif fault:
            FAULTS[fault](self, json.dumps(self.model.completion(body)).encode())
        else:
            self._send(200, json.dumps(self.model.completion(body)).encode())

    def _send(self, status: int, data: bytes, headers: dict[str, str] | None = None, cut: int | None = None) -> None:
        self.send_response(status)
        for name, value in {"content-type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[:cut])
        if cut is not None:
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True

    def cut(self, whole: bytes) -> None:
        """Half of the answer, then the connection ends."""
        self._send(200, whole, cut=len(whole) // 2)

    def drip(self, whole: bytes) -> None:
        """The answer, one byte at a time."""
        self._begin(len(whole))
        for place in range(len(whole)):
            self._slowly(whole[place : place + 1])

    def drip_headers(self, whole: bytes) -> None:
        """A header that does not end."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\nx-long: ")
        while True:
            self._slowly(b"x")

    def drip_hints(self, whole: bytes) -> None:
        """Interim answers without end, before any real one."""
        while True:
            self._slowly(b"HTTP/1.1 103 Early Hints\r\n\r\n")

    def flood_hints(self, whole: bytes) -> None:
        """Interim answers without end, as fast as they go."""
        while True:
            self.wfile.write(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 10_000)

    def stall(self, whole: bytes) -> None:
        """Half of the answer, then nothing, and the connection stays."""
        self._begin(len(whole))
        self.wfile.write(whole[: len(whole) // 2])
        self.wfile.flush()
        self.connection.recv(1)

    def huge(self, whole: bytes) -> None:
        """More than anybody reads."""
        self._send(200, b'{"choices": "' + b"x" * 9_000_000 + b'"}')

    def hang_up(self, whole: bytes) -> None:
        """The end, before any answer."""
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True

    def redirect(self, whole: bytes) -> None:
        """The way to another server."""
        self._send(307, b"", {"location": self.model.elsewhere})

    def _begin(self, length: int) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(length))
        self.end_headers()

    def _slowly(self, data: bytes) -> None:
        self.wfile.write(data)
        self.wfile.flush()
        time.sleep(0.05)


PLAIN: dict[str, tuple[Any, ...]] = {
    "busy": (429, _error("Too many requests", "rate_limit_exceeded"), {"retry-after-ms": "50"}),
    "busy for a second": (429, _error("Too many requests", "rate_limit_exceeded"), {"retry-after": "1"}),
    "busy for an hour": (429, _error("Quota exceeded", "insufficient_quota"), {"retry-after": "3600"}),
    "busy until tomorrow": (503, b"", {"retry-after": formatdate(time.time() + 86400, usegmt=True)}),
    "busy for no time": (503, b"", {"retry-after": "nan"}),
    "broken": (500, _error("internal error")),
    "overloaded": (503, b"<html>Service Unavailable</html>", {"content-type": "text/html"}),
    "no schemas": (500, _error("failed to compile the grammar of response_format")),
    "too long": (400, _error("maximum context length exceeded", "context_length_exceeded")),
    "too large": (413, b"<html>Request Entity Too Large</html>", {"content-type": "text/html"}),
    "few tokens": (400, _error("max_tokens is too large: 4096. This model supports at most 512 completion tokens.")),
    "forbidden": (403, _error("no access")),
    "unknown": (404, _error("The model does not exist", "model_not_found")),
    "odd": (400, _error("I do not like this.")),
    "nonsense": (200, b"<html>Welcome</html>", {"content-type": "text/html"}),
    "packed": (200, b"\x1f\x8b", {"content-encoding": "gzip"}),
    "cut JSON": (200, b'{"choices": [{"message": {"content": "y'),
}
"""Faults that are one answer: its status, its body, its headers."""
FAULTS: dict[str, Callable[[_Handler, bytes], None]] = {
    "cut": _Handler.cut, "drip": _Handler.drip, "drip headers": _Handler.drip_headers,
    "drip hints": _Handler.drip_hints, "flood hints": _Handler.flood_hints, "stall": _Handler.stall,
    "huge": _Handler.huge, "hang up": _Handler.hang_up, "elsewhere": _Handler.redirect,
}
"""Faults that do more; each gets the answer that there would have been."""


@contextmanager
def serving(mind: Mind = silent, **settings: Any) -> Iterator[ModelServer]:
    """A server on a free port, until the block ends."""
    model = ModelServer(mind, **settings)
    handler = type("Handler", (_Handler,), {"model": model})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    model.address = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
