"""The reference's answers, recorded twice in different surroundings and in opposite orders; what differs is refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from harness.languages import Call, CallOutcome, Execution, Machine, Run, Surroundings
from harness.languages.python.runner import run_calls
from harness.records import Case, Comparison, Json
from harness.sandbox import Limits
from harness.values import TAG
from harness.values.comparison import agree
from pipeline.config import SuiteConfig
from pipeline.records import Reason
from pipeline.suites.drafts import SuiteDraft
from pipeline.suites.subject import Subject

FIRST = Surroundings()
SECOND = Surroundings(hash_seed=20117, time_zone="Asia/Kathmandu", locale="C", folder="/tmp/elsewhere")
MAX_LOST = 0.1
MAX_LEFT_OUT = 0.25
"""The share of inputs that are left out because others of their kind have unstable answers."""
SHORT = 4
"""Axes that are shorter make a kind of their own."""
_EXACT = Comparison(relative=0.0, absolute=0.0)


@dataclass(frozen=True)
class Recorded:
    """Cases with their answers, which of the inputs they are, and how answers are to be compared.

    `slowest` are the CPU seconds of the call that took most, `lines` the lines that each case comes to, those of
    whole statements; none where that is not known. `doubtful` are the mutants that nothing has killed so far, in words.
    """

    cases: tuple[Case, ...]
    kept: tuple[int, ...]
    comparison: Comparison
    slowest: float = 0.0
    lines: tuple[frozenset[int], ...] = ()
    doubtful: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Unanswered:
    """Why there are no answers."""

    reason: Reason
    evidence: str


def record(
    program: str, entry_point: str, inputs: Sequence[Call], machine: Machine, limits: Limits
) -> Recorded | Unanswered:
    """Run the inputs forwards in one place and backwards in another, and keep what both agree on.

    The opposite order shows answers that depend on the calls before. A difference in the order of a list's items alone
    comes from a set, so the answers are compared without order from then on.
    """
    forwards = run_calls(Execution(program, entry_point, inputs, limits, FIRST), machine)
    backwards = run_calls(Execution(program, entry_point, list(reversed(inputs)), limits, SECOND), machine)
    error = _load_error(forwards, backwards)
    if error:
        return Unanswered(Reason.CRASHED, f"it does not load: {error}")
    pairs = list(zip(forwards.outcomes, reversed(backwards.outcomes), strict=True))
    lost = [place for place, (one, other) in enumerate(pairs) if one.answer is None or other.answer is None]
    if len(lost) > MAX_LOST * len(pairs):
        return _lost(pairs[lost[0]], len(lost), len(pairs))
    differing = {place for place in range(len(pairs)) if place not in lost and _differ(pairs[place])}
    unstable = {place for place in differing if _differ(pairs[place], unordered=True)}
    left_out = _of_one_kind(inputs, unstable)
    if unstable and not left_out:
        place = min(unstable)
        # What differs must not be told, because it would differ in the next build, too.
        return Unanswered(Reason.NONDETERMINISTIC, f"the answer to input {place + 1}, {_shown(inputs[place])}, differs")
    return _recorded(inputs, [one for one, _ in pairs], {*lost, *left_out}, bool(differing - left_out))


def _differ(pair: tuple[CallOutcome, CallOutcome], unordered: bool = False) -> bool:
    one, other = pair[0].answer, pair[1].answer
    rule = replace(_EXACT, mutation=True, unordered=unordered)
    return one is not None and other is not None and bool(agree(one, other, rule))


def _of_one_kind(inputs: Sequence[Call], unstable: set[int]) -> set[int]:
    """All inputs of the rarest kind that unstable ones have in common, where it is rare enough to be left out.

    A kind is an argument with an axis of some length: memory that nothing was written to comes of too short ones.
    Where every such kind is common, or most inputs of it are stable, it is the function that is unstable.
    """
    kinds: dict[str, set[int]] = {}
    for place, call in enumerate(inputs):
        for kind in _kinds([*call.args, *call.kwargs.values()]):
            kinds.setdefault(kind, set()).add(place)
    shared = [places for places in kinds.values() if unstable <= places and len(places) <= MAX_LEFT_OUT * len(inputs)]
    rarest = min(shared, key=len, default=set())
    return rarest if 2 * len(unstable) >= len(rarest) else set()


def _kinds(arguments: Sequence[Json]) -> Iterator[str]:
    """For each argument with axes how long they are at most: 0, 1, 2, ..."""
    for place, argument in enumerate(arguments):
        shape = argument.get("shape") if isinstance(argument, dict) else None
        if isinstance(shape, list):
            for axis, length in enumerate(shape):
                yield from (f"{place} {axis} {most}" for most in range(int(length), SHORT))
            yield from (f"{place} any {most}" for most in range(min(shape, default=SHORT), SHORT))


def _load_error(*runs: Run) -> str:
    return next((run.load_error.text for run in runs if run.load_error is not None), "")


def _lost(pair: tuple[CallOutcome, CallOutcome], lost: int, total: int) -> Unanswered:
    outcome = pair[0] if pair[0].answer is None else pair[1]
    reason = Reason.NOT_ENCODABLE if outcome.status == "unencodable" else Reason.CRASHED
    return Unanswered(reason, f"{lost} of {total} inputs have no answer: {outcome.status}, {outcome.detail}"[:400])


def _shown(call: Call) -> str:
    return f"{list(call.args)} {call.kwargs or ''}".strip()[:200]


def _recorded(inputs: Sequence[Call], outcomes: Sequence[CallOutcome], lost: set[int], unordered: bool) -> Recorded:
    cases: list[Case] = []
    kept: list[int] = []
    for place, (call, outcome) in enumerate(zip(inputs, outcomes, strict=True)):
        # A detail beside an answer says that the changed arguments can't be carried.
        if place not in lost and outcome.answer is not None and not outcome.detail.strip():
            cases.append(Case(call.args, dict(call.kwargs), outcome.answer))
            kept.append(place)
    slowest = max((outcome.cpu_seconds for outcome in outcomes), default=0.0)
    return Recorded(tuple(cases), tuple(kept), Comparison(unordered=unordered, mutation=watched(cases)), slowest)


def watched(cases: Sequence[Case]) -> bool:
    """Whether it is compared what has become of arguments: where the reference changes some, or some could be changed.

    What an iterator has left is nobody's business, unless the reference uses some of it.
    """
    if any(case.expected.mutated is not None for case in cases):
        return True
    kinds = {kind for case in cases for one in (*case.args, *case.kwargs.values()) for kind in _tags(one)}
    return bool(kinds & _CHANGEABLE) and "iterator" not in kinds


_CHANGEABLE = frozenset({
    "list", "dict", "set", "bytearray", "deque", "Counter", "OrderedDict", "defaultdict", "ndarray", "MaskedArray",
    "Series", "DataFrame",
})  # fmt: skip


def _tags(data: Json) -> Iterator[str]:
    """What an encoded value and the values in it are, as far as they can hold others."""
    if isinstance(data, list):
        yield "list"
        for one in data:
            yield from _tags(one)
    elif isinstance(data, dict):
        yield str(data.get(TAG, "dict"))
        # The parts of a value that is no plain one say nothing of values in it.
        inside = data.values() if TAG not in data else data["v"] if isinstance(data.get("v"), list) else ()
        for one in inside:
            yield from _tags(one)


def finish(
    program: str, entry_point: str, draft: SuiteDraft, config: SuiteConfig, machine: Machine
) -> Recorded | Unanswered:
    """The answers to what the worker has found, or why there are none."""
    calls = [Call(case.args, case.kwargs) for case in draft.cases]
    limits = Limits(config.cpu_seconds, config.wall_seconds, config.memory_bytes)
    recorded = record(program, entry_point, calls, machine, limits)
    if isinstance(recorded, Unanswered):
        return recorded
    starts = [line for line, _ in draft.goals]
    reached = tuple(frozenset(starts[goal] for goal in draft.cases[place].covered) for place in recorded.kept)
    alive = frozenset(draft.alive)
    subject = Subject.of(program, entry_point)
    return _cost(draft, recorded, config, subject) or replace(recorded, lines=reached, doubtful=alive)


def lite_of(draft: SuiteDraft, recorded: Recorded) -> tuple[int, ...]:
    """The lite selection of what the worker has found, as places among the recorded cases."""
    places = {place: number for number, place in enumerate(recorded.kept)}
    return tuple(places[place] for place in draft.lite if place in places)


def _cost(draft: SuiteDraft, recorded: Recorded, config: SuiteConfig, subject: Subject) -> Unanswered | None:
    """What recording the answers has cost: cases, goals that only they covered, or agreement with the search."""
    cases = [draft.cases[place] for place in recorded.kept]
    for case, answered in zip(cases, recorded.cases, strict=True):
        if case.kind != answered.expected.kind:
            evidence = f"it {case.kind} in one process and {answered.expected.kind} in another: {list(case.args)}"
            return Unanswered(Reason.NONDETERMINISTIC, evidence[:400])
    if len(cases) < config.min_cases:
        return Unanswered(Reason.FEW_CASES, f"only {len(cases)} inputs have an answer that can be carried")
    covered = {goal for case in cases for goal in case.covered}
    missing = [goal for number, goal in enumerate(draft.goals) if number not in covered]
    if missing:
        lines = [list(goal) for goal in missing[:5]]
        members = dict.fromkeys(f"`{name}`" for line, _ in missing if (name := subject.member_at(line)))
        where = f"{lines} in {', '.join(members)}" if members else f"{lines}"
        return Unanswered(Reason.COVERAGE_BELOW_100, f"the inputs for {where} have no answer that can be carried")
    return None
