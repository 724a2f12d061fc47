"""What never runs in a member, by what its parameters may be: a walk over its statements in their order."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pipeline.suites.proofs.facts import Facts
from pipeline.suites.proofs.goal import Place, place_of
from pipeline.suites.proofs.known_names import Names, Row
from pipeline.suites.proofs.scope import Scope
from pipeline.suites.proofs.values import Evaluation, Value

SHOWN = 50
"""Characters of a test that a proof shows."""
_LEAVE = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_OWN_ARCS = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Await)


@dataclass
class Dead:
    """What never runs, each with its proof: lines, branches by their two lines, and from a line all branches but one.

    `settled` are the places of conditions that have one outcome only, or are never come to.
    """

    lines: dict[int, str] = field(default_factory=dict)
    branches: dict[tuple[int, int], str] = field(default_factory=dict)
    only: dict[int, tuple[int, str]] = field(default_factory=dict)
    settled: set[Place] = field(default_factory=set)


class Walk:
    """Walks a member whose calls are known."""

    def __init__(self, scope: Scope, rows: Sequence[Row], facts: Facts) -> None:
        self.dead = Dead()
        self._scope, self._facts = scope, facts
        self._names = [Names(scope, row, facts) for row in rows]
        self._live: set[int] = set()
        self._block(scope.function.body)
        for line in self._live:
            self.dead.lines.pop(line, None)
        self._conditions()

    # statements

    def _block(self, statements: Sequence[ast.stmt]) -> bool:
        """Whether what comes after a block may be come to from its end."""
        for place, statement in enumerate(statements):
            if not self._statement(statement):
                rest = statements[place + 1 :]
                if rest:
                    self._mark(rest, f"line {rest[0].lineno} comes after what always leaves")
                return False
        return True

    def _statement(self, node: ast.stmt) -> bool:
        self._live.update(self._heading(node))
        match node:
            case ast.If():
                return self._if(node)
            case ast.While():
                return self._while(node)
            case ast.For() | ast.AsyncFor():
                self._block(node.body)
                self._block(node.orelse)
                return True
            case ast.Try() | ast.TryStar():
                return self._try(node)
            case ast.With() | ast.AsyncWith() | ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self._block(node.body)
                return True
            case ast.Match():
                return self._match(node)
            case ast.Assert(test):
                return True in self._truths(test)
        return not isinstance(node, _LEAVE)

    def _if(self, node: ast.If) -> bool:
        truths = self._truths(node.test)
        first = self._way(node, node.body, True in truths, self._why(node.test, "false"))
        second = self._way(None, node.orelse, False in truths, self._why(node.test, "true"))
        self._branches(node, node.body, truths)
        return (True in truths and first) or (False in truths and second)

    def _while(self, node: ast.While) -> bool:
        truths = self._truths(node.test)
        self._way(node, node.body, True in truths, self._why(node.test, "false"))
        second = self._way(None, node.orelse, False in truths, self._why(node.test, "true"))
        self._branches(node, node.body, truths)
        return (False in truths and second) or any(isinstance(one, ast.Break) for one in _in_loop(node.body))

    def _way(self, test: ast.stmt | None, block: Sequence[ast.stmt], taken: bool, why: str) -> bool:
        """Walk a block, or mark it where it is never taken; one in the line of its test has no line of its own."""
        if taken:
            return self._block(block)
        self._mark(block, why)
        if test is not None and block[0].lineno > test.lineno:
            self.dead.branches[test.lineno, block[0].lineno] = why
        return False

    def _branches(self, node: ast.If | ast.While, body: Sequence[ast.stmt], truths: frozenset[bool]) -> None:
        plain = not any(isinstance(part, _OWN_ARCS) for part in ast.walk(node.test))
        if truths == {True} and plain and body[0].lineno > node.lineno and _has_line(body[0]):
            self.dead.only[node.lineno] = body[0].lineno, self._why(node.test, "true")
        if not plain:
            self.dead.branches.pop((node.lineno, body[0].lineno), None)

    def _try(self, node: ast.Try | ast.TryStar) -> bool:
        through = self._block(node.body)
        if through:
            through = self._block(node.orelse)
        elif node.orelse:
            self._mark(node.orelse, f"line {node.orelse[0].lineno} comes after what always leaves")
        for handler in node.handlers:
            self._live.update(range(handler.lineno, handler.body[0].lineno))
            through = self._block(handler.body) or through
        return self._block(node.finalbody) and through

    def _match(self, node: ast.Match) -> bool:
        left = self._values(node.subject)
        after = False
        for case in node.cases:
            heading = range(case.pattern.lineno, max(case.pattern.lineno + 1, case.body[0].lineno))
            if left is not None and not left:
                self._mark(case.body, why := f"line {case.pattern.lineno} comes after what always matches")
                self.dead.lines.update((line, why) for line in heading)
                continue
            self._live.update(heading)
            hit, left = _split(left, case)
            why = f"`case {ast.unparse(case.pattern)}` never matches here"
            if hit:
                after = self._block(case.body) or after
            else:
                self._mark(case.body, why)
                self.dead.branches[heading[0], case.body[0].lineno] = why
            if left is not None and not left and case.body[0].lineno > heading[0] and _has_line(case.body[0]):
                way = case.body[0].lineno, f"`case {ast.unparse(case.pattern)}` always matches here"
                self.dead.only[heading[0]] = way
        return after or left is None or bool(left)

    def _values(self, node: ast.expr) -> frozenset[Value] | None:
        """What an expression may be by all calls, None where it may be anything."""
        found: set[Value] = set()
        for names in self._ways(node):
            values = Evaluation(names, self._facts.bound).of(node)
            if values is None or not all(value.known for value in values):
                return None
            found |= values
        return frozenset(found)

    def _mark(self, statements: Sequence[ast.stmt], why: str) -> None:
        for statement in statements:
            first = min([statement.lineno, *(one.lineno for one in getattr(statement, "decorator_list", []))])
            for line in range(first, (statement.end_lineno or statement.lineno) + 1):
                self.dead.lines.setdefault(line, why)

    def _heading(self, node: ast.stmt) -> range:
        """The lines of a statement that are not those of statements within."""
        blocks = [getattr(node, name, None) for name in ("body", "orelse", "finalbody", "handlers", "cases")]
        inner = [block[0] for block in blocks if isinstance(block, list) and block]
        if isinstance(node, (ast.Match, ast.Try, ast.TryStar)) or not inner:
            return range(node.lineno, node.lineno + 1 if inner else (node.end_lineno or node.lineno) + 1)
        first = inner[0]
        return range(node.lineno, max(node.lineno + 1, getattr(first, "lineno", node.lineno)))

    def _why(self, test: ast.expr, always: str) -> str:
        text = " ".join(ast.unparse(test).split())
        return f"`{text if len(text) <= SHOWN else text[: SHOWN - 3] + '...'}` is always {always} here"

    # tests

    def _truths(self, test: ast.expr) -> frozenset[bool]:
        """The truths that a test has by all calls; either one where too little is known."""
        found: set[bool] = set()
        for names in self._ways(test):
            found |= Evaluation(names, self._facts.bound).truths(test)
            if len(found) == 2:
                break
        return frozenset(found)

    def _ways(self, test: ast.expr) -> Iterator[dict[str, Value]]:
        """The values of the names in a test, in all combinations."""
        for names in self._names:
            yield from names.ways(test)

    def _conditions(self) -> None:
        """Find the conditions with one outcome, and those that are never come to."""
        for node in ast.walk(self._scope.function):
            if isinstance(node, ast.BoolOp):
                self._operands(node)
            elif isinstance(node, ast.IfExp):
                truths = self._truths(node.test)
                if len(truths) < 2:
                    self.dead.settled.add(place_of(node.test))
                for truth, way in ((True, node.body), (False, node.orelse)):
                    if truth not in truths:
                        self._never(way)
            elif isinstance(node, ast.If) and len(self._truths(node.test)) < 2:
                self.dead.settled.add(place_of(node.test))
            elif isinstance(node, ast.comprehension):
                self.dead.settled.update(place_of(one) for one in node.ifs if len(self._truths(one)) < 2)

    def _operands(self, node: ast.BoolOp) -> None:
        conjunction = isinstance(node.op, ast.And)
        for place, operand in enumerate(node.values):
            truths = self._truths(operand)
            if len(truths) < 2:
                self.dead.settled.add(place_of(operand))
            if conjunction not in truths:
                for one in node.values[place + 1 :]:
                    self._never(one)
                return

    def _never(self, node: ast.expr) -> None:
        self.dead.settled.update(place_of(part) for part in ast.walk(node) if isinstance(part, ast.expr))


def _split(left: frozenset[Value] | None, case: ast.match_case) -> tuple[bool, frozenset[Value] | None]:
    """Whether a case may match one of the values that are left, and those that go on to the next case."""
    if left is None:
        return True, None
    matching = {value: _matches(value, case.pattern) for value in left}
    certain = frozenset(value for value, match in matching.items() if match and case.guard is None)
    return any(match is not False for match in matching.values()), left - certain


def _matches(value: Value, pattern: ast.pattern) -> bool | None:
    """Whether a constant matches a pattern, None where that is not known."""
    match pattern:
        case ast.MatchValue(ast.Constant(other)):
            return bool(value.value == other)
        case ast.MatchSingleton(other):
            return value.value is other
        case ast.MatchAs(None):
            return True
        case ast.MatchOr(patterns):
            found = [_matches(value, one) for one in patterns]
            return True if True in found else None if None in found else False
    return None


def _has_line(statement: ast.stmt) -> bool:
    """Whether a statement runs in the line in which it begins: texts and declarations do nothing."""
    idle = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return not idle and not isinstance(statement, (ast.Global, ast.Nonlocal, *_DEFINITIONS))


def _in_loop(statements: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a loop's body whose `break` would end it."""
    for statement in statements:
        yield statement
        if isinstance(statement, _DEFINITIONS):
            continue
        loop = isinstance(statement, (ast.For, ast.AsyncFor, ast.While))
        for name in ("orelse",) if loop else ("body", "orelse", "finalbody"):
            yield from _in_loop(getattr(statement, name, []))
        for part in (*getattr(statement, "handlers", []), *getattr(statement, "cases", [])):
            yield from _in_loop(part.body)
