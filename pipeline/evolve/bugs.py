"""Faults of orders 1 to 3 that a program and its evolved versions have in common (GeneBench, section 4.4).

A fault is a change of nodes that stand in all versions, by their origin. It is kept where the suite tells it and some
case passes, where each of its parts is needed, and where both programs give the same answer in every case.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from harness.languages import Call, Machine, Run
from harness.records import Answer, Task
from harness.values import canonical
from harness.values.comparison import agree
from pipeline.config import EvolveConfig
from pipeline.evolve.genome import Genome, Soil
from pipeline.evolve.items import writable
from pipeline.evolve.making import ORIGINAL
from pipeline.evolve.proof import ran
from pipeline.evolve.rows import Bug, Why
from pipeline.stage import seed_of
from pipeline.transforms.altering.operators import changes_of
from pipeline.transforms.bound_names import walk
from pipeline.transforms.preserving.evolving.growing import origin_of

KINDS: Mapping[str, str] = {
    "change the arithmetic": "arithmetic", "change the comparison": "comparison",
    "turn the comparison round": "comparison", "swap and with or": "logic", "drop the not": "logic",
    "negate the condition": "logic", "negate the constant": "boolean", "add one to the constant": "constant",
    "take one from the constant": "constant", "change the text": "constant", "empty the text": "constant",
}
"""The operators of mutation that make faults, by their names, and the kind of fault that each makes."""
TYPE = "type"
LEAST, MOST = 0.02, 0.9
"""The share of cases that tell a fault."""
TRIED, TOGETHER, SECONDS = 18, 8, 0.5
"""How many faults of one part are tried, and of several; CPU seconds that a call may take."""
AT_ONCE = 3
"""Of how many of several parts all are run before one is looked for."""
ORDERS = 1, 2, 3
SHOWN = 2
"""How many tests that fail, and that pass, are shown."""


@dataclass(frozen=True)
class Change:
    """One part of a fault: the origin of the node, and the name of what is done to it with its number among those."""

    origin: int
    name: str
    number: int
    kind: str


@dataclass(frozen=True)
class _Run:
    """What a program with a fault gives, as texts, and the places of the cases that tell it."""

    answers: tuple[str, ...]
    killed: tuple[int, ...]


class Faults:
    """The faults of a task in some versions of its program, by their genomes; the original's is empty."""

    def __init__(self, task: Task, soil: Soil, versions: Mapping[str, Genome], config: EvolveConfig, machine: Machine):
        self.task, self.soil, self.versions, self.machine = task, soil, versions, machine
        self.random = Random(seed_of(config.seed, "bugs", task.task_id))
        self.calls = [Call(case.args, dict(case.kwargs), SECONDS) for case in task.cases]
        self.shown = set(writable(task))
        self.known: dict[tuple[Change, ...], _Run | None] = {}

    def found(self) -> list[Bug]:
        """A fault of each order in each version, or why there is none."""
        changes = self._candidates()
        singles = self.random.sample(changes, min(TRIED, len(changes)))
        self._run([(one,) for one in singles])
        telling = [one for one in singles if (run := self.known[(one,)]) and run.killed]
        found: list[Bug] = []
        for order in ORDERS:
            groups = [tuple(group) for group in combinations(telling, order)
                      if len({one.origin for one in group}) == order]
            self.random.shuffle(groups)
            groups.sort(key=lambda group: not self._is_promising(group))
            found += self._of_order(order, groups[: TRIED if order == 1 else TOGETHER])
        return found

    def _is_promising(self, group: tuple[Change, ...]) -> bool:
        """Whether each part of a fault is told by cases that tell none of the others, and not all cases tell one."""
        runs = [run for one in group if (run := self.known[(one,)]) is not None]
        every = [set(run.killed) for run in runs]
        alone = all(one.difference(*(other for other in every if other is not one)) for one in every)
        return alone and len(set().union(*every)) <= MOST * len(self.calls)

    def _of_order(self, order: int, groups: Sequence[tuple[Change, ...]]) -> list[Bug]:
        best: list[Bug] = []
        fit = 0
        for start in range(0, len(groups), AT_ONCE):
            some = groups[start : start + AT_ONCE]
            parts = [tuple(part) for group in some for size in range(1, order + 1)
                     for part in combinations(group, size)]
            self._run([part for part in dict.fromkeys(parts) if part not in self.known])
            for group in filter(self._is_fit, some):
                fit += 1
                same = [one for one in self.versions if one == ORIGINAL or self._is_same(group, one)]
                if len(same) > max(1, len(best)):
                    best = [self._bug(group, version) for version in same]
                if len(best) == len(self.versions):
                    return best
        missing = [version for version in self.versions if version not in {one.version for one in best}]
        why = f"{len(groups)} were tried, {fit} of them are told by some cases and need all of their parts."
        return [*best, *(Bug(self.task.task_id, version, order, reason=Why.NO_BUG.name.lower(), evidence=why)
                         for version in missing)]

    def _candidates(self) -> list[Change]:
        """The changes of nodes that stand in every version, and are the same there."""
        every = [_nodes(self.soil, genome) for genome in self.versions.values()]
        first = _nodes(self.soil, ())
        return [
            change for origin, node in sorted(first.items()) for change in _changes(origin, node)
            if all(origin in one and _alike(node, one[origin]) for one in every)]

    def _written(self, group: Sequence[Change], genome: Genome) -> str | None:
        return written(self.soil, genome, group)

    def _run(self, groups: Sequence[tuple[Change, ...]]) -> None:
        """Run the original with each of some faults on all cases."""
        pairs = [(group, self._written(group, ())) for group in groups]
        self.known |= dict.fromkeys(groups)
        good = [(group, text) for group, text in pairs if text]
        for (group, _), made in zip(good, self._ran([text for _, text in good]), strict=True):
            self.known[group] = made

    def _ran(self, programs: Sequence[str]) -> list[_Run | None]:
        runs = ran(programs, self.task.entry_point, self.calls, self.machine)
        return [self._read(run) for run in runs]

    def _read(self, run: Run) -> _Run | None:
        given = [one.answer for one in run.outcomes]
        if run.load_error is not None or len(given) < len(self.calls) or any(one is None for one in given):
            return None
        answers = [one for one in given if one is not None]
        pairs = zip(self.task.cases, answers, strict=True)
        killed = tuple(place for place, (case, answer) in enumerate(pairs)
                       if agree(case.expected, answer, self.task.comparison))
        return _Run(tuple(map(_text, answers)), killed)

    def _is_fit(self, group: tuple[Change, ...]) -> bool:
        """Whether the cases tell a fault as often as they should, and each part of it is needed."""
        run = self.known.get(group)
        if run is None or not LEAST <= len(run.killed) / len(self.calls) <= MOST:
            return False
        failing = self.shown.intersection(run.killed)
        if not failing or not self.shown.difference(run.killed):
            return False
        parts = [self.known.get(part) for size in range(1, len(group)) for part in combinations(group, size)]
        return all(part is None or part.answers != run.answers for part in parts)

    def _is_same(self, group: tuple[Change, ...], version: str) -> bool:
        """Whether a version with the fault gives what the original with the fault gives, in every case."""
        text, first = self._written(group, self.versions[version]), self.known[group]
        [run] = self._ran([text]) if text else [None]
        return run is not None and first is not None and run.answers == first.answers

    def _bug(self, group: tuple[Change, ...], version: str) -> Bug:
        run, genome = self.known[group], self.versions[version]
        text = self._written(group, genome)
        assert run is not None and text is not None
        told = [place for place in run.killed if place in self.shown]
        right = sorted(self.shown.difference(run.killed))
        draw = Random(f"{self.task.task_id} {group}")
        lines = _lines(self.soil, genome)
        return Bug(
            self.task.task_id, version, len(group), tuple(one.kind for one in group),
            tuple(one.origin for one in group),
            tuple(lines.get(one.origin, 0) for one in group), len(run.killed), len(self.calls), text,
            tuple(sorted(draw.sample(told, min(SHOWN, len(told))))),
            tuple(sorted(draw.sample(right, min(SHOWN, len(right))))))


