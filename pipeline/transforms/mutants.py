"""Small wrong variants of a function, each with a name: what a sharp suite has to tell from the reference."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType

from pipeline.transforms.sites import Seen, changed, find, sites, writer


@dataclass(frozen=True)
class Mutant:
    """A changed program: the operator's name, the line of the original that it changed, and the text."""

    operator: str
    line: int
    program: str


def mutants(program: str, entry_point: str) -> list[Mutant]:
    """All first-order mutants of a function, in the order of its text; each parses and differs from the program.

    Those that are proved to do the same as the program or an earlier mutant are left out: they are compiled to the
    same bytecode, or have the same normal form.
    """
    tree = ast.parse(program)
    function = find(tree, entry_point)
    if function is None:
        return []
    write = writer(tree, function)
    return [Mutant(operator, line, text) for operator, line, _ in variants(function) if (text := write())]


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
