"""What the parameters of a member may be, by all the places of the program that call it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pipeline.suites.proofs.facts import Facts
from pipeline.suites.proofs.known_names import MOST_VALUES, Names, Row
from pipeline.suites.proofs.scope import Scope
from pipeline.suites.proofs.values import Evaluation, Possible, Value
from pipeline.suites.subject import Subject, full_name, imported_names
from pipeline.transforms.altering.members import Member

ROUNDS = 20
"""Rounds after which parameters whose values still grow may be anything."""
_REMEMBERING = frozenset(["functools.lru_cache", "functools.cache"])

@dataclass
class _Called:
    """A member that is only called by its name: its scope, and the calls with the function that each stands in."""

    scope: Scope
    calls: list[tuple[Scope | None, ast.Call]] = field(default_factory=list)


def rows_of(subject: Subject, facts: Facts) -> dict[str, list[Row]]:
    """For each member of which all calls are known what the parameters may be there, call by call."""
    if facts.reflective:
        return {}
    called = _called(subject, facts)
    known: dict[str, Row] = {name: dict.fromkeys(one.scope.named, frozenset()) for name, one in called.items()}
    rows: dict[str, list[Row]] = {}
    for turn in range(ROUNDS):
        rows = {name: [_row(one, *call, known, facts) for call in one.calls] for name, one in called.items()}
        joined = {name: _joined(called[name].scope, found) for name, found in rows.items()}
        if joined == known:
            return rows
        known = joined if turn < ROUNDS // 2 else {name: _settled(known[name], row) for name, row in joined.items()}
    return {}


def _called(subject: Subject, facts: Facts) -> dict[str, _Called]:
    plain = [member for member in subject.members if _is_plain(member, subject, facts)]
    found = {member.name: _Called(Scope(member.node)) for member in plain}
    for scope, node, parent in _names(subject):
        one = found.get(node.id)
        if one is None:
            continue
        if isinstance(parent, ast.Call) and parent.func is node and _fits(one.scope, parent):
            one.calls.append((scope, parent))
        else:
            # It is handed on, stored or called in a way that does not tell which argument goes where.
            del found[node.id]
    return found


def _is_plain(member: Member, subject: Subject, facts: Facts) -> bool:
    """Whether a member is a function at module level whose name means nothing else anywhere."""
    names = imported_names(subject.tree)
    decorators = [one.func if isinstance(one, ast.Call) else one for one in member.node.decorator_list]
    remembering = all(full_name(one, names) in _REMEMBERING for one in decorators)
    return not member.owner and facts.bound[member.name] == 1 and remembering


def _names(subject: Subject) -> Iterator[tuple[Scope | None, ast.Name, ast.AST | None]]:
    """All names of the program with the function in which they stand, if any, and what they stand in directly."""
    scopes = {id(function): Scope(function) for function in subject.functions}

    def within(node: ast.AST, scope: Scope | None, parent: ast.AST | None) -> Iterator[
        tuple[Scope | None, ast.Name, ast.AST | None]
    ]:
        if isinstance(node, ast.Name):
            yield scope, node, parent
        inside = scopes.get(id(node), scope)
        body = {id(part) for part in getattr(node, "body", [])} if id(node) in scopes else set()
        for part in ast.iter_child_nodes(node):
            # Defaults and decorators run where the function is defined.
            yield from within(part, inside if id(node) not in scopes or id(part) in body else scope, node)

    yield from within(subject.tree, None, None)


def _fits(scope: Scope, call: ast.Call) -> bool:
    """Whether it is clear which argument goes where, and none goes astray."""
    if any(isinstance(one, ast.Starred) for one in call.args) or any(one.arg is None for one in call.keywords):
        return False
    given = scope.function.args
    if given.vararg is None and len(call.args) > len(scope.positional):
        return False
    return given.kwarg is not None or all(one.arg in scope.named for one in call.keywords)


def _row(
    one: _Called, caller: Scope | None, call: ast.Call, known: Mapping[str, Row], facts: Facts
) -> Row:
    scope, given = one.scope, one.scope.function.args
    defaults = dict(zip(reversed(scope.positional), reversed(given.defaults), strict=False))
    defaults |= {arg.arg: value for arg, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value}
    by_name = {one.arg: one.value for one in call.keywords if one.arg and one.arg not in scope.only_by_place}
    passed = by_name | dict(zip(scope.positional, call.args, strict=False))
    row: Row = {}
    for name in scope.named:
        if name in passed:
            row[name] = _argument(passed[name], caller, known, facts)
        elif name in defaults:
            row[name] = _argument(defaults[name], None, known, facts)
    return row


def _argument(node: ast.expr, caller: Scope | None, known: Mapping[str, Row], facts: Facts) -> Possible:
    """What an argument may be: a parameter that is handed on is what that may be."""
    if caller is None:
        return Evaluation(facts.constants, facts.bound).of(node)
    # Of the entry point and of methods nothing is known.
    return Names(caller, known.get(caller.function.name, {}), facts).of(node)


def _joined(scope: Scope, rows: list[Row]) -> Row:
    made: Row = {}
    for name in scope.named:
        found = [row.get(name, None) for row in rows]
        known = [one for one in found if one is not None]
        every = frozenset[Value]().union(*known)
        made[name] = every if len(known) == len(found) and len(every) <= MOST_VALUES else None
    return made


def _settled(before: Row, after: Row) -> Row:
    """What has not grown; all else may be anything."""
    return {name: value if before.get(name) == value else None for name, value in after.items()}
