"""N1 and N2: variables and functions get other names, by where they are bound."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from pipeline.transforms.bound_names import parameter_names, walk
from pipeline.transforms.preserving.draft import Inapplicable, identifiers
from pipeline.transforms.preserving.evolving.growing import (
    CUT,
    Growing,
    Site,
    functions,
    gone,
    origin_of,
)
from pipeline.transforms.preserving.names import occurrences
from pipeline.transforms.preserving.words import VARIABLES, words

_VERBS = {
    "get": "fetch", "fetch": "get", "build": "create", "create": "build", "make": "build", "compute": "calculate",
    "calculate": "compute", "calc": "compute", "collect": "gather", "gather": "collect", "merge": "combine",
    "combine": "merge", "convert": "transform", "remove": "drop", "load": "read", "format": "render",
    "render": "format", "strip": "trim", "trim": "strip",
}


class RenameVariable:
    """A variable of a function, but no parameter, gets a name with another word.

    A name that begins with an underscore says that nobody reads the variable, and stays.
    """

    code, name = "N1", "RenameVariable"

    def sites(self, program: Growing) -> list[Site]:
        """The variables, each by the place where it is bound first."""
        return [Site(number) for number, *_ in self._found(program)]

    def apply(self, program: Growing, site: Site) -> None:
        """Rename one of them wherever it stands."""
        for number, function, name in self._found(program, site.origin):
            if number == site.origin:
                new = program.free_of(*_Names(program).instead_of(name))
                for one in occurrences(function):
                    if one.name == name:
                        one.write(new)
                _renamed(function).add(new)
                return
        raise gone()

    def _found(
        self, program: Growing, origin: int | None = None
    ) -> Iterator[tuple[int, ast.FunctionDef, str]]:
        others = _Names(program)
        for _, function in functions(program):
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
                    if node.id.startswith("_") or not others.instead_of(node.id):
                        continue
                    if (number := origin_of(node)) is not None:
                        yield number, function, node.id


class _Names:
    """The names of a program, looked at once."""

    def __init__(self, program: Growing) -> None:
        self.parts = Counter(part for name in program.taken for part in set(name.split("_")))
        self.functions = Counter(name for _, function in functions(program) for name in set(identifiers(function)))

    def instead_of(self, name: str) -> list[str]:
        """The names in which one word of a name is another.

        Words of other names stay, and names of several functions: what goes together is not torn.
        """
        parts, others = name.split("_"), words(VARIABLES)
        if self.functions[name] > 1:
            return []
        return ["_".join([*parts[:place], others[part], *parts[place + 1 :]]) for place, part in enumerate(parts)
                if part in others and self.parts[part] <= 1]


def _renamed(function: ast.FunctionDef) -> set[str]:
    """The variables of a function that have got a name: once is enough, or names would stutter."""
    if not hasattr(function, "renamed"):
        function.renamed = set()  # type: ignore[attr-defined]
    found: set[str] = function.renamed  # type: ignore[attr-defined]
    return found


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
                old, new = function.name, program.free_of(*_other_names(function.name))
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
            if _other_names(function.name) and not any(_hides(tree, function) for tree in program.trees):
                yield number, function


def _other_names(name: str) -> tuple[str, ...]:
    lead = "_" if name.startswith("_") else ""
    verb, _, rest = name.strip("_").partition("_")
    if rest and verb in _VERBS:
        return (f"{lead}{_VERBS[verb]}_{rest}",)
    return ()


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
