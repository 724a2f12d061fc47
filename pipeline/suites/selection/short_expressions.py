"""Short expressions: whether a few of the language's own operations give the answer to every case.

Such a function leaves nothing to solve, however its body is written. Expressions are built bottom-up, those of fewer
operations first, and of those that give the same in all examples only the first is built upon (observational
equivalence: Udupa et al., TRANSIT, PLDI 2013). Two of them may be joined by a condition that is one, too. The suite is
the judge.
"""

from __future__ import annotations

import ast
import json
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, product
from typing import Any

from harness.values import canonical, decode, encode
from pipeline.suites.search.attempts import Found
from pipeline.suites.subject import Subject

STATEMENTS = 12
"""Statements of a function above which no short expression is looked for: none is short enough to be one."""
EXAMPLES, TERMS, TRIED, LEVELS = 8, 1500, 30_000, 3
"""How many cases the search looks at, how many expressions it keeps and tries, how many operations one has at most."""
FITTING, ROUNDS = 20, 4
"""How many expressions that fit the examples are tried on all cases, how often cases that they fail become examples."""
LARGEST = 2000
"""Characters of a value, as it is shown, above which an expression is not followed."""
_CONSTANTS = ("0", "1", "-1", "''", "' '", "None", "True", "False", "[]", "{}")
_UNARY = (
    "len({0})", "sorted({0})", "sum({0})", "max({0})", "min({0})", "abs({0})", "round({0})", "str({0})", "int({0})",
    "float({0})", "bool({0})", "list({0})", "tuple({0})", "set({0})", "dict({0})", "any({0})", "all({0})", "not {0}",
    "-{0}", "{0}[0]", "{0}[-1]", "{0}[1:]", "{0}[:-1]", "{0}[::-1]", "{0}.strip()", "{0}.lower()", "{0}.upper()",
    "{0}.split()", "{0}.splitlines()", "{0}.casefold()", "{0}.isdigit()", "{0}.isalpha()", "{0}.title()", "{0}.keys()",
    "{0}.values()", "{0}.items()", "list(dict.fromkeys({0}))", "list(enumerate({0}))", "list(zip(*{0}))",
    "[v for v in {0} if v]", "[v for v in {0} if v is not None]", "[str(v) for v in {0}]", "[int(v) for v in {0}]",
    "[float(v) for v in {0}]", "[len(v) for v in {0}]", "[v.strip() for v in {0}]", "[v.lower() for v in {0}]",
    "[v for x in {0} for v in x]", "[v[0] for v in {0}]", "[v[1] for v in {0}]",
    "{{k: v for k, v in {0}.items() if v is not None}}", "{{k: v for k, v in {0}.items() if v}}",
    "{{v: k for k, v in {0}.items()}}", "{{str(k): v for k, v in {0}.items()}}",
)
_BINARY = (
    "{0} + {1}", "{0} - {1}", "{0} * {1}", "{0} / {1}", "{0} // {1}", "{0} % {1}", "{0} == {1}", "{0} < {1}",
    "{0} <= {1}", "{0} is {1}", "{0} in {1}", "{0} and {1}", "{0} or {1}", "{0}[{1}]", "{0}[:{1}]", "{0}[{1}:]",
    "{0}.get({1})", "{0}.split({1})", "{0}.join({1})", "{0}.strip({1})", "{0}.lstrip({1})", "{0}.rstrip({1})",
    "{0}.startswith({1})", "{0}.endswith({1})", "{0}.removeprefix({1})", "{0}.removesuffix({1})",
    "{0}.partition({1})[0]", "{0}.partition({1})[2]", "{0}.rpartition({1})[0]", "{0}.rpartition({1})[2]",
    "{0}.count({1})", "{0}.replace({1}, '')", "max({0}, {1})", "min({0}, {1})", "[v for v in {0} if v in {1}]",
    "[v for v in {0} if v not in {1}]", "[v[{1}] for v in {0}]", "[v.get({1}) for v in {0}]",
    "[v for v in {0} if v != {1}]", "{{k: v for k, v in {0}.items() if k in {1}}}",
    "{{k: v for k, v in {0}.items() if k not in {1}}}", "{{**{0}, **{1}}}", "dict(zip({0}, {1}))",
    "list(zip({0}, {1}))",
)
_MULTIPLIES = "{0} * {1}"
_PLAIN = (bool, int, float, str, bytes, list, tuple, dict, set, frozenset, type(None))


