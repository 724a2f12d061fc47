"""The paper's tables and figures of an evolved release, and of results on it (GeneBench, sections 5.2 to 5.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import mean
from typing import Any

from harness.analysis import Cell, Share, Table
from harness.analysis.pairs import Asked, Drop, drops, fates
from harness.releases.dataset import Release
from harness.scoring.metrics import bootstrap, mann_whitney
from harness.scoring.results import Results
from pipeline.evolve.making import ORIGINAL
from pipeline.evolve.rows import EvolvedProgram
from pipeline.evolve.versions import Likeness, likeness
from pipeline.transforms.preserving.evolving.registry import EVOLVERS

AGREEING = 3
"""How many models have to keep a program, or lose it, so that it is not one model's whim (section 5.3.4)."""


@dataclass(frozen=True)
class Frequency:
    """How often an operator was used, in how many programs; mean RC of programs with it and without it."""

    code: str
    name: str
    programs: int
    uses: int
    rc_with: float | None
    rc_without: float | None


def frequencies(rows: Sequence[EvolvedProgram]) -> list[Frequency]:
    """A row for each operator, the most used first (Fig. 8)."""
    made = [row for row in rows if row.program and row.version != ORIGINAL]
    found = []
    for code, operator in EVOLVERS.items():
        those = [row for row in made if any(one.code == code for one in row.operators)]
        others = [row for row in made if row not in those]
        uses = sum(one.code == code for row in made for one in row.operators)
        found.append(Frequency(code, operator.name, len(those), uses, _known(those), _known(others)))
    return sorted(found, key=lambda one: (-one.uses, one.code))


def _known(rows: Sequence[EvolvedProgram]) -> float | None:
    return _rc(rows) if rows else None


def _rc(rows: Sequence[EvolvedProgram]) -> float:
    return mean(row.rc for row in rows) if rows else 0.0


def measures_table(rows: Sequence[EvolvedProgram]) -> Table:
    """Means of C1 to C7, RC and RR of each version, with the difference to the original (Table 4, Fig. 7)."""
    first = {row.task_id: row for row in rows if row.version == ORIGINAL}
    lines: list[tuple[Cell, ...]] = []
    for version in sorted({row.version for row in rows}, key=lambda one: (one != ORIGINAL, one)):
        own = [row for row in rows if row.version == version and row.program]
        if not own:
            continue
        gained = bootstrap([row.rc - first[row.task_id].rc for row in own], 0) if version != ORIGINAL else ""
        measures = [round(mean(row.complexity[place] for row in own), 2) for place in range(7)]
        lines.append((version, len(own), *measures, round(_rc(own), 3), round(mean(row.rc_uncapped for row in own), 3),
                      round(mean(row.rr for row in own), 3), round(mean(row.pylint or 0.0 for row in own), 2), gained))
    return Table(
        ("version", "programs", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "RC", "uncapped", "RR", "pylint",
         "RC gained, 95%"), tuple(lines))


def drops_table(results: Sequence[Results], release: Release) -> Table:
    """What evolved programs cost each model, by family (Table 5, Fig. 9)."""
    lines = [line for one in results for line in _drop_lines(one.run.model or str(one.path), drops(one, one, release))]
    return Table(
        ("model", "family", "pairs", "before", "after", "difference", "95%", "p (McNemar)", "ratio of means",
         "mean of ratios", "right in both", "right before only"), tuple(lines))


def _drop_lines(model: str, found: Sequence[Drop]) -> Iterator[tuple[Cell, ...]]:
    for one in found:
        yield (model, one.family, one.pairs, Share(one.before), Share(one.after), round(100 * one.difference, 1),
               one.interval, one.p_value, _or_none(one.ratio_of_means),
               _or_none(one.mean_of_ratios), one.both, one.only_before)


def _or_none(value: float | None) -> Cell:
    return "" if value is None else round(100 * value, 1)


@dataclass(frozen=True)
class Fates:
    """Relative complexity of evolved programs of which a model tells all that it told of the original, or not all."""

    model: str
    family: str
    kept: tuple[float, ...]
    lost: tuple[float, ...]


def complexity_by_fate(rows: Sequence[EvolvedProgram], results: Sequence[Results], release: Release) -> list[Fates]:
    """For each model and family both groups (Fig. 10), then what at least three models agree in."""
    known = {(row.task_id, row.version): row.rc for row in rows}
    found = [(one.run.model or str(one.path), fates(one, release)) for one in results]
    if len(found) >= AGREEING:
        found.append((f"at least {AGREEING}", _agreed([one for _, one in found])))
    return [
        _fates(model, family, {asked: kept for asked, kept in told.items() if asked.family == family}, known)
        for model, told in found for family in sorted({asked.family for asked in told})]


