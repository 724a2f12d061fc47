"""Tests seen at run time: which outcomes are missing, how far an input is from them, and what they were asked with.

A second copy of the program calls a recorder in each comparison, predicate of texts, look-up of a key and search for a
pattern. It runs only while goals are uncovered, on some of the inputs; its answers are never used.
"""

from __future__ import annotations

import ast
import itertools
import math
import operator
import re
import signal
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

from harness.values import decode
from pipeline.suites.domain.formats.patterns import matching
from pipeline.suites.domain.pool import Pool
from pipeline.suites.instrument.copies import loaded
from pipeline.suites.instrument.reference import COPY_SECONDS, Observation, timed
from pipeline.suites.rules import finds
from pipeline.suites.subject import Subject

_OPERATORS: dict[type[ast.cmpop], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Eq: ("eq", operator.eq),
    ast.NotEq: ("ne", operator.ne),
    ast.Lt: ("lt", operator.lt),
    ast.LtE: ("le", operator.le),
    ast.Gt: ("gt", operator.gt),
    ast.GtE: ("ge", operator.ge),
    ast.In: ("in", lambda a, b: a in b),
    ast.NotIn: ("not in", lambda a, b: a not in b),
}
_BY_NAME = dict(_OPERATORS.values())
_NAMES: dict[type[ast.cmpop], str] = {op: name for op, (name, _) in _OPERATORS.items()} | {
    ast.Is: "is", ast.IsNot: "is not"}
_PREDICATES = frozenset(["startswith", "endswith"])
_LOOK_UPS = frozenset(["get", "pop", "setdefault"])
_SEARCHES = frozenset("match search fullmatch findall finditer split sub subn".split())
_WATCHED = _PREDICATES | _LOOK_UPS | _SEARCHES
_RECORDER = "_code2bench_compare"
_CHAIN = "_code2bench_chain"
_PREDICATE = "_code2bench_predicate"
_SUBSCRIPT = "_code2bench_subscript"
EVERY = 3
"""One in so many inputs is probed, besides all that reached something."""
NEAREST = 4
"""How many inputs that came equally near are kept for each outcome."""
MEMBERS = 8
"""How many of what a container holds are hints for what is looked for in it."""
MADE = 4
"""How many texts are made for one pattern that was not found."""

_SETS = (set, frozenset)
_Near = tuple[dict[str, Any], list[Any]]


