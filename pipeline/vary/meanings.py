"""Whether people find that questions in other words ask for the same: what they label, and the shares by strategy."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.records import PromptVariant, digest
from harness.releases.dataset import Release
from harness.rewordings import CONTROL, INITIAL, read_rewordings
from harness.scoring.metrics import Interval, wilson
from pipeline.sheets import Form, Label, Row, Sheet, read_sheet

LABELS = "labels.csv"
"""The file of a release that holds what people say of its questions in other words."""
SAME, OTHER = "same", "other"
MEANING = "meaning"
PAIRS = Form(
    ("id", "function", "original", "reworded"),
    (Label(MEANING, {SAME: (SAME, "s", "yes", "y"), OTHER: (OTHER, "o", "no", "n")}, f"{SAME} or {OTHER}"),),
    "question in other words", "release")
"""What people are shown: no strategy, which might tell them what to expect."""


@dataclass(frozen=True)
class Pair:
    """A question in its first words and in others."""

    id: str
    function: str
    original: str
    reworded: str


@dataclass(frozen=True)
class Kept:
    """How many questions of a strategy people have labelled, how many of these are the `same`; Wilson's interval."""

    strategy: str
    labelled: int
    same: int
    interval: Interval

    @property
    def share(self) -> str:
        """The share that is the same, with its interval, in words."""
        share = 100 * self.same / self.labelled
        return f"{share:.0f}% ({100 * self.interval.low:.0f}-{100 * self.interval.high:.0f}%)"


def in_other_words(rows: Iterable[PromptVariant]) -> dict[str, str]:
    """The strategy of each row whose words can be others, by its id."""
    return {row.variant_id: row.strategy for row in rows
            if not row.reason and row.strategy not in (INITIAL, CONTROL) and row.instruction}


def sampled(release: Release, each: int, seed: int) -> list[Pair]:
    """So many questions of each strategy, drawn by the seed; a larger sample holds a smaller one.

    The order tells nothing of the strategies. Raises `UserError` for a release that asks in one way.
    """
    tasks = {task.task_id: task for task in release.tasks}
    rows = {row.variant_id: row for row in read_rewordings(release) if row.task_id in tasks}
    names = in_other_words(rows.values())
    order = sorted(names, key=lambda one: digest(str(seed), one))
    chosen = [one for name in set(names.values()) for one in [own for own in order if names[own] == name][:each]]
    return [
        Pair(one, tasks[rows[one].task_id].entry_point, tasks[rows[one].task_id].instruction, rows[one].instruction)
        for one in order if one in set(chosen)]


def read_labels(files: Sequence[Path], known: Collection[str]) -> dict[str, str]:
    """What people say, by the question's id; of several it is `same` where all of them say so. Raises `UserError`."""
    found: dict[str, str] = {}
    for path in files:
        for row in read_sheet(path, known, PAIRS).rows:
            label = row.label(MEANING)
            if label:
                found[row.cells["id"]] = OTHER if OTHER in (label, found.get(row.cells["id"])) else SAME
    return found


def write_labels(labels: Mapping[str, str], path: Path) -> None:
    """Write labels alone, in the order of their ids."""
    rows = tuple(Row(PAIRS, 0, {"id": one, MEANING: label}) for one, label in sorted(labels.items()))
    Sheet(PAIRS, path, PAIRS.needed, rows).save()


def kept(labels: Mapping[str, str], strategies: Mapping[str, str]) -> dict[str, Kept]:
    """What was labelled of each strategy, by its name; `strategies` are those of the ids."""
    found: dict[str, list[str]] = {}
    for one, label in labels.items():
        found.setdefault(strategies[one], []).append(label)
    return {name: Kept(name, len(own), own.count(SAME), wilson(own.count(SAME), len(own)))
            for name, own in sorted(found.items())}
