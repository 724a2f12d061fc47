"""S7: helper functions move into a module of their own, from which they are imported by name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy

from pipeline.transforms.bound_names import bound, walk
from pipeline.transforms.preserving.draft import loaded_names
from pipeline.transforms.preserving.evolving.building import LOGGER
from pipeline.transforms.preserving.evolving.growing import Growing, Site, gone, origin_of

_STEMS = ("helpers", "utils", "support", "common", "tools")
_LONGEST = 70
"""Characters of a module's name and of all that is imported from it, above which its name is the stem alone."""
_WATCHING = ("log_utils", "log_helpers", "instrumentation", "call_logging")
"""Names of a module that holds nothing but what was added."""


class CreateModuleDependencies:
    """The helpers of a program that need nothing but imports, constants and one another become a second module."""

    code, name = "S7", "CreateModuleDependencies"

    def sites(self, program: Growing) -> list[Site]:
        """One, at the entry point, where there are such helpers with two statements, or used twice."""
        number = origin_of(program.function)
        return [Site(number)] if number is not None and not program.modules and self._moving(program) else []

    def apply(self, program: Growing, site: Site) -> None:
        """Move them."""
        moving = self._moving(program) if not program.modules and site.origin == origin_of(program.function) else []
        if not moving:
            raise gone()
        main = program.tree
        wanted = set(map(id, moving))
        for node in list(_imports(main)):
            if bound(node) & _needed(moving):
                wanted.add(id(node))
        stays = [node for node in moving if _is_logger(node) and _is_read_beside(node, main, wanted)]
        staying = wanted - set(map(id, stays))
        kept = [node for node in main.body if id(node) not in staying or _is_needed_still(node, main, staying)]
        exported = [name for node in moving if node not in stays
                    for name in sorted(bound(node)) if _is_read(name, kept)]
        added_alone = all(origin_of(node) is None for node in moving)
        about = program.entry_point.strip("_").lower()
        prefix = f"{about}_" if len(about) + len(", ".join(exported)) < _LONGEST else ""
        module = program.fresh_of(*(_WATCHING if added_alone else (f"{prefix}{stem}" for stem in _STEMS)))
        future = [node for node in main.body if _is_future(node)]
        taken = [*future, *(deepcopy(node) if node in stays else node
                            for node in main.body if id(node) in wanted and node not in future)]
        program.modules[module] = ast.Module(taken, [])
        added = ast.ImportFrom(module, [ast.alias(name) for name in exported], 0)
        place = max((number + 1 for number, node in enumerate(kept) if isinstance(node, (ast.Import, ast.ImportFrom))
                     and all(isinstance(one, (ast.Import, ast.ImportFrom)) for one in kept[:number])), default=0)
        main.body = [*kept[:place], added, *kept[place:]]

    def _moving(self, program: Growing) -> list[ast.stmt]:
        """The definitions that move: all helpers that can, with the constants and helpers that they need."""
        main = program.tree
        homes = _homes(main)
        every = {name for node in main.body for name in bound(node)} | _shared(main)
        free: list[ast.stmt] = []
        for node in main.body:
            if isinstance(node, ast.FunctionDef) and node.name != program.entry_point:
                closure = _closure(node, homes, every, program.entry_point)
                if closure is not None and _is_worth(node, main):
                    free += [one for one in closure if one not in free]
        rest = [node for node in main.body if node not in free]
        if not any(_is_read(name, rest) for node in free if not _is_logger(node) for name in bound(node)):
            return []  # nothing would be imported
        return [node for node in main.body if node in free]


def _homes(main: ast.Module) -> dict[str, ast.stmt]:
    """The statement that defines each name of a module, for names that one statement alone defines."""
    found: dict[str, list[ast.stmt]] = {}
    for node in main.body:
        for name in bound(node):
            found.setdefault(name, []).append(node)
    shared = _shared(main)
    return {name: nodes[0] for name, nodes in found.items() if len(nodes) == 1 and name not in shared}


def _shared(main: ast.Module) -> set[str]:
    """The names of the module that functions give other values."""
    return {name for node in walk(main) if isinstance(node, ast.Global) for name in node.names}


def _closure(
    node: ast.stmt, homes: dict[str, ast.stmt], every: set[str], entry_point: str
) -> list[ast.stmt] | None:
    """A helper with the definitions that it needs; None where it needs something that can't move."""
    found, waiting = [node], [node]
    while waiting:
        one = waiting.pop()
        for name in sorted(_names_in(one)):
            home = homes.get(name)
            if name == entry_point or (home is None and name in every):
                return None
            if home is None or home in found or isinstance(home, (ast.Import, ast.ImportFrom)):
                continue
            if not isinstance(home, (ast.Assign, ast.AnnAssign, ast.FunctionDef)):
                return None
            found.append(home)
            waiting.append(home)
    return found


def _names_in(node: ast.AST) -> set[str]:
    """All names that a definition reads, those in annotations included, as they are evaluated."""
    return {part.id for part in walk(node) if isinstance(part, ast.Name)}


def _is_worth(node: ast.FunctionDef, main: ast.Module) -> bool:
    uses = sum(isinstance(part, ast.Name) and part.id == node.name for part in walk(main))
    return len(node.body) > 1 or uses > 1 or any(isinstance(one, (ast.For, ast.While, ast.If)) for one in node.body)


def _needed(nodes: list[ast.stmt]) -> set[str]:
    return {name for node in nodes for name in _names_in(node)}


def _imports(main: ast.Module) -> Iterator[ast.stmt]:
    return (node for node in main.body if isinstance(node, (ast.Import, ast.ImportFrom)) and not _is_future(node))


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _is_logger(node: ast.stmt) -> bool:
    """Whether a statement makes a logger that was added: each module has its own."""
    return getattr(node, "made", "") == LOGGER


def _is_read_beside(node: ast.stmt, main: ast.Module, wanted: set[int]) -> bool:
    """Whether what does not move reads what a statement defines."""
    return any(_is_read(name, [one for one in main.body if id(one) not in wanted]) for name in bound(node))


def _is_needed_still(node: ast.stmt, main: ast.Module, wanted: set[int]) -> bool:
    """Whether an import that moves is needed by what stays, too."""
    return isinstance(node, (ast.Import, ast.ImportFrom)) and _is_read_beside(node, main, wanted)


def _is_read(name: str, nodes: list[ast.stmt]) -> bool:
    return any(name in loaded_names(node) for node in nodes)
