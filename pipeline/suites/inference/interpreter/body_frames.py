"""Reading which columns the body asks of a table: by name, as attributes, in loops over names, in rows and groups."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Protocol

from pipeline.suites.inference.clues import Clue
from pipeline.suites.inference.evidence.library_signatures import members
from pipeline.suites.inference.interpreter.body_operators import constants
from pipeline.suites.rules import notes

NO_COLUMNS = members("frame", "series", "Index") | {"Index"}
"""Attributes of tables and of their rows that are no columns."""
_GROUPING = frozenset("groupby pivot pivot_table unstack drop_duplicates duplicated".split())
_REPEATING = frozenset("unique nunique value_counts duplicated drop_duplicates isin mode factorize".split())


class Reading(Protocol):
    """What a reader of statements offers to the reading of columns."""

    literals: dict[str, list[str]]

    def read(self, node: ast.expr | None) -> Clue:
        """The clue of an expression."""
        ...


def texts(reader: Reading, node: ast.expr | None) -> list[str]:
    """The texts that an expression holds as a literal, or that a name was given as one."""
    match node:
        case ast.Name(name):
            return reader.literals.get(name, [])
        case ast.Constant(str(value)):
            return [value]
        case ast.Call(ast.Name("set" | "list" | "sorted" | "tuple" | "frozenset"), [inner]):
            return texts(reader, inner)
        case ast.List() | ast.Tuple() | ast.Set() | ast.Dict():
            return [value for value in constants(node) if isinstance(value, str)]
    return []


@notes("tables: names of columns")
def named(reader: Reading, target: ast.expr, value: ast.expr | None, looped: bool) -> None:
    """Note that a name stands for texts that are given as literals, one after the other where it is looped over."""
    if isinstance(target, ast.Name):
        found = [] if looped and isinstance(value, ast.Constant) else texts(reader, value)
        reader.literals.pop(target.id, None)
        if found and (looped or not isinstance(value, ast.Name)):
            reader.literals[target.id] = found
    elif looped and isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
        rows = [row.elts for row in value.elts if isinstance(row, (ast.Tuple, ast.List))]
        for place, one in enumerate(target.elts):
            parts = [text for row in rows if place < len(row) for text in constants(row[place])]
            if isinstance(one, ast.Name) and parts and all(isinstance(part, str) for part in parts):
                reader.literals[one.id] = parts


@notes("tables: columns asked for")
def asked(reader: Reading, parts: Iterable[ast.expr]) -> None:
    """Note texts that are looked for among the names of columns."""
    parts = list(parts)
    walked = (sub for part in parts for sub in ast.walk(part))
    owners = [sub.value for sub in walked if isinstance(sub, ast.Attribute) and sub.attr == "columns"]
    for owner in owners[:2]:
        clue = reader.read(owner)
        for part in parts:
            held = [part.value] if isinstance(part, ast.Constant) else texts(reader, part)
            for name in held:
                if isinstance(name, str):
                    clue.field(name, False)


def member(clue: Clue, name: str, kind: str) -> Clue | None:
    """What an attribute gives that may be a column."""
    if kind in ("array", "frame", "series", "table") or name in NO_COLUMNS or name.startswith("_"):
        return None
    return clue.members.setdefault(name, Clue())


@notes("tables: methods")
def method(clue: Clue, name: str, node: ast.Call) -> None:
    """Note which columns a method names, and of which it needs labels that repeat."""
    if name in _REPEATING and not node.args:
        clue.groups = True
    if name in _GROUPING:
        given = [*node.args[:1], *(one.value for one in node.keywords if one.arg in ("by", "subset", "index"))]
        labels = [value for one in given for value in constants(one) if isinstance(value, str)]
        for label in labels:
            clue.field(label, True).groups = True
        if given and not labels:
            # Which columns they are is for an argument to say, so values repeat in all of them.
            clue.elements().groups = True


def columns(known: Clue, parts: Iterable[Clue]) -> Iterator[tuple[str | int, Clue]]:
    """The columns that the body names, with what it does to them: of the table and of parts of it."""
    for clue in (known, *parts):
        for key, (part, _) in clue.fields.items():
            if isinstance(key, (str, int)):
                yield key, part
        for name, part in clue.members.items():
            if name not in NO_COLUMNS:
                yield name, part
