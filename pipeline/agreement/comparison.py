"""The report of `code2bench agreement`: models with each other, with the rules, and with people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harness.telling import printable
from pipeline.agreement.kappa import DIFFICULTY, QUESTIONS, RESAMPLES, Kappa, Rater, cohen, consensus, fleiss, pairwise
from pipeline.agreement.labels import rater, read_sheet
from pipeline.agreement.opinions import Panel, Rules, Voice, rules

MOST_SHOWN = 10
"""Disagreements of rules and models that people are shown; programs get all."""


@dataclass(frozen=True)
class Report:
    """Who judged what, and how far they agree: sections by name, each with its kappas."""

    voices: tuple[Voice, ...]
    rules: Rules
    sections: tuple[tuple[str, tuple[Kappa, ...]], ...]


def compare(here: Panel, labels: Sequence[Path] = (), seed: int = 0) -> Report:
    """All comparisons that a build and files of labels allow."""
    people = _people(labels, here) if labels else []
    models = [voice.rater for voice in here.voices]
    by_rules = rules(here)
    judge = here.majority if len(models) > 1 else models[0]
    sections = [
        ("Between the models", _among(models, seed)),
        ("Rules and models", [cohen(question, judge, by_rules.rater, seed) for question in QUESTIONS]),
        ("Between the people", _among(people, seed)),
        ("Models and people", _with_people(judge, models, people, seed)),
    ]
    return Report(tuple(here.voices), by_rules, tuple((name, tuple(kappas)) for name, kappas in sections))


def _people(files: Sequence[Path], here: Panel) -> list[Rater]:
    known = here.ids()
    stems = Counter(path.stem for path in files)
    return [rater(read_sheet(path, known), path.stem if stems[path.stem] == 1 else str(path)) for path in files]


def _among(raters: Sequence[Rater], seed: int) -> list[Kappa]:
    """All raters of a kind at once, where there are several, and every two of them."""
    if len(raters) < 2:
        return []
    return [
        *(fleiss(question, raters, seed) for question in QUESTIONS),
        *(kappa for question in QUESTIONS for kappa in pairwise(question, raters, seed)),
    ]


def _with_people(judge: Rater, models: Sequence[Rater], people: Sequence[Rater], seed: int) -> list[Kappa]:
    """Each judge with each person, and with what most of them say; difficulties also by how far they are apart."""
    judges = [judge, *models] if len(models) > 1 else [judge]
    persons = [consensus(people, "most people"), *people] if len(people) > 1 else people
    ways = [(question, linear) for question in QUESTIONS for linear in (False, True)]
    return [
        cohen(question, one, person, seed, linear)
        for person in persons for one in judges for question, linear in ways
        if question is DIFFICULTY or not linear
    ]


def as_json(report: Report) -> dict[str, Any]:
    """The report for programs."""
    return {
        "models": [_counts(voice) for voice in report.voices],
        "sections": {name: [asdict(kappa) for kappa in kappas] for name, kappas in report.sections},
        "rules": {
            "settings": report.rules.settings,
            "disagreements": [asdict(one) for one in report.rules.disagreements],
        },
    }


def _counts(voice: Voice) -> dict[str, Any]:
    return {
        "name": voice.name, "asked": len(voice.asked), "judged": len(voice.suitable), "faults": voice.faults,
        "suitable": dict(Counter(voice.suitable.values())), "difficulty": dict(Counter(voice.difficulty.values())),
    }


def as_text(report: Report) -> str:
    """The report for people."""
    lines = [_voice(voice) for voice in report.voices]
    if len(report.voices) == 1:
        lines += ["", "Only one model judged, so there is no agreement between models: name several in [judge]."]
    for name, kappas in report.sections:
        if kappas:
            lines += ["", name, *(f"  {_line(kappa)}" for kappa in kappas)]
    shown = [kappa for _, kappas in report.sections for kappa in kappas if kappa.low is not None]
    if shown:
        lines += ["", f"In brackets: 95% intervals, from {RESAMPLES:,} samples of candidates, drawn with replacement."]
    if any(kappa.low == kappa.high for kappa in shown):
        lines.append("One without width: the answers vary too little for an interval; the value is not certain.")
    return "\n".join([*lines, "", *_against(report.rules)])


def _voice(voice: Voice) -> str:
    yes = sum(answer == "yes" for answer in voice.suitable.values())
    return (
        f"{voice.name} judged {len(voice.suitable)} of {len(voice.asked)} candidates, {yes} of them suitable; "
        f"{voice.faults} of its answers did not count.")


def _line(kappa: Kappa) -> str:
    who = " and ".join(kappa.raters) if len(kappa.raters) == 2 else ", ".join(kappa.raters)
    what = f"{kappa.question}, {printable(who)}:"
    if kappa.value is None:
        return f"{what} no {kappa.measure}: {kappa.why} ({kappa.candidates} candidates)"
    interval = "" if kappa.low is None or kappa.high is None else f" [{kappa.low:.2f}, {kappa.high:.2f}]"
    return (
        f"{what} {kappa.measure} {kappa.value:.2f}{interval}, the same answer in {100 * (kappa.agreement or 0):.1f}% "
        f"of pairs, {kappa.candidates} candidates")


def _against(by_rules: Rules) -> list[str]:
    """What rules and models see differently: how often by which rule, and some of the candidates."""
    found = by_rules.disagreements
    count = len(by_rules.rater.suitable)
    lines = [f"Rules ({by_rules.settings}) and models disagree on {len(found)} of {count} candidates."]
    kinds = Counter(_kind(one.evidence) for one in found)
    lines += [f"{number:>5}  {kind}" for kind, number in kinds.most_common()]
    lines += [
        f"  {one.id}  {printable(one.project)} {printable(one.name)}: rules {one.rules}, models {one.models}"
        + (f" ({printable(one.evidence)})" if one.evidence else "") for one in found[:MOST_SHOWN]]
    rest = len(found) - MOST_SHOWN
    return [*lines, f"  and {rest} more, which --json shows"] if rest > 0 else lines


def _kind(evidence: str) -> str:
    return f"refused by the rule {evidence.partition(':')[0]!r} alone" if evidence else "refused by the models alone"
