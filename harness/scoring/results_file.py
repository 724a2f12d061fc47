"""The file of results: a line about the run, then one line per verdict, each written at once."""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import MISSING, asdict, fields, replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any

from harness.errors import UserError
from harness.files import no_file, of_descriptor
from harness.records import Verdict
from harness.scoring.results import Key, Run, line_of, rows_of, verdicts_of


class ResultsFile:
    """Verdicts in a file, or nowhere without a path or for /dev/null; a context manager that holds the file for itself.

    What a killed run left is read back. A last line that was cut short is taken off. A file of another run is refused
    with a `UserError`, and is left as it is. Lines are in the file whole or not at all, also where the disk is full.
    `run` is the run, with the date of the file where that was there already.
    """

    def __init__(self, path: Path | None, run: Run) -> None:
        self._path = path
        self.run = run
        self._file: int | None = None
        self._end = 0
        self._verdicts: dict[Key, Verdict] = {}

    def __enter__(self) -> ResultsFile:
        if self._path is None:
            return self
        try:
            self._file = _opened(self._path)
            if self._file is not None:
                self._lock(self._file)
                self._read(self._file)
        except BaseException as error:
            self._close()
            if isinstance(error, OSError):
                raise UserError(
                    f"{self._path} can't be written ({error.strerror}); choose another --output, /dev/null for none."
                ) from None
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None,
    ) -> None:
        try:
            self._close()
        except OSError as late:  # some file systems tell only now
            if error is None:
                raise self._unwritten(late) from None

    def verdict(self, key: Key) -> Verdict | None:
        """The verdict that is there already; of its cases only the first and the smallest that failed have a detail."""
        return self._verdicts.get(key)

    def add(self, key: Key, verdict: Verdict, function: str) -> None:
        """Keep a verdict on an answer that should define this function: it is in the file when this returns."""
        if self._file is not None:
            self._write(self._file, line_of(key, verdict, function))

    def _write(self, file: int, line: dict[str, Any]) -> None:
        """Put a line behind all that is there; one that could not be written whole before is written over."""
        data = json.dumps(line, separators=(",", ":")).encode() + b"\n"
        try:
            os.lseek(file, self._end, os.SEEK_SET)
            written = 0
            while written < len(data):
                written += os.write(file, data[written:])
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(file, self._end)
            raise self._unwritten(error) from None
        self._end += len(data)

    def _unwritten(self, error: OSError) -> UserError:
        cure = "raise `ulimit -f`" if error.errno == errno.EFBIG else "make room"
        return UserError(
            f"{self._path} can't be written ({error.strerror}); {cure} and run the command again: it goes on."
        )

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            os.close(file)

    def _lock(self, file: int) -> None:
        try:
            import fcntl
        except ImportError:
            return
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UserError(f"Another run writes to {self._path}; wait for it, or choose another --output.") from None

    def _read(self, file: int) -> None:
        rows = rows_of(of_descriptor(file), self._count)
        header = next(rows, None)
        if header is None:
            os.lseek(file, 0, os.SEEK_SET)
            _refuse_unless(self._path, b'{"run"'.startswith(os.read(file, 6)))
            self._write(file, {"run": asdict(self.run)})
        else:
            self._check_run(header.get("run"))
            self._verdicts = verdicts_of(self._path, rows, "choose another --output", {})
        if os.fstat(file).st_size > self._end:
            os.ftruncate(file, self._end)

    def _count(self, size: int) -> None:
        self._end += size

    def _check_run(self, there: Any) -> None:
        _refuse_unless(self._path, isinstance(there, dict))
        wanted = asdict(self.run)
        for field in fields(Run):
            name, was = field.name, there.get(field.name, None if field.default is MISSING else field.default)
            if name not in ("source", "date") and was != wanted[name]:
                raise UserError(
                    f"{self._path} holds results of another run ({name} was {was!r:.200}, is {wanted[name]!r}); "
                    "choose another --output, or move it away."
                )
        self.run = replace(self.run, date=str(there.get("date", "")))


def _opened(path: Path) -> int | None:
    """The file, made where it is missing, None for /dev/null; raises `OSError` for what can't hold results."""
    with suppress(FileExistsError):  # no folder, as will be said when the file is opened
        path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists():
        there = path.stat()
        if os.path.samestat(there, os.stat(os.devnull)):
            return None
        _refuse_special(there)
    file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
    try:
        _refuse_special(os.fstat(file))
    except OSError:
        os.close(file)
        raise
    return file


def _refuse_special(there: os.stat_result) -> None:
    """Raise `OSError` for what is no file, or what this command prints into."""
    if what := no_file(there.st_mode) or ("it is a pipe" if stat.S_ISFIFO(there.st_mode) else ""):
        raise OSError(errno.EINVAL, what)
    if any(map(partial(os.path.samestat, there), _printed())):
        raise OSError(errno.EINVAL, "it is where this command prints")


def _printed() -> Iterator[os.stat_result]:
    """The files behind the outputs of this process, as far as they are open."""
    for descriptor in (1, 2):
        with suppress(OSError):
            yield os.fstat(descriptor)


def _refuse_unless(path: Path | None, ours: bool) -> None:
    if not ours:
        raise UserError(f"{path} is there and is no file of results; choose another --output.")
