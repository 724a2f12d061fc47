"""Results: what a run is, what makes a verdict reusable, and both as lines of JSON, and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from harness.errors import UserError
from harness.files import chunks, lines
from harness.records import CaseResult, Failure, Spectrum, Verdict, digest
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
BARE = {status: CaseResult(status) for status in LETTERS}
_LONGEST = 16 * 1024**2
"""Bytes of a line; ours are far shorter."""
RESULTS = {letter: BARE[status] for status, letter in LETTERS.items()}


@dataclass(frozen=True)
class Run:
    """What results must share to be comparable: the release (`revision` is the Hub's commit), and what judged it.

    `cases` is `full`, or `lite` where each task's lite selection alone was run. `answers` is `samples`, `reference` or
    `stub`. `model`, `model_revision` and `sampling` say whose answers they are, "" where nobody has said it; `date` is
    when they were judged for the first time (ISO 8601, UTC).
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
    model: str = ""
    model_revision: str = ""
    sampling: str = ""
    date: str = ""

    @property
    def id(self) -> str:
        """What a store calls it: it depends on all that is said of the run but where the release was found."""
        said = [f"{name}={value}" for name, value in asdict(self).items() if name != "source"]
        return digest(*said)[:12]


@dataclass(frozen=True)
class Results:
    """The verdicts of a run in their order, the tasks' functions by task id, and where they were read from."""

    path: Path
    run: Run
    verdicts: dict[Key, Verdict]
    functions: dict[str, str]


def read_results(path: Path) -> Results:
    """Read a file of results without touching it; raises `UserError`. A last line that was cut short does not count."""
    try:
        rows = rows_of(chunks(path))
        run = run_of(next(rows, {}).get("run"))
        if run is None:
            raise UserError(f"{path} is no file of results; give one that `evaluate` wrote.")
        functions: dict[str, str] = {}
        verdicts = verdicts_of(path, rows, "judge the answers again", functions)
    except OSError as error:
        cure = "give a file that `evaluate` wrote, or a run and its --store"
        raise UserError(f"{path} can't be read ({error.strerror}); {cure}.") from None
    return Results(path, run, verdicts, functions)


def without_details(verdict: Verdict) -> Verdict:
    """The verdict with the details of those cases alone that reports show, so that there is room for very many."""
    first = next((place for place, case in enumerate(verdict.cases) if case.status != "passed"), None)
    shown = {first, verdict.failure.case if verdict.failure else None}
    cases = (case if place in shown else BARE.get(case.status, case) for place, case in enumerate(verdict.cases))
    return replace(verdict, cases=tuple(cases))


def run_of(there: Any) -> Run | None:
    """The run of a file's first line, None where that tells of none."""
    names = {field.name for field in fields(Run)}
    if not isinstance(there, dict) or not all(isinstance(text, str) for text in there.values()):
        return None
    try:
        return Run(**{name: text for name, text in there.items() if name in names})
    except TypeError:
        return None


def rows_of(data: Iterable[bytes], read: Callable[[int], None] = lambda _: None) -> Iterator[dict[str, Any]]:
    """The objects in whole lines, {} for a line that holds none; `read` is told the size of each."""
    for line in lines(data, _LONGEST):
        if line.endswith(b"\n"):
            read(len(line))
            yield _object(line)


def verdicts_of(
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


def line_of(key: Key, verdict: Verdict, function: str) -> dict[str, Any]:
    """A verdict on an answer that should define a function, as an object of JSON."""
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
    """The inverse of `line_of`, as far as it goes; what was written by an older version may lack the smallest failure.

    Raises an error where parts are missing or of other types, and where they contradict each other.
    """
    texts = {name: _of(line, name, str) for name in ("task_id", "task_digest", "code_sha256", "detail")}
    variant = _of(line, "variant", str) if "variant" in line else ""
    key = Key(texts["task_id"], texts["task_digest"], variant, _count(line, "sample"), texts["code_sha256"])
    cases = [RESULTS[letter] for letter in _of(line, "cases", str)]
    failed = [place for place, case in enumerate(cases) if case is not RESULTS["p"]]
    outcome, passed, total = Spectrum(_of(line, "outcome", str)), _count(line, "passed"), _count(line, "total")
    if (total, passed) != (len(cases) or max(total, 1), len(cases) - len(failed)):
        raise ValueError("the counts are not those of the cases")
    found = spectrum(cases) if cases else None
    if outcome not in ({found, found.in_paper} if found else NOT_RUN):
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
