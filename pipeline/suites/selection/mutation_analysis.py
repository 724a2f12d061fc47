"""Mutants inside the loop: which valid inputs tell each mutant from the reference, found while the suite is made.

Mutants run in the same process as the search, on inputs that come to the line that they change. Loops of a mutant
count their passes, so one that would go on for ever ends after the same work on each machine. What is found here
guides the search and the selection; the published score is measured apart, through the judge.
"""

from __future__ import annotations

import ast
import json
import signal
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from harness.records import Answer, Comparison
from harness.values import NotEncodable, canonical, decode, encode
from harness.values.comparison import agree
from pipeline.languages.python.effects import chance_in
from pipeline.suites.instrument.fatal_calls import Watch
from pipeline.suites.instrument.fuel import MOST as MOST_PASSES
from pipeline.suites.instrument.fuel import Passes, counted
from pipeline.suites.instrument.reference import STUCK, TooLong, carried, memories, timed
from pipeline.suites.proofs.unreachable import dead_lines
from pipeline.suites.search.attempts import Found
from pipeline.suites.subject import Subject
from pipeline.transforms.altering.members import in_words
from pipeline.transforms.altering.mutants import MembersMutants, fairly, seen_members, variants

MOST = 100
ENOUGH, ENOUGH_OF_WRONG = 8, 60
"""After how many inputs that kill a mutant, or tell a wrong answer, no more are tried: what a twentieth of the draws
tell has its cases without being looked for."""
FIRST = 120
"""On how many inputs each mutant runs before those that none of them kills run on the rest."""
EVERY = 0
"""The line that every input comes to."""
SECONDS = 1.0
_FREE = 5000


@dataclass
class Trial:
    """One mutant: its definition, the line that it changes, and the inputs that have killed it, by key.

    `code` defines the function; where `member` names another one that is changed, the whole program. What is `wrong` is
    no mutant: somebody has written it. Nothing is searched for it, but inputs that tell it are taken.
    """

    operator: str
    line: int
    code: CodeType
    member: str = ""
    wrong: bool = False
    killers: list[str] = field(default_factory=list)
    given_up: bool = False

    @property
    def enough(self) -> bool:
        """Whether so many inputs kill it as are looked for."""
        return len(self.killers) >= (ENOUGH_OF_WRONG if self.wrong else ENOUGH)

    def __str__(self) -> str:
        return f"{in_words(self.line, self.member)}: {self.operator}"


@dataclass(frozen=True)
class _Loaded:
    """A function that can be called, with the passes that its calls have; `forgets` come before each call."""

    function: Any
    passes: Passes
    forgets: Sequence[Callable[[], None]]


