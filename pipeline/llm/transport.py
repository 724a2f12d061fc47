"""The wire to a server that need not be trusted: an answer has an end, in bytes and in seconds, and is not packed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import cast

import httpx2

MAX_BYTES = 8_000_000
"""Bytes of one answer, far more than any model gives."""


class Bounded(httpx2.HTTPTransport):
    """A transport whose answers end after `seconds`, all parts together, and after `MAX_BYTES`."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._seconds = seconds

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request that asks for an unpacked answer."""
        request.headers["accept-encoding"] = "identity"
        deadline = time.monotonic() + self._seconds
        response = super().handle_request(request)
        if response.headers.get("content-encoding", "identity") != "identity":
            response.close()
            raise httpx2.RemoteProtocolError("the server packs its answers, which nobody has asked for")
        stream = _BoundedStream(cast(httpx2.SyncByteStream, response.stream), deadline)
        return httpx2.Response(
            response.status_code, headers=response.headers, stream=stream, extensions=response.extensions)


class _BoundedStream(httpx2.SyncByteStream):
    def __init__(self, stream: httpx2.SyncByteStream, deadline: float) -> None:
        self._stream = stream
        self._deadline = deadline

    def __iter__(self) -> Iterator[bytes]:
        left = MAX_BYTES
        for part in self._stream:
            left -= len(part)
            if left < 0:
                raise httpx2.RemoteProtocolError("the answer is too long")
            if time.monotonic() > self._deadline:
                raise httpx2.ReadTimeout("the answer comes too slowly")
            yield part

    def close(self) -> None:
        self._stream.close()
