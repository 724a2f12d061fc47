"""Reading the expectations in tests/cases/python, and what the scope graph says in the same words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline.classify.graph import Reference, Status
from pipeline.classify.libraries import load
from pipeline.classify.module import Module, read_module
from pipeline.classify.origins import dotted_name
from pipeline.classify.rules import Classification, classify
from pipeline.languages.python.language import PYTHON
from pipeline.languages.scoping import Unit

ROOT = Path(__file__).parents[3]
CASES = ROOT / "tests" / "cases" / "python"
LIBRARIES = load(ROOT / "data" / "libraries.toml")
OWN = frozenset({"ownpackage"})
_EXPECTATION = re.compile(r"\s*#\s*(\^)\s*(defined|builtin|implicit|unsure|nothing|library|class|imports)\b:?\s*(.*?)\s*$")


@dataclass(frozen=True)
class Expectation:
    """A claim about a place; `line` is that of the claim, `offset` the place in the file (in bytes)."""

    file: str
    line: int
    offset: int
    claim: str
    value: str


def expectations(path: Path) -> Iterator[Expectation]:
    """The claims of a file."""
    offset = start = 0
    for number, line in enumerate(path.read_text("utf-8").split("\n"), 1):
        found = _EXPECTATION.match(line)
        if found:
            place = start + len(line[:found.start(1)].encode())
            yield Expectation(path.stem, number, place, found[2], found[3])
        else:
            start = offset
        offset += len(line.encode()) + 1


def said(module: Module, expectation: Expectation) -> str:
    """What is said of the place that a claim is about, in the words of the claim."""
    if expectation.claim in ("class", "imports"):
        return _said_of_function(module, expectation)
    found = [r for r in module.graph.references if r.position == expectation.offset]
    if not found:
        return "nothing"
    return _said_of_name(module, found[-1], expectation.claim)


def _said_of_name(module: Module, reference: Reference, claim: str) -> str:
    graph = module.graph
    binding = graph.resolve(reference)
    if claim == "library":
        return f"library: {dotted_name(graph, reference)}"
    if binding.status is Status.UNRESOLVED:
        return "defined: "
    if binding.status is not Status.BOUND:
        return binding.status.value
    lines = sorted({graph.line(graph.definitions[i].position) for i in binding.definitions})
    return f"defined: {', '.join(map(str, lines))}"


def _said_of_function(module: Module, expectation: Expectation) -> str:
    found = _function_around(module, expectation.offset)
    if found is None:
        return "no function here"
    result = classify(module, found, LIBRARIES, OWN)
    return f"imports: {'; '.join(result.imports)}" if expectation.claim == "imports" else f"class: {_label(result)}"


def _function_around(module: Module, offset: int) -> Unit | None:
    """The function on whose first line (`def`) an offset is."""
    graph = module.graph
    line = graph.line(offset)
    for unit in module.reading.units:
        if graph.line(graph.definitions[unit.definition].position) == line:
            return unit
    return None


def _label(result: Classification) -> str:
    if result.reason is None:
        return f"{result.label} {', '.join(result.libraries)}".strip()
    names = sorted({o.name for o in result.obstacles if o.reason is result.reason})
    return f"{result.reason.name} {', '.join(names)}"


def wanted(expectation: Expectation) -> str:
    """The claim, as `said` would put it."""
    if expectation.claim in ("builtin", "implicit", "unsure", "nothing"):
        return expectation.claim
    return f"{expectation.claim}: {expectation.value}"


def module_of(path: Path) -> Module:
    """The scope graph of a case file."""
    return read_module(path.read_text("utf-8"), PYTHON.naming)
