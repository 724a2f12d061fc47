"""Questions in other words as tasks of lm-eval: one run asks all of them, and gives what depends on the words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import Any, NamedTuple

from harness.analysis.rewordings import counts_together
from harness.analysis.sensitivity import Asked, Counts, best, cross_fitted, null, rms
from harness.errors import UserError
from harness.lm_eval.glue import Code2Bench, Refused, place_of
from harness.records import PromptVariant, Spectrum, Task
from harness.rewordings import INITIAL, read_rewordings, variants_of
from harness.scoring.evaluate import Place
from harness.variants import derived

STRATEGY_KEY = "code2bench_strategy"


class _Answered(NamedTuple):
    """What became of one question: how many samples are right, and the mean share of cases that they pass."""

    row: PromptVariant
    counts: Counts
    cases: float


class Prompts(Code2Bench):
    """The questions of a release in all their words, or the initial ones and those of one strategy."""

    def _questions(self, _further: Mapping[str, Any]) -> dict[Place, Task]:
        wanted = str(_further.get(STRATEGY_KEY) or "")
        try:
            rows = [row for row in read_rewordings(self._release, [wanted] if wanted else ()) if not row.reason]
            self._rows = {row.variant_id: row for row in rows}
            return derived(self._release.tasks, list(variants_of(self._release, rows)))
        except UserError as error:
            raise Refused(str(error)) from None

    def process_results(self, doc: dict[str, Any], results: Sequence[Any]) -> dict[str, Any]:
        """What became of one question, for each metric: all of them look at many questions."""
        if "bypass" in self._metric_fn_list:
            return {"bypass": 999}
        outcomes = [verdict["outcome"] for verdict in results[0]]
        counts = Counts(outcomes.count(Spectrum.PERFECT.value), len(outcomes))
        cases = fmean(verdict["passed"] / verdict["total"] for verdict in results[0])
        return dict.fromkeys(self.higher_is_better(), _Answered(self._rows[place_of(doc)[1]], counts, cases))

    def aggregation(self) -> dict[str, Callable[[list[Any]], float]]:
        """For all words that ask for the same, and for each strategy."""
        found: dict[str, Callable[[list[Any]], float]] = {"bypass": fmean}
        for strategy in ("", *self._strategies()):
            start = f"{strategy} " if strategy else ""
            for name, measure in _MEASURES.items():
                found[f"{start}{name}"] = partial(_measured, measure=measure, strategy=strategy)
            for name, initial in _CASES.items():
                found[f"{start}{name}"] = partial(_in_cases, initial=initial, strategy=strategy)
        return found

    def higher_is_better(self) -> dict[str, bool]:
        """Which way each metric points."""
        ways = {name: name.startswith(("pass", "initial", "case")) for name in (*_MEASURES, *_CASES)}
        return ways | {f"{one} {name}": up for one in self._strategies() for name, up in ways.items()}

    def _strategies(self) -> list[str]:
        """Those that stand for themselves, where there are several."""
        names = sorted({row.strategy for row in self._rows.values()} - {INITIAL})
        return names if len(names) > 1 else []


def _initial(asked: Sequence[Asked]) -> float:
    return fmean(one.origin.rate for one in asked)


def _rate(asked: Sequence[Asked]) -> float:
    return fmean(fmean(own.rate for own in one.variants) for one in asked)


def _spread(asked: Sequence[Asked]) -> float:
    found = rms(asked)
    return float("nan") if found is None else found[0]


def _elsewhere(asked: Sequence[Asked]) -> float:
    found = cross_fitted(asked)
    return float("nan") if found is None else found


_MEASURES: dict[str, Callable[[Sequence[Asked]], float]] = {
    "initial pass@1": _initial,
    "pass@1": _rate,
    "MB": lambda asked: fmean(one.mean_change for one in asked),
    "MB floor": lambda asked: fmean(one.floor for one in asked),
    "MB excess": lambda asked: fmean(one.excess for one in asked),
    "spread": _spread,
    "pass@1_b": best,
    "pass@1_b by chance": lambda asked: null(asked).best,
    "pass@1_b elsewhere": _elsewhere,
}
"""Shares of 1, as `harness.analysis.rewordings` has them."""
_CASES = {"initial case_pass_rate": True, "case_pass_rate": False}
"""Measures of single cases, and whether they are those of the initial questions."""


def _measured(
    answered: Sequence[_Answered], measure: Callable[[Sequence[Asked]], float], strategy: str
) -> float:
    """A measure of one strategy, or of all that ask for the same; not a number where nothing was asked."""
    asked = [Asked(first.counts, tuple(one.counts for one in own)) for first, own in _paired(answered, strategy)]
    return measure(asked) if asked else float("nan")


def _in_cases(answered: Sequence[_Answered], initial: bool, strategy: str) -> float:
    """The share of cases that answers pass, which tells something where none is right."""
    pairs = _paired(answered, strategy)
    shares = [first.cases if initial else fmean(one.cases for one in own) for first, own in pairs]
    return fmean(shares) if shares else float("nan")


def _paired(answered: Sequence[_Answered], strategy: str) -> list[tuple[_Answered, list[_Answered]]]:
    """The initial question of each task, with its variants of one strategy, or of all that ask for the same."""
    initial = {one.row.task_id: one for one in answered if one.row.strategy == INITIAL}
    variants: dict[str, list[_Answered]] = defaultdict(list)
    only = len({one.row.strategy for one in answered}) == 2
    for one in answered:
        wanted = one.row.strategy == strategy if strategy else only or counts_together(one.row)
        if wanted and one.row.strategy != INITIAL and one.row.task_id in initial:
            variants[one.row.task_id].append(one)
    return [(initial[task_id], own) for task_id, own in sorted(variants.items())]
