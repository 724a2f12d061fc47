"""A task's question while it is put otherwise: its parts, words and names, and what a strategy makes of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Protocol

from harness.records import Edit, Frame, Task
from pipeline.config import VaryConfig
from pipeline.records import Reason
from pipeline.rewording.examples_shown import Shown, shown_examples
from pipeline.rewording.parts import Parts, parts_of
from pipeline.rewording.protected import Word, literal_words, signature_names, words_of
from pipeline.rewording.words import reserved
from pipeline.stage import seed_of
from pipeline.transforms.preserving.draft import identifiers

SAME, MORE, LESS = "same", "more", "less"
"""What a variant tells against the first question."""
CONSTRUCTION, RULES, UNCHECKED = "construction", "rules", "unchecked"
"""What shows that a variant asks for the same."""


class Nothing(Exception):
    """A strategy that makes nothing of a task: one of the reasons, and a sentence."""

    def __init__(self, reason: Reason, why: str) -> None:
        super().__init__(why)
        self.reason = reason


@dataclass(frozen=True)
class Draft:
    """What a strategy makes of a question: changes of its text, and what they mean.

    `entry_point`, `signature` and `reference` are "" where they are the first ones; `shown` are the cases that the
    examples show, None where these are the first ones.
    """

    edits: tuple[Edit, ...] = ()
    information: str = SAME
    meaning: str = CONSTRUCTION
    rate: float = 0.0
    entry_point: str = ""
    signature: str = ""
    reference: str = ""
    renames: Mapping[str, str] = field(default_factory=dict)
    shown: tuple[int, ...] | None = None
    author: str = "rules"


class Writer(Protocol):
    """Who puts descriptions otherwise where rules are not all there is."""

    def paraphrases(self, question: Question) -> Iterator[Draft]:
        """The description in other words."""
        ...

    def summaries(self, question: Question) -> Iterator[Draft]:
        """The description as an outline."""
        ...

    def roundtrips(self, question: Question) -> Iterator[Draft]:
        """The description as it comes back from other languages."""
        ...


@dataclass(frozen=True)
class Question:
    """A task whose question is put otherwise; `room` is how many further cases may be shown.

    What `writer` gives comes before what rules give.
    """

    task: Task
    config: VaryConfig
    writer: Writer | None = None

    @property
    def text(self) -> str:
        """The instruction."""
        return self.task.instruction

    @cached_property
    def parts(self) -> Parts:
        """The parts of the instruction."""
        return parts_of(self.text)

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """All words of its prose."""
        return words_of(self.parts, literal_words(self.task.program))

    @cached_property
    def changing(self) -> tuple[Word, ...]:
        """Those that may be others."""
        return tuple(word for word in self.words if word.changes)

    @cached_property
    def function(self) -> ast.FunctionDef | None:
        """The function that is asked for, by its signature; None where that can't be read."""
        try:
            node = ast.parse(f"{self.task.signature.rstrip().rstrip(':')}: ...").body[-1]
        except (SyntaxError, ValueError, IndexError):
            return None
        return node if isinstance(node, ast.FunctionDef) else None

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters, in order."""
        if self.function is None:
            return ()
        given = self.function.args
        every = [*given.posonlyargs, *given.args, given.vararg, *given.kwonlyargs, given.kwarg]
        return tuple(one.arg for one in every if one is not None)

    @cached_property
    def taken(self) -> frozenset[str]:
        """Names that a new one must not be: of the program, of the question, of arguments by keyword, of Python."""
        frame = self.task.given or Frame()
        program = ast.parse(frame.before + self.task.reference + frame.after)
        attributes = {node.attr for node in ast.walk(program) if isinstance(node, ast.Attribute)}
        passed = {name for case in self.task.cases for name in case.kwargs}
        return frozenset({*identifiers(program), *attributes, *passed, *signature_names(self.parts), *reserved()})

    @cached_property
    def examples(self) -> Shown:
        """What the examples of the question show, and what further ones could."""
        return shown_examples(self.task, self.parts)

    @cached_property
    def shown(self) -> tuple[int, ...]:
        """The numbers of the cases that its examples show."""
        return self.examples.numbers

    @cached_property
    def room(self) -> int:
        """How many further cases may be shown, so that half of all are left to score."""
        count = len(self.task.cases)
        return max(0, count - (count + 1) // 2 - len(self.shown))

    def random(self, strategy: str, number: int) -> Random:
        """What a strategy draws with, for one of its variants."""
        return Random(seed_of(self.config.seed, "reword", self.task.task_id, strategy, str(number)))


class Strategy(Protocol):
    """A way to put questions otherwise."""

    @property
    def name(self) -> str:
        """What settings and rows call it."""
        ...

    def drafts(self, question: Question) -> Iterator[Draft]:
        """What it makes of a question, in order and without end in view; raises `Nothing` where it makes nothing."""
        ...
