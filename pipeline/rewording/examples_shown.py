"""Which cases the examples of an instruction show, and which further ones could be shown, the most telling first."""

from __future__ import annotations

import ast
import doctest
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from harness.records import Case, Task
from harness.values import NotDecodable, canonical, decode
from harness.values.expressions import Names, NotShowable
from pipeline.instruct.examples.cases import as_doctest, call, given, is_bare, type_name
from pipeline.rewording.parts import Kind, Part, Parts

LONGEST, MOST = 300, 1000
"""Characters of an example that is added, and of one where there are too few of these."""
ENOUGH = 10


@dataclass(frozen=True)
class Further:
    """A case as a doctest."""

    number: int
    text: str


@dataclass(frozen=True)
class Shown:
    """The examples of a question, each with the numbers of the cases that it shows."""

    task: Task
    parts: Parts
    blocks: tuple[tuple[Part, tuple[int, ...]], ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        """All cases that are shown, in order."""
        return tuple(sorted({number for _, numbers in self.blocks for number in numbers}))

    @cached_property
    def further(self) -> tuple[Further, ...]:
        """Cases that are not shown yet and can be: each teaches the most beyond those before it."""
        names = Names.of(self.task.imports)
        known = Names.of(_imports(self.parts))
        features = {number: _features(case) for number, case in enumerate(self.task.cases)}
        seen = frozenset[str]().union(*(features[number] for number in self.numbers))
        readable = [one for one in _readable(self.task, names, known) if one.number not in self.numbers]
        short = [one for one in readable if len(one.text) <= LONGEST]
        rest = {one.number: one for one in (short if len(short) >= ENOUGH else readable)}
        chosen: list[Further] = []
        while rest:
            best = max(rest.values(), key=lambda one: (len(features[one.number] - seen), -len(one.text), -one.number))
            chosen.append(rest.pop(best.number))
            seen |= features[best.number]
            if not any(features[number] - seen for number in rest):
                break
        return (*chosen, *sorted(rest.values(), key=lambda one: (_ease(one), one.number)))


def shown_examples(task: Task, parts: Parts) -> Shown:
    """The examples of a task's instruction."""
    examples = parts.of(Kind.EXAMPLE)
    raw = any(one.text.lower().startswith("r") for one in parts.of(Kind.QUOTE)[:1])
    texts = [part.text if raw else part.text.replace("\\\\", "\\") for part in examples]
    asked = [(part, list(_calls(text, task.entry_point))) for part, text in zip(examples, texts, strict=True)]
    by_call = _by_call(task) if any(calls for _, calls in asked) else {}
    blocks = tuple((part, tuple(by_call[one] for one in calls if one in by_call)) for part, calls in asked)
    return Shown(task, parts, blocks)


def _by_call(task: Task) -> dict[str, int]:
    """The numbers of the cases by their calls, in one spelling."""
    names, found = Names.of(task.imports), dict[str, int]()
    for number, case in enumerate(task.cases):
        try:
            text = call(task.entry_point, case, names)
        except (NotShowable, NotDecodable, RecursionError):
            continue
        found.setdefault(_spelled(text), number)
    return found


def _spelled(text: str) -> str:
    try:
        return ast.unparse(ast.parse(text, mode="eval"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text


def _calls(text: str, name: str) -> Iterator[str]:
    """The calls of a function in doctests, in one spelling."""
    try:
        examples = doctest.DocTestParser().get_examples(textwrap.dedent(text))
        trees = [ast.parse(one.source) for one in examples]
    except (ValueError, SyntaxError):
        return
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            yield ast.unparse(node)


def _imports(parts: Parts) -> list[str]:
    """The import lines that a reader of an instruction sees, those among its examples included."""
    lines = [line for one in parts.of(Kind.IMPORTS) for line in one.text.splitlines()]
    lines += [
        line.strip().removeprefix(">>>").strip() for one in parts.of(Kind.EXAMPLE) for line in one.text.splitlines()
        if line.strip().startswith((">>> import", ">>> from"))]
    return [line for line in lines if line.startswith(("import ", "from "))]


def _readable(task: Task, names: Names, known: Names) -> Iterator[Further]:
    for number, case in enumerate(task.cases):
        try:
            text, expressions = as_doctest(task.entry_point, case, names)
        except (NotShowable, NotDecodable, RecursionError):
            continue
        plain = text.replace("\n", "").isprintable() and '"""' not in text
        if len(text) <= MOST and plain and not known.missing(expressions):
            yield Further(number, text)


def _features(case: Case) -> frozenset[str]:
    """What a case shows: the kinds of its arguments and of its answer."""
    found = set()
    for place, argument in enumerate(given(case)):
        value = decode(argument)
        found.add(f"{place} {type_name(value)} {is_bare(argument)}")
    if case.expected.kind == "raised":
        return frozenset({*found, f"raises {case.expected.exception} {case.expected.message[:20]}"})
    value = decode(case.expected.value)
    short = isinstance(value, (bool, type(None))) or is_bare(case.expected.value)
    return frozenset({*found, f"gives {type_name(value)} {canonical(case.expected.value) if short else ''}"})


def _ease(one: Further) -> float:
    """How far an example is from the length that reads well."""
    return abs(len(one.text) - 80)
