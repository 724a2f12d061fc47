"""Questions about a Python module's tree: what it binds, what it uses, what of it would only run an example."""

from __future__ import annotations

import ast
import builtins
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)
_SHOWS = frozenset({
    "print", "pprint", "input", "exit", "quit", "main", "unittest.main", "doctest.testmod", "pytest.main", "sys.exit",
    "os._exit",
})


@dataclass(frozen=True, eq=False)
class Module:
    """A text that parses, with its tree."""

    text: str
    tree: ast.Module

    def defines(self, name: str) -> bool:
        """Whether its top level binds the name to something that is no mere stub."""
        return any(name in bound(s) and not is_stub(s) for s in top_level(self.tree.body))

    def source(self, statement: ast.stmt) -> str:
        """The lines of a statement, decorators included."""
        return "\n".join(self.text.split("\n")[first_line(statement) - 1 : statement.end_lineno])


def parse(text: str) -> Module | int:
    """The module, or the number of the line (from 1) that can't be read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except SyntaxError as error:
        return max(1, min(error.lineno or 1, text.count("\n") + 1))
    except (ValueError, RecursionError, MemoryError):
        return 1
    outside = [s.lineno for s in top_level(tree.body) if isinstance(s, ast.Return)]
    return outside[0] if outside else Module(text, tree)


def first_line(statement: ast.stmt) -> int:
    """The first line of a statement, decorators included."""
    marks: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(mark.lineno for mark in marks)])


def top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run at import, those inside `if`, `try`, `with` and loops included."""
    for statement in body:
        yield statement
        if not isinstance(statement, DEFINITIONS):
            yield from top_level(_inner(statement))


def _inner(statement: ast.stmt) -> list[ast.stmt]:
    inner: list[ast.stmt] = []
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.stmt):
            inner.append(child)
        elif isinstance(child, (ast.ExceptHandler, ast.match_case)):
            inner.extend(child.body)
    return inner


def bound(statement: ast.stmt) -> set[str]:
    """The names that a statement binds in its own scope."""
    if isinstance(statement, DEFINITIONS):
        return {statement.name}
    if isinstance(statement, IMPORTS):
        return {alias.asname or alias.name.partition(".")[0] for alias in statement.names}
    names = {name for inner in _inner(statement) for name in bound(inner)}
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.expr):
            names |= {n.id for n in ast.walk(child) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return names


def loaded(node: ast.AST) -> set[str]:
    """The names that are read anywhere in a tree."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


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
        elif isinstance(node, (*DEFINITIONS, *IMPORTS)):
            names |= bound(node)
    return loaded(tree) - names - set(dir(builtins))


def is_stub(statement: ast.stmt) -> bool:
    """Whether it is a function with nothing in it: a repeated signature."""
    if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    return all(_says_nothing(inner) for inner in statement.body)


def _says_nothing(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    if isinstance(statement, ast.Raise):
        return "NotImplementedError" in ast.dump(statement)
    return isinstance(statement, ast.Pass)


def answers(statement: ast.stmt, name: str) -> bool:
    """Whether it is the function and returns or raises something: a word of prose is a valid body too."""
    if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)) or statement.name != name:
        return False
    return not is_stub(statement) and any(
        isinstance(inner, ast.Raise) or (isinstance(inner, ast.Return) and inner.value is not None)
        for inner in top_level(statement.body)
    )


def without_examples(module: Module, name: str) -> str:
    """The module's text without stubs of the function and what would only show or test it when it is loaded."""
    users, needs = _users(module.tree, name), _needs(module.tree, name)
    drop = [s for s in module.tree.body if _only_shows(s, name, users, needs) or (name in bound(s) and is_stub(s))]
    if not drop:
        return module.text
    keep = [s for s in module.tree.body if s not in drop]
    gone = {n for s in drop for n in _lines(s)}
    if gone & {n for s in keep for n in _lines(s)}:
        return ast.unparse(ast.Module(keep, [])) + "\n"
    return "\n".join(line for n, line in enumerate(module.text.split("\n"), 1) if n not in gone).rstrip() + "\n"


def _lines(statement: ast.stmt) -> range:
    return range(first_line(statement), (statement.end_lineno or statement.lineno) + 1)


def _only_shows(statement: ast.stmt, name: str, users: set[str], needs: set[str]) -> bool:
    """Whether a statement at the top level defines nothing that the function needs and shows or tests it."""
    if isinstance(statement, (*DEFINITIONS, *IMPORTS)) or bound(statement) & needs:
        return False
    if isinstance(statement, ast.Assert):
        return True
    if isinstance(statement, ast.Expr) and not any(isinstance(n, ast.Call) for n in ast.walk(statement)):
        return True
    if isinstance(statement, ast.If) and "__name__" in ast.dump(statement.test):
        return True
    calls = {_dotted(node.func) for node in ast.walk(statement) if isinstance(node, ast.Call)}
    return bool(calls & (_SHOWS | users)) or any(call.endswith(f".{name}") for call in calls)


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return f"{_dotted(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else ""


def _users(tree: ast.Module, name: str) -> set[str]:
    """The function itself and the functions and classes that use it: tests, demonstrations, `main`."""
    users = {name}
    definitions = [(s.name, loaded(s)) for s in tree.body if isinstance(s, DEFINITIONS)]
    while more := {other for other, names in definitions if other not in users and names & users}:
        users |= more
    return users


def _needs(tree: ast.Module, name: str) -> set[str]:
    """The module's names that the function uses, directly or through others."""
    needs, statements = {name}, [(bound(s), loaded(s)) for s in tree.body]
    while more := {n for binds, names in statements if binds & needs for n in names} - needs:
        needs |= more
    return needs
