"""An experiment on variants: releases are made, answerers answer, all is judged, and tables are written."""

from __future__ import annotations

import json
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from harness.analysis import Share, Table
from harness.analysis.robustness import ALTERED, ORIGIN, Drop, analyse
from harness.analysis.robustness import table as drops_table
from harness.answers.samples import Sample
from harness.errors import UserError, guess
from harness.records import OUTPUT_FAMILY, Task
from harness.releases.dataset import Release, load_release
from harness.report import figures, tables
from harness.scoring.evaluate import Options, evaluate
from harness.scoring.results import read_results
from harness.scoring.subject import Subject
from pipeline import store
from pipeline.config import VaryConfig
from pipeline.experiments.answerers import EXACT, Answerer, reciter, scripted
from pipeline.experiments.prompts import checked, run_prompts
from pipeline.progress import say
from pipeline.vary.derived import ChainRow, by_chain, derive


@dataclass(frozen=True)
class Experiment:
    """A file of settings: of which `release`, by which `seed`, and how much of it.

    `answerers` are scripted ones; of these `tracer` gets right what takes at most so many `steps`. With `leak`, one
    more has read all questions about the origins, with their answers, and is asked about variants in the same cases,
    about variants in the cases of the next seed, and about altered ones. `tasks` is how many functions are asked about,
    0 for all. Of `doses` each is how many places the operators change at most: programs and answers are told for it,
    too. With `strategies`, the questions are put otherwise in place of the programs, each in `variants` ways, and each
    is answered by so many `samples`.
    """

    name: str
    release: str = "demo"
    seed: int = 0
    tasks: int = 0
    cases: int = 2
    chains: tuple[str, ...] = field(default_factory=lambda: VaryConfig().chains)
    answerers: tuple[str, ...] = ("oracle", "stub", "namer", "literal", "looper", "tracer")
    steps: int = 30
    leak: bool = True
    doses: tuple[int, ...] = ()
    strategies: tuple[str, ...] = ()
    variants: int = 10
    samples: int = 10


@dataclass(frozen=True)
class Outcome:
    """What came out: the tables by name, and where a table is not what is known of its answerer."""

    folder: Path
    tables: dict[str, Table]
    faults: tuple[str, ...]


def load(path: Path) -> Experiment:
    """Read the settings; raises `UserError`."""
    try:
        given = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UserError(f"{path} can't be read as TOML ({why}): give a file such as data/experiments/dynamic.toml.") \
            from None
    known = {one.name: one for one in fields(Experiment)}
    for name in given:
        if name not in known:
            raise UserError(f"{path} sets {name!r}, which no experiment has{guess(name, known)}.")
    if not isinstance(given.get("name"), str):
        raise UserError(f"{path} has no name: add one, such as name = \"dynamic\".")
    typed: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in given.items()}
    made = Experiment(**typed)
    if made.strategies:
        checked(made.answerers)
    else:
        _scripted(made)
    return made


def _scripted(experiment: Experiment) -> list[Answerer]:
    return [scripted(name, experiment.steps) for name in experiment.answerers]


def run(experiment: Experiment, folder: Path, workers: int = 0) -> Outcome:
    """Make the releases, judge, and write the tables; killed, it goes on where it was."""
    if experiment.strategies:
        return _on_questions(experiment, folder, workers)
    config = VaryConfig(
        experiment.seed, chains=experiment.chains, families=(OUTPUT_FAMILY,), cases=experiment.cases)
    made = derive(experiment.release, config, folder / "variants", workers)
    release = load_release(made.folder)
    asked = _some(release.tasks, experiment.tasks)
    found: dict[str, Table] = {"chains": _chains(by_chain(made.programs))}
    rows, faults = list[Drop](), list[str]()
    for answerer in _scripted(experiment):
        drops = _judged(release, asked, answerer, folder, workers)
        rows += drops
        faults += _faults(answerer, drops, asked)
    found["drops"] = drops_table(rows)
    if experiment.doses:
        found["doses"] = _doses(experiment, config, folder, workers, {0: (by_chain(made.programs), rows)})
    if experiment.leak:
        fresh = derive(
            experiment.release, replace(config, seed=experiment.seed + 1), folder / "fresh", workers)
        other = load_release(fresh.folder)
        known = reciter(release)
        same = _judged(release, asked, known, folder, workers)
        late = replace(known, name="reciter-fresh")
        later = _judged(other, _some(other.tasks, experiment.tasks), late, folder, workers)
        found["contamination"] = _leaks(same, later)
        figures.of_leaks(same, later, folder / "figures")
    _write(found, folder)
    figures.of_programs(rows, folder / "figures")
    return Outcome(folder, found, tuple(faults))


def _on_questions(experiment: Experiment, folder: Path, workers: int) -> Outcome:
    config = VaryConfig(experiment.seed, strategies=experiment.strategies, variants=experiment.variants)
    found, faults, rows = run_prompts(
        config, experiment.release, experiment.tasks, experiment.samples, experiment.answerers, folder, workers)
    _write(found, folder)
    figures.of_questions(rows, folder / "figures")
    return Outcome(folder, found, tuple(faults))


