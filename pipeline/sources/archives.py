"""Reading source archives without unpacking them: no file is written, no link followed, every size counted."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from pipeline.config import MineConfig
from pipeline.records import Reason
from pipeline.sources import SourceFile, Unusable

_DAMAGE = (
    tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, OSError, UnicodeError,
    NotImplementedError, RuntimeError, ValueError, OverflowError,
)
_HEADERS = 64 * 1024 * 1024
"""What the headers of an archive may take besides its files, in bytes."""


class _Breach(Exception):
    """The archive's contents break a limit."""


@dataclass
class _Metered(io.RawIOBase):
    """A stream that gives no more than `left` bytes, whatever is asked for: a bomb goes off harmlessly."""

    inner: IO[bytes]
    left: int

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """Read as a file does, and raise once the limit is passed."""
        wanted = self.left + 1 if size < 0 else min(size, self.left + 1)
        data = self.inner.read(wanted)
        self.left -= len(data)
        if self.left < 0:
            raise _Breach("its contents are larger than the limit")
        return data


def read_archive(
    path: Path, file_name: str, config: MineConfig, wanted: Callable[[str], bool]
) -> Iterator[SourceFile]:
    """The wanted files of a `.tar.gz`, `.tar.bz2`, `.tar.xz`, `.zip` or `.whl`, without the folder around them all.

    Links and devices are passed over. A path that leads out of the archive, a limit that is broken and every kind of
    damage raise `Unusable`.
    """
    try:
        if path.stat().st_size > config.max_archive_bytes:
            raise _Breach("it is larger than the limit")
        reader = _zip_files if file_name.endswith((".zip", ".whl", ".egg")) else _tar_files
        strip = not file_name.endswith((".whl", ".egg"))
        for name, file in reader(path, config, lambda name: wanted(_inner(name, strip))):
            yield SourceFile(_inner(name, strip), file.data, file.size)
    except (_Breach, *_DAMAGE) as error:
        raise Unusable(Reason.CORRUPT_SOURCE, f"{file_name}: {error or type(error).__name__}") from error


def _inner(name: str, strip: bool) -> str:
    path = name.replace("\\", "/")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if path.startswith("/") or ".." in parts or ":" in (parts or [""])[0]:
        raise _Breach(f"it holds the path {name!r}, which leads out of it")
    return "/".join(parts[1:] if strip and len(parts) > 1 else parts)


def _limits(count: int, total: int, config: MineConfig) -> None:
    if count > config.max_files:
        raise _Breach(f"it holds more than {config.max_files} files")
    if total > config.max_unpacked_bytes:
        raise _Breach(f"its contents are larger than {config.max_unpacked_bytes} bytes")


_Found = Iterator[tuple[str, SourceFile]]


def _tar_files(path: Path, config: MineConfig, wanted: Callable[[str], bool]) -> _Found:
    with path.open("rb") as raw:
        magic = raw.read(6)
        raw.seek(0)
        stream = _Metered(_unpacked(raw, magic), config.max_unpacked_bytes + _HEADERS)
        count = total = 0
        with tarfile.open(fileobj=stream, mode="r|") as tar:
            for member in tar:
                count, total = count + 1, total + max(member.size, 0)
                _limits(count, total, config)
                if not wanted(member.name) or not member.isreg() or member.issparse():
                    continue
                if member.size > config.max_file_bytes:
                    yield member.name, SourceFile("", b"", member.size)
                    continue
                file = tar.extractfile(member)
                data = file.read() if file else b""
                if len(data) != member.size:
                    raise EOFError("it is truncated")
                yield member.name, SourceFile("", data, len(data))


def _unpacked(raw: IO[bytes], magic: bytes) -> IO[bytes]:
    if magic.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=raw)  # type: ignore[return-value]
    if magic.startswith(b"BZh"):
        return bz2.BZ2File(raw)
    if magic.startswith(b"\xfd7zXZ"):
        return lzma.LZMAFile(raw)
    return raw


def _zip_files(path: Path, config: MineConfig, wanted: Callable[[str], bool]) -> _Found:
    with zipfile.ZipFile(path) as archive:
        infos = archive.infolist()
        _limits(len(infos), sum(info.file_size for info in infos), config)
        total = 0
        for info in infos:
            if not wanted(info.filename) or info.is_dir() or stat.S_ISLNK(info.external_attr >> 16):
                continue
            if info.file_size > config.max_file_bytes:
                yield info.filename, SourceFile("", b"", info.file_size)
                continue
            with archive.open(info) as file:
                data = file.read(config.max_file_bytes + 1)
            total += len(data)
            _limits(0, total, config)
            if len(data) != info.file_size:
                raise _Breach("a file in it has another size than it says")
            yield info.filename, SourceFile("", data, len(data))
