"""The file of results: a line about the run, then one line per verdict, each written at once."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from harness.errors import UserError
from harness.records import Spectrum, Verdict

Key = tuple[str, str, int, str]
"""Task id, task digest, number of the sample, SHA-256 of its code."""

LETTERS = {"passed": "p", "wrong": "w", "raised": "r", "timeout": "t", "crashed": "c", "unencodable": "u"}
"""The outcome of a case in the text `cases` of a result, one letter per case."""


@dataclass(frozen=True)
class Run:
    """What results must share to be comparable: the release (`revision` is the Hub's commit), and what judged it."""

    release: str
    source: str
    revision: str
    manifest_sha256: str
    harness: str
    prompts_sha256: str
    runtime: str
    runtime_sha256: str
    isolation: str
    answers: str


class ResultsFile:
    """Verdicts in a file, or nowhere when there is no path; a context manager that holds the file for itself.

    What a killed run left is read back. A last line that was cut short is taken off. A file of another run is refused
    with a `UserError`, and is left as it is.
    """

    def __init__(self, path: Path | None, run: Run) -> None:
        self._path = path
        self._run = run
        self._file: BinaryIO | None = None
        self._verdicts: dict[Key, Verdict] = {}

    def __enter__(self) -> ResultsFile:
        if self._path is None:
            return self
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("a+b")
        except OSError as error:
            raise UserError(f"{self._path} can't be written ({error.strerror}); choose another --output.") from None
        try:
            self._lock(self._file)
            self._read(self._file)
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()

    def verdict(self, key: Key) -> Verdict | None:
        """The verdict that is there already, without its cases."""
        return self._verdicts.get(key)

    def add(self, key: Key, verdict: Verdict) -> None:
        """Keep a verdict: it is in the file when this returns."""
        if self._file is not None:
            self._write(self._file, _line(key, verdict))

    def _write(self, file: BinaryIO, line: dict[str, Any]) -> None:
        try:
            file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
            file.flush()
        except OSError as error:
            raise UserError(
                f"{self._path} can't be written ({error.strerror}); make room and run the command again: it goes on."
            ) from None

    def _lock(self, file: BinaryIO) -> None:
        try:
            import fcntl
        except ImportError:
            return
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UserError(f"Another run writes to {self._path}; wait for it, or choose another --output.") from None

    def _read(self, file: BinaryIO) -> None:
        file.seek(0)
        data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        lines = whole.split(b"\n")[:-1]
        if not lines:
            _refuse_unless(self._path, b'{"run"'.startswith(data[:6]))
            file.truncate(0)
            self._write(file, {"run": asdict(self._run)})
            return
        self._check_run(_object(lines[0]).get("run"))
        for number, line in enumerate(lines[1:], 2):
            try:
                key, verdict = _parse(_object(line))
            except (KeyError, TypeError, ValueError):
                where = f"Line {number} of {self._path}"
                raise UserError(f"{where} is no result; remove it, or choose another --output.") from None
            self._verdicts[key] = verdict
        if len(whole) < len(data):
            file.truncate(len(whole))
            os.fsync(file.fileno())

    def _check_run(self, there: Any) -> None:
        _refuse_unless(self._path, isinstance(there, dict))
        wanted = asdict(self._run)
        for name in (field.name for field in fields(Run) if field.name != "source"):
            if there.get(name) != wanted[name]:
                raise UserError(
                    f"{self._path} holds results of another run ({name} was {there.get(name)!r}, is {wanted[name]!r}); "
                    "choose another --output, or move it away."
                )


def _refuse_unless(path: Path | None, ours: bool) -> None:
    if not ours:
        raise UserError(f"{path} is there and is no file of results; choose another --output.")


def _object(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _line(key: Key, verdict: Verdict) -> dict[str, Any]:
    task_id, task_digest, number, code = key
    failed = next(((n, case) for n, case in enumerate(verdict.cases) if case.status != "passed"), None)
    first = {} if failed is None else {"first_failure": {"case": failed[0], **asdict(failed[1])}}
    return {
        "task_id": task_id, "task_digest": task_digest, "sample": number, "code_sha256": code,
        "outcome": verdict.outcome.value, "passed": verdict.passed, "total": verdict.total, "detail": verdict.detail,
        "cases": "".join(LETTERS.get(case.status, "?") for case in verdict.cases), **first,
    }


def _parse(line: dict[str, Any]) -> tuple[Key, Verdict]:
    key = (str(line["task_id"]), str(line["task_digest"]), int(line["sample"]), str(line["code_sha256"]))
    outcome = Spectrum(line["outcome"])
    return key, Verdict(key[0], key[1], outcome, int(line["passed"]), int(line["total"]), str(line["detail"]))
