"""The file of results: a line about the run, then one line per verdict, each written at once."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import MISSING, asdict, dataclass, fields, replace
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from harness.errors import UserError
from harness.records import CaseResult, Failure, Spectrum, Verdict

Key = tuple[str, str, int, str]
"""Task id, task digest, number of the sample, SHA-256 of its code."""

LETTERS = {"passed": "p", "wrong": "w", "raised": "r", "timeout": "t", "crashed": "c", "unencodable": "u"}
"""The outcome of a case in the text `cases` of a result, one letter per case."""
_BARE = {status: CaseResult(status) for status in LETTERS}
_RESULTS = {letter: _BARE[status] for status, letter in LETTERS.items()}


@dataclass(frozen=True)
class Run:
    """What results must share to be comparable: the release (`revision` is the Hub's commit), and what judged it.

    `cases` is `full`, or `lite` where each task's lite selection alone was run. `answers` is `samples`, `reference` or
    `stub`.
    """

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
    cases: str = "full"


@dataclass(frozen=True)
class Results:
    """What a file of results holds: the verdicts in the order of its lines, and the tasks' functions by task id."""

    path: Path
    run: Run
    verdicts: dict[Key, Verdict]
    functions: dict[str, str]


def read_results(path: Path) -> Results:
    """Read a file of results without touching it; raises `UserError`. A last line that was cut short does not count."""
    try:
        lines = path.read_bytes().split(b"\n")[:-1]
    except OSError as error:
        raise UserError(f"{path} can't be read ({error.strerror}); give a file that `evaluate` wrote.") from None
    run = _run(_object(lines[0]).get("run")) if lines else None
    if run is None:
        raise UserError(f"{path} is no file of results; give one that `evaluate` wrote.")
    functions = {str(line.get("task_id")): str(line.get("entry_point", "")) for line in map(_object, lines[1:])}
    return Results(path, run, _verdicts(path, lines, "judge the answers again"), functions)


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
        """The verdict that is there already; of its cases only the first and the smallest that failed have a detail."""
        return self._verdicts.get(key)

    def add(self, key: Key, verdict: Verdict, function: str) -> None:
        """Keep a verdict on an answer that should define this function: it is in the file when this returns."""
        if self._file is not None:
            self._write(self._file, _line(key, verdict, function))

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
        self._verdicts = _verdicts(self._path, lines, "choose another --output")
        if len(whole) < len(data):
            file.truncate(len(whole))
            os.fsync(file.fileno())

    def _check_run(self, there: Any) -> None:
        _refuse_unless(self._path, isinstance(there, dict))
        wanted = asdict(self._run)
        for field in fields(Run):
            name, was = field.name, there.get(field.name, None if field.default is MISSING else field.default)
            if name != "source" and was != wanted[name]:
                raise UserError(
                    f"{self._path} holds results of another run ({name} was {was!r}, is {wanted[name]!r}); "
                    "choose another --output, or move it away."
                )


def without_details(verdict: Verdict) -> Verdict:
    """The verdict with the details of those cases alone that reports show, so that there is room for very many."""
    first = next((place for place, case in enumerate(verdict.cases) if case.status != "passed"), None)
    shown = {first, verdict.failure.case if verdict.failure else None}
    cases = (case if place in shown else _BARE.get(case.status, case) for place, case in enumerate(verdict.cases))
    return replace(verdict, cases=tuple(cases))


def _refuse_unless(path: Path | None, ours: bool) -> None:
    if not ours:
        raise UserError(f"{path} is there and is no file of results; choose another --output.")


def _run(there: Any) -> Run | None:
    """The run of a file's first line, None where that tells of none."""
    names = {field.name for field in fields(Run)}
    if not isinstance(there, dict) or not all(isinstance(text, str) for text in there.values()):
        return None
    try:
        return Run(**{name: text for name, text in there.items() if name in names})
    except TypeError:
        return None


def _verdicts(path: Path | None, lines: Sequence[bytes], otherwise: str) -> dict[Key, Verdict]:
    """The verdicts of all lines but the first; a line that holds none is refused, with `otherwise` as a cure."""
    found: dict[Key, Verdict] = {}
    for number, line in enumerate(lines[1:], 2):
        try:
            key, verdict = _parse(_object(line))
        except (KeyError, TypeError, ValueError, IndexError):
            raise UserError(f"Line {number} of {path} is no result; remove it, or {otherwise}.") from None
        found.pop(key, None)
        found[key] = verdict
    return found


def _object(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _line(key: Key, verdict: Verdict, function: str) -> dict[str, Any]:
    task_id, task_digest, number, code = key
    failed = next((place for place, case in enumerate(verdict.cases) if case.status != "passed"), None)
    first = {} if failed is None else {"first_failure": {"case": failed, **asdict(verdict.cases[failed])}}
    small = verdict.failure
    least = {} if small is None else {"smallest_failure": {**asdict(verdict.cases[small.case]), **asdict(small)}}
    return {
        "task_id": task_id, "entry_point": function, "task_digest": task_digest, "sample": number, "code_sha256": code,
        "outcome": verdict.outcome.value, "passed": verdict.passed, "total": verdict.total, "detail": verdict.detail,
        "cases": "".join(LETTERS[case.status] for case in verdict.cases), **first, **least,
    }


def _parse(line: dict[str, Any]) -> tuple[Key, Verdict]:
    """The inverse of `_line`, as far as it goes; what was written by an older version may lack the smallest failure."""
    key = (str(line["task_id"]), str(line["task_digest"]), int(line["sample"]), str(line["code_sha256"]))
    passed, total, cases = int(line["passed"]), int(line["total"]), [_RESULTS[letter] for letter in line["cases"]]
    if cases and (len(cases), line["cases"].count("p")) != (total, passed):
        raise ValueError("the counts are not those of the cases")
    for name in ("first_failure", "smallest_failure"):
        if name in line:
            told = line[name]
            cases[told["case"]] = CaseResult(str(told["status"]), str(told["detail"]))
    small = line.get("smallest_failure")
    failure = Failure(int(small["case"]), str(small["got"])) if small else None
    outcome, detail = Spectrum(line["outcome"]), str(line["detail"])
    return key, Verdict(key[0], key[1], outcome, passed, total, detail, tuple(cases), failure)
