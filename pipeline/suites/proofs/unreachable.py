"""Goals that no input can reach, where that can be proved from the text; a search that failed proves nothing.

What is out of reach in the function itself is a reason to leave it; in its members it is excused.
"""

from __future__ import annotations

import ast
import operator
import os
import sys
from collections.abc import Callable, Iterable
from functools import lru_cache
from importlib import import_module
from typing import Any

from pipeline.suites.proofs.call_sites import rows_of
from pipeline.suites.proofs.called import uncalled
from pipeline.suites.proofs.decided import Dead, Walk
from pipeline.suites.proofs.facts import Facts
from pipeline.suites.proofs.goal import Goal, Place, place_of
from pipeline.suites.proofs.known_names import Row
from pipeline.suites.proofs.scope import Scope
from pipeline.suites.subject import Subject, lines_of
from pipeline.transforms.altering.members import Member

_ORDER: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
    ast.NotEq: operator.ne, ast.In: lambda one, held: one in held, ast.NotIn: lambda one, held: one not in held,
}
CLAIMED = " (a maintainer's reason, which no rule proves)"
"""What stands behind the reason of a claim."""
_LEAVE = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def unreachable(subject: Subject, goals: Iterable[Goal]) -> dict[Goal, str]:
    """The goals of the function itself among those given that are proved unreachable, each with its proof in words."""
    return _within(_dead_lines(subject.function), [goal for goal in goals if not goal.member])


def excused(subject: Subject, goals: Iterable[Goal]) -> dict[Goal, str]:
    """The goals of members among those given that are unreachable, each with its proof in words.

    What is not proved here but claimed says so.
    """
    made: dict[Goal, str] = {}
    inside = [goal for goal in goals if goal.member]
    for name, dead in _dead_in_members(subject).items():
        goals_of = [goal for goal in inside if goal.member == name]
        made |= _within(dead.lines, goals_of)
        for goal in goals_of:
            way, why = dead.only.get(goal.line, (0, ""))
            certain = way and goal.target and goal.target != way and Goal(goal.line, way) in goals_of
            proof = why if certain else dead.branches.get((goal.line, goal.target), "")
            made |= {goal: proof} if proof else {}
    claimed = dict(claim.split(": ", 1) for claim in subject.claims)
    made |= {goal: claimed[str(goal)] + CLAIMED for goal in inside if goal not in made and str(goal) in claimed}
    return made


def dead_lines(subject: Subject) -> frozenset[int]:
    """The lines of members that no call comes to."""
    return frozenset(line for dead in _dead_in_members(subject).values() for line in dead.lines)


def settled_conditions(subject: Subject) -> frozenset[Place]:
    """The places of the conditions of members that have one outcome only, or that no call comes to."""
    return frozenset(place for dead in _dead_in_members(subject).values() for place in dead.settled)


@lru_cache(maxsize=4)
def _dead_in_members(subject: Subject) -> dict[str, Dead]:
    """What never runs in each member: by its text alone, and by the calls that the program has of it."""
    if not subject.members:
        return {}
    facts = Facts(subject.tree)
    rows = rows_of(subject, facts)
    never = {member.name for member in uncalled(subject, facts)}
    return {member.name: _dead_in(member, rows.get(member.name, []), facts, never) for member in subject.members}


def _dead_in(member: Member, rows: list[Row], facts: Facts, never: set[str]) -> Dead:
    dead = Walk(Scope(member.node), rows, facts).dead if rows else Dead()
    lines = _dead_lines(member.node)
    if member.name in never:
        lines = dict.fromkeys(lines_of(member.node), "nothing here calls it")
    dead.lines = lines | dead.lines
    for node in ast.walk(member.node):
        if isinstance(node, (ast.expr, ast.stmt)) and node.lineno in dead.lines:
            dead.settled.add(place_of(node))
    return dead


def _dead_lines(function: ast.FunctionDef) -> dict[int, str]:
    """The lines of a function that nothing comes to, by its text alone."""
    dead: dict[int, str] = {}
    for node in ast.walk(function):
        for block in _blocks(node):
            _after_leaving(block, dead)
        if isinstance(node, ast.If):
            _repeated_tests(node, dead)
            _decided_by_version(node, dead)
        if isinstance(node, ast.Try):
            _needless_fallback(node, dead)
    return dead


def _within(dead: dict[int, str], goals: Iterable[Goal]) -> dict[Goal, str]:
    proofs = {}
    for goal in goals:
        line = goal.target if goal.target > 0 else goal.line
        if line in dead or goal.line in dead:
            proofs[goal] = dead.get(line) or dead[goal.line]
    return proofs


def _blocks(node: ast.AST) -> list[list[ast.stmt]]:
    found = [getattr(node, name, None) for name in ("body", "orelse", "finalbody")]
    return [block for block in found if isinstance(block, list) and block and isinstance(block[0], ast.stmt)]


