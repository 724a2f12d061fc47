"""Labels by people: a CSV file with a row per candidate, safe in spreadsheets; nothing that is written is lost."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from harness.errors import UserError
from harness.records import digest
from pipeline import store
from pipeline.agreement.kappa import DIFFICULTY, Rater
from pipeline.agreement.opinions import Subject

FACTS = ("id", "track", "project", "name", "code")
"""Columns that say what is labelled; the models' opinions are not among them."""
LABELS = ("suitable", "difficulty")
COLUMNS = (*FACTS, *LABELS, "note")
NEEDED = ("id", *LABELS)
LARGEST_CELL = 10_000_000
_WORDS = {
    "suitable": {"yes": "yes", "y": "yes", "true": "yes", "1": "yes", "no": "no", "n": "no", "false": "no", "0": "no"},
    "difficulty": {level.lower(): level for level in DIFFICULTY.answers},
}
_CURES = {"suitable": "yes or no", "difficulty": "Easy, Medium or Hard"}
_FORMULA = re.compile(r"'*(?:[\t\r\n]|\s*[=+\-@＝＋－＠])")
"""What a spreadsheet may take for a formula, or would look like such a text with its guard."""
_GUARDED = re.compile("'" + _FORMULA.pattern)


def guarded(text: str) -> str:
    """The text as a cell that no spreadsheet takes for a formula: with an apostrophe before it where it needs one."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(cell: str) -> str:
    """The text that `guarded` made the cell from, and any other cell as it is."""
    return cell[1:] if _GUARDED.match(cell) else cell


@dataclass(frozen=True)
class Row:
    """A row of a file: the line that it begins on, and its cells by column."""

    line: int
    cells: Mapping[str, str]

    def label(self, column: str) -> str:
        """The label in its one spelling, "" where there is none."""
        written = self.cells.get(column, "").strip().lower()
        return _WORDS[column].get(written, "")


@dataclass(frozen=True)
class Sheet:
    """A file of labels: its columns, further ones of its owner included, and its rows, in their order."""

    path: Path
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def rater(self, name: str) -> Rater:
        """Whoever filled it in; an empty cell is no answer."""
        return Rater(name, *(
            {row.cells["id"]: row.label(column) for row in self.rows if row.label(column)} for column in LABELS))

    def with_cells(self, record: str, cells: Mapping[str, str]) -> Sheet:
        """The sheet with some cells of a row written."""
        rows = tuple(
            Row(row.line, {**row.cells, **cells}) if row.cells["id"] == record else row for row in self.rows)
        return Sheet(self.path, (*self.columns, *(c for c in cells if c not in self.columns)), rows)

    def save(self) -> None:
        """Put the file in place, in one step."""
        out = io.StringIO(newline="")
        writer = csv.writer(out)
        writer.writerow([guarded(column) for column in self.columns])
        writer.writerows([guarded(row.cells.get(column, "")) for column in self.columns] for row in self.rows)
        try:
            store.write_bytes(self.path, out.getvalue().encode("utf-8-sig"))
        except OSError as error:
            why = f"{self.path} can't be written ({error.strerror})"
            raise UserError(f"{why}: give a file in a folder of yours.") from None


def read_sheet(path: Path, known: Collection[str]) -> Sheet:
    """Read a file of labels of candidates that are known; raises `UserError` for the first thing that is wrong."""
    numbered = _lines(path)
    if not numbered:
        raise UserError(f"{path} is empty: make it with --export.")
    columns = tuple(cell.strip() for cell in numbered[0][1])
    _check_columns(path, columns)
    rows = []
    for line, cells in numbered[1:]:
        if len(cells) > len(columns):
            counts = f"{len(cells)} cells, the header {len(columns)}"
            raise UserError(f"{path}, line {line}: it has {counts}: quote the commas.")
        if any(cell.strip() for cell in cells):
            rows.append(Row(line, dict(zip(columns, [*cells, *[""] * len(columns)], strict=False))))
    _check_rows(path, rows, known)
    return Sheet(path, columns, tuple(rows))


def _lines(path: Path) -> list[tuple[int, list[str]]]:
    """The rows of a file, each with the line that it begins on; some spreadsheets put semicolons between cells."""
    csv.field_size_limit(LARGEST_CELL)
    found, line = [], 1
    try:
        text = path.read_bytes().decode("utf-8-sig")
        header = text.partition("\n")[0]
        reader = csv.reader(
            io.StringIO(text, newline=""), delimiter=max(",;\t", key=header.count), strict=True)
        for cells in reader:
            found.append((line, [unguarded(cell) for cell in cells]))
            line = reader.line_num + 1
    except OSError as error:
        why = f"{path} can't be read ({error.strerror})"
        raise UserError(f"{why}: give a file of labels, or make one with --export.") from None
    except UnicodeDecodeError:
        raise UserError(f"{path} is no text in UTF-8: save it as \"CSV UTF-8\".") from None
    except csv.Error as error:
        raise UserError(f"{path}, line {line}: it is no CSV ({error}): mend the quotes there.") from None
    return found


def _check_columns(path: Path, columns: Sequence[str]) -> None:
    missing = [name for name in NEEDED if name not in columns]
    if missing:
        raise UserError(f"{path}, line 1: there is no column {missing[0]!r}: it needs {', '.join(NEEDED)}.")
    double = [name for name in columns if columns.count(name) > 1]
    if double:
        raise UserError(f"{path}, line 1: the column {double[0]!r} is there twice: remove or rename one of them.")


def _check_rows(path: Path, rows: Sequence[Row], known: Collection[str]) -> None:
    lines: dict[str, int] = {}
    for row in rows:
        record, where = row.cells["id"], f"{path}, line {row.line}"
        if record not in known:
            what = f"the build has no candidate {record!r}"
            raise UserError(f"{where}: {what}: remove the row, or give the build that the file was made from.")
        if record in lines:
            raise UserError(f"{where}: {record} stands in line {lines[record]} already: remove one of the rows.")
        lines[record] = row.line
        for column in LABELS:
            if row.cells[column].strip() and not row.label(column):
                what = f"{column} is {row.cells[column]!r}"
                raise UserError(f"{where}: {what}: write {_CURES[column]}, or leave it empty.")


@dataclass(frozen=True)
class Exported:
    """What an export did: the rows that the file has now, those that are new in it, those with a label."""

    file: str
    rows: int
    added: int
    labelled: int


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


def export(path: Path, drawn: Sequence[Subject], known: Collection[str]) -> Exported:
    """Write a sample to label; rows that the file has already stay as they are, and new ones follow them."""
    old = read_sheet(path, known) if path.exists() else Sheet(path, COLUMNS, ())
    there = {row.cells["id"] for row in old.rows}
    new = [Row(0, asdict(one)) for one in drawn if one.id not in there]
    columns = (*old.columns, *(column for column in COLUMNS if column not in old.columns))
    sheet = Sheet(path, columns, (*_filled(old.rows, drawn), *new))
    sheet.save()
    labelled = sum(any(row.label(column) for column in LABELS) for row in sheet.rows)
    return Exported(str(path), len(sheet.rows), len(new), labelled)


def _filled(rows: Sequence[Row], drawn: Sequence[Subject]) -> list[Row]:
    """Rows with what they lack of the facts about their candidates."""
    facts = {one.id: asdict(one) for one in drawn}
    written = [(row.line, {column: cell for column, cell in row.cells.items() if cell}) for row in rows]
    return [Row(line, {**facts.get(cells["id"], {}), **cells}) for line, cells in written]