class Probes:
    """For each test and outcome, the inputs that came nearest to it while it was missing."""

    def __init__(self, subject: Subject) -> None:
        self.best: dict[tuple[int, bool], tuple[float, list[_Near]]] = {}
        self.done: set[tuple[int, bool]] = set()
        self._now: list[tuple[int, bool, float, list[Any]]] = []
        self._learnt: list[Any] = []
        self._patterns: dict[str, list[str]] = {}
        self._function = self._load(subject)

    def _load(self, subject: Subject) -> Any:
        tree, function = subject.copied()
        rewriter = _Rewriter()
        rewriter.generic_visit(function)
        tools: dict[str, Callable[..., Any]] = {
            _RECORDER: self._compare, _CHAIN: self._chain, _PREDICATE: self._predicate, _SUBSCRIPT: self._subscript,
        }  # fmt: skip
        return loaded(tree, subject.entry_point, "probed", tools)

    @finds("search: branch distance", bool)
    @timed
    def observe(
        self,
        encoded: tuple[list[Any], dict[str, Any]],
        restored: Callable[[], dict[str, Any]],
        seen: Observation,
        calls: int,
        pool: Pool,
    ) -> bool:
        """Run the probed copy on an input; True where the input comes nearer to a missing outcome than any before.

        `restored` gives the input as it was before any call, which may have changed it.
        """
        if self._function is None or seen.kind == "endless" or (calls % EVERY and calls > 100):
            return False
        self._now, self._learnt = [], []
        args, kwargs = [decode(a) for a in encoded[0]], {k: decode(v) for k, v in encoded[1].items()}
        signal.setitimer(signal.ITIMER_PROF, COPY_SECONDS, 0.05)
        try:
            self._function(*args, **kwargs)
        except BaseException:
            # What the copy answers or raises is of no interest.
            pass
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        for learnt in self._learnt[:20]:
            pool.learn(learnt)
        fresh = [pattern for pattern in self._patterns if pattern not in pool.patterns]
        pool.patterns += fresh[: max(0, 20 - len(pool.patterns))]
        return self._note(restored)

    def _note(self, restored: Callable[[], dict[str, Any]]) -> bool:
        closer, value = False, None
        for site, outcome, distance, operands in self._now:
            self.done.add((site, outcome))
            missing = (site, not outcome)
            if missing in self.done:
                self.best.pop(missing, None)
                continue
            nearest, known = self.best.get(missing, (math.inf, []))
            if distance < nearest or not known:
                closer, known = True, []
            elif distance > nearest or len(known) >= NEAREST:
                continue
            value = restored() if value is None else value
            known.append((value, operands))
            self.best[missing] = (distance, known)
        return closer

    def aim(self, rng: Random) -> _Near | None:
        """An input that came near to some missing outcome, and what it was compared with or asked for there."""
        missing = sorted(key for key in self.best if key not in self.done)
        return rng.choice(self.best[rng.choice(missing)][1]) if missing else None

    def _note_site(self, site: int, outcome: bool, distance: float, operands: list[Any]) -> None:
        if len(self._now) < 400:
            self._now.append((site, outcome, distance, operands))

    def _compare(self, site: int, name: str, left: Any, right: Any) -> Any:
        result = _BY_NAME[name](left, right)
        try:
            outcome = bool(result)
        except Exception:
            return result
        self._note_site(site, outcome, _distance(name, left, right, outcome), [*_plain([left, right])])
        if name in ("eq", "in", "ne", "not in"):
            self._learnt += [v for v in (_text_of(left), _text_of(right)) if type(v) in (int, float, str)]
        return result

    def _chain(self, site: int, names: str, *values: Any) -> Any:
        """A chain of comparisons; each has a site of its own."""
        result: Any = True
        for place, (name, (left, right)) in enumerate(zip(names.split(","), itertools.pairwise(values), strict=True)):
            result = self._compare(site + place, name, left, right) if name in _BY_NAME else (
                (left is right) == (name == "is"))
            if not result:
                break
        return result

    def _predicate(self, site: int, name: str, subject: Any, *arguments: Any) -> Any:
        result = getattr(subject, name)(*arguments)
        if name in _PREDICATES and type(subject) in (str, bytes):
            known = [*_plain(arguments[:1])]
            self._note_site(site, bool(result), 1.0, known)
            self._learnt += known
        elif name in _LOOK_UPS and isinstance(subject, dict) and arguments:
            self._note_site(site, arguments[0] in subject or name == "setdefault", 5.0, [*_plain(arguments[:1])])
        elif name in _SEARCHES and (pattern := _pattern(subject, arguments)):
            self._searched(site, pattern, bool(result))
        return result

    def _subscript(self, site: int, holder: Any, key: Any) -> Any:
        if isinstance(holder, dict) and type(key) in (str, int):
            self._note_site(site, key in holder, 5.0, [key])
        return holder[key]

    def _searched(self, site: int, pattern: str, outcome: bool) -> None:
        """Note whether a pattern was found, with texts that it matches where it was not."""
        made = self._patterns.get(pattern, [])
        if pattern not in self._patterns and len(self._patterns) < 40:
            self._patterns[pattern] = made
            for number in range(MADE):
                try:
                    made.append(matching(pattern, Random(number)))
                except ValueError:
                    break
        self._note_site(site, outcome, 5.0, made)


def _pattern(subject: Any, arguments: tuple[Any, ...]) -> str:
    """The regular expression that a method of a pattern, or a function of `re`, searches for; "" where it is none."""
    first = arguments[0] if subject is re and arguments else subject
    if isinstance(first, re.Pattern):
        verbose = "(?x)" if first.flags & re.VERBOSE else ""
        return verbose + first.pattern if isinstance(first.pattern, str) else ""
    return first if subject is re and isinstance(first, str) else ""


def _text_of(value: Any) -> Any:
    return value.decode("latin-1") if isinstance(value, (bytes, bytearray)) else value