def _mark(statements: list[ast.stmt], dead: dict[int, str], why: str) -> None:
    for statement in statements:
        for line in range(statement.lineno, (statement.end_lineno or statement.lineno) + 1):
            dead.setdefault(line, why)


def _after_leaving(block: list[ast.stmt], dead: dict[int, str]) -> None:
    for place, statement in enumerate(block[:-1]):
        if _leaves(statement):
            first = block[place + 1].lineno
            _mark(block[place + 1 :], dead, f"line {first} comes after a statement that always leaves")
            return


def _leaves(statement: ast.stmt) -> bool:
    if isinstance(statement, _LEAVE):
        return True
    if isinstance(statement, ast.If) and _version_test(statement.test):
        return _leaves(statement.body[-1])
    if isinstance(statement, ast.If) and statement.orelse:
        return _leaves(statement.body[-1]) and _leaves(statement.orelse[-1])
    return False


def _repeated_tests(node: ast.If, dead: dict[int, str]) -> None:
    """A test in a chain of `elif` that repeats an earlier one, where both only compare names and constants."""
    tests = {ast.unparse(node.test)} if _plain(node.test) else set()
    branch = node.orelse
    while len(branch) == 1 and isinstance(branch[0], ast.If):
        test = ast.unparse(branch[0].test)
        if test in tests:
            _mark(branch[0].body, dead, f"the test of line {branch[0].lineno} repeats an earlier one of the same chain")
        if _plain(branch[0].test):
            tests.add(test)
        branch = branch[0].orelse


_PLAIN = (ast.Compare, ast.Name, ast.Constant, ast.BoolOp, ast.UnaryOp, ast.cmpop, ast.boolop, ast.unaryop, ast.Load)


def _plain(test: ast.expr) -> bool:
    return all(isinstance(part, _PLAIN) for part in ast.walk(test))


def _decided_by_version(node: ast.If, dead: dict[int, str]) -> None:
    """A test of the version of Python or of the system alone, which the pinned runtime decides."""
    holds = _version_test(node.test)
    if holds is not None:
        _mark(node.orelse if holds else node.body, dead, f"the runtime decides the test of line {node.lineno}")


def _version_test(test: ast.expr) -> bool | None:
    """What a test of the version of Python or of the system gives, None where it is no such test."""
    match test:
        case ast.UnaryOp(ast.Not(), inner):
            holds = _version_test(inner)
            return None if holds is None else not holds
        case ast.Compare(left, [op], [right]) if (known := _of_the_runtime(left)) is not None:
            compared = _ORDER.get(type(op))
            try:
                return None if compared is None else bool(compared(known, ast.literal_eval(right)))
            except (ValueError, TypeError):
                return None
        case ast.Call(ast.Attribute(left, "startswith"), [ast.Constant(str(start))], []):
            known = _of_the_runtime(left)
            return known.startswith(start) if isinstance(known, str) else None
    return None


def _of_the_runtime(node: ast.expr) -> Any:
    """What an expression of the runtime's own constants is, None for any other."""
    match node:
        case ast.Attribute(ast.Name("sys"), "version_info"):
            return tuple(sys.version_info)
        case ast.Attribute(ast.Name("sys"), "platform"):
            return sys.platform
        case ast.Attribute(ast.Name("os"), "name"):
            return os.name
        case ast.Attribute(ast.Attribute(ast.Name("sys"), "version_info"), "major" | "minor" as part):
            return getattr(sys.version_info, part)
        case ast.Subscript(ast.Attribute(ast.Name("sys"), "version_info"), index):
            return _part(tuple(sys.version_info), index)
    return None


def _part(known: tuple[Any, ...], index: ast.expr) -> Any:
    match index:
        case ast.Constant(int(place)) if place < len(known):
            return known[place]
        case ast.Slice(None, ast.Constant(int(end)), None):
            return known[:end]
    return None


def _needless_fallback(node: ast.Try, dead: dict[int, str]) -> None:
    """A handler for what can't be imported, where the pinned runtime has all that the body imports."""
    imports = [one for one in node.body if isinstance(one, (ast.Import, ast.ImportFrom))]
    for handler in node.handlers:
        caught = ast.unparse(handler.type) if handler.type is not None else ""
        if imports and caught in ("ImportError", "ModuleNotFoundError") and all(map(_importable, imports)):
            _mark(handler.body, dead, f"the runtime has what line {imports[0].lineno} imports")
            dead.setdefault(handler.lineno, f"the runtime has what line {imports[0].lineno} imports")


def _importable(node: ast.Import | ast.ImportFrom) -> bool:
    try:
        if isinstance(node, ast.Import):
            return all(import_module(alias.name) for alias in node.names)
        if node.level or not node.module:
            return False
        module = import_module(node.module)
        return all(hasattr(module, alias.name) for alias in node.names)
    except ImportError:
        return False
