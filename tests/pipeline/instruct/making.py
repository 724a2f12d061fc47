"""Drafts and views for tests, from a program's text and inputs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from harness.records import Measures
from pipeline.config import InstructConfig
from pipeline.instruct.drafts import Draft, View
from pipeline.instruct.writers.author import AuthorWriter
from pipeline.languages.python.facts import Facts, read_facts
from pipeline.records import Suite
from tests.pipeline.making import suite

MEASURES = Measures(5, 3, 1, 4)
Inputs = list[tuple[Any, ...]]


def facts_of(made: Suite) -> Facts:
    return read_facts(made.candidate.program, made.candidate.function.name)


def drafted(made: Suite, **config: int) -> Draft:
    """What the author's writer makes of a suite."""
    return AuthorWriter(InstructConfig(**config)).write(made, facts_of(made))


def view_of(program: str, inputs: Inputs, measures: Measures = MEASURES) -> View:
    """What the checks look at when the author writes."""
    made = suite(program, inputs)
    made = replace(made, candidate=replace(made.candidate, measures=measures))
    return View(facts_of(made), made, drafted(made), InstructConfig())


def documented(doc: str, body: str, signature: str = "text, limit", name: str = "slug") -> str:
    """A function with a docstring and a body whose lines are not yet indented."""
    return f'def {name}({signature}):\n    """{doc}"""\n' + "".join(f"    {line}\n" for line in body.split("\n"))
