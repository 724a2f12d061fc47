"""Methods that are functions in disguise: they need nothing of their class or their object but to be called."""

from __future__ import annotations

import ast
import re

_OF_CLASSES = frozenset({"super", "__class__"})
_BEHIND = re.compile(rb"\s*,\s*(?=[^#\s])")


def alone(source: str) -> str | None:
    """A method's text as that of a function, without its first parameter; None where it needs its class.

    It does where it uses that parameter, `super`, or a name that its class mangles.
    """
    try:
        [function] = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(function, ast.FunctionDef) or function.name.startswith("__") or not function.args.args:
        return None
    first = function.args.args[0]
    if function.args.posonlyargs or function.args.defaults[len(function.args.args) - 1 :] or first.annotation:
        return None
    body = [part for statement in function.body for part in ast.walk(statement)]
    used = {part.id for part in body if isinstance(part, ast.Name)}
    used |= {part.arg for part in body if isinstance(part, ast.arg)}
    names = used | {part.attr for part in body if isinstance(part, ast.Attribute)}
    if used & (_OF_CLASSES | {first.arg}) or any(one.startswith("__") and not one.endswith("__") for one in names):
        return None
    return _without(source, first)


def _without(source: str, parameter: ast.arg) -> str | None:
    """The text without a parameter and the comma behind it, where that leaves a function."""
    lines = source.encode("utf-8").splitlines(keepends=True)
    start = sum(map(len, lines[: parameter.lineno - 1])) + parameter.col_offset
    data, end = b"".join(lines), start + len(parameter.arg.encode("utf-8"))
    behind = _BEHIND.match(data, end)
    text = (data[:start] + data[behind.end() if behind else end :]).decode("utf-8")
    try:
        ast.parse(text)
    except SyntaxError:
        return None
    return text
