"""Branch coverage of one program: coverage.py's verdict on a set of calls, and its fast measure during the search.

Goals are the branches and statements of the function and its members as coverage.py sees them, with no exclusions: what
`# pragma: no cover` marks counts too. Only what is proved out of reach in a member does not. The fast measure uses
coverage.py's own tracer and parser, which are no public interface; coverage.py is pinned exactly, and a contract test
compares the measure with the verdict.
"""

from __future__ import annotations

import ast
import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import coverage
from coverage.parser import PythonParser

from pipeline.suites.proofs.goal import Goal
from pipeline.suites.proofs.unreachable import excused
from pipeline.suites.subject import Subject, lines_of

try:
    from coverage.tracer import CFileDisposition, CTracer
except ImportError:  # coverage.py has no compiled tracer for this Python
    CFileDisposition = CTracer = None  # type: ignore[assignment,misc]

FILE = "/tmp/reference.py"
"""The name under which the program is compiled, inside the sandbox."""

_LOW = (1 << 28) - 1
_NEVER = "(?!)"


class Measure:
    """The goals of a program, and which of them a call has reached.

    `excused` are the goals of members that are proved out of reach, each with its proof in words; they are no goals.
    """

    def __init__(self, subject: Subject, file: str = FILE) -> None:
        self.file = file
        self._parser = PythonParser(text=subject.program, filename=file, exclude=None)
        self._parser.parse_source()
        self._names = {line: one.name for one in subject.members for line in lines_of(one.node)}
        self._lines = {line for one in subject.functions for line in lines_of(one)}
        self.headings = {one.lineno for one in subject.functions}
        found = sorted(self._find(subject.functions), key=lambda g: (g.line, g.target))
        self.excused: dict[Goal, str] = excused(subject, found)
        self.goals: tuple[Goal, ...] = tuple(goal for goal in found if goal not in self.excused)
        self._numbers = {goal: number for number, goal in enumerate(self.goals)}
        self._known: dict[tuple[int, int], frozenset[int]] = {}

    def _find(self, functions: Iterable[ast.FunctionDef]) -> set[Goal]:
        inside: set[int] = set()
        for function in functions:
            lines = lines_of(function)
            inside |= self._parser.statements.intersection(lines[1:] or lines)
        counts = self._parser.exit_counts()
        arcs = {(a, b) for a, b in self._parser.arcs() if counts.get(a, 0) > 1 and a in self._lines}
        return {self.named(Goal(line)) for line in inside} | {self.named(Goal(a, b)) for a, b in arcs}

    def __contains__(self, line: int) -> bool:
        """Whether a line stands in one of the functions."""
        return line in self._lines

    def named(self, goal: Goal) -> Goal:
        """The goal with the name of the member that it stands in."""
        return Goal(goal.line, goal.target, self._names.get(goal.line, ""))

    @property
    def branches(self) -> int:
        """The number of branches, two for each plain `if`."""
        return sum(1 for goal in self.goals if goal.target)

    def reached(self, arcs: Iterable[tuple[int, int]]) -> frozenset[int]:
        """The numbers of the goals that the executed arcs reach."""
        found: set[int] = set()
        for arc in arcs:
            known = self._known.get(arc)
            if known is None:
                known = self._known[arc] = self._goals_of(arc)
            found |= known
        return frozenset(found)

    def _goals_of(self, arc: tuple[int, int]) -> frozenset[int]:
        goals = [Goal(a, b) for a, b in self._parser.translate_arcs({arc})]
        goals += [Goal(line) for line in self._parser.translate_lines({abs(n) for n in arc if n > 0})]
        return frozenset(self._numbers[goal] for goal in goals if goal in self._numbers)


class Tracer:
    """Collects the arcs of one file while a call runs."""

    def __init__(self, file: str = FILE) -> None:
        self.file = file
        self.packed: dict[str, set[int]] = {file: set()}
        self._own: LineTracer | None = None
        self._tracer: Any = _c_tracer(file, self.packed) if CTracer is not None else None

    def start(self) -> None:
        """Begin with no arcs."""
        if self._tracer is None:
            self._own = LineTracer(self.file)
            self._own.start()
            return
        # Frames keep a reference to the set, so it must stay the same one.
        self.packed[self.file].clear()
        self._tracer.start()

    def stop(self) -> None:
        """Stop collecting."""
        if self._own is not None:
            self._own.stop()
        else:
            self._tracer.stop()

    def arcs(self) -> list[tuple[int, int]]:
        """The arcs of the last call, in a fixed order."""
        if self._own is not None:
            return sorted(self._own.arcs)
        return [_unpacked(number) for number in sorted(self.packed[self.file])]

    def path(self) -> frozenset[Any]:
        """What tells the arcs of the last call from those of calls that went another way."""
        return frozenset(self.packed[self.file] if self._own is None else self._own.arcs)


def _unpacked(packed: int) -> tuple[int, int]:
    first, second = packed & _LOW, (packed >> 28) & _LOW
    return (-first if packed & (1 << 56) else first, -second if packed & (1 << 57) else second)


