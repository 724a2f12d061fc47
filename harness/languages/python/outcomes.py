"""What the driver of Python has reported: lines become outcomes, and nothing in them is taken on trust."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

from harness.errors import SandboxFailed
from harness.languages import Call, CallOutcome, LoadError
from harness.records import Answer
from harness.sandbox import Ending, Outcome

_PER_BYTE = 3e-8
"""CPU seconds that it takes to read a byte of the inputs."""
_HIDDEN, _HIDDEN_SECONDS = 1.1, 0.2
"""How many times its seconds a call may take, and how many more, by what is seen from outside."""
_LONG, _LONG_FACTOR = 1 << 20, 16
"""Bytes of a line that are always read, and how many times as many as in that of the known answer."""
_LOAD_ERROR = 2000
"""Characters of what is said about a program that does not load; the driver says less, a forged line may say more."""
_AT_ONCE = CallOutcome("known")
_BEFORE = re.compile(rb'\{(?:"cpu":([\d.e-]+),)?(?:"where":"[^"]*",)?(?:"is":\[[^\]]*\],)?')
"""What a line holds before the fields that are the same in each run."""


@dataclass(frozen=True)
class Report:
    """What one process has reported; `cut_short` says that its end is no report of its own but how it ended."""

    load_error: LoadError | None
    outcomes: tuple[CallOutcome, ...] = ()
    cpu_seconds: float = 0.0
    cut_short: bool = False


def read(outcome: Outcome, calls: Sequence[Call]) -> Report:
    """What the driver has reported, up to the call that ended it; nothing in it is taken on trust."""
    lines = outcome.stdout.split(b"\n")[:-1]
    if not lines:
        if outcome.stderr:
            raise SandboxFailed("the driver failed: " + outcome.stderr.decode("utf-8", "replace").splitlines()[-1])
        end = ended(outcome)
        return Report(LoadError(f"{end.detail} while it was loaded", hung=end.status == "timeout"))
    loaded = parse_line(lines[0])
    if loaded.get("load_error", "") is not None:
        error = loaded.get("load_error", "it wrote into the driver's channel while it was loaded")
        return Report(_load_error(str(error)))
    found = _without_hidden(_outcomes(lines[1 : 1 + len(calls)], calls), seconds_of(loaded), outcome, calls)
    cut_short = len(found) < len(calls) and not (found and found[-1].status == "timeout")
    if cut_short:
        found.append(ended(outcome))
    return Report(None, tuple(found), seconds_of(loaded) + sum(one.cpu_seconds for one in found), cut_short)


def _load_error(text: str) -> LoadError:
    """What the driver says of loading: `SyntaxError` comes first exactly where the text can't be compiled."""
    return LoadError(text[:_LOAD_ERROR], text.startswith("SyntaxError"))


def _without_hidden(
    found: list[CallOutcome], loading: float, outcome: Outcome, calls: Sequence[Call]
) -> list[CallOutcome]:
    """The outcomes, those late of which the program has hidden the time: it may have stopped the driver's clocks.

    What was used beyond what was told, whenever it was looked at, is what goes on just then, or it stays: what stays is
    laid to the calls that were reported meanwhile. Loading, and the processes around the program, come before them: the
    first look is at a program that waits for its inputs.
    """
    told = [0.0, loading, *(one.cpu_seconds for one in found)]
    told[2:3] = [one + _PER_BYTE * sum(len(call.told) for call in calls) for one in told[2:3]]
    ends = [(lines, cpu) for lines, cpu in outcome.readings if 0 < lines < len(told)]
    told = list(accumulate(told))
    untold = [cpu - told[lines] for lines, cpu in ends]
    if outcome.ending in (Ending.EXITED, Ending.SIGNALLED) and ends:
        untold.append(outcome.cpu_seconds - told[-1])
        ends.append((len(told) - 1, outcome.cpu_seconds))
    stays = list(accumulate(reversed(untold), min))[::-1]
    for (before, first), (after, last) in pairwise(zip([lines for lines, _ in ends], stays, strict=True)):
        for place in range(before - 1, after - 1):
            late = found[place].cpu_seconds + last - first > _HIDDEN * calls[place].cpu_seconds + _HIDDEN_SECONDS
            if late and found[place].status != "timeout":
                found[place] = CallOutcome("timeout", None, "CPU time, of which less was told")
    return found


