"""Reading `match` statements: what patterns ask of the value that they are tried on."""

from __future__ import annotations

import ast
from typing import Protocol

from pipeline.suites.inference.clues import Clue
from pipeline.suites.inference.interpreter.body_operators import compare_constant, constant
from pipeline.suites.rules import notes


class Matching(Protocol):
    """What a reader of statements offers to the reading of patterns."""

    scope: dict[str, Clue]

    def kinds(self, node: ast.expr) -> list[str]:
        """The kinds that a class or a tuple of classes stands for."""
        ...


@notes("match statements")
def pattern(reader: Matching, node: ast.pattern, clue: Clue) -> None:
    """Note what a pattern asks of a value, and let the names that it binds stand for the parts."""
    match node:
        case ast.MatchValue(value):
            known = constant(value)
            if known is not None:
                compare_constant(clue, known)
        case ast.MatchSingleton(value):
            clue.constant(value)
        case ast.MatchOr(patterns):
            for one in patterns:
                pattern(reader, one, clue)
        case ast.MatchAs(inner, name):
            if inner is not None:
                pattern(reader, inner, clue)
            if name is not None:
                reader.scope[name] = clue
        case ast.MatchMapping():
            _mapping(reader, node, clue)
        case ast.MatchSequence(patterns):
            _sequence(reader, patterns, clue)
        case ast.MatchClass():
            _class(reader, node, clue)


def _mapping(reader: Matching, node: ast.MatchMapping, clue: Clue) -> None:
    place = _option(clue, "dict")
    place.vote("dict", "a pattern asks for its keys", 4)
    for key, inner in zip(node.keys, node.patterns, strict=True):
        known = constant(key)
        part = place.field(known, False) if known is not None else place.values()
        pattern(reader, inner, part)
    if node.rest is not None:
        reader.scope[node.rest] = place


def _sequence(reader: Matching, patterns: list[ast.pattern], clue: Clue) -> None:
    place = _option(clue, "list")
    place.vote("list", "a pattern takes it apart", 3)
    starred = [one for one in patterns if isinstance(one, ast.MatchStar)]
    fewest = len(patterns) - len(starred)
    place.lengths.extend(count for count in (fewest, fewest + len(starred)) if count not in place.lengths)
    for one in patterns:
        if not isinstance(one, ast.MatchStar):
            pattern(reader, one, place.items())
        elif one.name is not None:
            reader.scope[one.name] = place


def _class(reader: Matching, node: ast.MatchClass, clue: Clue) -> None:
    for kind in reader.kinds(node.cls):
        clue.tested.append(kind)
        place = clue.variant(kind)
        for inner in node.patterns[:1]:
            # `str(text)` binds the value itself, for the classes of plain values.
            pattern(reader, inner, place)


def _option(clue: Clue, kind: str) -> Clue:
    """Where patterns of several shapes are tried, each shape is one option of the value."""
    clue.tested.append(kind)
    return clue.variant(kind)
