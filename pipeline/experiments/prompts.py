"""An experiment on questions in other words: answerers of known truth, judged, and what the tables make of them.

Each answer is right or wrong by a draw whose chance is known. A right one and a wrong one to each question are judged
for real, once; the samples of all answerers take these verdicts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from statistics import fmean

from harness.analysis import Share, Table
from harness.analysis.rewordings import SAME, Sensitivity, analyse, counts_together
from harness.analysis.rewordings import table as sensitivity_table
from harness.answers.samples import Sample
from harness.errors import UserError, guess
from harness.records import PromptVariant, Spectrum, Task, Verdict
from harness.releases.dataset import Release, load_release
from harness.rewordings import CONTROL, INITIAL, read_rewordings, variants_of
from harness.scoring.evaluate import Options, Place, evaluate, of_variants, references, stubs
from harness.scoring.lenient import leniently
from harness.scoring.results import Key, Results, read_results
from harness.scoring.subject import Subject
from harness.variants import Variant, derived
from pipeline.config import VaryConfig
from pipeline.experiments.answerers import EXACT
from pipeline.progress import say
from pipeline.vary.prompts import StrategyRow, by_strategy, derive_prompts

_MEAN, _SHIFT, _SPREAD = 0.68, -1.0, 1.0
"""The mean chance of a task, the logits that typos in descriptions cost, and the deviation of logits by words."""
_SHIFTED = "description_typo"
CORRECTOR = "corrector"
"""The answerer that always uses the function's first name, whatever the question calls it."""


@dataclass(frozen=True)
class Chancer:
    """An answerer that gets a question right by chance: `chance` tells it of the task's own and the variant."""

    name: str
    chance: Callable[[float, PromptVariant, Random], float]

    def chances(self, rows: Sequence[PromptVariant], seed: int) -> dict[str, float]:
        """The chance of each variant by its id."""
        return {row.variant_id: self.chance(_own(row.task_id, seed), row, self._random(row, seed)) for row in rows}

    def draws(self, chances: Mapping[str, float], rows: Sequence[PromptVariant], samples: int, seed: int) \
            -> dict[str, list[bool]]:
        """Which samples of each variant are right."""
        found = dict[str, list[bool]]()
        for row in rows:
            random = Random(f"{seed}\n{self.name}\n{row.variant_id}\nsamples")
            found[row.variant_id] = [random.random() < chances[row.variant_id] for _ in range(samples)]
        return found

    def _random(self, row: PromptVariant, seed: int) -> Random:
        return Random(f"{seed}\n{self.name}\n{row.variant_id}")


def _own(task_id: str, seed: int) -> float:
    """The chance of a task, whatever its words."""
    return Random(f"{seed}\n{task_id}").betavariate(_MEAN, 1 - _MEAN)


def _logits(chance: float, more: float) -> float:
    """A chance with something added on the scale of logits."""
    kept = min(max(chance, 1e-6), 1 - 1e-6)
    return 1 / (1 + math.exp(-(math.log(kept / (1 - kept)) + more)))


CHANCERS: Mapping[str, Chancer] = {one.name: one for one in (
    Chancer("oracle", lambda _own, _row, _random: 1.0),
    Chancer("stub", lambda _own, _row, _random: 0.0),
    Chancer("noise", lambda own, _row, _random: own),
    Chancer("shift", lambda own, row, _random: _logits(own, _SHIFT) if row.strategy == _SHIFTED else own),
    Chancer("sensitive", lambda own, row, random:
            own if row.strategy in (INITIAL, CONTROL) else _logits(own, random.gauss(0, _SPREAD))),
)}  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """What an experiment asks: the rows, and the task of each question."""

    release: Release
    rows: tuple[PromptVariant, ...]
    variants: tuple[Variant, ...]
    tasks: dict[Place, Task]


def checked(names: Iterable[str]) -> None:
    """Raise `UserError` for an answerer that there is not."""
    known = (*CHANCERS, CORRECTOR)
    for name in names:
        if name not in known:
            raise UserError(f"There is no answerer {name!r}{guess(name, known)}: name one of {', '.join(known)}.")


