"""One call of the reference inside the sandbox: what it reached, what came out, and whether that makes it a case."""

from __future__ import annotations

import signal
import statistics
import sys
import time
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from harness.records import Json
from harness.values import NotEncodable, canonical, encode
from pipeline.suites.domain.contract import checked
from pipeline.suites.domain.drawing import OMITTED
from pipeline.suites.domain.parameter import Parameter
from pipeline.suites.domain.scale import size_of
from pipeline.suites.instrument.branch_coverage import Measure, Tracer
from pipeline.suites.instrument.condition_coverage import Conditions
from pipeline.suites.instrument.fatal_calls import Watch
from pipeline.suites.instrument.fuel import AT_LOADING, MOST, Passes, TooMuchWork, counted
from pipeline.suites.instrument.purpose import Purpose
from pipeline.suites.proofs.unreachable import settled_conditions
from pipeline.suites.subject import Subject

CALL_SECONDS = 0.5
"""CPU seconds after which a call is made again, to see whether it is slow itself."""
PATIENT = 4.0
"""CPU seconds that it gets then, on a machine that does much else."""
LOAD_SECONDS, LOAD_PATIENTLY = 0.5, 20.0
"""CPU seconds after which a bundle is loaded once more, to see whether that is slow itself, and those of both times."""
_SLOW_TO_LOAD = "its constants take too long to make"
PIECES, PIECE = 4, 100_000
"""How often a piece of usual work is timed, and its passes of an empty loop."""
WORTH, ALL_WORTH = 1000, 5000
"""How many pieces of usual work one such call may be worth (about two seconds), and all of them together."""
COPY_SECONDS = 2.0
"""CPU seconds of a rewritten copy, which does more than the function itself."""
STUCK = 6.0
"""CPU seconds of a call that can't be interrupted after which the process ends."""
FEW_PASSES = 300
"""Passes of one call where loops have slow bodies, and those after which what takes too long is one of loops."""
MAX_ITEMS = 1000
MAX_PARTS, MOST_PARTS = 20_000, 100_000
"""Items and characters of an answer beyond which it is not even encoded, and characters of one that is."""
OUTSIDE = "the input is outside of the contract"
_TOO_LARGE = f"an answer of more than {MAX_PARTS} parts"


_TIMED: set[types.CodeType] = set()
_F = TypeVar("_F", bound=Callable[..., Any])


def timed(function: _F) -> _F:
    """Mark a function that limits the time of a call: it is never interrupted itself, only what it calls.

    To free what a call has left behind may take longer than the clock waits before it strikes again.
    """
    _TIMED.add(function.__code__)
    return function


class TooLong(BaseException):
    """A call has used more CPU time than one call may."""


class SlowToLoad(Exception):
    """What a program does when it is loaded takes too long for each process to do it."""


class Slow(Exception):
    """A call takes long without many passes, so that no count of work bounds it."""


@dataclass(frozen=True)
class Observation:
    """What a call did.

    `kind`: `returned`, `raised` (on purpose), `nonsense` (any other exception), `endless` (too much work), `slow` (the
    clock has struck), `unencodable` (the answer can't be carried) or `deadly` (no call: such calls end the process).
    `answer` identifies the answer; `detail` names the exception, and `depth` is where in the function's code it came
    up: the place of the instruction, in each frame of the file. `outcomes` are those of conditions, for valid calls.
    `left` are the arguments of a call that returned as it has left them, "" where it has changed none.
    """

    kind: str
    goals: frozenset[int]
    answer: str = ""
    detail: str = ""
    depth: tuple[int, ...] = ()
    outcomes: frozenset[int] = frozenset()
    left: str = ""

    @property
    def effect(self) -> str:
        """What identifies all that a caller sees of the call: the answer, and the arguments that it has changed."""
        return self.answer + self.left


