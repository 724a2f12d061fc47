"""Small wrong variants of a function, each with a name: what a sharp suite has to tell from the reference."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType

from pipeline.transforms.sites import Seen, Site, changed, find, sites, writer


@dataclass(frozen=True)
class Mutant:
    """A changed program: the operator's name, the line of the original that it changed, and the text."""

    operator: str
    line: int
    program: str


class Mutants:
    """The first-order mutants of a function by their places, in the order of its text.

    Those that are proved to do the same as the program or an earlier mutant are left out: they are compiled to the
    same bytecode, or have the same normal form.
    """

    def __init__(self, program: str, entry_point: str) -> None:
        tree = ast.parse(program)
        self.function = find(tree, entry_point)
        self.sites: list[Site] = []
        if self.function is not None:
            self._write = writer(tree, self.function)
            self.seen = Seen(self.function)
            self.sites = [site for site in sites(self.function) if self.seen.is_new(site)]

    def written(self, *places: Site) -> list[Mutant]:
        """The mutant with these changes, none where its text is no Python."""
        if self.function is None:
            return []
        with changed(self.function, *places):
            text = self._write()
        operators = " + ".join(site.operator for site in places)
        return [Mutant(operators, places[0].line, text)] if text else []


def mutants(program: str, entry_point: str) -> list[Mutant]:
    """All first-order mutants of a function; each parses and differs from the program."""
    found = Mutants(program, entry_point)
    return [mutant for site in found.sites for mutant in found.written(site)]


def variants(
    function: ast.FunctionDef, prepare: Callable[[ast.FunctionDef], None] | None = None
) -> Iterator[tuple[str, int, CodeType]]:
    """Change the function in place, one mutant after the other: the operator, the line, and the compiled definition.

    The tree holds a mutant until the next one is asked for, and is as it was before when there are no more. What
    `prepare` adds to the tree is in all mutants and is changed in none.
    """
    places = sites(function)
    if prepare is not None:
        prepare(function)
    seen = Seen(function)
    for site in places:
        with changed(function, site) as code:
            if code is not None and seen.is_new_code(code, site):
                yield site.operator, site.line, code
