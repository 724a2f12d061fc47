"""Mutants with several changes: what is wrong in more than one place, and may look right because of it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import combinations
from random import Random

from pipeline.transforms.altering.mutants import Mutant, Mutants
from pipeline.transforms.altering.sites import Site

ATTEMPTS = 5
"""Draws for each mutant that is wanted; functions with few statements have fewer mutants than are wanted."""


def higher_order(of: Mutants, seed: int, count: int) -> list[Mutant]:
    """At most `count` mutants with two or three changes, half of each, drawn by the seed; each parses.

    The changes are in different statements and none is within another. No mutant does the same as the program, a
    first-order mutant, another of the list, or a part of its own changes, as far as that can be proved.
    """
    random = Random(seed)
    found: list[Mutant] = []
    for order, wanted in ((2, count - count // 2), (3, count // 2)):
        enough = len(found) + wanted
        for _ in range(ATTEMPTS * wanted):
            if len(found) < enough and (drawn := _drawn(of.sites, order, random)) and _is_new(of, drawn):
                found += of.written(*drawn)
    return found


def _drawn(places: Sequence[Site], order: int, random: Random) -> list[Site]:
    """So many changes, each in another statement and in the order of the lines; none where one is within another."""
    statements = sorted({site.statement for site in places})
    if len(statements) < order:
        return []
    chosen = random.sample(statements, order)
    drawn = [random.choice([site for site in places if site.statement == number]) for number in chosen]
    nodes = {id(site.node) for site in drawn}
    if any(id(part) in nodes for site in drawn for part in ast.walk(site.node) if part is not site.node):
        return []
    return sorted(drawn, key=lambda site: site.line)


def _is_new(of: Mutants, drawn: Sequence[Site]) -> bool:
    """Whether all changes together do what no fewer of them do."""
    for order in range(2, len(drawn)):
        for fewer in combinations(drawn, order):
            of.is_new(*fewer)
    return of.is_new(*drawn)
