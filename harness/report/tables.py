"""Tables of analyses, for people, for programs, and for spreadsheets."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict
from typing import Any

from harness.analysis import Cell, Share, Table
from harness.report.layout import interval, percent, table
from harness.scoring.metrics import Interval


def as_text(given: Table) -> list[str]:
    """Lines of cells, shares as percentages."""
    return table([given.columns, *([_told(cell) for cell in row] for row in given.rows)])


def as_json(given: Table) -> str:
    """One object for each row, with full precision."""
    return json.dumps([dict(zip(given.columns, map(_plain, row), strict=True)) for row in given.rows])


def as_csv(given: Table) -> str:
    """Lines with commas; an interval is its two ends."""
    written = io.StringIO()
    out = csv.writer(written, lineterminator="\n")
    out.writerow([part for name, cell in zip(given.columns, _first(given), strict=True) for part in _heads(name, cell)])
    out.writerows([part for cell in row for part in _ends(cell)] for row in given.rows)
    return written.getvalue()


def as_latex(given: Table) -> str:
    """A tabular with a column for each of the table's, the first ones that hold texts aligned to the left."""
    texts = [isinstance(cell, str) for cell in _first(given)]
    aligned = "".join("l" if is_text else "r" for is_text in texts)
    rows = [given.columns, *(tuple(map(_told, row)) for row in given.rows)]
    lines = [" & ".join(map(_escaped, row)) + r" \\" for row in rows]
    return "\n".join([rf"\begin{{tabular}}{{{aligned}}}", r"\hline", lines[0], r"\hline", *lines[1:], r"\hline",
                      r"\end{tabular}", ""])


def _escaped(text: str) -> str:
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return "".join(special.get(one) or (f"\\{one}" if one in "&%$#_{}" else one) for one in text)


def _first(given: Table) -> tuple[Cell, ...]:
    return given.rows[0] if given.rows else ("",) * len(given.columns)


def _heads(name: str, cell: Cell) -> list[str]:
    return [f"{name} low", f"{name} high"] if isinstance(cell, Interval) else [name]


def _ends(cell: Cell) -> list[Any]:
    if isinstance(cell, Interval):
        return [cell.low, cell.high]
    return [_plain(cell)]


def _told(cell: Cell) -> str:
    if isinstance(cell, Share):
        return percent(cell.of_one)
    return interval(cell) if isinstance(cell, Interval) else str(cell)


def _plain(cell: Cell) -> Any:
    if isinstance(cell, Share):
        return cell.of_one
    return asdict(cell) if isinstance(cell, Interval) else cell