def _c_tracer(file: str, data: dict[str, set[int]]) -> Any:
    def should_trace(name: str, _frame: FrameType) -> Any:
        # The tracer reads the fields of this very type in C.
        disposition = CFileDisposition()
        disposition.original_filename = disposition.canonical_filename = name
        disposition.trace = name == file
        disposition.source_filename = name if name == file else None
        disposition.reason = ""
        disposition.file_tracer = None
        disposition.has_dynamic_filename = False
        return disposition

    tracer: Any = CTracer()
    tracer.data = data
    tracer.trace_arcs = True
    tracer.should_trace = should_trace
    tracer.should_trace_cache = {}
    tracer.check_include = _ignore
    tracer.concur_id_func = None
    tracer.warn = _ignore
    tracer.lock_data = _ignore
    tracer.unlock_data = _ignore
    tracer.file_tracers = {}
    tracer.should_start_context = None
    tracer.switch_context = _ignore
    tracer.disable_plugin = _ignore
    return tracer


def _ignore(*_: Any, **__: Any) -> None:
    return None


class LineTracer:
    """Arcs by a trace function of our own, where coverage.py has no compiled one."""

    def __init__(self, file: str = FILE) -> None:
        self.file = file
        self.arcs: set[tuple[int, int]] = set()
        self._last: dict[int, int] = {}

    def start(self) -> None:
        """Begin to collect."""
        sys.settrace(self._call)

    def stop(self) -> None:
        """Stop collecting."""
        sys.settrace(None)

    def _call(self, frame: FrameType, event: str, _arg: Any) -> Callable[..., Any] | None:
        if frame.f_code.co_filename != self.file or event != "call":
            return None
        self._last[id(frame)] = -frame.f_code.co_firstlineno
        return self._line

    def _line(self, frame: FrameType, event: str, _arg: Any) -> Callable[..., Any] | None:
        if event in ("line", "return"):
            here = frame.f_lineno if event == "line" else -frame.f_code.co_firstlineno
            self.arcs.add((self._last.get(id(frame), here), here))
            self._last[id(frame)] = here
        return self._line


@dataclass(frozen=True)
class Verdict:
    """coverage.py's own numbers on the program: branches in all, branches taken, and what is missing in words.

    `excused` is what is proved out of reach in members, with its proofs: it neither counts nor is missing.
    """

    branches: int
    taken: int
    missing: tuple[str, ...]
    excused: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """The share of goals that were reached; 1.0 only where nothing is missing."""
        if not self.missing:
            return 1.0
        return min(0.999, self.taken / self.branches) if self.branches else 0.0


def verdict(subject: Subject, calls: Callable[[Any], None], file: str = FILE) -> Verdict:
    """What coverage.py says after `calls` has run with the freshly loaded function, which gets it as its argument."""
    measure = Measure(subject, file)
    Path(file).write_text(subject.program, "utf-8")
    judge = coverage.Coverage(data_file=None, branch=True, config_file=False, include=[file], messages=False)
    for name in ("exclude_lines", "partial_branches", "partial_branches_always"):
        # An empty list would be joined to a pattern that matches every line.
        judge.set_option(f"report:{name}", [_NEVER])
    judge.start()
    try:
        with _findable("reference") if subject.is_bundle else nullcontext({"__name__": "reference"}) as namespace:
            namespace["__file__"] = file
            exec(compile(subject.program, file, "exec", dont_inherit=True), namespace)
            calls(namespace[subject.entry_point])
    finally:
        judge.stop()
    return _reported(judge, measure)


@contextmanager
def _findable(name: str) -> Iterator[dict[str, Any]]:
    """The names of a fresh module that is found by its name meanwhile: `dataclass` looks for that of a class."""
    before, module = sys.modules.get(name), ModuleType(name)
    sys.modules[name] = module
    try:
        yield module.__dict__
    finally:
        if before is None:
            del sys.modules[name]
        else:
            sys.modules[name] = before


def _reported(judge: coverage.Coverage, measure: Measure) -> Verdict:
    with tempfile.NamedTemporaryFile("r", suffix=".json", dir=str(Path(measure.file).parent)) as report:
        judge.json_report(morfs=[measure.file], outfile=report.name)
        found = next(iter(json.load(report)["files"].values()))
    lines = {Goal(line) for line in found["missing_lines"] if line in measure}
    arcs = {Goal(a, b) for a, b in found["missing_branches"] if a in measure}
    taken = {Goal(a, b) for a, b in found["executed_branches"] if a in measure}
    come_to = taken | {Goal(line) for line in found["executed_lines"] if line not in measure.headings}
    missing = sorted((lines | arcs) - measure.excused.keys(), key=lambda goal: (goal.line, goal.target))
    words = [str(measure.named(goal)) for goal in missing]
    # No proof may contradict what has happened.
    words += [f"{goal}, which is taken although {why}" for goal, why in measure.excused.items() if goal in come_to]
    count = len(taken) + len(arcs - measure.excused.keys())
    return Verdict(count, len(taken), tuple(words), told(measure.excused))


def told(proofs: Mapping[Goal, str]) -> tuple[str, ...]:
    """Goals with their proofs in words, in the order of the text."""
    order = sorted(proofs, key=lambda goal: (goal.line, goal.target))
    return tuple(f"{goal}: {proofs[goal]}" for goal in order)