def _plain(values: Iterable[Any]) -> list[Any]:
    """The numbers and texts among values, and some of those that containers among them hold; bytes as texts."""
    found: list[Any] = []
    for value in values:
        if type(value) in (int, float, str):
            found.append(value)
        elif isinstance(value, (bytes, bytearray)):
            found.append(_text_of(value))
        elif isinstance(value, (tuple, list, dict)):
            found += [_text_of(one) for one in itertools.islice(value, MEMBERS)
                      if type(one) in (int, float, str, bytes)]
        elif isinstance(value, _SETS):
            held = [part for one in value for part in (one if isinstance(one, tuple) else (one,))]
            known = [one for one in dict.fromkeys(held) if type(one) in (int, float, str)]
            found += sorted(known, key=lambda one: (type(one).__name__, one))[:MEMBERS]
    return found


def _distance(name: str, left: Any, right: Any, outcome: bool) -> float:
    """How far the operands are from the other outcome; small is near."""
    try:
        if isinstance(left, (int, float)) and isinstance(right, (int, float)):
            gap = abs(left - right)
            return 1.0 if name in ("eq", "ne") and gap == 0 else float(gap)
        if isinstance(left, tuple) and name in ("eq", "ne"):
            return _apart(left, [right], outcome == (name == "eq"))
        if isinstance(left, tuple) and name in ("in", "not in") and isinstance(right, (*_SETS, list, tuple, dict)):
            return _apart(left, right, outcome == (name == "in"))
        if isinstance(left, str) and isinstance(right, str) and name in ("eq", "ne", "in", "not in"):
            if outcome == (name in ("eq", "in")):
                return 1.0
            common = sum(1 for a, b in zip(left, right, strict=False) if a == b)
            return float(max(len(left), len(right)) - common)
    except Exception:
        return 100.0
    return 10.0


def _apart(left: tuple[Any, ...], others: Iterable[Any], equal: bool) -> float:
    """In how many places a tuple differs from the one among others that it is most like."""
    alike = [other for other in others if isinstance(other, tuple) and len(other) == len(left)]
    gaps = [sum(1.0 for one, two in zip(left, other, strict=True) if one != two) for other in alike]
    return 1.0 if equal else min(gaps, default=10.0)


class _Rewriter(ast.NodeTransformer):
    def __init__(self) -> None:
        self.sites = 0

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        kind = _OPERATORS.get(type(node.ops[0]))
        if len(node.ops) > 1:
            return self._chained(node)
        if kind is None:
            return node
        self.sites += 1
        arguments: list[ast.expr] = [ast.Constant(self.sites), ast.Constant(kind[0]), node.left, node.comparators[0]]
        return ast.copy_location(ast.Call(ast.Name(_RECORDER, ast.Load()), arguments, []), node)

    def _chained(self, node: ast.Compare) -> ast.AST:
        names = [_NAMES.get(type(op), "") for op in node.ops]
        if not all(names):
            return node
        arguments: list[ast.expr] = [
            ast.Constant(self.sites + 1), ast.Constant(",".join(names)), node.left, *node.comparators,
        ]
        self.sites += len(names)
        return ast.copy_location(ast.Call(ast.Name(_CHAIN, ast.Load()), arguments, []), node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or isinstance(node.slice, (ast.Slice, ast.Tuple)):
            return node
        self.sites += 1
        call = ast.Call(ast.Name(_SUBSCRIPT, ast.Load()), [ast.Constant(self.sites), node.value, node.slice], [])
        return ast.copy_location(call, node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        # Annotations are no tests.
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.value = None if node.value is None else self.visit(node.value)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        func = node.func
        starred = any(isinstance(argument, ast.Starred) for argument in node.args)
        if not isinstance(func, ast.Attribute) or func.attr not in _WATCHED or node.keywords or starred:
            return node
        self.sites += 1
        arguments: list[ast.expr] = [ast.Constant(self.sites), ast.Constant(func.attr), func.value, *node.args]
        return ast.copy_location(ast.Call(ast.Name(_PREDICATE, ast.Load()), arguments, []), node)
