"""The author as a writer: the docstring as it is, with what analysis knows of the interface below it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pipeline.config import InstructConfig
from pipeline.instruct.drafts import Draft, frame
from pipeline.instruct.writers.notes import interface_notes, type_notes
from pipeline.languages.python.facts import Facts
from pipeline.records import Suite


@dataclass(frozen=True)
class AuthorWriter:
    """Keeps the author's text and adds facts that all cases bear out; nothing of how the body works is told."""

    config: InstructConfig
    name: str = "author-1"

    def write(self, suite: Suite, facts: Facts) -> Draft:
        """The stub of the suite's function with the docstring and the facts."""
        prose = facts.description.text if facts.description else ""
        types, notes = tuple(type_notes(suite, facts)), tuple(interface_notes(suite, facts))
        return replace(frame(suite, facts, self.config), prose=prose, types=types, notes=notes)
