"""Sheets: CSV files that people fill in, safe in spreadsheets; nothing that is written is lost."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harness.errors import UserError
from pipeline import store

LARGEST_CELL = 10_000_000
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
class Label:
    """A column that people fill in: what may be written there, in small letters, by the one spelling of each; `cure`
    says so in words.
    """

    column: str
    spellings: Mapping[str, Sequence[str]]
    cure: str

    def of(self, written: str) -> str:
        """The label in its one spelling, "" where there is none."""
        small = written.strip().lower()
        return next((label for label, ways in self.spellings.items() if small in ways), "")


@dataclass(frozen=True)
class Form:
    """What a sheet has: columns with `facts`, and labels; whose rows they are, and where these come from, in words."""

    facts: tuple[str, ...]
    labels: tuple[Label, ...]
    record: str
    source: str

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of the labels."""
        return tuple(label.column for label in self.labels)

    def label(self, column: str) -> Label:
        """The label of a column."""
        return next(label for label in self.labels if label.column == column)

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns, in their order."""
        return (*self.facts, *self.names, "note")

    @property
    def needed(self) -> tuple[str, ...]:
        """The columns that a file can't do without."""
        return ("id", *self.names)


@dataclass(frozen=True)
class Row:
    """A row of a file: the form that it fills in, the line that it begins on, and its cells by column."""

    form: Form
    line: int
    cells: Mapping[str, str]

    def label(self, column: str) -> str:
        """The label in its one spelling, "" where there is none."""
        return self.form.label(column).of(self.cells.get(column, ""))


@dataclass(frozen=True)
class Sheet:
    """A file: its columns, further ones of its owner included, and its rows, in their order."""

    form: Form
    path: Path
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def with_cells(self, record: str, cells: Mapping[str, str]) -> Sheet:
        """The sheet with some cells of a row written."""
        rows = tuple(
            Row(self.form, row.line, {**row.cells, **cells}) if row.cells["id"] == record else row for row in self.rows)
        return Sheet(self.form, self.path, (*self.columns, *(c for c in cells if c not in self.columns)), rows)

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


def read_sheet(path: Path, known: Collection[str], form: Form) -> Sheet:
    """Read a file on records that are known; raises `UserError` for the first thing that is wrong."""
    numbered = _lines(path)
    if not numbered:
        raise UserError(f"{path} is empty: make it with --export.")
    columns = tuple(cell.strip() for cell in numbered[0][1])
    _check_columns(path, columns, form)
    rows = []
    for line, cells in numbered[1:]:
        if len(cells) > len(columns):
            counts = f"{len(cells)} cells, the header {len(columns)}"
            raise UserError(f"{path}, line {line}: it has {counts}: quote the commas.")
        if any(cell.strip() for cell in cells):
            rows.append(Row(form, line, dict(zip(columns, [*cells, *[""] * len(columns)], strict=False))))
    _check_rows(path, rows, known, form)
    return Sheet(form, path, columns, tuple(rows))


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


def _check_columns(path: Path, columns: Sequence[str], form: Form) -> None:
    missing = [name for name in form.needed if name not in columns]
    if missing:
        raise UserError(f"{path}, line 1: there is no column {missing[0]!r}: it needs {', '.join(form.needed)}.")
    double = [name for name in columns if columns.count(name) > 1]
    if double:
        raise UserError(f"{path}, line 1: the column {double[0]!r} is there twice: remove or rename one of them.")


def _check_rows(path: Path, rows: Sequence[Row], known: Collection[str], form: Form) -> None:
    lines: dict[str, int] = {}
    for row in rows:
        record, where = row.cells["id"], f"{path}, line {row.line}"
        if record not in known:
            what = f"the {form.source} has no {form.record} {record!r}"
            raise UserError(f"{where}: {what}: remove the row, or give the {form.source} that the file was made from.")
        if record in lines:
            raise UserError(f"{where}: {record} stands in line {lines[record]} already: remove one of the rows.")
        lines[record] = row.line
        for label in form.labels:
            written = row.cells[label.column]
            if written.strip() and not label.of(written):
                what = f"{label.column} is {written!r}"
                raise UserError(f"{where}: {what}: write {label.cure}, or leave it empty.")


@dataclass(frozen=True)
class Exported:
    """What an export did: the rows that the file has now, those that are new in it, those with a label."""

    file: str
    rows: int
    added: int
    labelled: int


def export(path: Path, drawn: Sequence[Any], known: Collection[str], form: Form) -> Exported:
    """Write records with an id to label; rows that the file has already stay as they are, and new ones follow them."""
    old = read_sheet(path, known, form) if path.exists() else Sheet(form, path, form.columns, ())
    there = {row.cells["id"] for row in old.rows}
    new = [Row(form, 0, asdict(one)) for one in drawn if one.id not in there]
    columns = (*old.columns, *(column for column in form.columns if column not in old.columns))
    sheet = Sheet(form, path, columns, (*_filled(old.rows, drawn), *new))
    sheet.save()
    labelled = sum(any(row.label(column) for column in form.names) for row in sheet.rows)
    return Exported(str(path), len(sheet.rows), len(new), labelled)


def _filled(rows: Sequence[Row], drawn: Sequence[Any]) -> list[Row]:
    """Rows with what they lack of the facts about their records."""
    facts = {one.id: asdict(one) for one in drawn}
    written = [(row, {column: cell for column, cell in row.cells.items() if cell}) for row in rows]
    return [Row(row.form, row.line, {**facts.get(cells["id"], {}), **cells}) for row, cells in written]
