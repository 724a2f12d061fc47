"""Comparisons seen at run time: which outcomes are missing, how far an input is from them, and the operands.

A second copy of the program calls a recorder in each comparison and text predicate. It runs only while goals are
uncovered, on some of the inputs; its answers are never used.
"""

from __future__ import annotations

import ast
import operator
import signal
from collections.abc import Callable
from random import Random
from typing import Any

from harness.values import decode
from pipeline.suites.branches import FILE
from pipeline.suites.calls import CALL_SECONDS, Observation
from pipeline.suites.constants import Pool
from pipeline.suites.names import find_function

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
_PREDICATES = frozenset(["startswith", "endswith"])
_RECORDER = "_code2bench_compare"
_PREDICATE = "_code2bench_predicate"
EVERY = 3
"""One in so many inputs is probed, besides all that reached something."""


class Probes:
    """For each comparison and outcome, the input that came nearest to it while it was missing."""

    def __init__(self, program: str, entry_point: str) -> None:
        self.best: dict[tuple[int, bool], tuple[float, dict[str, Any], list[Any]]] = {}
        self.done: set[tuple[int, bool]] = set()
        self._now: list[tuple[int, bool, float, list[Any]]] = []
        self._learnt: list[Any] = []
        self._function = self._load(program, entry_point)

    def _load(self, program: str, entry_point: str) -> Any:
        tree = ast.parse(program)
        function = find_function(tree, entry_point)
        rewriter = _Rewriter()
        rewriter.generic_visit(function)
        ast.fix_missing_locations(tree)
        namespace: dict[str, Any] = {"__name__": "reference", _RECORDER: self._compare, _PREDICATE: self._predicate}
        try:
            exec(compile(tree, FILE + ".probed", "exec", dont_inherit=True), namespace)
        except Exception:
            return None
        return namespace[entry_point]

    def observe(
        self,
        encoded: tuple[list[Any], dict[str, Any]],
        value: dict[str, Any],
        seen: Observation,
        calls: int,
        pool: Pool,
    ) -> bool:
        """Run the probed copy on an input; True where the input comes nearer to a missing outcome than any before."""
        if self._function is None or seen.kind == "endless" or (calls % EVERY and calls > 100):
            return False
        self._now, self._learnt = [], []
        args, kwargs = [decode(a) for a in encoded[0]], {k: decode(v) for k, v in encoded[1].items()}
        signal.setitimer(signal.ITIMER_PROF, CALL_SECONDS, 0.05)
        try:
            self._function(*args, **kwargs)
        except BaseException:
            # What the copy answers or raises is of no interest.
            pass
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        for learnt in self._learnt[:20]:
            pool.learn(learnt)
        return self._note(value)

    def _note(self, value: dict[str, Any]) -> bool:
        closer = False
        for site, outcome, distance, operands in self._now:
            self.done.add((site, outcome))
            missing = (site, not outcome)
            if missing in self.done:
                self.best.pop(missing, None)
                continue
            known = self.best.get(missing)
            if known is None or distance < known[0]:
                self.best[missing] = (distance, value, operands)
                closer = True
        return closer

    def aim(self, rng: Random) -> tuple[dict[str, Any], list[Any]] | None:
        """An input that came near to some missing outcome, and the operands that it was compared with there."""
        missing = sorted(key for key in self.best if key not in self.done)
        return self.best[rng.choice(missing)][1:] if missing else None

    def _compare(self, site: int, name: str, left: Any, right: Any) -> Any:
        result = _BY_NAME[name](left, right)
        if len(self._now) < 400:
            try:
                outcome = bool(result)
            except Exception:
                return result
            operands = [value for value in (left, right) if type(value) in (int, float, str)]
            self._now.append((site, outcome, _distance(name, left, right, outcome), operands))
            if name in ("eq", "in", "ne", "not in"):
                self._learnt += [v for v in (left, right) if type(v) in (int, float, str)]
        return result

    def _predicate(self, site: int, name: str, subject: Any, *arguments: Any) -> Any:
        result = getattr(subject, name)(*arguments)
        if type(subject) is str and len(self._now) < 400:
            self._now.append((site, bool(result), 1.0, [v for v in arguments[:1] if type(v) is str]))
            self._learnt += [v for v in arguments[:1] if type(v) is str]
        return result


def _distance(name: str, left: Any, right: Any, outcome: bool) -> float:
    """How far the operands are from the other outcome; small is near."""
    try:
        if isinstance(left, (int, float)) and isinstance(right, (int, float)):
            gap = abs(left - right)
            return 1.0 if name in ("eq", "ne") and gap == 0 else float(gap)
        if isinstance(left, str) and isinstance(right, str) and name in ("eq", "ne", "in", "not in"):
            if outcome == (name in ("eq", "in")):
                return 1.0
            common = sum(1 for a, b in zip(left, right, strict=False) if a == b)
            return float(max(len(left), len(right)) - common)
    except Exception:
        return 100.0
    return 10.0


class _Rewriter(ast.NodeTransformer):
    def __init__(self) -> None:
        self.sites = 0

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        kind = _OPERATORS.get(type(node.ops[0]))
        if len(node.ops) > 1 or kind is None:
            return node
        self.sites += 1
        arguments: list[ast.expr] = [ast.Constant(self.sites), ast.Constant(kind[0]), node.left, node.comparators[0]]
        return ast.copy_location(ast.Call(ast.Name(_RECORDER, ast.Load()), arguments, []), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        func = node.func
        starred = any(isinstance(argument, ast.Starred) for argument in node.args)
        if not isinstance(func, ast.Attribute) or func.attr not in _PREDICATES or node.keywords or starred:
            return node
        self.sites += 1
        arguments: list[ast.expr] = [ast.Constant(self.sites), ast.Constant(func.attr), func.value, *node.args]
        return ast.copy_location(ast.Call(ast.Name(_PREDICATE, ast.Load()), arguments, []), node)
