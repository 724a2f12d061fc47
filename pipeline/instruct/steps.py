"""Instructions with steps of the body in their order: those that the text leaves open, or all of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pipeline.config import InstructConfig
from pipeline.instruct import Draft
from pipeline.instruct.constants import constants, untold_constants
from pipeline.instruct.decisions import caught_source
from pipeline.instruct.notes import step_notes, type_notes
from pipeline.instruct.outline import Line, excerpt, outline
from pipeline.instruct.rules import assembled, bare, basis
from pipeline.instruct.told import (
    View,
    exceptions_are_explained,
    options_are_told,
    untold_decisions,
    untold_named_operations,
)
from pipeline.instruct.uses import FORMULA, named
from pipeline.instruct.vocabulary import operations_found
from pipeline.instruct.wording import arithmetic_is_bounded, errors_are_caught_narrowly
from pipeline.languages.python_facts import Facts, read_facts
from pipeline.records import Suite

MAX_SHARE = 0.75
"""The share of all steps above which an excerpt says no less than all of them."""


@dataclass(frozen=True)
class ExcerptWriter:
    """Adds to the author's text the steps that it leaves open, in their order, with what stands around them."""

    config: InstructConfig
    name: str = "excerpt-1"

    def write(self, suite: Suite, facts: Facts | None = None) -> Draft:
        """The stub of the suite's function with the refined docstring; without steps where nearly all are open."""
        facts = facts or read_facts(suite.candidate.program, suite.candidate.function.name)
        draft = basis(suite, facts, self.config)
        lines = outline(facts)
        given = {parameter.name for parameter in facts.parameters}
        part = excerpt(lines, _open_places(View(facts, suite, draft, self.config)), given)
        if not part or len(part) > MAX_SHARE * len(lines):
            return assembled(draft, type_notes(suite, facts) + draft.behaviour)
        told = draft.told | _told_by(part, lines, facts)
        steps = shown("Some of the steps, in their order:", part)
        notes = type_notes(suite, facts) + draft.behaviour
        return assembled(replace(draft, behaviour=draft.behaviour + _texts(part), told=told), notes, steps)


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
        behaviour = step_notes(suite, facts, "\n".join(_texts(lines)))
        draft = replace(bare(suite, facts, self.config), author=author, behaviour=behaviour, outline=_texts(lines))
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


def _open_places(view: View) -> Iterator[ast.AST]:
    """The parts of the body that neither the author nor a note tells."""
    values = {repr(constant.value) for constant in untold_constants(view.facts, view.texts)}
    yield from (constant.node for constant in constants(view.facts) if repr(constant.value) in values)
    sources = {decision.source for decision in untold_decisions(view)}
    missing = set(untold_named_operations(view))
    yield from (place for operation, places in operations_found(view.facts) if operation.name in missing
                for place in places)
    formulas, options = bool(arithmetic_is_bounded(view)), bool(options_are_told(view))
    broad, raising = bool(errors_are_caught_narrowly(view)), bool(exceptions_are_explained(view))
    for node in view.facts.nodes:
        wanted = formulas and isinstance(node, (ast.BinOp, ast.AugAssign))
        wanted = wanted or (options and isinstance(node, ast.Call) and bool(node.keywords))
        wanted = wanted or (raising and isinstance(node, ast.Raise))
        if wanted or (isinstance(node, ast.expr) and ast.unparse(node) in sources):
            yield node
        if isinstance(node, ast.Try) and (broad or any(caught_source(each) in sources for each in node.handlers)):
            yield from (handler.type for handler in node.handlers if handler.type is not None)


def _told_by(part: tuple[Line, ...], lines: tuple[Line, ...], facts: Facts) -> frozenset[str]:
    """What lines tell, as the gate names it: constants, conditions by their source, operations, formulas."""
    places = {id(node) for line in part for node in line.nodes}
    told = {ast.unparse(node) for line in part for node in line.nodes if isinstance(node, ast.expr)}
    left_out = {repr(constant.value) for constant in constants(facts) if id(constant.node) not in places}
    told |= {named(repr(constant.value)) for constant in constants(facts) if repr(constant.value) not in left_out}
    told |= {caught_source(handler) for node in facts.nodes if isinstance(node, ast.Try) for handler in node.handlers
             if id(handler.type) in places}
    told |= {operation.name for operation, found in operations_found(facts) if {id(each) for each in found} <= places}
    formulas = {id(node) for line in lines for node in line.nodes if isinstance(node, (ast.BinOp, ast.AugAssign))}
    return frozenset(told | ({FORMULA} if formulas <= places else set()))
