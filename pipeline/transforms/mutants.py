"""Small wrong variants of a function, each with a name: what a sharp suite has to tell from the reference."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType
from typing import Any

from pipeline.transforms.changes import Change
from pipeline.transforms.equivalence import Forms
from pipeline.transforms.operators import changes_of


@dataclass(frozen=True)
class Mutant:
    """A changed program: the operator's name, the line of the original that it changed, and the text."""

    operator: str
    line: int
    program: str


def mutants(program: str, entry_point: str) -> list[Mutant]:
    """All first-order mutants of a function, in the order of its text; each parses and differs from the program.

    Those that are proved to do the same as the program or an earlier mutant are left out: they are compiled to the
    same bytecode, or have the same normal form.
    """
    tree = ast.parse(program)
    function = _function(tree, entry_point)
    if function is None:
        return []
    before, after = tree.body[: tree.body.index(function)], tree.body[tree.body.index(function) + 1 :]
    top, end = (ast.unparse(ast.Module(part, [])) for part in (before, after))
    found = []
    for operator, line, _ in variants(function):
        text = "\n".join(part for part in (top, ast.unparse(function), end) if part) + "\n"
        if _parses(text):
            found.append(Mutant(operator, line, text))
    return found


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def _function(tree: ast.Module, entry_point: str) -> ast.FunctionDef | None:
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == entry_point]
    return found[-1] if found else None


def variants(
    function: ast.FunctionDef, prepare: Callable[[ast.FunctionDef], None] | None = None
) -> Iterator[tuple[str, int, CodeType]]:
    """Change the function in place, one mutant after the other: the operator, the line, and the compiled definition.

    The tree holds a mutant until the next one is asked for, and is as it was before when there are no more. What
    `prepare` adds to the tree is in all mutants and is changed in none.
    """
    nodes = list(_nodes(function))
    if prepare is not None:
        prepare(function)
    seen = _Seen(function)
    for node, line in nodes:
        for name, change in changes_of(node, function.name):
            with_fields = dict(node.__dict__)
            kind = node.__class__
            code = _changed(function, node, change)
            if code is not None and seen.is_new(code, node):
                yield name, line, code
            node.__class__ = kind
            node.__dict__ = with_fields


class _Seen:
    """What a function and its mutants so far do, as far as it can be told."""

    def __init__(self, function: ast.FunctionDef) -> None:
        self._forms = Forms(function)
        self._known: set[Any] = {_meaning(_compiled(function)), self._forms.of()}

    def is_new(self, code: CodeType, *changed: ast.AST) -> bool:
        """Whether the function does what none before it did, with these nodes changed; if so, it is known from now."""
        meaning = _meaning(code)
        if meaning in self._known:
            return False
        self._known.add(meaning)
        form = self._forms.of(*changed)
        if form is None:
            return True
        new = form not in self._known
        self._known.add(form)
        return new


def _changed(function: ast.FunctionDef, node: ast.AST, change: Change) -> CodeType | None:
    """The compiled function after a change of one node, None where that is no Python."""
    line, column = getattr(node, "lineno", function.lineno), getattr(node, "col_offset", 0)
    change(node)
    _locate(node, line, column)
    try:
        return _compiled(function)
    except (SyntaxError, ValueError, TypeError):
        return None


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
    messages = _messages(function)
    for statement in function.body[1:] if documented else function.body:
        yield from _within(statement, statement.lineno, messages)


def _messages(function: ast.FunctionDef) -> frozenset[str]:
    """The names that are read only where an exception is raised."""
    inside = {id(part) for node in ast.walk(function) if isinstance(node, ast.Raise) for part in ast.walk(node)}
    read = [node for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    return frozenset(node.id for node in read if id(node) in inside) - {
        node.id for node in read if id(node) not in inside
    }


def _within(node: ast.AST, line: int, messages: frozenset[str]) -> Iterator[tuple[ast.AST, int]]:
    """A node and its parts, the outer first; a part without a place of its own has that of what it stands in.

    What an exception is raised with is left alone: answers are compared by the type of an exception.
    """
    line = getattr(node, "lineno", line)
    yield node, line
    if isinstance(node, ast.Raise):
        return
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in messages:
        return
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.AST):
                yield from _within(part, line, messages)
