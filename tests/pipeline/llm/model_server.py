"""A language model's server that runs here: the OpenAI-compatible protocol, a mind of the test's own, and faults.

The real client speaks to it. `faults` are used up one per request, the first first; `refuses` are parts of the protocol
that it does not know and answers with status 400, as many servers do.
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
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Mind = Callable[[dict[str, Any]], str]
"""What a model says to the body of a request."""


def silent(body: dict[str, Any]) -> str:
    del body
    return ""


@dataclass
class ModelServer:
    """What the server does, and what it has seen; `most_at_once` is the largest number of requests under way."""

    mind: Mind = silent
    faults: list[str] = field(default_factory=list)
    refuses: tuple[str, ...] = ()
    key: str = ""
    pause: float = 0.0
    counts_tokens: bool = True
    bodies: list[dict[str, Any]] = field(default_factory=list)
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
        """The tokens of all answers that were given whole."""
        return self.tokens.total()

    def begin(self, body: dict[str, Any]) -> str:
        """Note a request; gives the fault that it gets."""
        with self.lock:
            self.bodies.append(body)
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
        fault = self.model.begin(body)
        try:
            time.sleep(self.model.pause)
            self._answer(body, fault)
        except (BrokenPipeError, ConnectionResetError):
            pass
        finally:
            self.model.end()

    def _answer(self, body: dict[str, Any], fault: str) -> None:
        said = self.headers.get("authorization", "").removeprefix("Bearer ")
        if self.model.key and said != self.model.key:
            self._send(401, _error(f"Incorrect API key provided: {said}", "invalid_api_key"))
        elif unknown := next((name for name in self.model.refuses if name in body), ""):
            self._send(400, _error(f"Unsupported parameter: '{unknown}'", "unsupported_parameter", unknown))
        elif fault:
            self._fail(fault, body)
        else:
            self._send(200, json.dumps(self.model.completion(body)).encode())

    def _fail(self, fault: str, body: dict[str, Any]) -> None:
        whole = json.dumps(self.model.completion(body)).encode() if fault in ("cut", "drip") else b""
        if fault == "busy":
            self._send(429, _error("Too many requests", "rate_limit_exceeded"), {"retry-after-ms": "50"})
        elif fault == "broken":
            self._send(500, _error("internal error"))
        elif fault == "too long":
            self._send(400, _error("maximum context length exceeded", "context_length_exceeded"))
        elif fault == "cut":
            self._send(200, whole, cut=len(whole) // 2)
        elif fault == "drip":
            self._drip(whole)
        elif fault == "huge":
            self._send(200, b'{"choices": "' + b"x" * 9_000_000 + b'"}')
        elif fault == "packed":
            self._send(200, b"\x1f\x8b", {"content-encoding": "gzip"})
        elif fault == "nonsense":
            self._send(200, b"<html>Welcome</html>", {"content-type": "text/html"})
        elif fault == "strange":
            self._send(200, json.dumps({"choices": [{"message": "no"}], "usage": [1]}).encode())
        elif fault == "elsewhere":
            self._send(307, b"", {"location": "http://127.0.0.1:1/v1/chat/completions"})
        elif fault == "hang up":
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
        else:
            raise AssertionError(fault)

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

    def _drip(self, data: bytes) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        for place in range(len(data)):
            self.wfile.write(data[place : place + 1])
            self.wfile.flush()
            time.sleep(0.05)


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