def run_prompts(
    config: VaryConfig, where: str, tasks: int, samples: int, answerers: Sequence[str], folder: Path, workers: int
) -> tuple[dict[str, Table], list[str], list[Sensitivity]]:
    """The tables by name, where they are not what is known, and the rows of the main one."""
    made = derive_prompts(where, config, folder / "variants", workers)
    asked = _asked(load_release(made.folder), tasks)
    known, judged = _judged_once(asked, folder, workers)
    rows, truths = list[Sensitivity](), list[tuple[str, str, float, float, float]]()
    faults = [f"The verdicts on {variant} are not those on a right and a wrong answer" for variant in _unlike(known)]
    for name in answerers:
        if name == CORRECTOR:
            rows += _corrector(asked, folder, workers)
            continue
        chancer = CHANCERS[name]
        chances = chancer.chances(asked.rows, config.seed)
        draws = chancer.draws(chances, asked.rows, samples, config.seed)
        found = analyse([_results(name, draws, asked, known, judged)], asked.release, config.seed)
        faults += _faults(found, draws, asked)
        truths += _truths(found, chances, asked)
        rows += found
    faults += _of_corrector(rows)
    tables = {
        "strategies": _strategies(by_strategy(made.rows, config.variants)),
        "sensitivity": sensitivity_table(rows), "truth": _truth_table(truths),
    }
    return tables, faults, rows


def _asked(release: Release, count: int) -> Asked:
    """The questions about so many functions, the first by id, which is a hash."""
    rows = [row for row in read_rewordings(release) if not row.reason]
    chosen = set(sorted({row.task_id for row in rows})[: count or None])
    kept = tuple(row for row in rows if row.task_id in chosen)
    variants = tuple(variants_of(release, kept))
    return Asked(release, kept, variants, derived(release.tasks, variants))


def _judged_once(asked: Asked, folder: Path, workers: int) -> tuple[dict[tuple[str, bool], Verdict], Results]:
    """The verdict on a right and on a wrong answer to each variant."""
    say(f"A right and a wrong answer to {len(asked.tasks)} questions are judged.")
    right = of_variants(asked.tasks, references(asked.tasks.values()))
    wrong = of_variants(asked.tasks, stubs(asked.tasks.values()))
    output = folder / "judged.results.jsonl"
    options = Options(output, workers, partial=True, variants=asked.variants)
    evaluate(asked.release, [*right, *(replace(one, number=1) for one in wrong)], options, "samples")
    found = read_results(output)
    return {(key.variant, key.number == 0): verdict for key, verdict in found.verdicts.items()}, found


def _results(
    name: str, draws: Mapping[str, Sequence[bool]], asked: Asked, known: Mapping[tuple[str, bool], Verdict],
    judged: Results,
) -> Results:
    """The results of an answerer, as a file of them would give them."""
    tasks = {variant: task for (_, variant), task in asked.tasks.items()}
    verdicts = {
        Key(tasks[variant].task_id, tasks[variant].task_digest, variant, number, ""): known[variant, right]
        for variant, own in draws.items() for number, right in enumerate(own)}
    return replace(judged, run=replace(judged.run, model=name), verdicts=verdicts)


def _corrector(asked: Asked, folder: Path, workers: int) -> list[Sensitivity]:
    """One that defines the first name in all answers: judged as it is, and leniently."""
    chosen = [row for row in asked.rows if row.strategy in (INITIAL, "function_typo", "function_synonym")]
    variants = tuple(variants_of(asked.release, chosen))
    places = derived(asked.release.tasks, variants)
    first = {task.task_id: task for task in asked.release.tasks}
    answers = tuple(Sample(task_id, 0, first[task_id].reference, 0, variant) for task_id, variant in places)
    names = {task_id: task.entry_point for task_id, task in first.items()}
    found: list[Sensitivity] = []
    for kind, given in (("samples", answers), ("samples, lenient", leniently(answers, places, names))):
        output = folder / f"{CORRECTOR}{'-lenient' if 'lenient' in kind else ''}.results.jsonl"
        options = Options(output, workers, partial=True, variants=variants, subject=Subject(CORRECTOR))
        evaluate(asked.release, given, options, kind)
        found += analyse([read_results(output)], asked.release)
    return found


