"""The versions of a task's program: traced, searched for, proved."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from harness.languages import Call, Execution, Machine, Surroundings
from harness.languages.registry import language
from harness.records import Task
from pipeline.config import EvolveConfig
from pipeline.evolve.genome import Evolved, Genome, Soil
from pipeline.evolve.proof import LIMITS, SECONDS, Judged, judged, proving
from pipeline.evolve.rows import Applied, EvolvedProgram, Why
from pipeline.evolve.search import Found, Search, Settings, picked, without_collection
from pipeline.evolve.tracing import traced
from pipeline.measures.profile import Profile, profile
from pipeline.measures.pythonic import score
from pipeline.measures.readability import cognitive
from pipeline.release.further import further_calls
from pipeline.stage import seed_of
from pipeline.transforms.preserving.draft import Inapplicable, shown
from pipeline.transforms.preserving.evolving.registry import EVOLVERS, evolvers_named, limits
from pipeline.vary.equivalence import Known, first_difference, known

ORIGINAL = "original"
MOST_TRIED = 5
"""How many programs of a front are looked at until one keeps all rules."""
WATCHING = frozenset({"S5", "S8"})
"""Operators whose code passes values and exceptions on, and only notes them: it takes no part in an answer."""
LEAST_SECONDS = 2.0
"""CPU seconds below which a program is never too slow."""
ELSEWHERE = Surroundings(hash_seed=7, time_zone="Asia/Kathmandu")
"""Where a program has to answer in the same way, too."""


@dataclass(frozen=True)
class Version:
    """An evolved program with its row, and the others of its front."""

    row: EvolvedProgram
    made: Evolved | None
    front: tuple[EvolvedProgram, ...] = ()


class Evolving:
    """A task whose program is evolved: what it gives, what was seen of it, and the soil of all its versions."""

    def __init__(self, task: Task, config: EvolveConfig, machine: Machine) -> None:
        self.task, self.config, self.machine = task, config, machine
        self.profile: Profile = profile(config.profile)
        calls = [Call(case.args, dict(case.kwargs)) for case in task.cases]
        self.suite = Known(calls, [case.expected for case in task.cases], task.comparison.unordered)
        self.fresh = _fresh(task, config, machine)
        facts = traced(task.program, task.entry_point, calls, machine)
        codes = evolvers_named(config.operators)
        self.soil = Soil(task.program, task.entry_point, facts, codes, limits())
        self.lite = proving(task)
        self.every = self.suite + self.fresh
        [first] = judged([self.soil.original.program], task.entry_point, self.every, machine)
        self.seconds = first.cpu_seconds
        self.fault = first.difference
        self.first_score = self._pylint(self.soil.original)

    def original(self) -> EvolvedProgram:
        """The row of the program as it was."""
        return self._row(ORIGINAL, self.soil.original)

    def version(self, number: int) -> Version:
        """One evolved version."""
        with without_collection():
            return self._version(number)

    def _version(self, number: int) -> Version:
        seed = seed_of(self.config.seed, "evolve", self.task.task_id, str(number))
        settings = Settings(
            self.config.evaluations, self.config.population, self.config.strategy, self.config.longest).checked()
        before = self.soil.applications
        found = Search(self.soil, self.profile, settings, seed, self._prove).run()
        applications = self.soil.applications - before
        order = picked(found.front, self.soil.original, self.profile, self.config.readability, self.config.pick)
        why = ["The front holds nothing that can be read as well as it has to be."] if not order else []
        tidy = (one for one in order if self._pylint(one) >= self.first_score)
        tried = 0
        for one in islice(tidy, MOST_TRIED):
            tried += 1
            problem, share = self._problem(one)
            if not problem:
                row = replace(
                    self._row(f"v{number}", one), dead_share=share, cases=len(self.suite.calls),
                    inputs=len(self.fresh.calls))
                front = tuple(
                    self._counted(self._unscored(f"v{number}-front-{place + 1}", other), found, applications)
                    for place, other in enumerate(found.front) if other.modules != one.modules and other.genome)
                return Version(self._counted(row, found, applications), one, front)
            why.append(problem)
        if order and not tried:
            why.append(f"Pylint gives all of them less than {self.first_score:.2f}, which their original has.")
        row = EvolvedProgram(
            self.task.task_id, self.task.task_digest, self.task.track, f"v{number}", self.task.entry_point,
            reason=Why.NOT_EVOLVED.name.lower(), evidence=" ".join(why))
        return Version(self._counted(row, found, applications), None)

    def _counted(self, row: EvolvedProgram, found: Found, applications: int) -> EvolvedProgram:
        return replace(
            row, evaluations=found.evaluations, applications=applications, refused=len(found.refused),
            hypervolume=round(found.volume, 6))

    def _prove(self, programs: Sequence[Evolved]) -> list[bool]:
        """Whether programs answer the lite selection as their origin does."""
        found = judged([one.program for one in programs], self.task.entry_point, self.suite, self.machine, self.lite)
        return [not one.difference for one in found]

    def _problem(self, one: Evolved) -> tuple[str, float]:
        """Which rule a program breaks, in words, and its share of dead statements."""
        [found] = judged([one.program], self.task.entry_point, self.every, self.machine)
        if found.difference:
            return f"Of the suite and the fresh inputs behind it, {found.difference}.", 0.0
        if self._is_slow(found):
            return f"It takes {found.cpu_seconds / self.seconds:.0f} times the CPU time of its original.", 0.0
        if difference := self._elsewhere(one):
            return f"In other surroundings: {difference}.", 0.0
        share = self._dead_share(one.genome)
        return (f"{share:.0%} of what was added is dead.", share) if share > self.config.dead else ("", share)

    def _is_slow(self, found: Judged) -> bool:
        return found.cpu_seconds > max(LEAST_SECONDS, self.config.slowest * self.seconds)

    def _elsewhere(self, one: Evolved) -> str:
        """The first difference where hashes and the time zone are others, on the lite selection and fresh inputs."""
        asked = self.suite.at(self.lite)
        calls = list(asked.expecting(SECONDS))
        execution = Execution(one.program, self.task.entry_point, calls, LIMITS, ELSEWHERE)
        run = language(self.task.language).running.run_calls(execution, self.machine)
        return first_difference(run, asked)

    def _dead_share(self, genome: Genome) -> float:
        """The share of added statements of which each alone can go without a change in an answer."""
        programs = self.soil.without_each(genome)
        tried = [one for one in programs if one]
        found = judged(tried, self.task.entry_point, self.suite, self.machine, self.lite)
        return round(sum(not one.difference for one in found) / len(programs), 4) if programs else 0.0

    def _pylint(self, one: Evolved) -> float:
        return score([(name if place else "main", text) for place, (name, text) in enumerate(one.modules)])

    def _row(self, version: str, one: Evolved) -> EvolvedProgram:
        return replace(self._unscored(version, one), pylint=self._pylint(one))

    def _unscored(self, version: str, one: Evolved) -> EvolvedProgram:
        task, of = self.task, self.profile
        return EvolvedProgram(
            task.task_id, task.task_digest, task.track, version, task.entry_point, one.program,
            tuple(name for name, _ in one.modules[1:]), tuple(self._applied(one.genome)), one.complexity.values,
            tuple(round(value, 4) for value in one.readability.values), round(of.rc(one.complexity), 6),
            round(of.rc_uncapped(one.complexity), 6), round(of.rr(one.readability), 6),
            cognitive=cognitive([ast.parse(text) for _, text in one.modules]), tokens=one.tokens,
            lines=int(one.readability.r2), guards=len(one.guards), constant_guards=one.guards.count("constant"))

    def _applied(self, genome: Genome) -> Iterator[Applied]:
        lines = self.soil.lines
        for gene in genome:
            operator = EVOLVERS[gene.code]
            line = lines.get(gene.site.origin % (1 << 20), 0)
            woven = gene.code not in WATCHING
            yield Applied(gene.code, operator.name, gene.site.origin, line, gene.site.way, gene.seed, woven)


def evolving(task: Task, config: EvolveConfig, machine: Machine) -> Evolving | str:
    """A task whose program can be evolved, or why it can't."""
    try:
        made = Evolving(task, config, machine)
    except Inapplicable as refusal:
        return str(refusal)
    return made if not made.fault else f"The program answers otherwise than its suite says: {made.fault}."


def _fresh(task: Task, config: EvolveConfig, machine: Machine) -> Known:
    """Inputs that no case has, with what the program gives there."""
    count = config.proof_inputs
    seed = seed_of(config.seed, "further", task.task_id)
    drawn = further_calls(task, seed, machine, count + count // 4)[:count] if count else []
    return known(shown(task.program), task.entry_point, drawn, machine)
