"""The file of results: a line about the run, then one line per verdict, each written at once."""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import MISSING, asdict, dataclass, fields, replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, TypeVar

from harness.errors import UserError
from harness.files import chunks, lines, no_file, of_descriptor
from harness.records import CaseResult, Failure, Spectrum, Verdict
from harness.spectrum import NOT_RUN, spectrum

T = TypeVar("T")


class Key(NamedTuple):
    """What makes a verdict reusable: the task with its version and variant, the sample's number, its code's SHA-256."""

    task_id: str
    task_digest: str
    variant: str
    number: int
    code_sha256: str


LETTERS = {"passed": "p", "wrong": "w", "raised": "r", "timeout": "t", "crashed": "c", "unencodable": "u"}
"""The outcome of a case in the text `cases` of a result, one letter per case."""
_BARE = {status: CaseResult(status) for status in LETTERS}
_LONGEST = 16 * 1024**2
"""Bytes of a line; ours are far shorter."""
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
        rows = _rows(chunks(path))
        run = _run(next(rows, {}).get("run"))
        if run is None:
            raise UserError(f"{path} is no file of results; give one that `evaluate` wrote.")
        functions: dict[str, str] = {}
        verdicts = _verdicts(path, rows, "judge the answers again", functions)
    except OSError as error:
        raise UserError(f"{path} can't be read ({error.strerror}); give a file that `evaluate` wrote.") from None
    return Results(path, run, verdicts, functions)


class ResultsFile:
    """Verdicts in a file, or nowhere without a path or for /dev/null; a context manager that holds the file for itself.

    What a killed run left is read back. A last line that was cut short is taken off. A file of another run is refused
    with a `UserError`, and is left as it is. Lines are in the file whole or not at all, also where the disk is full.
    """

    def __init__(self, path: Path | None, run: Run) -> None:
        self._path = path
        self._run = run
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
            self._write(self._file, _line(key, verdict, function))

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
        rows = _rows(of_descriptor(file), self._count)
        header = next(rows, None)
        if header is None:
            os.lseek(file, 0, os.SEEK_SET)
            _refuse_unless(self._path, b'{"run"'.startswith(os.read(file, 6)))
            self._write(file, {"run": asdict(self._run)})
        else:
            self._check_run(header.get("run"))
            self._verdicts = _verdicts(self._path, rows, "choose another --output", {})
        if os.fstat(file).st_size > self._end:
            os.ftruncate(file, self._end)

    def _count(self, size: int) -> None:
        self._end += size

    def _check_run(self, there: Any) -> None:
        _refuse_unless(self._path, isinstance(there, dict))
        wanted = asdict(self._run)
        for field in fields(Run):
            name, was = field.name, there.get(field.name, None if field.default is MISSING else field.default)
            if name != "source" and was != wanted[name]:
                raise UserError(
                    f"{self._path} holds results of another run ({name} was {was!r:.200}, is {wanted[name]!r}); "
                    "choose another --output, or move it away."
                )


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


def _rows(data: Iterable[bytes], read: Callable[[int], None] = lambda _: None) -> Iterator[dict[str, Any]]:
    """The objects in whole lines, {} for a line that holds none; `read` is told the size of each."""
    for line in lines(data, _LONGEST):
        if line.endswith(b"\n"):
            read(len(line))
            yield _object(line)


def _verdicts(
    path: Path | None, rows: Iterable[dict[str, Any]], otherwise: str, functions: dict[str, str],
) -> dict[Key, Verdict]:
    """The verdicts of all rows behind the first; one that holds none is refused, with `otherwise` as a cure.

    The tasks' functions are noted as well.
    """
    found: dict[Key, Verdict] = {}
    for number, row in enumerate(rows, 2):
        try:
            key, verdict = _parse(row)
            functions[key[0]] = _of(row, "entry_point", str) if "entry_point" in row else ""
        except (KeyError, TypeError, ValueError, IndexError):
            raise UserError(f"Line {number} of {path} is no result; remove it, or {otherwise}.") from None
        found.pop(key, None)
        found[key] = verdict
    return found


def _object(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _line(key: Key, verdict: Verdict, function: str) -> dict[str, Any]:
    failed = next((place for place, case in enumerate(verdict.cases) if case.status != "passed"), None)
    first = {} if failed is None else {"first_failure": {"case": failed, **asdict(verdict.cases[failed])}}
    small = verdict.failure
    least = {} if small is None else {"smallest_failure": {**asdict(verdict.cases[small.case]), **asdict(small)}}
    return {
        "task_id": key.task_id, "entry_point": function, "task_digest": key.task_digest,
        **({"variant": key.variant} if key.variant else {}), "sample": key.number, "code_sha256": key.code_sha256,
        "outcome": verdict.outcome.value, "passed": verdict.passed, "total": verdict.total, "detail": verdict.detail,
        "cases": "".join(LETTERS[case.status] for case in verdict.cases), **first, **least,
    }


def _parse(line: dict[str, Any]) -> tuple[Key, Verdict]:
    """The inverse of `_line`, as far as it goes; what was written by an older version may lack the smallest failure.

    Raises an error where parts are missing or of other types, and where they contradict each other.
    """
    texts = {name: _of(line, name, str) for name in ("task_id", "task_digest", "code_sha256", "detail")}
    variant = _of(line, "variant", str) if "variant" in line else ""
    key = Key(texts["task_id"], texts["task_digest"], variant, _count(line, "sample"), texts["code_sha256"])
    cases = [_RESULTS[letter] for letter in _of(line, "cases", str)]
    failed = [place for place, case in enumerate(cases) if case is not _RESULTS["p"]]
    outcome, passed, total = Spectrum(_of(line, "outcome", str)), _count(line, "passed"), _count(line, "total")
    if (total, passed) != (len(cases) or max(total, 1), len(cases) - len(failed)):
        raise ValueError("the counts are not those of the cases")
    if outcome not in ({spectrum(cases)} if cases else NOT_RUN):
        raise ValueError("the outcome is not that of the cases")
    failure = _failures(line, cases, failed)
    return key, Verdict(key[0], key[1], outcome, passed, total, texts["detail"], tuple(cases), failure)


def _failures(line: dict[str, Any], cases: list[CaseResult], failed: Sequence[int]) -> Failure | None:
    """The smallest failure; details of it and of the first one are put into the cases."""
    small = None
    for name, places in (("first_failure", failed[:1]), ("smallest_failure", failed)):
        if name not in line:
            continue
        told = _of(line, name, dict)
        place, status = _count(told, "case"), _of(told, "status", str)
        if place not in places or status != cases[place].status:
            raise ValueError("the failure is not that of the cases")
        cases[place] = CaseResult(status, _of(told, "detail", str))
        small = Failure(place, _of(told, "got", str)) if name == "smallest_failure" else small
    return small


def _of(line: dict[str, Any], name: str, kind: type[T]) -> T:
    value = line[name]
    if type(value) is not kind:
        raise TypeError(f"{name} is no {kind.__name__}")
    return value


def _count(line: dict[str, Any], name: str) -> int:
    number = _of(line, name, int)
    if number < 0:
        raise ValueError(f"{name} is negative")
    return number
