"""The wire to a server that need not be trusted: an answer has an end, in bytes and in seconds, and is not packed.

Bytes and seconds are counted where they come in, so that endless headers end like endless bodies. What leaves is the
question and the key of this server, and nothing else that the environment holds for another one.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpcore2
import httpx2

from harness.errors import UserError

MAX_BYTES = 8_000_000
"""Bytes of one answer with all around it, far more than any model gives."""
HEADERS = frozenset((
    "accept", "accept-encoding", "authorization", "connection", "content-length", "content-type", "host",
    "transfer-encoding", "user-agent",
))  # fmt: skip
"""What is sent besides the question; names of organisations and further keys are not."""
_PIECE = 1024


@dataclass
class _Allowance:
    """What is left of one answer's seconds and bytes."""

    deadline: float
    bytes: int = MAX_BYTES

    def seconds(self, timeout: float | None) -> float:
        """What may be waited now."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise httpcore2.ReadTimeout("the answer comes too slowly")
        return left if timeout is None else min(left, timeout)


_ALLOWED: ContextVar[_Allowance] = ContextVar("_ALLOWED")


class Bounded(httpx2.HTTPTransport):
    """A transport whose answers end after `seconds`, all parts together, and after `MAX_BYTES`.

    A proxy of the environment is used for https alone, where it does not see what it passes on.
    """

    def __init__(self, seconds: float, base_url: str) -> None:
        super().__init__()
        self._seconds = seconds
        self._pool = httpcore2.ConnectionPool(
            httpx2.create_ssl_context(), _proxy_for(base_url), max_connections=100, max_keepalive_connections=20,
            keepalive_expiry=5.0, network_backend=_Backend(),
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request that asks for an unpacked answer."""
        request.headers = httpx2.Headers([pair for pair in request.headers.multi_items() if pair[0] in HEADERS])
        request.headers["accept-encoding"] = "identity"
        _ALLOWED.set(_Allowance(time.monotonic() + self._seconds))
        response = super().handle_request(request)
        if response.headers.get("content-encoding", "identity") != "identity":
            response.close()
            raise httpx2.RemoteProtocolError("the server packs its answers, which nobody has asked for")
        return response


class _Backend(httpcore2.SyncBackend):
    def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        seconds = _ALLOWED.get().seconds(timeout)
        return _Stream(super().connect_tcp(host, port, seconds, local_address, socket_options))


class _Stream(httpcore2.NetworkStream):
    """A connection on which nothing goes beyond what is allowed to the answer under way."""

    def __init__(self, stream: httpcore2.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        allowed = _ALLOWED.get()
        data = self._stream.read(max_bytes, allowed.seconds(timeout))
        allowed.bytes -= len(data)
        if allowed.bytes < 0:
            raise httpcore2.RemoteProtocolError("the answer is too long")
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), _PIECE):
            self._stream.write(buffer[start : start + _PIECE], _ALLOWED.get().seconds(timeout))

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, _ALLOWED.get().seconds(timeout)))

    def close(self) -> None:
        self._stream.close()

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _proxy_for(base_url: str) -> httpcore2.Proxy | None:
    """The environment's proxy for an address, as HTTPS_PROXY and NO_PROXY say."""
    parts = urlsplit(base_url)
    if parts.scheme != "https" or proxy_bypass(parts.netloc):
        return None
    address = getproxies().get("https") or getproxies().get("all")
    if not address:
        return None
    try:
        proxy = httpx2.Proxy(address if "://" in address else f"http://{address}")
    except ValueError:
        raise UserError("HTTPS_PROXY is no address of a proxy: set it to one such as http://HOST:3128.") from None
    url = httpcore2.URL(scheme=proxy.url.raw_scheme, host=proxy.url.raw_host, port=proxy.url.port, target=b"/")
    return httpcore2.Proxy(url, proxy.raw_auth)
