"""Places in a function that can be changed, and the function while changes are made there."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType
from typing import Any

from pipeline.transforms.altering.changes import Change
from pipeline.transforms.altering.equivalence import Forms
from pipeline.transforms.altering.misreadings import misreadings_of
from pipeline.transforms.altering.operators import changes_of
from pipeline.transforms.altering.telling import Unseen


@dataclass(frozen=True)
class Site:
    """A change that can be made: the operator's name, the node, its line, and the number of its statement."""

    operator: str
    node: ast.AST
    line: int
    statement: int
    change: Change


def sites(function: ast.FunctionDef, misread: bool = False) -> list[Site]:
    """All changes of a function, in the order of its text; those of misreadings where they are asked for."""
    statements = (node for node in ast.walk(function) if isinstance(node, ast.stmt))
    owners = {id(part): number for number, statement in enumerate(statements) for part in _own_parts(statement)}
    return [
        Site(operator, node, line, owners.get(id(node), 0), change)
        for node, line in _nodes(function)
        for operator, change in (*changes_of(node, function.name), *(misreadings_of(node) if misread else ()))
    ]


def _own_parts(node: ast.AST) -> Iterator[ast.AST]:
    """A statement and its parts, without the statements within."""
    yield node
    for part in ast.iter_child_nodes(node):
        if not isinstance(part, ast.stmt):
            yield from _own_parts(part)


@contextmanager
def changed(function: ast.FunctionDef, *places: Site) -> Iterator[CodeType | None]:
    """The compiled function with these changes, None where they make no Python; the tree holds them meanwhile."""
    kept = [(site.node, site.node.__class__, dict(site.node.__dict__)) for site in places]
    try:
        for site in places:
            line, column = getattr(site.node, "lineno", function.lineno), getattr(site.node, "col_offset", 0)
            site.change(site.node)
            _locate(site.node, line, column)
        yield _code(function)
    finally:
        for node, kind, fields in kept:
            node.__class__ = kind
            node.__dict__ = fields


def _code(function: ast.FunctionDef) -> CodeType | None:
    try:
        return _compiled(function)
    except (SyntaxError, ValueError, TypeError):
        return None


class Seen:
    """What a function and its mutants so far do, as far as it can be told.

    `unfit` says of the function as it then stands that it is no mutant; the answers of a `predicate` are only asked
    whether they are true.
    """

    def __init__(self, function: ast.FunctionDef, unfit: Callable[[], bool], predicate: bool = False) -> None:
        self._function, self._unfit = function, unfit
        self._forms = Forms(function, predicate)
        self._known: set[Any] = {_meaning(_compiled(function)), self._forms.of()}

    def is_new(self, *places: Site) -> bool:
        """Whether these changes make a function that does what none before it did; if so, it is known from now on."""
        with changed(self._function, *places) as code:
            return code is not None and self.is_new_code(code, *places)

    def is_new_code(self, code: CodeType, *places: Site) -> bool:
        """As `is_new`, while the changes are made already and have given this code."""
        meaning = _meaning(code)
        if meaning in self._known or self._unfit():
            return False
        self._known.add(meaning)
        form = self._forms.of(*(site.node for site in places))
        if form is None:
            return True
        new = form not in self._known
        self._known.add(form)
        return new


def writer(tree: ast.Module, statement: ast.stmt) -> Callable[[], str]:
    """What writes the program with one of its statements as it then stands, empty where that is no Python."""
    place = tree.body.index(statement)
    top, end = (ast.unparse(ast.Module(part, [])) for part in (tree.body[:place], tree.body[place + 1 :]))

    def written() -> str:
        return _python("\n".join(part for part in (top, ast.unparse(statement), end) if part) + "\n")

    return written


def unparsed(tree: ast.Module) -> str:
    """The program as it stands, empty where that is no Python."""
    return _python(ast.unparse(tree) + "\n")


def _python(text: str) -> str:
    try:
        ast.parse(text)
    except SyntaxError:
        return ""
    return text


def find(tree: ast.Module, name: str) -> ast.FunctionDef | None:
    """The last function of that name at module level."""
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    return found[-1] if found else None


def _locate(node: ast.AST, line: int, column: int) -> None:
    """Give the place to all parts of a changed node that have none."""
    for part in ast.walk(node):
        if "lineno" in part._attributes and not hasattr(part, "lineno"):
            located: Any = part
            located.lineno, located.col_offset = line, column
            located.end_lineno, located.end_col_offset = line, column


def _compiled(function: ast.FunctionDef) -> CodeType:
    code: CodeType = compile(ast.Module([function], []), "mutant", "exec", dont_inherit=True)
    return code


def _meaning(code: CodeType) -> tuple[Any, ...]:
    """What a code object does, without the places of its lines."""
    constants = tuple(
        _meaning(value) if isinstance(value, CodeType) else (type(value).__name__, repr(value))
        for value in code.co_consts
    )
    return code.co_code, constants, code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars, code.co_flags


def _nodes(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, int]]:
    """The nodes of the function's body with their lines, without annotations and docstring."""
    first = function.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    unseen = Unseen.of(function)
    for statement in function.body[1:] if documented else function.body:
        yield from _within(statement, statement.lineno, unseen)


def _within(node: ast.AST, line: int, unseen: Unseen) -> Iterator[tuple[ast.AST, int]]:
    """A node and its parts, the outer first; a part without a place of its own has that of what it stands in.

    What no answer shows is left alone, and so is what an exception is raised with: answers are compared by its type.
    """
    line = getattr(node, "lineno", line)
    if unseen.wholly(node):
        return
    yield node, line
    if isinstance(node, ast.Raise) or unseen.stored(node):
        return
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns") or (name == "msg" and isinstance(node, ast.Assert)):
            continue
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.AST):
                yield from _within(part, line, unseen)
