"""The versions of a task's program: traced, searched for, proved."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from harness.garbage import without_collection
from harness.languages import Call, Execution, Machine, Surroundings
from harness.languages.registry import language
from harness.records import Task
from pipeline.config import EvolveConfig
from pipeline.evolve.genome import RENAMING, Evolved, Genome, Soil
from pipeline.evolve.naming import Namer
from pipeline.evolve.nsga2 import survivors
from pipeline.evolve.proof import LIMITS, SECONDS, Judged, judged, proving
from pipeline.evolve.rows import RULES, Applied, EvolvedProgram, Why
from pipeline.evolve.search import Search, Settings, picked
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
MOST_TRIED, MOST_LINTED = 5, 60
"""How many programs are looked at until one keeps all rules: by all of them, and by pylint alone."""
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

    def __init__(self, task: Task, config: EvolveConfig, machine: Machine, namer: Namer | None = None) -> None:
        self.task, self.config, self.machine, self.namer = task, config, machine, namer
        self.profile: Profile = profile(config.profile)
        calls = [Call(case.args, dict(case.kwargs)) for case in task.cases]
        self.suite = Known(calls, [case.expected for case in task.cases], task.comparison.unordered)
        self.fresh = _fresh(task, config, machine)
        facts = traced(task.program, task.entry_point, calls, machine)
        codes = evolvers_named(config.operators)
        self.soil = Soil(task.program, task.entry_point, facts, codes, limits(config.limits))
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
        self.soil.limits = limits(self.config.limits).of(seed)
        before = self.soil.applications
        search = Search(self.soil, self.profile, settings, seed)
        search.run()
        volume = round(search.volume, 6)
        version = f"v{number}"
        row, one = self._picked(search, version)
        front, wrong = self._front(search, one, version) if one is not None else ([], [])
        refused = len(wrong) + row.refused
        evaluations, applications = search.evaluations, self.soil.applications - before
        counted = [
            replace(other, evaluations=evaluations, applications=applications, refused=refused, hypervolume=volume)
            for other in (row, *front)]
        return Version(counted[0], one, tuple(counted[1:]))

    def _picked(self, search: Search, version: str) -> tuple[EvolvedProgram, Evolved | None]:
        """The most complex program that can be read, is as tidy as its original, and keeps the rules that cost most."""
        wrong, untidy, why = 0, 0, list[str]()
        for one in self._candidates(search):
            if untidy == MOST_LINTED or len(why) == MOST_TRIED:
                break
            if self._pylint(one) < self.first_score:
                untidy += 1
                continue
            problem, share, differs = self._problem(one)
            if not problem:
                one, author = self._named(one)
                row = replace(
                    self._row(version, one), dead_share=share, cases=len(self.suite.calls),
                    inputs=len(self.fresh.calls), refused=wrong, named_by=author)
                return row, one
            wrong += differs
            why.append(problem)
        if untidy:
            why.append(f"Pylint gives {untidy} programs less than {self.first_score:.2f}, which their original has.")
        why = why or ["The search found nothing that can be read as well as it has to be."]
        return EvolvedProgram(
            self.task.task_id, self.task.task_digest, self.task.track, version, self.task.entry_point,
            reason=Why.NOT_EVOLVED.name.lower(), evidence=" ".join(why), refused=wrong), None

    def _named(self, one: Evolved) -> tuple[Evolved, str]:
        """A program with the names of a model where that gives some with which all holds; and who gave the names."""
        names = self.namer.names(self.soil.original, one, self.task.entry_point) if self.namer else {}
        if self.namer is None or not names:
            return one, RULES
        made = self.soil.named(one.genome, names)
        [found] = judged([made.program], self.task.entry_point, self.every, self.machine)
        if found.difference or self._elsewhere(made) or self._pylint(made) < self.first_score:
            return self.soil.named(one.genome, {}), RULES
        return made, self.namer.author

    def _candidates(self, search: Search) -> Iterator[Evolved]:
        """What can be read, with further names, front by front: who asks for another one leaves out the one before."""
        config, soil = self.config, self.soil
        while order := picked(search.front(), soil.original, self.profile, config.readability, config.pick):
            for one in order:
                renamed = soil.evolved(soil.renamed(one.genome, search.random)) if self._renames else one
                fit = picked([renamed], soil.original, self.profile, config.readability, config.pick)
                yield fit[0] if fit else one
                search.leave_out(one)

    @property
    def _renames(self) -> bool:
        return set(RENAMING) <= set(self.soil.codes)

    def _front(self, search: Search, taken: Evolved, version: str) -> tuple[list[EvolvedProgram], list[Evolved]]:
        """What else of the front answers the lite selection as its origin does, a population at most; what does not."""
        others = [one for one in search.front() if one.genome not in ((), taken.genome)]
        kept = sorted(survivors([search.point(one) for one in others], self.config.population))
        others = [others[place] for place in kept]
        found = judged([one.program for one in others], self.task.entry_point, self.suite, self.machine, self.lite)
        right = [one for one, its in zip(others, found, strict=True) if not its.difference]
        wrong = [one for one, its in zip(others, found, strict=True) if its.difference]
        return [self._unscored(f"{version}-front-{place + 1}", one) for place, one in enumerate(right)], wrong

    def _problem(self, one: Evolved) -> tuple[str, float, bool]:
        """Which rule a program breaks, in words, its share of dead statements, and whether an answer is another one."""
        [found] = judged([one.program], self.task.entry_point, self.every, self.machine)
        if found.difference:
            return f"Of the suite and the fresh inputs behind it, {found.difference}.", 0.0, True
        if self._is_slow(found):
            return f"It takes {found.cpu_seconds / self.seconds:.0f} times the CPU time of its original.", 0.0, False
        if difference := self._elsewhere(one):
            return f"In other surroundings: {difference}.", 0.0, True
        share = self._dead_share(one.genome)
        return f"{share:.0%} of what was added is dead." if share > self.config.dead else "", share, False

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


def evolving(task: Task, config: EvolveConfig, machine: Machine, namer: Namer | None = None) -> Evolving | str:
    """A task whose program can be evolved, or why it can't; its names are a `namer`'s where there is one."""
    try:
        made = Evolving(task, config, machine, namer)
    except Inapplicable as refusal:
        return str(refusal)
    return made if not made.fault else f"The program answers otherwise than its suite says: {made.fault}."


def _fresh(task: Task, config: EvolveConfig, machine: Machine) -> Known:
    """Inputs that no case has, with what the program gives there."""
    count = config.proof_inputs
    seed = seed_of(config.seed, "further", task.task_id)
    drawn = further_calls(task, seed, machine, count + count // 4)[:count] if count else []
    return known(shown(task.program), task.entry_point, drawn, machine)
