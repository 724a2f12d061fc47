"""How far raters agree: Fleiss' and Cohen's kappa, with intervals from resampled candidates."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa

from harness.records import Difficulty

RESAMPLES = 2000
"""How often the candidates are drawn anew for an interval."""
_SIDES = (2.5, 97.5)

Statistic = Callable[[Any], float]


@dataclass(frozen=True)
class Question:
    """What raters are asked, with the answers that there are, in their order."""

    name: str
    answers: tuple[str, ...]


SUITABLE = Question("suitable", ("no", "yes"))
DIFFICULTY = Question("difficulty", tuple(str(level) for level in Difficulty))
QUESTIONS = (SUITABLE, DIFFICULTY)


@dataclass(frozen=True)
class Rater:
    """Somebody's answers, by the candidate's id: whether it is suitable (`yes`, `no`), and how hard it is."""

    name: str
    suitable: Mapping[str, str]
    difficulty: Mapping[str, str]

    def answers(self, question: Question) -> Mapping[str, str]:
        """The answers to a question."""
        return self.suitable if question.name == SUITABLE.name else self.difficulty


@dataclass(frozen=True)
class Kappa:
    """How far raters agree on a question, over the candidates that all of them answered.

    `value` is None where kappa is undefined, and `why` says why in words. `agreement` is the share of pairs of answers
    that are the same. `low` and `high` bound the 95% interval, from the `resamples` in which kappa is defined; they are
    None where those are fewer than half.
    """

    measure: str
    question: str
    raters: tuple[str, ...]
    candidates: int
    agreement: float | None
    value: float | None
    low: float | None = None
    high: float | None = None
    resamples: int = 0
    why: str = ""


def fleiss(question: Question, raters: Sequence[Rater], seed: int = 0) -> Kappa:
    """Fleiss' kappa between two or more raters."""
    counts, _ = aggregate_raters(_common(question, raters), len(question.answers))
    pairs = len(raters) * (len(raters) - 1)
    same = float(((counts * (counts - 1)).sum(axis=1) / pairs).mean()) if len(counts) else None
    return _kappa("Fleiss' kappa", question, raters, counts, same, fleiss_kappa, seed)


def cohen(question: Question, one: Rater, other: Rater, seed: int = 0, linear: bool = False) -> Kappa:
    """Cohen's kappa between two raters; with `linear` weights a near miss counts as half of a far one."""
    answers = _common(question, (one, other))
    size = len(question.answers)

    def statistic(pairs: Any) -> float:
        table = np.zeros((size, size))
        np.add.at(table, (pairs[:, 0], pairs[:, 1]), 1)
        return float(cohens_kappa(table, wt="linear" if linear else None, return_results=False))

    measure = "Cohen's kappa with linear weights" if linear else "Cohen's kappa"
    same = float((answers[:, 0] == answers[:, 1]).mean()) if len(answers) else None
    return _kappa(measure, question, (one, other), answers, same, statistic, seed)


def consensus(raters: Sequence[Rater], name: str) -> Rater:
    """What more than half of those say who answered, two at least; where there is no such answer, none."""
    return Rater(name, *({
        record: most for record, said in _by_record(question, raters).items() if (most := _most(said))
    } for question in QUESTIONS))


def together(raters: Sequence[Rater], name: str, decide: Mapping[str, Callable[[Sequence[str]], str]]) -> Rater:
    """Raters as one, by a rule for each question that makes one answer of those that there are."""
    return Rater(name, *({
        record: decide[question.name](said) for record, said in _by_record(question, raters).items()
    } for question in QUESTIONS))


def pairwise(question: Question, raters: Sequence[Rater], seed: int = 0) -> list[Kappa]:
    """Cohen's kappa between every two raters."""
    return [cohen(question, one, other, seed) for one, other in combinations(raters, 2)]


def _by_record(question: Question, raters: Sequence[Rater]) -> dict[str, list[str]]:
    records = sorted({record for rater in raters for record in rater.answers(question)})
    answers = [rater.answers(question) for rater in raters]
    return {record: [one[record] for one in answers if record in one] for record in records}


def _most(said: Sequence[str]) -> str:
    answer, count = Counter(said).most_common(1)[0]
    return answer if count >= 2 and 2 * count > len(said) else ""


def _common(question: Question, raters: Sequence[Rater]) -> Any:
    """An array with a row per candidate that all answered, and the answer's number for each rater."""
    places = {answer: place for place, answer in enumerate(question.answers)}
    answers = [rater.answers(question) for rater in raters]
    records = sorted(set(answers[0]).intersection(*answers[1:]))
    return np.array([[places[one[record]] for one in answers] for record in records], int).reshape(-1, len(raters))


def _kappa(
    measure: str, question: Question, raters: Sequence[Rater], rows: Any, agreement: float | None, statistic: Statistic,
    seed: int,
) -> Kappa:
    names = tuple(rater.name for rater in raters)
    why = _undefined(question, raters, len(rows))
    if why:
        return Kappa(measure, question.name, names, len(rows), agreement, None, why=why)
    drawn = _resampled(rows, statistic, seed)
    low, high = np.percentile(drawn, _SIDES) if 2 * len(drawn) >= RESAMPLES else (None, None)
    value = float(statistic(rows))
    bounds = (None if low is None else float(low), None if high is None else float(high))
    return Kappa(measure, question.name, names, len(rows), agreement, value, *bounds, len(drawn))


def _undefined(question: Question, raters: Sequence[Rater], count: int) -> str:
    """Why there is no kappa, "" where there is one."""
    if count < 2:
        return f"{'only one candidate' if count else 'no candidate'} has an answer of each of them"
    used = set(_common(question, raters).ravel())
    if len(used) > 1:
        return ""
    answer = question.answers[used.pop()]
    return f"all of them always say {answer}, which chance would do as well"


def _resampled(rows: Any, statistic: Statistic, seed: int) -> list[float]:
    """The statistic of samples drawn with replacement, without those in which it is undefined."""
    random = np.random.default_rng(seed)
    with np.errstate(divide="ignore", invalid="ignore"):
        drawn = [float(statistic(rows[random.integers(0, len(rows), len(rows))])) for _ in range(RESAMPLES)]
    return [value for value in drawn if math.isfinite(value)]
