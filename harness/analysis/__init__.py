"""Analyses of results: each module has an `analyse(results) -> Table`, or a record that gives its table.

Results come from files or from a store. What a table says, `harness.report.tables` writes for people and programs.
"""

from __future__ import annotations

from dataclasses import dataclass

from harness.scoring.metrics import Interval


@dataclass(frozen=True)
class Share:
    """A share of 1."""

    of_one: float


Cell = str | int | float | Share | Interval
"""What may stand in a table."""


@dataclass(frozen=True)
class Table:
    """Named columns, and rows of as many cells."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