def _write(found: dict[str, Table], folder: Path) -> None:
    for name, table in found.items():
        store.write_bytes(folder / f"{name}.csv", tables.as_csv(table).encode())
        store.write_bytes(folder / f"{name}.tex", tables.as_latex(table).encode())
        store.write_bytes(folder / f"{name}.json", (tables.as_json(table) + "\n").encode())


def _doses(
    experiment: Experiment, config: VaryConfig, folder: Path, workers: int,
    whole: Mapping[int, tuple[Sequence[ChainRow], Sequence[Drop]]],
) -> Table:
    """How far programs are and what they cost by the number of places that are changed, 0 for all."""
    found = dict(whole)
    chains = tuple(chain for chain in config.chains if chain != ALTERED)
    for dose in experiment.doses:
        some = replace(config, sites=dose, chains=chains)
        made = derive(experiment.release, some, folder / f"dose-{dose}", workers)
        release = load_release(made.folder)
        asked = _some(release.tasks, experiment.tasks)
        drops = [drop for one in _scripted(experiment) for drop in _judged(
            release, asked, replace(one, name=f"{one.name}-{dose}"), folder, workers)]
        found[dose] = by_chain(made.programs), drops
    columns = ("chain", "places", "programs", "BLEU", "edit", *experiment.answerers)
    return Table(columns, tuple(
        (row.chain, dose or "all", row.made, round(row.bleu, 2), round(row.edit, 4),
         *(_rate_of(drops, f"{name}-{dose}" if dose else name, row.chain) for name in experiment.answerers))
        for dose, (rows, drops) in sorted(found.items(), key=lambda one: (not one[0], one[0]))
        for row in rows if row.chain in chains and row.chain != ORIGIN))


def _rate_of(drops: Sequence[Drop], name: str, chain: str) -> Share | str:
    return next((Share(drop.rate) for drop in drops if (drop.model, drop.chain) == (name, chain)), "")


def _some(tasks: Sequence[Task], count: int) -> list[Task]:
    """The tasks on so many functions, the first by id, which is a hash."""
    origins = sorted({str(task.origin) for task in tasks})[: count or None]
    return [task for task in tasks if task.origin in set(origins)]


def _judged(
    release: Release, asked: Sequence[Task], answerer: Answerer, folder: Path, workers: int
) -> list[Drop]:
    output = folder / f"{answerer.name}.results.jsonl"
    say(f"{answerer.name} answers {len(asked)} questions.")
    samples = [Sample(task.task_id, 0, answerer.answer(task), number) for number, task in enumerate(asked, 1)]
    options = Options(workers=workers, output=output, partial=True, subject=Subject(answerer.name))
    evaluate(release, samples, options, "samples")
    return analyse([read_results(output)], release)


def _faults(answerer: Answerer, drops: Sequence[Drop], asked: Sequence[Task]) -> Iterator[str]:
    """Where a measured rate or change is not that of the tasks that the answerer gets right by its own rule."""
    first = _right(answerer, asked, ORIGIN)
    for drop in drops:
        own = _right(answerer, asked, drop.chain)
        shared = {task: cases.keys() & first[task].keys() for task, cases in own.items() if task in first}
        pairs = [(fmean(own[task][case] for case in cases), fmean(first[task][case] for case in cases))
                 for task, cases in shared.items() if cases]
        rate, change = fmean(after for after, _ in pairs), fmean(after - before for after, before in pairs)
        if abs(rate - drop.rate) > EXACT:
            yield f"{answerer.name} gets {rate:.6f} of {drop.chain} right, and the table says {drop.rate:.6f}"
        if abs(change - drop.difference) > EXACT:
            yield f"{answerer.name} changes by {change:.6f} on {drop.chain}, and the table says {drop.difference:.6f}"


def _right(answerer: Answerer, asked: Sequence[Task], chain: str) -> dict[str, dict[tuple[int, int], bool]]:
    """Whether it gets each task on a chain right, by the origin, and by draw and case."""
    found: dict[str, dict[tuple[int, int], bool]] = defaultdict(dict)
    for task in asked:
        if task.variation is not None and task.variation.chain == chain:
            found[str(task.origin)][task.variation.draw, task.variation.case] = answerer.right(task)
    return found


def _chains(rows: Sequence[ChainRow]) -> Table:
    """How many programs each chain makes, why not more, and how far they are (Dynamic Benchmarking, Tables 1 and 4)."""
    columns = ("chain", "programs", "none", "why", "BLEU", "edit", "shingles", "run of 10")
    return Table(columns, tuple(
        (row.chain, row.made, sum(row.reasons.values()), json.dumps(row.reasons) if row.reasons else "",
         round(row.bleu, 2), round(row.edit, 4), Share(row.shingles), Share(row.ten_gram))
        for row in rows))


def _leaks(same: Sequence[Drop], fresh: Sequence[Drop]) -> Table:
    """What who has read the origins' questions gets right (Figure 5): in the same cases, in fresh ones, and altered."""
    later = {drop.chain: drop for drop in fresh}
    columns = ("chain", "same cases", "fresh cases", "recited")
    return Table(columns, tuple(
        (drop.chain, Share(drop.rate), Share(later[drop.chain].rate),
         "" if drop.chain != ALTERED or drop.recited is None else Share(drop.recited))
        for drop in same if drop.chain in later))
