"""Choosing cases that show a function: typical ones first, each teaching what the others don't, as doctests."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from harness.records import Case
from harness.values import NotDecodable, canonical, decode
from harness.values.expressions import Names, NotShowable
from pipeline.config import InstructConfig
from pipeline.instruct.constants import constants, literals
from pipeline.instruct.examples.cases import as_doctest, branches_of, given, is_bare, is_passed_on, shape, type_name
from pipeline.languages.python.facts import Facts
from pipeline.records import Suite

MIN_EXAMPLES = 4
LONGEST = 1000
ODD = re.compile(r"\\x|\\u|\\U|[^\x20-\x7e\n]|\d{8,}|e[+-]\d{2,}|\.\d{7,}")
_PASSED_ON = "returns an argument"


@dataclass(frozen=True)
class Example:
    """A case as a doctest: what it shows (branches, kinds of inputs and answers), and how hard it is to read.

    `answer` identifies the answer; `usual` says that callers pass such arguments; `role` is `typical`,
    `special` (nothing in, nothing out, or an argument handed on) or `raises`; `expressions` are the Python texts in it.
    """

    index: int
    text: str
    features: frozenset[str]
    cost: float
    answer: str
    role: str
    expressions: tuple[str, ...]
    usual: bool = True

    @property
    def order(self) -> tuple[int, float, int]:
        """Typical ones first, exceptions last, the easier ones before the others."""
        return ("typical", "special", "raises").index(self.role), self.cost, self.index


def choose(suite: Suite, facts: Facts, config: InstructConfig) -> list[Example]:
    """The examples in the order of reading: greedily those that teach most beyond what is shown already.

    At most half of them raise, and at most half show nothing but special values. Past the first few, an example that
    takes no new branch and gives no new kind of answer is left out.
    """
    rest = sorted(readable(suite, facts, config), key=lambda example: example.order)
    chosen: list[Example] = []
    while rest and len(chosen) < config.examples:
        seen = frozenset[str]().union(*(example.features for example in chosen))
        answers = {example.answer for example in chosen}
        best = max(rest, key=lambda example: (_worth(example, seen, answers), -example.cost, -example.index))
        rest.remove(best)
        alike = [example for example in chosen if example.role == best.role]
        if best.role != "typical" and len(alike) >= (config.examples + 1) // 2:
            continue
        if len(chosen) >= MIN_EXAMPLES and not _teaches(best, seen):
            continue
        chosen.append(best)
    return sorted(chosen, key=lambda example: example.order)


def _worth(example: Example, seen: frozenset[str], answers: set[str]) -> float:
    """What an example teaches beyond the features and answers that are shown, less what it costs to read."""
    gains = [_WEIGHTS.get(feature.split(" ")[0], 0) for feature in example.features - seen]
    inputs = min(MAX_INPUT_GAIN, gains.count(0))
    first = 6 * (not seen and example.role == "typical")
    known = 6 * (example.answer in answers) + UNUSUAL * (not example.usual)
    return sum(gains) + inputs + first - known - example.cost / 25


def _teaches(example: Example, seen: frozenset[str]) -> bool:
    """Whether it shows a branch, a kind of answer, or what becomes of an input, that is not shown yet."""
    return any(feature.split(" ")[0] in _WEIGHTS for feature in example.features - seen)


_WEIGHTS = {"branch": 4, "returns": 3, "raises": 8, "special": 4, "then": 1}
MAX_INPUT_GAIN = 3
UNUSUAL = 5
"""What an example has to teach more where nobody would pass such arguments."""


def readable(suite: Suite, facts: Facts, config: InstructConfig) -> list[Example]:
    """All cases that can be shown within the limit on their length; where there are none, the shortest of the rest."""
    signs, values = _signs(facts), _plain_values(facts)
    names = Names.of(suite.candidate.imports)
    found = []
    for index, case in enumerate(suite.cases):
        try:
            text, expressions = as_doctest(suite.candidate.function.name, case, names)
        except (NotShowable, NotDecodable, RecursionError):
            continue
        if len(text) <= LONGEST and text.isprintable() | ("\n" in text):
            answers = _answer(case, values)
            shown = features(suite, index) | _inputs(case, signs) | answers | _becomes(case, signs, answers)
            found.append(Example(index, text, frozenset(shown), _cost(text, case, signs), _identity(case),
                                 _role(case), expressions, index < suite.usual or not suite.usual))
    short = [example for example in found if len(example.text) <= config.max_example_chars]
    return short or sorted(found, key=lambda example: (len(example.text), example.index))[:MIN_EXAMPLES]


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


def _role(case: Case) -> str:
    if case.expected.kind == "raised":
        return "raises"
    empty = all(map(is_bare, given(case)))
    return "special" if empty or is_bare(case.expected.value) or is_passed_on(case) else "typical"


def _identity(case: Case) -> str:
    """What tells answers apart; each yes, no and None counts as new, because the inputs make the difference."""
    value = case.expected.value
    if case.expected.kind == "raised":
        return f"raises {case.expected.exception} {case.expected.message}"
    return canonical([case.args, value] if isinstance(value, (bool, type(None))) else value)


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
        elif axes := shape(value):
            found.add(f"{name}: {'several' if axes[0] > 1 else axes[0]} in {len(axes)} dimensions")
        if isinstance(value, str):
            found |= {f"{name} has {kind}" for kind, pattern in _TEXT_KINDS.items() if pattern.search(value)}
        found |= {f"{name} has {sign!r}" for sign in signs if sign in _text_of(value)}
    return found


def _becomes(case: Case, signs: frozenset[str], answers: Iterable[str]) -> set[str]:
    """What becomes of special values, and of the body's texts where the answer is yes, no or a constant."""
    value = case.expected.value if case.expected.kind == "returned" else case.expected.exception
    short = isinstance(value, (bool, type(None))) or case.expected.kind == "raised"
    kind = repr(value) if short else next((text for text in sorted(answers) if "constant" in text), "")
    found = set()
    for name, encoded in [*enumerate(case.args), *case.kwargs.items()]:
        passed = decode(encoded)
        if kind and isinstance(passed, (str, list, tuple, dict)):
            found |= {f"then {name} is {sign!r}: {kind}" for sign in signs if sign == passed}
            inside = [sign for sign in signs if sign in _text_of(passed)]
            found |= {f"then {name} has {sign!r}: {kind}" for sign in inside if len(inside) == 1}
        special = passed is None or (isinstance(passed, (str, bytes, list, tuple, dict, set)) and not passed)
        if special and (kind or _PASSED_ON in answers or is_bare(case.expected.value)):
            found.add(f"special {name} {passed!r}")
    return found


