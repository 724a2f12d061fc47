"""Labels of candidates by people, in sheets, and which candidates are to be labelled."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from harness.records import digest
from pipeline import sheets
from pipeline.agreement.kappa import DIFFICULTY, Rater
from pipeline.agreement.opinions import Subject
from pipeline.sheets import Exported, Form, Label, Sheet

CANDIDATES = Form(
    ("id", "track", "project", "name", "code"),
    (
        Label("suitable", {"yes": ("yes", "y", "true", "1"), "no": ("no", "n", "false", "0")}, "yes or no"),
        Label("difficulty", {level: (level.lower(),) for level in DIFFICULTY.answers}, "Easy, Medium or Hard"),
    ),
    "candidate", "build")
"""What is labelled of candidates; the models' opinions are not among the facts."""
COLUMNS = CANDIDATES.columns


def read_sheet(path: Path, known: Collection[str]) -> Sheet:
    """Read a file of labels of candidates that are known; raises `UserError` for the first thing that is wrong."""
    return sheets.read_sheet(path, known, CANDIDATES)


def export(path: Path, drawn: Sequence[Subject], known: Collection[str]) -> Exported:
    """Write a sample to label; rows that the file has already stay as they are, and new ones follow them."""
    return sheets.export(path, drawn, known, CANDIDATES)


def rater(sheet: Sheet, name: str) -> Rater:
    """Whoever filled in a sheet; an empty cell is no answer."""
    return Rater(name, *(
        {row.cells["id"]: row.label(column) for row in sheet.rows if row.label(column)} for column in CANDIDATES.names))


def sample(subjects: Sequence[Subject], majority: Rater, size: int, seed: int) -> list[Subject]:
    """A seeded sample in which suitable and refused candidates have their shares, at least one of each where it can.

    A larger sample of the same seed holds a smaller one. The order says nothing of the opinions.
    """
    order = sorted(subjects, key=lambda one: digest(str(seed), one.id))
    refused = [one for one in order if majority.suitable[one.id] == "no"]
    accepted = [one for one in order if majority.suitable[one.id] == "yes"]
    size = min(size, len(order))
    share = round(size * len(refused) / len(order)) if order else 0
    share = max(share, size - len(accepted), min(1, len(refused), size // 2))
    share = min(share, size - min(1, len(accepted), size // 2))
    taken = {one.id for one in (*refused[:share], *accepted[: size - share])}
    return [one for one in order if one.id in taken]