def _agreed(told: Sequence[Mapping[Asked, bool]]) -> dict[Asked, bool]:
    """The programs that enough models keep, or lose; not those of which both is true."""
    counts = Counter((asked, kept) for one in told for asked, kept in one.items())
    agreed = [pair for pair, count in counts.items() if count >= AGREEING]
    both = Counter(asked for asked, _ in agreed)
    return {asked: kept for asked, kept in agreed if both[asked] == 1}


def _fates(model: str, family: str, told: Mapping[Asked, bool], known: Mapping[tuple[str, str], float]) -> Fates:
    values = sorted((known[asked.origin, asked.version], kept) for asked, kept in told.items())
    return Fates(
        model, family, tuple(rc for rc, kept in values if kept), tuple(rc for rc, kept in values if not kept))


def fates_table(found: Sequence[Fates]) -> Table:
    """Means of relative complexity where all was kept and where something was lost, and whether that is chance."""
    lines: list[tuple[Cell, ...]] = []
    for one in found:
        test = mann_whitney(one.lost, one.kept) if one.kept and one.lost else None
        lines.append((one.model, one.family, len(one.kept), len(one.lost), _mean_of(one.kept), _mean_of(one.lost),
                      "" if test is None else test.u, "" if test is None else float(f"{test.p_value:.4g}")))
    return Table(("model", "family", "kept", "lost", "RC kept", "RC lost", "U", "p (Mann-Whitney)"), tuple(lines))


def _mean_of(values: Sequence[float]) -> Cell:
    return round(mean(values), 3) if values else ""


def tokens_table(rows: Sequence[EvolvedProgram]) -> Table:
    """Tokens of the programs before and after, by version (Table 6)."""
    first = {row.task_id: row for row in rows if row.version == ORIGINAL}
    lines: list[tuple[Cell, ...]] = []
    for version in sorted({row.version for row in rows} - {ORIGINAL}):
        pairs = [(first[row.task_id].tokens, row.tokens) for row in rows if row.version == version and row.program]
        if pairs:
            before, after = mean(a for a, _ in pairs), mean(b for _, b in pairs)
            lines.append((version, len(pairs), round(before, 1), round(after, 1), round(after / before, 2),
                          round(mean(b / a for a, b in pairs), 2), round(max(b / a for a, b in pairs), 2)))
    return Table(
        ("version", "programs", "tokens before", "tokens after", "ratio of means", "mean of ratios", "most"),
        tuple(lines))


def similarity_table(rows: Sequence[EvolvedProgram]) -> Table:
    """How alike the versions of a task are, two by two (Fig. 12)."""
    found: dict[str, list[Likeness]] = {}
    by_task: dict[str, list[EvolvedProgram]] = {}
    for row in rows:
        if row.program:
            by_task.setdefault(row.task_id, []).append(row)
    for versions in by_task.values():
        for one, other in combinations(versions, 2):
            found.setdefault(f"{one.version}, {other.version}", []).append(likeness(one.program, other.program))
    lines = [
        (pair, len(made), *(round(mean(getattr(one, name) for one in made), 3) for name in Likeness.NAMES),
         sum(one.jaccard == 1 and one.bleu == 1 for one in made)) for pair, made in sorted(found.items())]
    return Table(("versions", "programs", *Likeness.NAMES, "identical"), tuple(lines))


def boxes(rows: Sequence[EvolvedProgram]) -> Mapping[str, list[list[float]]]:
    """For each version the values of C1 to C7, for box plots (Fig. 1 and 7)."""
    found: dict[str, list[list[float]]] = {}
    for row in rows:
        if row.program:
            columns = found.setdefault(row.version, [[] for _ in range(7)])
            for column, value in zip(columns, row.complexity, strict=True):
                column.append(value)
    return found


def training_rows(rows: Sequence[EvolvedProgram], most: float = 0.8) -> Iterator[dict[str, Any]]:
    """All programs that were found valid, as examples to train on, without near duplicates (section 5.4.2)."""
    from pipeline.evolve.versions import jaccard

    kept: dict[str, list[str]] = {}
    for row in rows:
        others = kept.setdefault(row.task_id, [])
        if row.program and all(jaccard(row.program, other) <= most for other in others):
            others.append(row.program)
            yield {"task_id": row.task_id, "version": row.version, "entry_point": row.entry_point,
                   "program": row.program, "rc": row.rc, "rr": row.rr}
