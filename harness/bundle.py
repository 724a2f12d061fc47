"""Programs of several modules as one text that runs: the further modules stand in it as texts, and are imported.

The text begins with what makes the modules, in an order in which each can be loaded; behind it comes the main one.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

_LOADER = '''import sys as _sys
import types as _types


def _load_module(name, source):
    module = _sys.modules[name] = _types.ModuleType(name)
    exec(compile(source, name + ".py", "exec"), module.__dict__)


'''
_CALL = "_load_module"


def packed(main: str, modules: Mapping[str, str]) -> str:
    """One text of a main module and further ones, by their names; the main one itself where there are none."""
    if not modules:
        return main
    first, rest = _future(main)
    calls = "".join(f"{_CALL}({name!r}, {text!r})\n" for name, text in modules.items())
    return f"{first}{_LOADER}{calls}{rest}"


def unpacked(program: str) -> tuple[str, dict[str, str]]:
    """The main module and the further ones of a text; of any other text itself, and none."""
    if _LOADER not in program:
        return program, {}
    first, rest = program.split(_LOADER, 1)
    modules: dict[str, str] = {}
    lines = rest.splitlines(keepends=True)
    while lines and lines[0].startswith(f"{_CALL}("):
        call = ast.parse(lines.pop(0)).body[0]
        assert isinstance(call, ast.Expr) and isinstance(call.value, ast.Call)
        name, text = (ast.literal_eval(one) for one in call.value.args)
        modules[name] = text
    return first + "".join(lines), modules


def shown(program: str, heading: str = "# {name}.py", main: str = "main") -> str:
    """A program as a person reads it: each module under a heading with its name, the main one last."""
    text, modules = unpacked(program)
    if not modules:
        return program
    parts = [*modules.items(), (main, text)]
    return "\n\n".join(f"{heading.format(name=name)}\n{one.rstrip()}" for name, one in parts) + "\n"


def _future(main: str) -> tuple[str, str]:
    """The lines up to the last import from the future, and the others."""
    ends = [node.end_lineno or 0 for node in ast.parse(main).body
            if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    lines = main.splitlines(keepends=True)
    place = max(ends, default=0)
    return "".join(lines[:place]), "".join(lines[place:])
