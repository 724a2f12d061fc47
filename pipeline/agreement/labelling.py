"""Labelling in a terminal: one candidate after the other, each answer kept before the next question."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

import click

from harness.errors import UserError
from harness.telling import printable, say
from pipeline.agreement.labels import Row, read_sheet

CRITERIA = """\
A function is suitable if all of this is true:
  its arguments can be plain values (numbers, texts, dates, lists, dictionaries, ...);
  a programmer has to think to write it;
  its answer depends on the arguments alone, and nothing else changes;
  it can be written from a good description, without knowing its project;
  inputs that reach its interesting parts can be generated.
Easy is short and straight; Medium has conditions that depend on each other, nested data, or a known simple algorithm;
Hard has recursion over nested data, an algorithm to be found, or logic in which a small slip changes the answer."""

_SUITABLE = {"y": "yes", "n": "no"}
_DIFFICULTY = {"e": "Easy", "m": "Medium", "h": "Hard"}


class _Quit(Exception):
    """No more questions."""


@dataclass(frozen=True)
class Labelled:
    """How far a file is: the candidates in it, and those that are done."""

    file: str
    rows: int
    done: int


@dataclass(frozen=True)
class Labelling:
    """A file that is being labelled; `quiet` keeps standard output free, for a program that reads it."""

    path: Path
    known: Collection[str]
    quiet: bool = False

    def run(self) -> Labelled:
        """Ask for whatever is open, until nothing is or somebody quits; run again, it goes on there."""
        sheet = read_sheet(self.path, self.known)
        if "code" not in sheet.columns:
            raise UserError(f"{self.path} has no column 'code' to show: run --export to the same file, which adds it.")
        waiting = [(place, row) for place, row in enumerate(sheet.rows, 1) if not _is_done(row)]
        if waiting:
            self._say(CRITERIA)
        try:
            for place, row in waiting:
                self._ask_about(row, f"{place} of {len(sheet.rows)}")
        except (_Quit, click.Abort):
            self._say("")
        rows = read_sheet(self.path, self.known).rows
        return Labelled(str(self.path), len(rows), sum(map(_is_done, rows)))

    def _ask_about(self, row: Row, place: str) -> None:
        """Ask what is open about a candidate."""
        title = "  ".join(row.cells.get(column, "") for column in ("name", "project", "track"))
        self._say(f"\n--- {place}: {printable(title)}\n")
        self._say("\n".join(printable(line) for line in row.cells["code"].splitlines()) + "\n")
        suitable = row.label("suitable") or self._choice(
            row, "suitable", "Suitable: (y)es, (n)o, (s)kip, (q)uit", _SUITABLE)
        if not suitable:
            return
        if suitable == "yes" and not row.label("difficulty"):
            self._choice(row, "difficulty", "Difficulty: (e)asy, (m)edium, (h)ard, (s)kip, (q)uit", _DIFFICULTY)
        self._note(row)

    def _choice(self, row: Row, column: str, question: str, answers: Mapping[str, str]) -> str:
        """The answer, which is in the file then; "" for a candidate that is skipped."""
        kind = click.Choice([*answers, "s", "q"], case_sensitive=False)
        letter = click.prompt(question, type=kind, show_choices=False, err=self.quiet)
        if letter == "q":
            raise _Quit
        if letter in answers:
            self._keep(row, column, answers[letter])
        return answers.get(letter, "")

    def _note(self, row: Row) -> None:
        if row.cells.get("note"):
            return
        note = click.prompt("Note (Enter for none)", default="", show_default=False, err=self.quiet)
        if note.strip():
            self._keep(row, "note", note.strip())

    def _keep(self, row: Row, column: str, text: str) -> None:
        """Write an answer into the file as it is now, which somebody else may have open too."""
        read_sheet(self.path, self.known).with_cells(row.cells["id"], {column: text}).save()

    def _say(self, text: str) -> None:
        say(text, err=self.quiet)


def _is_done(row: Row) -> bool:
    return row.label("suitable") == "no" or bool(row.label("suitable") and row.label("difficulty"))
