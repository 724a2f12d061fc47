"""N1 and N2: variables and functions get other names, by where they are bound."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pipeline.transforms.bound_names import parameter_names, walk
from pipeline.transforms.preserving.draft import Inapplicable, identifiers
from pipeline.transforms.preserving.evolving.growing import (
    CUT,
    Growing,
    Site,
    functions,
    gone,
    is_generator,
    origin_of,
)
from pipeline.transforms.preserving.kinds import NUMBERS, KindsOf
from pipeline.transforms.preserving.names import occurrences

_ROLES = {
    "list": ("items", "entries", "collected", "records", "found"), "table": ("mapping", "lookup", "registry", "index"),
    "number": ("count", "amount", "position", "number", "quantity"), "truth": ("flag", "is_set", "enabled"),
    "text": ("text", "content", "fragment", "label", "message"), "": ("value", "current", "candidate", "element"),
}
_VERBS = {
    "get": "fetch", "parse": "read", "is": "check_if", "format": "render", "build": "create", "make": "create",
    "normalize": "standardize", "find": "locate", "split": "divide", "strip": "remove", "compute": "calculate",
    "update": "refresh", "handle": "process", "extract": "pull", "convert": "transform", "validate": "verify",
}


class RenameVariable:
    """A variable of a function, but no parameter, gets a name that fits what it holds.

    A name that begins with an underscore says that nobody reads the variable, and stays.
    """

    code, name = "N1", "RenameVariable"

    def sites(self, program: Growing) -> list[Site]:
        """The variables, each by the place where it is bound first."""
        return [Site(number) for number, *_ in self._found(program)]

    def apply(self, program: Growing, site: Site) -> None:
        """Rename one of them wherever it stands."""
        for number, tree, function, name in self._found(program, site.origin):
            if number == site.origin:
                role, about = _role(function, tree, name), name.strip("_").lower()
                stems = _ROLES[role]
                long = [f"{about}_{stem}" for stem in stems[:2]] if role else [f"current_{about}", f"{about}_value"]
                new = program.fresh_of(*(stems if len(about) < 3 else long if not role else (*stems[:2], *long)))
                for one in occurrences(function):
                    if one.name == name:
                        one.write(new)
                _renamed(function).add(new)
                return
        raise gone()

    def _found(
        self, program: Growing, origin: int | None = None
    ) -> Iterator[tuple[int, ast.Module, ast.FunctionDef, str]]:
        for tree, function in functions(program):
            if origin is not None and not any(origin_of(node) == origin for node in walk(function)):
                continue
            try:
                variables = {one.name for one in occurrences(function)}
            except Inapplicable:
                continue
            inner = {one for node in walk(function) if isinstance(node, (ast.FunctionDef, ast.Lambda))
                     for one in parameter_names(node)}
            seen = set(_renamed(function))
            for node in walk(function):
                is_bound = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
                if isinstance(node, ast.Name) and is_bound and node.id in variables - seen - inner:
                    seen.add(node.id)
                    if node.id.startswith("_"):
                        continue
                    if (number := origin_of(node)) is not None:
                        yield number, tree, function, node.id


def _renamed(function: ast.FunctionDef) -> set[str]:
    """The variables of a function that have got a name: once is enough, or names would stutter."""
    if not hasattr(function, "renamed"):
        function.renamed = set()  # type: ignore[attr-defined]
    found: set[str] = function.renamed  # type: ignore[attr-defined]
    return found


def _role(function: ast.FunctionDef, tree: ast.Module, name: str) -> str:
    kinds = None if is_generator(function) else KindsOf(function, tree).of(ast.Name(name, ast.Load()))
    if kinds:
        return "truth" if kinds == {"bool"} else "number" if kinds <= NUMBERS else "text"
    for node in walk(function):
        if isinstance(node, ast.Assign) and any(getattr(one, "id", "") == name for one in node.targets):
            if isinstance(node.value, (ast.List, ast.ListComp)):
                return "list"
            if isinstance(node.value, (ast.Dict, ast.DictComp)):
                return "table"
    return ""


class RenameFunction:
    """A helper gets a name that says the same in another word, in all modules; the entry point keeps its own."""

    code, name = "N2", "RenameFunction"

    def sites(self, program: Growing) -> list[Site]:
        """The helpers whose names nothing hides, and no text speaks of."""
        return [Site(number) for number, _ in self._found(program)]

    def apply(self, program: Growing, site: Site) -> None:
        """Rename one of them."""
        for number, function in self._found(program):
            if number == site.origin:
                old, new = function.name, program.fresh_of(*_other_names(function.name))
                function.called = new  # type: ignore[attr-defined]
                for tree in program.trees:
                    _rename(tree, old, new)
                return
        raise gone()

    def _found(self, program: Growing) -> Iterator[tuple[int, ast.FunctionDef]]:
        for _, function in functions(program):
            number = origin_of(function)
            if number is None or function.name == program.entry_point or number >= CUT or hasattr(function, "called"):
                continue
            if not any(_hides(tree, function) for tree in program.trees):
                yield number, function


def _other_names(name: str) -> tuple[str, ...]:
    lead = "_" if name.startswith("_") else ""
    verb, _, rest = name.strip("_").partition("_")
    if rest and verb in _VERBS:
        return (f"{lead}{_VERBS[verb]}_{rest}",)
    stem = name.strip("_")
    return tuple(f"{lead}{new}" for new in (f"do_{stem}", f"{stem}_helper", f"perform_{stem}"))


def _rename(tree: ast.Module, old: str, new: str) -> None:
    for node in walk(tree):
        if isinstance(node, ast.Name) and node.id == old:
            node.id = new
        elif isinstance(node, ast.FunctionDef) and node.name == old:
            node.name = new
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if alias.name == old and alias.asname is None:
                    alias.name = new


def _hides(tree: ast.Module, function: ast.FunctionDef) -> bool:
    """Whether a name is anything else than the function somewhere, or is written in a text."""
    for node in walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == function.name and node is not function:
            return True
        if isinstance(node, ast.Name) and node.id == function.name and not isinstance(node.ctx, ast.Load):
            return True
        if isinstance(node, (ast.arg, ast.keyword)) and node.arg == function.name:
            return True
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and function.name in node.value:
            return True
        if isinstance(node, (ast.Global, ast.Nonlocal, ast.ExceptHandler)) and function.name in set(identifiers(node)):
            return True
    return False
