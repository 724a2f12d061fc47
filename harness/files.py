"""Files that users name, read once from the beginning: pipes may be among them, what would never end is refused."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

_CHUNK = 1 << 20
_PATIENCE, _AGAIN = 5.0, 0.02
"""Seconds for which a pipe may wait for somebody who writes, and between two looks."""
_NO_FILES = {
    stat.S_ISDIR: "it is a folder", stat.S_ISCHR: "it is a device", stat.S_ISBLK: "it is a device",
    stat.S_ISSOCK: "it is a socket",
}


def no_file(mode: int) -> str:
    """What stands where a file, or a pipe, should be; "" where that is so."""
    return next((what for is_one, what in _NO_FILES.items() if is_one(mode)), "")


def chunks(path: Path) -> Iterator[bytes]:
    """What is in a file or comes through a pipe; raises `OSError`, for what is neither or nobody's pipe as well."""
    _refuse(os.stat(path).st_mode)  # before it is opened, which some devices take as a command
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        mode = os.fstat(descriptor).st_mode
        _refuse(mode)
        if stat.S_ISFIFO(mode):
            yield _first(descriptor)
            os.set_blocking(descriptor, True)
        yield from of_descriptor(descriptor)
    finally:
        os.close(descriptor)


def of_descriptor(descriptor: int) -> Iterator[bytes]:
    """What is still to be read."""
    while data := os.read(descriptor, _CHUNK):
        yield data


def read_file(path: Path, most: int = 64 * 1024**2) -> bytes:
    """All of a file; raises `OSError`, for one that is much larger than allowed as well."""
    found: list[bytes] = []
    for chunk in chunks(path):
        found.append(chunk)
        if sum(map(len, found)) > most:
            raise OSError(errno.EFBIG, f"it has more than {most // 1024**2} MB")
    return b"".join(found)


def lines(data: Iterable[bytes], longest: int) -> Iterator[bytes]:
    """The lines with their ends, which the last may lack; raises `OSError` for one that is much longer than allowed."""
    parts: list[bytes] = []
    size = number = 0
    for chunk in data:
        *whole, rest = chunk.split(b"\n")
        for end in whole:
            yield b"".join([*parts, end, b"\n"])
            parts, size, number = [], 0, number + 1
        parts.append(rest)
        size += len(rest)
        if size > longest:
            raise OSError(errno.EFBIG, f"line {number + 1} has more than {longest // 1024**2} MB")
    if size:
        yield b"".join(parts)


def _refuse(mode: int) -> None:
    if what := no_file(mode):
        raise OSError(errno.EINVAL, what)


def _first(descriptor: int) -> bytes:
    """What comes first through a pipe that does not wait, "" where somebody is there who has yet to write."""
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return b""
        if data:
            return data
        if time.monotonic() > end:
            raise OSError(errno.EPIPE, "it is a pipe that nobody writes to")
        time.sleep(_AGAIN)