class Trials:
    """All mutants of a function, or a part of them drawn by the seed where there are too many, and `wrong` answers."""

    def __init__(
        self, subject: Subject, seed: int, lines: Sequence[int], watch: Watch | None = None, wrong: Sequence[str] = ()
    ) -> None:
        copy = subject.copied()
        function = copy.function
        rest = ast.Module([node for node in copy.tree.body if node is not function], [])
        without_annotations(function)
        self.name = subject.entry_point
        self.watch = watch or Watch()
        self.runs = 0
        self._lines = tuple(lines)
        self._starts = sorted(set(lines))
        if copy.members:
            counted(rest)
        self._subject = subject
        self._rest = compile(rest, "mutant", "exec", dont_inherit=True)
        self._limit = MOST_PASSES
        self._watching = False
        self._expected: dict[str, Answer] = {}
        found = variants(function, counted, chance_in(copy.tree, function))
        made = [Trial(operator, self._statement(line), code) for operator, line, code in found]
        self.trials = self._with_members(made, seed)
        for number, text in enumerate(wrong, 1):
            self.trials.append(Trial(f"wrong answer {number}", EVERY, _passing(text), wrong=True))
        self._reference = self._load(compile(ast.Module([function], []), "mutant", "exec", dont_inherit=True))

    @property
    def changes_arguments(self) -> bool:
        """Whether the reference has changed its arguments, which is part of its answer, on one of the inputs run."""
        return self._watching

    def _with_members(self, own: list[Trial], seed: int) -> list[Trial]:
        """The mutants of the function and those of its members, at most `MOST` of them."""
        copy = self._subject.copied()
        dead = dead_lines(self._subject)
        inside = MembersMutants(copy.tree, seen_members(copy.tree, copy.function), counted, dead, chance_in)
        made = []
        for place in fairly(len(own), len(inside.sites), MOST, seed):
            if place < len(own):
                made.append(own[place])
            else:
                member, site = inside.sites[place - len(own)]
                made.append(Trial(site.operator, self._statement(site.line), inside.code(member, site), member.name))
        return made

    def _statement(self, line: int) -> int:
        """The line of the goal that a line belongs to: the statement that it stands in."""
        return self._starts[max(0, bisect_right(self._starts, line) - 1)] if self._starts else line

    def _load(self, code: CodeType, member: str = "") -> _Loaded:
        namespace: dict[str, Any] = {"__name__": "reference"}
        passes = Passes(namespace)
        if not member:
            exec(self._rest, namespace)
        exec(code, namespace)
        return _Loaded(namespace[self.name], passes, memories(self._subject, namespace))

    def run(self, inputs: Sequence[Found], budget: int) -> None:
        """Run each mutant that has too few killers on those of the inputs that come to its line."""
        if not inputs:
            return
        self._measure(inputs)
        stop = self.runs + budget
        reaching = _by_line(inputs, self._lines)
        for trial in self.trials:
            if not trial.enough and not trial.given_up and (trial.wrong or self.runs < stop):
                self._try(trial, reaching.get(trial.line, [])[: None if trial.wrong else FIRST])
        for trial in self.weak():
            if self.runs < stop:
                self._try(trial, reaching.get(trial.line, [])[FIRST:])

    def _try(self, trial: Trial, inputs: Sequence[Found]) -> None:
        if self.watch.forbids(f"mutant, {trial}"):
            # Only the sandbox that measures the mutants can say more of one that ends its process.
            trial.given_up = True
            return
        try:
            function = self._load(trial.code, trial.member)
        except Exception:
            trial.given_up = True
            return
        for found in inputs:
            try:
                killed = self._differs(function, found)
            except TooLong:
                # Only its text decides what is selected, never the clock.
                trial.given_up, trial.killers = True, []
                return
            if killed:
                trial.killers.append(found.key)
                if trial.enough:
                    return

    def _measure(self, inputs: Sequence[Found]) -> None:
        """How many passes the reference's loops have, and whether it changes its arguments."""
        watching, most, self._limit, self._watching = self._watching, 0, MOST_PASSES, True
        for found in inputs[:: max(1, len(inputs) // 60)]:
            try:
                answer = self._answer(self._reference, found)
            except TooLong:
                continue
            watching = watching or (answer is not None and answer.mutated is not None)
            most = max(most, self._reference.passes.used)
        self._limit, self._watching = min(20 * most, MOST_PASSES) + _FREE, watching

    def _differs(self, function: _Loaded, found: Found) -> bool:
        """Whether an answer is not the reference's, by the rule that the judge would use."""
        answer, seen = self._answer(function, found), found.observation
        if answer is None or answer.kind != seen.kind:
            return True
        if not self._watching:
            if (answer.exception or canonical(answer.value)) == seen.answer:
                return False
            if seen.kind == "raised":
                return True
        return bool(agree(self._known(found), answer, Comparison(mutation=self._watching)))

    def _known(self, found: Found) -> Answer:
        """The reference's own answer; with the arguments that it changes, where it changes any."""
        known = self._expected.get(found.key)
        if known is None and self._watching:
            known = self._answer(self._reference, found)
        elif known is None:
            known = Answer("returned", json.loads(found.observation.answer))
        self._expected[found.key] = known or Answer("raised")
        return self._expected[found.key]

    @timed
    def _answer(self, loaded: _Loaded, found: Found) -> Answer | None:
        """What a call gives, None for what no answer can carry; changed arguments only while they are watched."""
        self.runs += 1
        loaded.passes.begin(self._limit)
        for forget in loaded.forgets:
            forget()
        args, kwargs = [decode(a) for a in found.encoded[0]], {k: decode(v) for k, v in found.encoded[1].items()}
        value, exception = None, ""
        signal.setitimer(signal.ITIMER_VIRTUAL, STUCK)
        signal.setitimer(signal.ITIMER_PROF, SECONDS, 0.05)
        try:
            try:
                value = carried(loaded.function(*args, **kwargs))
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        except TooLong:
            raise
        except (NotEncodable, MemoryError):
            return None
        except BaseException as error:
            # Whatever a mutant raises, exits included, is its answer.
            exception = type(error).__name__
        if loaded.passes.spent:
            return None
        kind = "raised" if exception else "returned"
        if not self._watching:
            return Answer(kind, value, exception)
        try:
            after = [encode(argument) for argument in (*args, *kwargs.values())]
        except (NotEncodable, RecursionError):
            return None
        before = [*found.encoded[0], *found.encoded[1].values()]
        return Answer(kind, value, exception, mutated=None if canonical(after) == canonical(before) else after)

    def weak(self, enough: int = 1) -> list[Trial]:
        """The mutants that fewer than `enough` inputs kill."""
        alive = (trial for trial in self.trials if len(trial.killers) < enough and not trial.given_up)
        return [trial for trial in alive if not trial.wrong]

    def kills(self) -> dict[str, frozenset[int]]:
        """For each input the places of the mutants that it is known to kill."""
        found: dict[str, set[int]] = {}
        for place, trial in enumerate(self.trials):
            for key in trial.killers:
                found.setdefault(key, set()).add(place)
        return {key: frozenset(places) for key, places in found.items()}


def _passing(program: str) -> CodeType:
    """A program whose loops count their passes."""
    tree = ast.parse(program)
    counted(tree)
    return compile(tree, "mutant", "exec", dont_inherit=True)


def without_annotations(function: ast.FunctionDef) -> None:
    """Drop what annotates parameters and answers: `from __future__ import annotations` ends with its module."""
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            node.returns = None


def _by_line(inputs: Sequence[Found], lines: Sequence[int]) -> dict[int, list[Found]]:
    """The inputs that come to each line, those with answers of their own before those that repeat one."""
    turns: dict[str, int] = {}
    ordered = []
    for place, found in enumerate(inputs):
        turn = turns.get(found.observation.effect, 0)
        turns[found.observation.effect] = turn + 1
        ordered.append((turn, place, found))
    # What tells wrong answers are inputs that callers pass.
    reaching: dict[int, list[Found]] = {EVERY: [found for found in inputs if found.usual]}
    for _, _, found in sorted(ordered, key=lambda entry: entry[:2]):
        for line in sorted({lines[goal] for goal in found.observation.goals}):
            reaching.setdefault(line, []).append(found)
    return reaching
