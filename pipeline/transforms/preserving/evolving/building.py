"""Making code: statements from templates, imports and definitions at the top of a module."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Sequence
from typing import Any

from pipeline.transforms.bound_names import bound, walk
from pipeline.transforms.preserving.draft import identifiers
from pipeline.transforms.preserving.evolving.growing import Growing

_TOP = (ast.Import, ast.ImportFrom)
LOGGER = "logger"
"""The mark of a module's logger."""


def built(text: str, **parts: Any) -> list[Any]:
    """The statements of a text, in which names stand for nodes, and names that are statements for lists of them."""
    tree = ast.parse(text)
    return [new for node in tree.body for new in _Filling(parts).filled(node)]


def expression(text: str, **parts: Any) -> ast.expr:
    """The expression of a text, in which names stand for nodes."""
    [statement] = built(text, **parts)
    made: ast.expr = statement.value
    return made


class _Filling(ast.NodeTransformer):
    def __init__(self, parts: dict[str, Any]) -> None:
        self.parts = parts

    def filled(self, node: ast.stmt) -> list[ast.stmt]:
        made = self.visit(node)
        return made if isinstance(made, list) else [made]

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Name) and isinstance(self.parts.get(node.value.id), list):
            return self.parts[node.value.id]
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> Any:
        return self.parts.get(node.id, node)


def imported(program: Growing, tree: ast.Module, module: str, name: str = "") -> str:
    """What a module, or a name of it, is called in a tree, which imports it if it does not yet."""
    for node in tree.body:
        if isinstance(node, ast.Import) and not name:
            for alias in node.names:
                if alias.name == module and (alias.asname or "." not in module) \
                        and (alias.asname or module) not in _variables(tree):
                    return alias.asname or module
        elif isinstance(node, ast.ImportFrom) and name and node.module == module and not node.level:
            for alias in node.names:
                if alias.name == name and (alias.asname or name) not in _variables(tree):
                    return alias.asname or name
            if module in program.modules and name not in set(identifiers(tree)):
                node.names.append(ast.alias(name))
                return name
    usual = name or {"numpy": "np"}.get(module, module.split(".")[-1])
    free = usual not in set(identifiers(tree)) | set(dir(builtins)) | program.modules.keys()
    program.taken.add(usual)
    called = usual if free else program.fresh(usual)
    alias = ast.alias(name or module, None if called == (name or module) else called)
    if name:
        added: ast.stmt = ast.ImportFrom(module, [alias], 0)
    elif "." in module:
        above, last = module.rsplit(".", 1)
        added = ast.ImportFrom(above, [ast.alias(last, None if called == last else called)], 0)
    else:
        added = ast.Import([alias])
    tree.body.insert(_place_of(program, tree, module), added)
    return called


def _place_of(program: Growing, tree: ast.Module, module: str) -> int:
    """Where an import stands: those of the standard library come before others, the program's own modules last."""
    own = _order(program, module)
    place = 0
    for number, node in enumerate(tree.body[: _behind_imports(tree)]):
        names = getattr(node, "names", [ast.alias("")])
        name = node.module or "" if isinstance(node, ast.ImportFrom) else names[0].name
        if _order(program, name) <= own:
            place = number + 1
    return place


def _order(program: Growing, module: str) -> int:
    if module == "__future__" or not module:
        return 0
    root = module.split(".")[0]
    return 1 if root in sys.stdlib_module_names else 3 if module in program.modules else 2


def _behind_imports(tree: ast.Module) -> int:
    """Behind the imports at the top, or before everything but what has to stand first."""
    place = 0
    for number, node in enumerate(tree.body):
        if isinstance(node, _TOP):
            place = number + 1
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            break
    return place


def defined(tree: ast.Module, new: Sequence[ast.stmt], before: ast.stmt | None = None) -> None:
    """Put definitions into a module: before one of its statements, or behind its imports."""
    place = _behind_imports(tree)
    if before is not None:
        place = next(number for number, one in enumerate(tree.body) if one is before)
    tree.body[place:place] = new


def _variables(tree: ast.Module) -> set[str]:
    """The names that are variables of functions somewhere in a module."""
    inside: set[str] = set()
    for node in tree.body:
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            continue
        for part in walk(node):
            if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
                inside.add(part.id)
            elif isinstance(part, ast.arg):
                inside.add(part.arg)
            elif isinstance(part, (ast.FunctionDef, ast.ClassDef, ast.ExceptHandler)) and part is not node:
                inside.add(part.name or "")
            elif isinstance(part, ast.alias):
                inside.add((part.asname or part.name).split(".")[0])
    return inside


def shadowed(tree: ast.Module) -> set[str]:
    """Names that are something of the program's own somewhere in a module; of a star import all may be."""
    if any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in tree.body):
        return set(dir(builtins))
    return _variables(tree).union(*(bound(node) for node in tree.body))


def logger_of(program: Growing, tree: ast.Module) -> str:
    """The name of the module's logger, which is made if there is none; it is called the same in all modules."""
    loggers = {id(one): node.targets[0].id for one in program.trees for node in one.body
               if isinstance(node, ast.Assign) and getattr(node, "made", "") == LOGGER
               and isinstance(node.targets[0], ast.Name)}
    if id(tree) in loggers:
        return loggers[id(tree)]
    logging = imported(program, tree, "logging")
    name = next(iter(loggers.values()), "") or program.fresh_of("logger", "log", "LOG", "_logger")
    [made] = built(f"{name} = {logging}.getLogger(__name__)")
    made.made = LOGGER
    defined(tree, [made])
    return name