def arguments(parameters: tuple[Parameter, ...], value: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """The positional and the keyword arguments of an input."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for parameter in parameters:
        given = value[parameter.name]
        if given is OMITTED:
            continue
        if parameter.kind == "positional":
            args.append(given)
        elif parameter.kind == "variadic":
            args.extend(given)
        elif parameter.kind == "keywords":
            kwargs.update(given)
        else:
            kwargs[parameter.name] = given
    return args, kwargs


class Reference:
    """The loaded reference with its tracer; calls are timed, and their exceptions judged."""

    def __init__(self, subject: Subject, watch: Watch | None = None, contract: Sequence[str] = ()) -> None:
        self.watch = watch or Watch()
        self.measure = Measure(subject)
        self.tracer = Tracer(self.measure.file)
        self.calls = 0
        self.worth = 0.0
        self.most = MOST
        self._carried: set[frozenset[int]] = set()
        self._taken: set[int] = set()
        self._paths: dict[frozenset[Any], frozenset[int]] = {}
        self._purpose = Purpose(subject, self.measure.file)
        # A module of its own, so that what looks itself up by its module's name finds it.
        module = types.ModuleType("reference")
        module.__file__ = self.measure.file
        sys.modules["reference"] = module
        copy = subject.copied()
        self.conditions = Conditions(
            copy.function, asserted="AssertionError" in self._purpose.documented,
            members={one.name: node for one, node in zip(subject.members, copy.members, strict=True)},
            settled=settled_conditions(subject),
        )
        counted(copy.tree)
        self.passes = Passes(module.__dict__)
        module.__dict__.update(self.conditions.tools)
        signal.signal(signal.SIGPROF, _too_long)
        code = compile(copy.tree, self.measure.file, "exec", dont_inherit=True)
        _load(code, module.__dict__, self.passes if subject.is_bundle else None)
        self.function = module.__dict__[subject.entry_point]
        self._forgets = memories(subject, module.__dict__)
        self._within = checked(subject, self.function, contract)

    @contextmanager
    def afresh(self) -> Iterator[None]:
        """As if there had been no call before; what calls teach meanwhile is forgotten."""
        learnt = self.most, self.worth, self._carried, self._taken
        self.most, self.worth, self._carried, self._taken = MOST, 0.0, set(), set()
        try:
            yield
        finally:
            self.most, self.worth, self._carried, self._taken = learnt

    def call(self, args: list[Any], kwargs: dict[str, Any]) -> Observation:
        """Call it once; `slow` is a call that takes long for no count of passes, to be looked at by `patiently`."""
        self.calls += 1
        if self.watch.forbids("reference", (*args, *kwargs.values())):
            return Observation("deadly", frozenset())
        return self._called(args, kwargs, CALL_SECONDS)

    def patiently(self, args: list[Any], kwargs: dict[str, Any]) -> Observation:
        """Call it again, with time enough for a machine that does much else; raises `Slow` where it is slow itself.

        What it takes is compared with what usual work takes before and after it.
        """
        usual, started = _usual_work(), (time.process_time(), time.thread_time())
        seen = self._called(args, kwargs, PATIENT)
        # While a timer runs on it, the clock of a process is coarse.
        spent = max(time.process_time() - started[0], time.thread_time() - started[1])
        worth = spent / statistics.median(usual + _usual_work())
        looping = self.passes.spent or (seen.kind == "slow" and self.passes.used > FEW_PASSES)
        if looping and self.most > FEW_PASSES:
            # It goes on for ever; where each pass takes long, fewer of them tell as much from now on.
            self.most = FEW_PASSES if worth > WORTH / 4 else self.most
            return Observation("endless", frozenset(), detail="too many passes")
        self.worth += worth
        if seen.kind == "slow" or worth > WORTH or self.worth > ALL_WORTH:
            raise Slow("a call takes long without many passes of loops")
        return seen

    @timed
    def _called(self, args: list[Any], kwargs: dict[str, Any], seconds: float) -> Observation:
        if self._within is not None and not self._within(args, kwargs):
            return Observation("nonsense", frozenset(), detail=OUTSIDE)
        self.passes.begin(self.most)
        self.conditions.begin()
        for forget in self._forgets:
            forget()
        error: BaseException | None = None
        signal.setitimer(signal.ITIMER_VIRTUAL, STUCK)
        signal.setitimer(signal.ITIMER_PROF, seconds, 0.05)
        self.tracer.start()
        try:
            try:
                kind, answer = "returned", carried(self.function(*args, **kwargs))
            finally:
                self.tracer.stop()
                signal.setitimer(signal.ITIMER_PROF, 0)
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        except TooLong:
            return Observation("slow", frozenset())
        except NotEncodable as refusal:
            kind, answer, error = "unencodable", None, refusal
        except MemoryError:
            return Observation("endless", frozenset(), detail="MemoryError")
        except BaseException as raised:
            # Whatever the function raises, exits included, is its own doing.
            kind, answer, error = "raised", None, raised
        if self.passes.spent:
            return Observation("endless", frozenset(), detail="too many passes")
        return self._observed(kind, answer, error)

    def _observed(self, kind: str, answer: Any, error: BaseException | None) -> Observation:
        path = self.tracer.path()
        goals = self._paths.get(path)
        if goals is None:
            goals = self._paths[path] = self.measure.reached(self.tracer.arcs())
        if error is None:
            try:
                text = canonical(answer)
            except MemoryError:
                return Observation("endless", frozenset(), detail="MemoryError")
            if len(text) > MAX_PARTS and (len(text) > MOST_PARTS or goals <= self._taken):
                return Observation("unencodable", goals, detail=_TOO_LARGE)
            if goals not in self._carried:
                self._carried.add(goals)
                self._taken |= goals
            return Observation(kind, goals, text, outcomes=self.conditions.reached())
        detail = _message(error) if kind == "unencodable" else f"{type(error).__name__}: {_message(error)}"
        if kind == "raised":
            lines = {self.measure.goals[number].line for number in goals}
            kind = "raised" if self._purpose.meant(error, lines) else "nonsense"
        outcomes = self.conditions.reached() if kind == "raised" else frozenset[int]()
        depth = _depth(error, self.measure.file)
        return Observation(kind, goals, type(error).__name__, detail, depth, outcomes)


@timed
def _load(code: types.CodeType, namespace: dict[str, Any], passes: Passes | None) -> None:
    """Run a program; raises `SlowToLoad` for a bundle, whose passes are counted, that takes long, imports left out."""
    if passes is None:
        exec(code, namespace)
        return
    signal.setitimer(signal.ITIMER_PROF, LOAD_PATIENTLY, 0.05)
    try:
        started = time.thread_time()
        exec(code, namespace)
        if time.thread_time() - started > LOAD_SECONDS:
            # What it imports is there now, and another time it may be faster.
            usual, started = _usual_work(), time.thread_time()
            passes.begin(AT_LOADING)
            exec(code, dict(namespace))
            worth = (time.thread_time() - started) / statistics.median(usual + _usual_work())
            if worth > WORTH / 4:
                raise SlowToLoad(_SLOW_TO_LOAD)
    except (TooLong, TooMuchWork):
        raise SlowToLoad(_SLOW_TO_LOAD) from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def memories(subject: Subject, namespace: Mapping[str, Any]) -> list[Callable[[], None]]:
    """What lets members forget calls that they remember (`lru_cache`), so that each call does what it does alone."""
    known = (getattr(namespace.get(one.name), "cache_clear", None) for one in subject.members)
    return [forget for forget in known if callable(forget)]


def carried(value: Any) -> Json:
    """An answer as the codec carries it; raises `NotEncodable`, for one of too many parts before any work is done."""
    count, rest = 0, [value]
    while rest:
        one = rest.pop()
        inside = isinstance(one, (list, tuple, set, frozenset, dict))
        count += len(one) if inside or isinstance(one, (str, bytes, bytearray)) else size_of(one)
        if count > MAX_PARTS:
            raise NotEncodable(_TOO_LARGE)
        if inside:
            rest.extend(one.values() if isinstance(one, dict) else one)
    return encode(value, MAX_ITEMS)


@timed
def replay(function: Any, args: list[Any], kwargs: dict[str, Any]) -> None:
    """Call the function once more, iterators in its answer included, whatever it raises."""
    signal.setitimer(signal.ITIMER_PROF, 10 * CALL_SECONDS)
    try:
        encode(function(*args, **kwargs), MAX_ITEMS)
    except (Exception, SystemExit):
        # Exceptions on purpose are cases too, exits among them.
        return
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _depth(error: BaseException, file: str) -> tuple[int, ...]:
    """The instruction at which each frame of a file stood, the outermost first."""
    trace, places = error.__traceback__, list[int]()
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            places.append(trace.tb_lasti)
        trace = trace.tb_next
    return tuple(places)


def _usual_work() -> list[float]:
    """The CPU seconds that pieces of usual work take just now."""
    spent = []
    for _ in range(PIECES):
        started = time.thread_time()
        for _ in range(PIECE):
            pass
        spent.append(time.thread_time() - started)
    return spent


def _message(error: BaseException) -> str:
    try:
        return str(error)[:200]
    except Exception:
        return ""


def _too_long(_number: int, frame: types.FrameType | None) -> None:
    if frame is None or frame.f_code not in _TIMED:
        raise TooLong
