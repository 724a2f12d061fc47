"""Another name for a function: wherever the code of a program speaks of it, and nowhere else."""

from __future__ import annotations

import ast
import builtins
import keyword
import re

from pipeline.languages.programs import Unreadable

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def renamed(program: str, old: str, new: str) -> str:
    """The program with a function called otherwise; raises `Unreadable` where another meaning might change.

    Texts stay as they are, but for the documentation of the function itself. Renaming back gives the same code again.
    """
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Unreadable(f"it can't be read: {error}") from error
    if not new.isidentifier() or keyword.iskeyword(new) or hasattr(builtins, new):
        raise Unreadable(f"{new} is no name that a function may have")
    if new in _identifiers(tree):
        raise Unreadable(f"{new} is the name of something else in it")
    lines = program.splitlines(keepends=True)
    places = set[tuple[int, int]]()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) and any(_is_called(part, old) for part in ast.walk(node)):
            # Places inside of formatted texts are not told.
            raise Unreadable(f"{old} stands inside a formatted text")
        if isinstance(node, ast.arg) and node.arg == old:
            raise Unreadable(f"{old} is a parameter, too")
        if isinstance(node, ast.Name) and node.id == old:
            places.add((node.lineno, _column(lines[node.lineno - 1], node.col_offset)))
        elif isinstance(node, _DEFINITIONS) and node.name == old:
            line = lines[node.lineno - 1]
            places.add((node.lineno, line.index(old, line.index("def" if "def" in line else "class") + 3)))
    for number, column in sorted(places, reverse=True):
        line = lines[number - 1]
        if line[column : column + len(old)] != old:
            raise Unreadable(f"{old} does not stand where it should, in line {number}")
        lines[number - 1] = line[:column] + new + line[column + len(old) :]
    return _documented("".join(lines), old, new)


def _documented(program: str, old: str, new: str) -> str:
    """The program with the new name in the function's documentation, too."""
    functions = [node for node in ast.parse(program).body if isinstance(node, _DEFINITIONS) and node.name == new]
    lines = program.splitlines(keepends=True)
    for node in functions:
        if ast.get_docstring(node) is not None:
            text = node.body[0]
            for number in range(text.lineno - 1, text.end_lineno or text.lineno):
                lines[number] = re.sub(rf"(?<![\w.]){re.escape(old)}(?!\w)", new, lines[number])
    return "".join(lines)


def _is_called(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _column(line: str, offset: int) -> int:
    return len(line.encode()[:offset].decode())


def _identifiers(tree: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        for field in ("id", "name", "arg", "attr", "asname", "module", "rest"):
            value = getattr(node, field, None)
            if isinstance(value, str):
                found.update(value.split("."))
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            found.update(node.names)
    return found