def written(soil: Soil, genome: Genome, group: Sequence[Change]) -> str | None:
    """The program of a genome with a fault; None where a part of it does not stand there."""
    grown = soil.grown(genome)
    nodes = {origin_of(node): node for tree in grown.trees for node in walk(tree) if origin_of(node) is not None}
    for one in group:
        node = nodes.get(one.origin)
        made = None if node is None else dict(_named(node)).get((one.name, one.number))
        if node is None or made is None:
            return None
        made(node)
    return soil.text(grown)


def _nodes(soil: Soil, genome: Genome) -> dict[int, ast.AST]:
    grown = soil.grown(genome)
    return {number: node for tree in grown.trees for node in walk(tree) if (number := origin_of(node)) is not None}


def _changes(origin: int, node: ast.AST) -> Iterator[Change]:
    for (name, number), _ in _named(node):
        yield Change(origin, name, number, KINDS.get(name, TYPE))


def _named(node: ast.AST) -> Iterator[tuple[tuple[str, int], Callable[[ast.AST], None]]]:
    """The changes of a node that make faults, each by its name and its number among those of that name."""
    seen: dict[str, int] = {}
    for name, change in changes_of(node):
        if name in KINDS:
            seen[name] = seen.get(name, 0) + 1
            yield (name, seen[name]), change
    if isinstance(node, ast.Constant) and type(node.value) is int and node.value > 1:
        yield (TYPE, 1), _as_text


def _as_text(node: ast.AST) -> None:
    assert isinstance(node, ast.Constant)
    node.value = str(node.value)


def _alike(one: ast.AST, other: ast.AST) -> bool:
    """Whether a node is of the same form in two programs, whatever stands below it."""
    return type(one) is type(other) and _form(one) == _form(other)


def _form(node: ast.AST) -> list[object]:
    found: list[object] = []
    for field, value in ast.iter_fields(node):
        if isinstance(value, (ast.operator, ast.boolop, ast.unaryop, ast.cmpop)):
            found.append(type(value))
        elif isinstance(value, list):
            found.append([type(part) for part in value] if field == "ops" else len(value))
        elif not isinstance(value, ast.AST):
            found.append(value)
    return found


def _lines(soil: Soil, genome: Genome) -> dict[int, int]:
    """Where each node of the first program is in an evolved one: its line in its module, as that is written."""
    found: dict[int, int] = {}
    for tree in soil.grown(genome).trees:
        parsed = ast.parse(ast.unparse(tree))
        for old, new in zip(ast.walk(tree), ast.walk(parsed), strict=False):
            number = origin_of(old)
            if type(old) is not type(new):
                break
            if number is not None:
                found[number] = getattr(new, "lineno", 0)
    return found


def _text(answer: Answer) -> str:
    """An answer without its message, which may speak of what a program is like."""
    return canonical([answer.kind, answer.value, answer.exception, answer.mutated])
