"""Choosing cases that show a function: short ones that take many branches between them, as doctests."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from harness.records import Case
from harness.values import Iterated, NotDecodable, decode
from pipeline.config import InstructConfig
from pipeline.instruct.constants import constants
from pipeline.instruct.show import NotShowable, call, show, type_name
from pipeline.languages.python_facts import Facts
from pipeline.records import Suite

_ODD = re.compile(r"\\x|\\u|\\U|[^\x20-\x7e\n]|\d{8,}|e[+-]\d{2,}|\.\d{7,}")


@dataclass(frozen=True)
class Example:
    """A case as a doctest: what it shows (branches taken, kinds of answers), and how hard it is to read."""

    index: int
    text: str
    features: frozenset[str]
    cost: float


def choose(suite: Suite, facts: Facts, config: InstructConfig) -> list[Example]:
    """The examples, easiest first: greedily those that show most of what is not shown yet.

    Half of the places at most go to exceptions.
    """
    rest = sorted(readable(suite, facts, config), key=lambda example: (example.cost, example.index))
    chosen: list[Example] = []
    seen: set[str] = set()
    raising = 0
    while rest and len(chosen) < config.examples:
        best = max(rest, key=lambda example: (_gain(example, seen), -example.cost, -example.index))
        rest.remove(best)
        raises = any(feature.startswith("raises") for feature in best.features)
        if raises and raising >= (config.examples + 1) // 2:
            continue
        chosen.append(best)
        seen |= best.features
        raising += raises
    return sorted(chosen, key=lambda example: (example.cost, example.index))


def readable(suite: Suite, facts: Facts, config: InstructConfig) -> list[Example]:
    """All cases that can be shown within the limit on their length."""
    name = suite.candidate.function.name
    signs, values = _signs(facts), _plain_values(facts)
    found = []
    for index, case in enumerate(suite.cases):
        try:
            text = as_doctest(name, case)
        except (NotShowable, NotDecodable, RecursionError):
            continue
        if len(text) <= config.max_example_chars and text.count("\n") < 6 and text.isprintable() | ("\n" in text):
            seen = features(suite, index) | _inputs(case, signs)
            found.append(Example(index, text, frozenset(seen | _answer(case, values)), _cost(text, case)))
    return found


def as_doctest(name: str, case: Case) -> str:
    """A case as a doctest; arguments that the call changes are shown after it."""
    expected, line = case.expected, f">>> {call(name, case)}"
    if expected.kind == "raised":
        return f"{line}\nTraceback (most recent call last):\n    ...\n{expected.exception.rsplit('.', 1)[-1]}"
    value = decode(expected.value)
    if isinstance(value, Iterated):
        shown = f">>> list({line[4:]})\n{show(list(value.items))}"
    else:
        shown = f"{line} is None\nTrue" if value is None else f"{line}\n{show(value)}"
    if expected.mutated is None:
        return shown
    after = [show(decode(argument)) for argument in expected.mutated]
    return f"{shown}\n# afterwards the arguments are: {', '.join(after)}"


def features(suite: Suite, index: int) -> set[str]:
    """What a case shows: the branches that it takes, and the kind of its answer."""
    expected = suite.cases[index].expected
    found = {f"branch {branch}" for branch in branches_of(suite, index)}
    if expected.kind == "raised":
        return found | {f"raises {expected.exception}"}
    value = decode(expected.value)
    found.add(f"returns {type_name(value)}")
    if isinstance(value, (bool, type(None))):
        found.add(f"returns {value}")
    elif isinstance(value, (str, list, tuple, dict, set)):
        found.add(f"returns {'something' if value else 'nothing'}")
    return found


def branches_of(suite: Suite, index: int) -> tuple[int, ...]:
    """The goals (branches and statements) that a case reaches, none where the suite does not tell."""
    return suite.covered[index] if index < len(suite.covered) else ()


def _inputs(case: Case, signs: frozenset[str]) -> set[str]:
    """What the inputs show: for each argument its type and whether it is empty or negative, and the body's signs."""
    found = set()
    for name, encoded in [*enumerate(case.args), *case.kwargs.items()]:
        value = decode(encoded)
        found.add(f"{name}: {type_name(value)}")
        if isinstance(value, (str, list, tuple, dict, set)):
            found.add(f"{name}: {'several' if len(value) > 2 else len(value)}")
        elif isinstance(value, (int, float)) and value < 0:
            found.add(f"{name}: negative")
        if isinstance(value, str):
            found |= {f"{name} has {kind}" for kind, pattern in _TEXT_KINDS.items() if pattern.search(value)}
        text = value if isinstance(value, str) else repr(value) if isinstance(value, (list, tuple, dict)) else ""
        found |= {f"{name} has {sign!r}" for sign in signs if sign in text}
    return found


def _answer(case: Case, values: frozenset[str]) -> set[str]:
    """How the answer relates to the argument and to the body's constants."""
    if case.expected.kind != "returned":
        return set()
    found = {"returns an argument" if case.expected.value in case.args else "returns something new"}
    value = decode(case.expected.value)
    if isinstance(value, (str, int, float)) and repr(value) in values:
        found.add(f"returns the constant {value!r}")
    return found


def _plain_values(facts: Facts) -> frozenset[str]:
    """The body's constants, the small ones included, as text."""
    found = {repr(node.value) for node in facts.nodes if isinstance(node, ast.Constant)}
    return frozenset(found | {f"-{text}" for text in found if text in ("1", "1.0")})


def _signs(facts: Facts) -> frozenset[str]:
    """The texts of the body's constants; inputs that hold them show what becomes of them."""
    found = [constant.value for constant in constants(facts) if constant.role in ("value", "compared", "key")]
    return frozenset(value for value in found if isinstance(value, str) and len(value) < 20)


def _cost(text: str, case: Case) -> float:
    """How far a case is from what a person would write: neither bare nor long, no odd characters, an answer."""
    returned = case.expected.kind == "returned"
    bare = returned and case.expected.value in (None, "", [], {}, 0, 0.0)
    same = returned and case.expected.value in case.args
    return abs(len(text) - 55) + 25 * len(_ODD.findall(text)) + 25 * bare + 25 * same


def _gain(example: Example, seen: set[str]) -> int:
    """How much an example shows that is not shown yet: branches weigh most, then answers, then inputs."""
    return sum(_WEIGHTS.get(feature.split(" ")[0], 1) for feature in example.features - seen)


_WEIGHTS = {"branch": 4, "returns": 3, "raises": 3}
_TEXT_KINDS = {
    "spaces inside": re.compile(r"\S\s+\S"), "spaces around": re.compile(r"^\s|\s$"), "capitals": re.compile(r"[A-Z]"),
    "digits": re.compile(r"\d"), "signs": re.compile(r"[^\w\s]"),
}