class _Failed:
    """What an expression gives where it raises."""

    def __repr__(self) -> str:
        return "raises"


_FAILED = _Failed()


@dataclass(frozen=True)
class _Term:
    """An expression, what it gives in each example (`_FAILED` where it raises), that as it is shown, and its size."""

    text: str
    values: tuple[Any, ...]
    shown: tuple[str, ...]
    operations: int


@dataclass(frozen=True)
class _Example:
    """A case: the values of the parameters by name, the answer in canonical form."""

    given: dict[str, Any]
    answer: str


def short_expression(subject: Subject, cases: Sequence[Found]) -> str:
    """An expression over the parameters that gives the answer of every case, "" where none is found.

    None have functions with more than `STATEMENTS` statements, a case that raises, or one answer alone. Only for use
    inside the sandbox.
    """
    if sum(isinstance(node, ast.stmt) for node in ast.walk(subject.function)) - 1 > STATEMENTS:
        return ""
    answers = {case.observation.answer for case in cases}
    if len(answers) < 2 or any(case.observation.kind != "returned" for case in cases):
        return ""
    looked_at = _varied(cases)
    for _ in range(ROUNDS):
        examples = [_example(subject.function, case) for case in looked_at]
        if not all(isinstance(value, _PLAIN) for one in examples for value in one.given.values()):
            return ""
        with warnings.catch_warnings():
            # What the language thinks of comparing texts by identity is nobody's concern here.
            warnings.simplefilter("ignore")
            texts = list(islice(_Search(subject.function, examples).found(), FITTING))
            failed = [_first_failed(text, subject.function, cases) for text in texts]
        if None in failed:
            return texts[failed.index(None)]
        if not texts:
            return ""
        # What tells the expressions that seemed to fit apart from the function is looked at from now on.
        looked_at += {case.key: case for case in failed if case is not None}.values()
    return ""


def _first_failed(text: str, function: ast.FunctionDef, cases: Sequence[Found]) -> Found | None:
    agrees = _agrees(text)
    return next((case for case in cases if not agrees(_example(function, case))), None)


def _example(function: ast.FunctionDef, case: Found) -> _Example:
    return _Example(dict(_bound(function, case)), case.observation.answer)


def _bound(function: ast.FunctionDef, case: Found) -> Iterator[tuple[str, Any]]:
    """The parameters that a case gives, and the defaults of the others where these are constants."""
    args, kwargs = case.encoded
    takes = function.args
    named = [one.arg for one in (*takes.posonlyargs, *takes.args)]
    defaults = [*zip(reversed(named), reversed(takes.defaults), strict=False),
                *((one.arg, value) for one, value in zip(takes.kwonlyargs, takes.kw_defaults, strict=True) if value)]
    for name, value in defaults:
        if isinstance(value, ast.Constant):
            yield name, value.value
    if takes.vararg is not None:
        yield takes.vararg.arg, tuple(decode(value) for value in args[len(named):])
    yield from zip(named, map(decode, args), strict=False)
    yield from ((name, decode(value)) for name, value in kwargs.items())


def _varied(cases: Sequence[Found]) -> list[Found]:
    """Some of the cases, one for each answer before any answer comes twice."""
    turns: dict[str, int] = {}
    numbered = []
    for place, case in enumerate(cases):
        answer = case.observation.answer
        numbered.append((turns.setdefault(answer, 0), place))
        turns[answer] += 1
    return [cases[place] for _, place in sorted(numbered)[:EXAMPLES]]


def _agrees(text: str) -> Callable[[_Example], bool]:
    code = compile(text, "expression", "eval", dont_inherit=True)

    def agrees(one: _Example) -> bool:
        try:
            return canonical(encode(eval(code, dict(one.given)))) == one.answer
        except Exception:
            return False

    return agrees


