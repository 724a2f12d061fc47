"""Instructions that tell all steps of the body in their order."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from pipeline.config import InstructConfig
from pipeline.instruct import Draft
from pipeline.instruct.notes import step_notes, type_notes
from pipeline.instruct.outline import Line, outline
from pipeline.instruct.rules import assembled, bare
from pipeline.languages.python.facts import Facts, read_facts
from pipeline.records import Suite


@dataclass(frozen=True)
class StepWriter:
    """Tells the whole body step by step below the author's text, or below the name where there is none.

    For what fewer words don't tell. The draft's `outline` is empty where words don't reach all of the body.
    """

    config: InstructConfig
    name: str = "steps-1"

    def write(self, suite: Suite, facts: Facts | None = None) -> Draft:
        """The stub of the suite's function with the refined docstring."""
        facts = facts or read_facts(suite.candidate.program, suite.candidate.function.name)
        lines = outline(facts)
        author = facts.description.text if facts.description else ""
        steps = _texts(lines)
        behaviour = step_notes(suite, facts, "\n".join(steps))
        draft = bare(suite, facts, self.config, "\n".join(steps))
        draft = replace(draft, author=author, behaviour=behaviour, outline=steps)
        head = "Step by step:" if author.strip() else f"{_title(facts.function.name)}, step by step:"
        return assembled(draft, type_notes(suite, facts) + behaviour, shown(head, lines))


def shown(head: str, lines: Iterable[Line]) -> str:
    """Lines as a nested list below a head."""
    return "\n".join((head, *(f"{'    ' * (line.level + 1)}- {line.text}" for line in lines)))


def _texts(lines: Iterable[Line]) -> tuple[str, ...]:
    return tuple(line.text for line in lines)


def _title(name: str) -> str:
    """A function's name as the beginning of a sentence."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ").strip()
    return words[:1].upper() + words[1:]