def _outcomes(lines: Sequence[bytes], calls: Sequence[Call]) -> list[CallOutcome]:
    """The outcomes in lines, of the first ones of the calls; those that say what is known are not parsed.

    Nor are those that are far longer: an answer of so many bytes takes many times as many here.
    """
    found = [_known(line, call.known) or _too_long(line, call.known) for line, call in zip(lines, calls, strict=False)]
    others = iter(_parsed([line for line, one in zip(lines, found, strict=True) if one is None]))
    return [one or _outcome(next(others)) for one in found]


def _too_long(line: bytes, known: bytes) -> CallOutcome | None:
    if not known or len(line) <= max(_LONG, _LONG_FACTOR * len(known)):
        return None
    detail = f"its value takes {len(line)} bytes to write down, that of the reference {len(known)}"
    return CallOutcome("unencodable", None, detail, "", _told_first(_BEFORE.match(line)))


def _known(line: bytes, known: bytes) -> CallOutcome | None:
    """The outcome in a line that says what is known, None for any other line; calls of no time don't tell it."""
    if not known or not line.endswith(known):
        return None
    if len(line) == len(known) + 1:
        return _AT_ONCE
    before = _BEFORE.fullmatch(line, 0, len(line) - len(known))
    return CallOutcome("known", None, "", "", _told_first(before)) if before is not None else None


def _told_first(before: re.Match[bytes] | None) -> float:
    """The CPU seconds that stand at the beginning of a line, 0 where none do."""
    try:
        return _bounded(float(before[1] or 0.0)) if before is not None else 0.0
    except ValueError:
        return 0.0


def seconds_of(line: dict[str, Any]) -> float:
    """The CPU seconds that a line tells, 0 where it tells none that can be."""
    cpu = line.get("cpu")
    return _bounded(cpu) if type(cpu) is float else 0.0


def _bounded(seconds: float) -> float:
    return seconds if 0 <= seconds < 1e9 else 0.0


def _parsed(lines: Sequence[bytes]) -> list[dict[str, Any]]:
    """The objects in lines; all at once, unless some of them hold what only a program can have written."""
    try:
        found = json.loads(b"[" + b",".join(lines) + b"]") if sum(map(len, lines)) < _LONG else []
    except (ValueError, RecursionError):
        found = []
    if len(found) == len(lines) and all(type(one) is dict for one in found):
        return list(found)
    return [parse_line(line) for line in lines]


def parse_line(line: bytes) -> dict[str, Any]:
    """The object in a line, {} for a line that holds none."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _outcome(line: dict[str, Any]) -> CallOutcome:
    """The outcome in a line; a line that is none counts as a crash, since only the program can have forged it."""
    status, detail, where = (_text(line, key) for key in ("status", "detail", "where"))
    cpu, mutated = seconds_of(line), line.get("mutated")
    if status == "returned" and "value" in line:
        return CallOutcome(status, Answer("returned", line["value"], mutated=mutated), detail, where, cpu)
    if status == "raised":
        answer = Answer("raised", exception=_text(line, "exception"), message=_text(line, "message"), mutated=mutated)
        bases = line.get("is")
        also = tuple(one for one in bases if isinstance(one, str)) if isinstance(bases, list) else ()
        return CallOutcome(status, answer, detail, where, cpu, also)
    if status in ("timeout", "crashed", "unencodable"):
        return CallOutcome(status, None, detail, where, cpu)
    return CallOutcome("crashed", None, "it wrote into the driver's channel")


def _text(line: dict[str, Any], key: str) -> str:
    value = line.get(key, "")
    return value[:1000] if isinstance(value, str) else ""


def ended(outcome: Outcome) -> CallOutcome:
    """The outcome of the call in which the process ended."""
    if outcome.ending in (Ending.CPU_LIMIT, Ending.WALL_LIMIT):
        return CallOutcome("timeout", None, "CPU time" if outcome.ending is Ending.CPU_LIMIT else "wall time")
    how = {
        Ending.EXITED: f"the process ended with exit code {outcome.code}",
        Ending.SIGNALLED: f"the process was ended by signal {outcome.code}",
        Ending.OUTPUT_LIMIT: "the answers are too large",
        Ending.MEMORY_LIMIT: "the process used too much memory",
        Ending.PROCESS_LIMIT: "the process started too many others",
    }
    return CallOutcome("crashed", None, how[outcome.ending])