class _Search:
    """The expressions over some parameters, fewer operations first."""

    def __init__(self, function: ast.FunctionDef, examples: Sequence[_Example]) -> None:
        self.examples = examples
        self.wanted = tuple(decode(json.loads(one.answer)) for one in examples)
        self.tried = 0
        self.levels: list[list[_Term]] = [[]]
        self._seen: set[tuple[str, ...]] = set()
        names = [name for name in examples[0].given if all(name in one.given for one in examples)]
        own = [repr(node.value) for node in ast.walk(function) if isinstance(node, ast.Constant)
               and isinstance(node.value, (str, int, float)) and len(repr(node.value)) < 40]
        for name in names:
            self._add(name, tuple(one.given[name] for one in examples), 0)
        for text in dict.fromkeys((*own[-8:], *_CONSTANTS)):
            value = ast.literal_eval(text)
            self._add(text, tuple(value for _ in examples), 0)

    def found(self) -> Iterator[str]:
        """Expressions that give the answers of all examples, then pairs of such that a condition joins."""
        yield from self._grown()
        yield from self._joined()

    def _grown(self) -> Iterator[str]:
        for level in range(1, LEVELS + 1):
            self.levels.append([])
            for term in self._applied(level):
                if all(self._right(term)):
                    yield term.text

    @property
    def _full(self) -> bool:
        return len(self._seen) >= TERMS

    def _right(self, term: _Term) -> Iterator[bool]:
        """Of each example whether an expression seems to give its answer."""
        return map(self._equal, term.values, self.wanted)

    @staticmethod
    def _equal(value: Any, wanted: Any) -> bool:
        """Whether two values seem to be the same; the order in sets and dicts is none."""
        same = repr(value) == repr(wanted)
        return same or (isinstance(wanted, (set, dict)) and type(value) is type(wanted) and bool(value == wanted))

    def _applied(self, level: int) -> Iterator[_Term]:
        """What one operation makes of terms that have one operation less together, as long as more may be tried."""
        applied = chain(
            ((template, function, (one,)) for template, function in _OPERATIONS[1] for one in self.levels[level - 1]),
            ((template, function, pair) for template, function in _OPERATIONS[2] for first in range(level)
             for pair in product(self.levels[first], self.levels[level - 1 - first])))
        for template, function, terms in applied:
            if self.tried >= TRIED:
                return
            varies = any(len(set(term.shown)) > 1 for term in terms)
            if varies and (template != _MULTIPLIES or all(map(_are_numbers, terms))):
                yield from self._made(template, function, terms, level)

    def _made(
        self, template: str, function: Callable[..., Any], terms: tuple[_Term, ...], level: int
    ) -> Iterator[_Term]:
        self.tried += 1
        call = _called(function)
        columns = tuple(zip(*(term.values for term in terms), strict=True))
        if self._full and not self._equal(call(*columns[0]), self.wanted[0]):
            # Nothing is kept any more, so what is no answer needs no other examples.
            return
        values = tuple(call(*column) for column in columns)
        if sum(value is _FAILED for value in values) <= len(values) // 2:
            text = template.format(*(f"({term.text})" if term.operations else term.text for term in terms))
            yield from self._add(text, values, level)

    def _add(self, text: str, values: tuple[Any, ...], level: int) -> list[_Term]:
        shown = tuple(map(repr, values))
        if shown in self._seen or any(len(one) > LARGEST for one in shown):
            return []
        self._seen.add(shown)
        self.levels[level].append(_Term(text, values, shown, level))
        return self.levels[level][-1:]

    def _joined(self) -> Iterator[str]:
        """Pairs of which one is right where a third is true, and the other everywhere else."""
        terms = [term for level in self.levels for term in level]
        masks = [(sum(right << place for place, right in enumerate(self._right(term))), term) for term in terms]
        right = [(mask, term) for mask, term in masks if mask]
        every = (1 << len(self.examples)) - 1
        for condition in terms:
            if not all(isinstance(value, bool) for value in condition.values):
                continue
            true = sum(value << place for place, value in enumerate(condition.values))
            one = next((term for mask, term in right if mask & true == true), None)
            other = next((term for mask, term in right if mask & ~true == every & ~true), None)
            if one is not None and other is not None:
                yield f"({one.text}) if ({condition.text}) else ({other.text})"


def _function(template: str, count: int) -> Callable[..., Any]:
    names = ("a", "b")[:count]
    return eval(f"lambda {', '.join(names)}: {template.format(*names)}")  # type: ignore[no-any-return]


_OPERATIONS = {
    count: [(template, _function(template, count)) for template in templates]
    for count, templates in ((1, _UNARY), (2, _BINARY))
}


def _called(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*values: Any) -> Any:
        if any(value is _FAILED for value in values):
            return _FAILED
        try:
            return function(*values)
        except Exception:
            return _FAILED

    return call


def _are_numbers(term: _Term) -> bool:
    return all(isinstance(value, (int, float)) and abs(value) < 1e9 for value in term.values)
