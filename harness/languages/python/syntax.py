"""Python in texts: reading modules within a budget, and what their trees bind, use and define."""

from __future__ import annotations

import ast
import builtins
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from harness.languages.python import VERSION

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)
_MAJOR, _MINOR = map(int, VERSION.split("."))
_BUDGET = 300_000
_PER_STATEMENT = 8
"""How many characters a statement costs besides its own: short ones take the most time for their length."""
_BUILTINS = frozenset(dir(builtins))


@dataclass(frozen=True, eq=False)
class Module:
    """A text that parses, with its tree."""

    text: str
    tree: ast.Module

    def source(self, statement: ast.stmt) -> str:
        """The lines of a statement, decorators included."""
        return "\n".join(self.lines[first_line(statement) - 1 : statement.end_lineno])

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text."""
        return self.text.split("\n")


class Reader:
    """Reads texts as modules until it has read as much as one answer may cost, whatever stands in it."""

    def __init__(self) -> None:
        self.left = _BUDGET

    def pays(self, cost: int) -> bool:
        """Take the cost of a look at something; whether there was so much left."""
        self.left -= cost
        return self.left > 0

    def read(self, text: str) -> Module | None:
        """The module, None where the text is none or where too much was read already."""
        if _cost(text) > self.left:
            return None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(text, feature_version=(_MAJOR, _MINOR))
        except SyntaxError as error:
            self.left -= _cost(text, error.lineno)
            return None
        except (ValueError, RecursionError, MemoryError, SystemError):
            self.left -= _cost(text)
            return None
        self.left -= _cost(text)
        outside = any(isinstance(s, ast.Return) for s in top_level(tree.body))
        return None if outside else Module(text, tree)


def _cost(text: str, lines: int | None = None) -> int:
    """What it costs to read so many lines of a text."""
    end = len(text)
    if lines is not None:
        place = -1
        for _ in range(max(1, lines)):
            place = text.find("\n", place + 1)
            if place < 0:
                break
        end = place if place >= 0 else end
    return end + _PER_STATEMENT * sum(text.count(mark, 0, end) for mark in "\n;,")


def first_line(statement: ast.stmt) -> int:
    """The first line of a statement, decorators included."""
    marks: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(mark.lineno for mark in marks)])


def top_level(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run at import, those inside `if`, `try`, `with` and loops included."""
    waiting = list(body)[::-1]
    while waiting:
        statement = waiting.pop()
        yield statement
        if not isinstance(statement, DEFINITIONS):
            waiting += _inner(statement)[::-1]


def _inner(statement: ast.stmt) -> list[ast.stmt]:
    inner: list[ast.stmt] = []
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.stmt):
            inner.append(child)
        elif isinstance(child, (ast.ExceptHandler, ast.match_case)):
            inner.extend(child.body)
    return inner


def bound(statement: ast.stmt) -> set[str]:
    """The names that a statement binds in its own scope, with the statements inside it."""
    return {name for one in top_level([statement]) for name in _bound_here(one)}


def _bound_here(statement: ast.stmt) -> set[str]:
    if isinstance(statement, DEFINITIONS):
        return {statement.name}
    if isinstance(statement, IMPORTS):
        return {alias.asname or alias.name.partition(".")[0] for alias in statement.names}
    parts = [child for child in ast.iter_child_nodes(statement) if isinstance(child, (ast.expr, ast.withitem))]
    nodes = [node for part in parts for node in ast.walk(part)]
    inside = {id(n) for node in nodes if isinstance(node, ast.comprehension) for n in ast.walk(node.target)}
    return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and id(n) not in inside}


def loaded(node: ast.AST) -> set[str]:
    """The names that are read anywhere in a tree, or declared to be global there."""
    found = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return found | {name for n in ast.walk(node) if isinstance(n, ast.Global) for name in n.names}


def unbound(tree: ast.Module) -> set[str]:
    """The names that are read and bound nowhere in it, in whatever scope, and that are no builtins."""
    names: set[str | None] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
            names.add(node.name)
        elif isinstance(node, ast.MatchMapping):
            names.add(node.rest)
        elif isinstance(node, DEFINITIONS):
            names.add(node.name)
        elif isinstance(node, IMPORTS):
            names |= _bound_here(node)
    return loaded(tree) - names - _BUILTINS


# Definitions of a function


def definitions(tree: ast.Module, name: str) -> list[ast.stmt]:
    """The functions and classes of that name at the top level that are no mere stubs."""
    return [s for s in top_level(tree.body) if isinstance(s, DEFINITIONS) and s.name == name and not is_stub(s)]


def assigns(tree: ast.Module, name: str) -> bool:
    """Whether something new is assigned to the name: not something around what it was."""
    return any(_assigns(statement, name) for statement in top_level(tree.body))


def _assigns(statement: ast.stmt, name: str) -> bool:
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or statement.value is None:
        return False
    return name in _bound_here(statement) and name not in loaded(statement.value)


def is_stub(statement: ast.stmt) -> bool:
    """Whether it is a function with nothing in it: a repeated signature."""
    if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    return all(_says_nothing(inner) for inner in statement.body)


def _says_nothing(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    if isinstance(statement, ast.Raise):
        return statement.exc is not None and "NotImplementedError" in loaded(statement.exc)
    return isinstance(statement, ast.Pass)


def is_cut_short(statement: ast.stmt, module: Module) -> bool:
    """Whether parts of a definition are only hinted at, by dots that stand for code or in a comment."""
    inner = getattr(statement, "body", [])
    if any(isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant) and s.value.value is ... for s in inner):
        return True
    lines = module.lines[first_line(statement) - 1 : statement.end_lineno]
    comments = [line.partition("#")[2].strip() for line in lines if line.lstrip().startswith("#")]
    return any(comment.startswith(("...", "…")) or comment.endswith(("...", "…")) for comment in comments)


def answers(statement: ast.stmt, name: str) -> bool:
    """Whether it is the function and returns or raises something: a word of prose is a valid body too."""
    if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)) or statement.name != name:
        return False
    return not is_stub(statement) and any(
        isinstance(inner, ast.Raise) or (isinstance(inner, ast.Return) and inner.value is not None)
        for inner in top_level(statement.body)
    )


def without_replacements(module: Module, name: str) -> str:
    """The module's text without what would put something else in the place of the function that it defines.

    That are stubs of it, and loops, blocks and imports that use its name for something of their own.
    """
    last = max((s.lineno for s in definitions(module.tree, name)), default=module.text.count("\n") + 1)
    drop = [s for s in module.tree.body if s.lineno > last and name in _bound_here(s) and _is_no_definition(s)]
    gone = {n for s in drop for n in _lines(s)}
    if not gone or gone & {n for s in module.tree.body if s not in drop for n in _lines(s)}:
        return module.text
    return "\n".join(line for n, line in enumerate(module.lines, 1) if n not in gone)


def _is_no_definition(statement: ast.stmt) -> bool:
    return is_stub(statement) or isinstance(statement, (*IMPORTS, ast.For, ast.AsyncFor, ast.With, ast.AsyncWith))


def _lines(statement: ast.stmt) -> range:
    return range(first_line(statement), (statement.end_lineno or statement.lineno) + 1)