def _of_corrector(rows: Iterable[Sensitivity]) -> list[str]:
    """Nothing that it says of a question with another name is right, and everything is when names don't count."""
    wanted = {CORRECTOR: 0.0, f"{CORRECTOR} (lenient)": 1.0}
    return [f"{row.model} gets {row.rate:.6f} of {row.strategy} right, not {wanted[row.model]}"
            for row in rows if row.model in wanted and row.strategy != SAME and row.rate != wanted[row.model]]


def _of(name: str, asked: Asked) -> list[list[PromptVariant]]:
    """The variants of a strategy, or of all that count together, task by task."""
    wanted = [row for row in asked.rows if (counts_together(row) if name == SAME else row.strategy == name)]
    return [[row for row in wanted if row.task_id == task] for task in sorted({row.task_id for row in wanted})]


def _faults(found: Iterable[Sensitivity], draws: Mapping[str, Sequence[bool]], asked: Asked) -> Iterable[str]:
    """Where a table is not what the draws give by the definitions."""
    initial = {row.task_id: fmean(draws[row.variant_id]) for row in asked.rows if row.strategy == INITIAL}
    for row in found:
        by_task = [[(fmean(draws[one.variant_id]), initial[one.task_id]) for one in own]
                   for own in _of(row.strategy, asked)]
        told = {
            "pass@1": (row.rate, fmean(fmean(rate for rate, _ in own) for own in by_task)),
            "initial pass@1": (row.initial, fmean(own[0][1] for own in by_task)),
            "MB": (row.mean_change, fmean(fmean(abs(rate - first) for rate, first in own) for own in by_task)),
            "MB by variants": (
                row.mean_change_of_all, fmean(abs(rate - first) for own in by_task for rate, first in own)),
            "best": (row.best, fmean(max(rate for rate, _ in own) for own in by_task)),
        }
        for name, (said, truth) in told.items():
            if abs(said - truth) > EXACT:
                yield f"{row.model}, {row.strategy}: {name} is {truth:.6f}, and the table says {said:.6f}"


def _truths(
    found: Iterable[Sensitivity], chances: Mapping[str, float], asked: Asked
) -> Iterable[tuple[str, str, float, float, float]]:
    """Of each row the true change, the true spread, and the true value of the best words, from the chances."""
    initial = {row.task_id: chances[row.variant_id] for row in asked.rows if row.strategy == INITIAL}
    for row in found:
        by_task = [[(chances[one.variant_id], initial[one.task_id]) for one in own]
                   for own in _of(row.strategy, asked)]
        yield (
            row.model, row.strategy, fmean(fmean(p - first for p, first in own) for own in by_task),
            math.sqrt(fmean(fmean((p - first) ** 2 for p, first in own) for own in by_task)),
            fmean(max(p for p, _ in own) for own in by_task))


def _truth_table(truths: Sequence[tuple[str, str, float, float, float]]) -> Table:
    return Table(("model", "strategy", "true points", "true spread", "true best"), tuple(
        (model, strategy, f"{100 * change:+.1f}", f"{100 * spread:.1f}", Share(top))
        for model, strategy, change, spread, top in truths))


def _strategies(rows: Iterable[StrategyRow]) -> Table:
    """How many variants each strategy makes (Prompt mutation, Table I), and why not more."""
    columns = ("strategy", "variants", "tasks", "tasks with all", "none", "why", "information", "meaning")
    return Table(columns, tuple(
        (row.strategy, row.variants, row.tasks, row.full, sum(row.reasons.values()),
         ", ".join(f"{count} {name}" for name, count in row.reasons.items()), row.information, row.meaning)
        for row in rows))


def _unlike(verdicts: Mapping[tuple[str, bool], Verdict]) -> list[str]:
    """The variants whose right answer is judged wrong, or whose wrong one right."""
    return sorted({variant for (variant, right), verdict in verdicts.items()
                   if (verdict.outcome is Spectrum.PERFECT) != right})