def _text_of(value: Any) -> str:
    return value if isinstance(value, str) else repr(value) if isinstance(value, (list, tuple, dict)) else ""


def _answer(case: Case, values: frozenset[str]) -> set[str]:
    """How the answer relates to the argument and to the body's constants."""
    if case.expected.kind != "returned":
        return set()
    found = {_PASSED_ON if is_passed_on(case) else "returns something new"}
    value = decode(case.expected.value)
    if isinstance(value, (str, int, float)) and repr(value) in values:
        found.add(f"returns the constant {value!r}")
    return found


def _plain_values(facts: Facts) -> frozenset[str]:
    """The body's constants, the small ones included, as text."""
    found = literals(facts)
    return frozenset(found | {f"-{text}" for text in found if text in ("1", "1.0")})


def _signs(facts: Facts) -> frozenset[str]:
    """The texts of the body's constants; inputs that hold them show what becomes of them."""
    found = [constant.value for constant in constants(facts) if constant.role in ("value", "compared", "key")]
    return frozenset(value for value in found if isinstance(value, str) and len(value) < 20)


def _cost(text: str, case: Case, texts: frozenset[str]) -> float:
    """How far a case is from what a person would write: not bare, long or odd, with one or two of the body's texts."""
    crowd = max(0, sum(sign in text for sign in texts if len(sign) > 1) - 2)
    empty = sum(is_bare(value) for value in given(case))
    signs = len(re.findall(r"[^\w\s'\",:()\[\]{}>.-]", text))
    special = 25 * (_role(case) == "special")
    return abs(len(text) - 55) * 0.7 + 20 * len(ODD.findall(text)) + 10 * empty + 2 * signs + special + 8 * crowd


_TEXT_KINDS = {
    "spaces inside": re.compile(r"\S\s+\S"), "spaces around": re.compile(r"^\s|\s$"), "capitals": re.compile(r"[A-Z]"),
    "digits": re.compile(r"\d"), "signs": re.compile(r"[^\w\s]"),
}
