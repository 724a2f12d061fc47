"""Reading methods: what their calls tell of the value, of the arguments, and of what comes out."""

from __future__ import annotations

import ast
from typing import Any, Protocol

from pipeline.suites.inference.clues import Clue
from pipeline.suites.inference.evidence import library_signatures
from pipeline.suites.inference.interpreter import body_arrays, body_frames
from pipeline.suites.inference.interpreter.body_operators import constant as known_constant

_PATTERN_METHODS = frozenset("match search fullmatch findall finditer sub subn".split())


_PREDICATE_METHODS = frozenset("startswith endswith find rfind index rindex count removeprefix removesuffix".split())


_SPLIT_METHODS = frozenset("split rsplit partition rpartition".split())


class Reading(Protocol):
    """What a reader of statements offers to the reading of calls."""

    names: dict[str, str]
    dates: list[str]
    scope: dict[str, Clue]
    literals: dict[str, list[str]]
    types: dict[str, ast.expr]
    functions: dict[str, list[Clue]]
    keywords: dict[str, dict[str, Clue]]
    parameters: dict[str, Clue]
    cuts: dict[str, ast.expr]

    def read(self, node: ast.expr | None) -> Clue:
        """The clue of an expression."""
        ...

    def iterate(self, node: ast.expr) -> Clue:
        """The clue of an expression's items."""
        ...

    def kinds(self, node: ast.expr) -> list[str]:
        """The kinds that a class or a tuple of classes stands for."""
        ...


def of_kind(kind: str) -> Clue:
    """The clue of a result of some kind."""
    clue = Clue()
    clue.vote(kind, weight=1)
    return clue


MAX_PLACES = 4
"""Pieces of a text that are told apart."""


