"""Labelling in a terminal: one record after the other, each answer kept before the next question."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

import click

from harness.errors import UserError
from harness.telling import printable, say
from pipeline.agreement.labels import CANDIDATES
from pipeline.sheets import Form, Row, Sheet, read_sheet

CRITERIA = """\
A function is suitable if all of this is true:
  its arguments can be plain values (numbers, texts, dates, lists, dictionaries, ...);
  a programmer has to think to write it;
  its answer depends on the arguments alone, and nothing else changes;
  it can be written from a good description, without knowing its project;
  inputs that reach its interesting parts can be generated.
Easy is short and straight; Medium has conditions that depend on each other, nested data, or a known simple algorithm;
Hard has recursion over nested data, an algorithm to be found, or logic in which a small slip changes the answer."""



@dataclass(frozen=True)
class Question:
    """What is asked about a column: the words, an answer for each letter, those after which nothing else is asked."""

    column: str
    words: str
    letters: Mapping[str, str]
    last: Collection[str] = ()


@dataclass(frozen=True)
class Way:
    """How the rows of a form are labelled: what is told first, columns of a row's title, those that are shown in full,
    with their titles, and the questions.
    """

    form: Form
    criteria: str
    title: tuple[str, ...]
    shown: Mapping[str, str]
    questions: tuple[Question, ...]

    def open(self, row: Row) -> Question | None:
        """The first question that is not answered, None where no answer is missing."""
        for question in self.questions:
            label = row.label(question.column)
            if not label:
                return question
            if label in question.last:
                return None
        return None


OF_CANDIDATES = Way(CANDIDATES, CRITERIA, ("name", "project", "track"), {"code": ""}, (
    Question("suitable", "Suitable: (y)es, (n)o, (s)kip, (q)uit", {"y": "yes", "n": "no"}, ("no",)),
    Question("difficulty", "Difficulty: (e)asy, (m)edium, (h)ard, (s)kip, (q)uit",
             {"e": "Easy", "m": "Medium", "h": "Hard"}),
))  # fmt: skip


class _Quit(Exception):
    """No more questions."""


@dataclass(frozen=True)
class Labelled:
    """How far a file is: the records in it, and those that are done."""

    file: str
    rows: int
    done: int


@dataclass(frozen=True)
class Labelling:
    """A file that is being labelled; `quiet` keeps standard output free, for a program that reads it."""

    path: Path
    known: Collection[str]
    quiet: bool = False
    way: Way = OF_CANDIDATES

    def run(self) -> Labelled:
        """Ask for whatever is open, until nothing is or somebody quits; run again, it goes on there."""
        sheet = self._read()
        for column in self.way.shown:
            if column not in sheet.columns:
                raise UserError(
                    f"{self.path} has no column {column!r} to show: run --export to the same file, which adds it.")
        waiting = [(place, row) for place, row in enumerate(sheet.rows, 1) if self.way.open(row)]
        if waiting:
            self._say(self.way.criteria)
        try:
            for place, row in waiting:
                self._ask_about(row, f"{place} of {len(sheet.rows)}")
        except (_Quit, click.Abort):
            self._say("")
        rows = self._read().rows
        return Labelled(str(self.path), len(rows), sum(self.way.open(row) is None for row in rows))

    def _read(self) -> Sheet:
        return read_sheet(self.path, self.known, self.way.form)

    def _ask_about(self, row: Row, place: str) -> None:
        """Ask what is open about a record."""
        title = "  ".join(row.cells.get(column, "") for column in self.way.title)
        self._say(f"\n--- {place}: {printable(title)}\n")
        for column, above in self.way.shown.items():
            lines = [*([above] if above else []), *map(printable, row.cells[column].splitlines())]
            self._say("\n".join(lines) + "\n")
        while question := self.way.open(row):
            answer = self._choice(row, question)
            if not answer and question is self.way.questions[0]:
                return
            if not answer:
                break
            row = Row(row.form, row.line, {**row.cells, question.column: answer})
        self._note(row)

    def _choice(self, row: Row, question: Question) -> str:
        """The answer, which is in the file then; "" for one that is skipped."""
        kind = click.Choice([*question.letters, "s", "q"], case_sensitive=False)
        letter = click.prompt(question.words, type=kind, show_choices=False, err=self.quiet)
        if letter == "q":
            raise _Quit
        answer = question.letters.get(letter, "")
        if answer:
            self._keep(row, question.column, answer)
        return answer

    def _note(self, row: Row) -> None:
        if row.cells.get("note"):
            return
        note = click.prompt("Note (Enter for none)", default="", show_default=False, err=self.quiet)
        if note.strip():
            self._keep(row, "note", note.strip())

    def _keep(self, row: Row, column: str, text: str) -> None:
        """Write an answer into the file as it is now, which somebody else may have open too."""
        self._read().with_cells(row.cells["id"], {column: text}).save()

    def _say(self, text: str) -> None:
        say(text, err=self.quiet)