def text_of(node: ast.expr) -> str:
    """The text that a constant is, "" where it is none."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def method_call(reader: Reading, node: ast.Call, func: ast.Attribute) -> Clue:
    """The clue of what a method gives."""
    clue = reader.read(func.value)
    name = func.attr
    arguments = [reader.read(argument) for argument in node.args]
    for keyword in node.keywords:
        given = reader.read(keyword.value)
        body_arrays.keyword(keyword.arg if keyword.arg == "axis" else "", given)
    constant = known_constant(node.args[0]) if node.args else None
    if name == "join" and isinstance(func.value, ast.Constant) and arguments:
        arguments[0].vote("iterable", "its items are joined")
        kind = "bytes" if isinstance(func.value.value, bytes) else "str"
        arguments[0].items().vote(kind, "it is joined", 4)
        return of_kind(kind)
    if name in _PATTERN_METHODS and arguments and _regex_holder(clue):
        arguments[-1].vote("str", "a regular expression searches it", 4)
        if not clue.votes.get("parsed"):
            clue.vote("Pattern", f"its method {name} is called", 4)
        return of_kind("match")
    if name == "items" and clue.about is not None and clue.about.what == "dtype":
        pairs = Clue()
        pairs.items().positions[1] = clue
        return pairs
    if name == "startswith" and arguments and clue.about is not None and clue.about.what == "dtype":
        body_arrays.compared((clue, func.value), (arguments[0], node.args[0]), reader.names)
    if isinstance(func.value, (ast.BinOp, ast.Compare)) and library_signatures.CALLED_KINDS.get(name) == "array":
        right = func.value.right if isinstance(func.value, ast.BinOp) else func.value.comparators[0]
        for side in (func.value.left, right):
            if isinstance(side, ast.Name) and side.id in reader.scope:
                reader.scope[side.id].vote("array", f"the method {name} of a result is called", 2)
    body_arrays.method(clue, name, node, arguments)
    body_frames.method(clue, name, node)
    if name in ("issubset", "issuperset", "difference", "intersection", "isin"):
        body_frames.asked(reader, (func.value, *node.args))
    kind = library_signatures.CALLED_KINDS.get(name, "object")
    if name == "get" and len(node.args) == 0:
        kind = "object"
    if isinstance(constant, bytes) and kind in ("str", "sequence"):
        kind = "bytes"
    clue.vote(kind, f"its method {name} is called", 1 if kind in ("container", "sequence") else 4)
    alike(clue, kind, name)
    return _method_result(clue, name, arguments, constant, node)


def alike(clue: Clue, kind: str, name: str) -> None:
    """Note that what a table was reckoned from, cell by cell, is a table too."""
    while kind in ("table", "series", "frame") and clue.like is not None:
        clue = clue.like
        clue.vote(kind, f"the member {name} of what is reckoned from it is read", 3)


def _regex_holder(clue: Clue) -> bool:
    return not clue.votes or bool(clue.votes.get("parsed") or clue.votes.get("Pattern"))


def _method_result(clue: Clue, name: str, arguments: list[Clue], constant: Any, node: ast.Call) -> Clue:
    if name in ("get", "pop", "setdefault") and node.args:
        return _looked_up(clue, name, arguments, constant, node)
    if name in _SPLIT_METHODS or name == "splitlines":
        return _split(clue, name, arguments, constant)
    if name in _PREDICATE_METHODS and arguments:
        for value in _alternatives(node.args[0]):
            clue.separators.append(value)
            if name in ("startswith", "removeprefix"):
                clue.starts.append(value)
            elif name in ("endswith", "removesuffix"):
                clue.ends.append(value)
        if clue.votes.get("str") and name != "index":
            arguments[0].peers.append(clue)
            arguments[0].vote("str", f"{name} takes it")
        return of_kind("bool" if name.endswith("with") else "int")
    if name == "replace" and isinstance(constant, str):
        clue.separators.append(constant)
    if name in ("strip", "lstrip", "rstrip") and isinstance(constant, str):
        clue.separators.extend(constant)
    if name in ("items", "values", "keys"):
        return _view(clue, name)
    if name in ("append", "add", "insert", "remove", "discard", "index", "count", "appendleft") and arguments:
        clue.items().peers.append(arguments[-1])
        arguments[-1].peers.append(clue.items())
        if name in ("append", "add", "insert", "appendleft"):
            clue.filled(arguments[-1])
        return Clue()
    if name in ("extend", "update", "union", "intersection", "difference", "issubset", "issuperset"):
        for argument in arguments:
            argument.peers.append(clue)
            argument.vote("dict" if clue.votes.get("dict") else "iterable", f"{name} takes it", 1)
        return clue
    if name in library_signatures.SAME_TYPE_METHODS or (name in ("tolist", "to_list") and clue.about is not None):
        return clue
    if name == "decode":
        result = clue.reading()
        result.vote("str", weight=1)
        return result
    kinds = {"encode": "bytes", "isdigit": "bool", "strftime": "str", "isoformat": "str"}
    return of_kind(kinds.get(name, "computed"))


def _alternatives(node: ast.expr) -> list[str]:
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]


def _looked_up(clue: Clue, name: str, arguments: list[Clue], constant: Any, node: ast.Call) -> Clue:
    if name == "pop" and isinstance(constant, int) and not isinstance(constant, bool):
        clue.vote("list", "an item is popped")
        return clue.items()
    clue.vote("dict", f"its method {name} is called", 2)
    if constant is not None:
        value = clue.field(constant, False)
    else:
        arguments[0].peers.append(clue.keys())
        clue.keys().peers.append(arguments[0])
        value = clue.values()
    if len(arguments) > 1:
        value.peers.append(arguments[1])
        fallback = node.args[1]
        if isinstance(fallback, ast.Constant) and fallback.value is not None:
            value.constant(fallback.value)
        elif isinstance(fallback, (ast.List, ast.Dict, ast.Set, ast.Tuple)):
            value.vote(type(fallback).__name__.lower(), "what stands in its place is one", 4)
    return value


def _split(clue: Clue, name: str, arguments: list[Clue], constant: Any) -> Clue:
    separator = constant if isinstance(constant, str) else "\n" if name == "splitlines" else " "
    if arguments and not isinstance(constant, str) and name != "splitlines":
        arguments[0].vote("str", "it is a separator", 4)
    if separator not in clue.separators:
        clue.separators.append(separator)
    result = of_kind("list")
    if name.endswith("partition"):
        clue.counts.append(2)
    else:
        result.count_of = clue
    pieces = clue.values()
    pieces.vote("str", weight=2)
    result.items().same.append(pieces)
    result.item = pieces
    places = (0, None, 1) if name.endswith("partition") else range(MAX_PLACES)
    for index, place in enumerate(places):
        result.positions[index] = Clue() if place is None else clue.place(separator, place)
    return result


def _view(clue: Clue, name: str) -> Clue:
    result = of_kind("list")
    if name == "items":
        result.items().positions[0] = clue.keys()
        result.items().positions[1] = clue.values()
    else:
        result.item = clue.values() if name == "values" else clue.keys()
    return result
