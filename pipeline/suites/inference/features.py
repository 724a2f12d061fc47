"""What the body as a whole does, as far as it says how values should look: recursion, windows, types of numbers."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from pipeline.suites.domain.spec import Anything, Array, Dictionary, Either, Entry, Fixed, Items, Spec, either
from pipeline.suites.rules import changes

_TYPES_OF_NUMBERS = frozenset(
    "dtype ndim issubdtype iscomplexobj iscomplex isrealobj complex bool bool_ complexfloating complex128"
    " isscalar".split()
)
_TREES = Either((Anything(nested=True), Anything()))


@dataclass(frozen=True)
class Features:
    """`recursive`: a function calls itself; `windows`: sequences are cut at computed places; `numeric`: the types of
    numbers matter."""

    recursive: bool = False
    windows: bool = False
    numeric: bool = False


def features_of(*functions: ast.FunctionDef) -> Features:
    """What the bodies of a function and its members do."""
    nodes = [node for function in functions for node in ast.walk(function)]
    spelled = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    spelled |= {node.id for node in nodes if isinstance(node, ast.Name)}
    return Features(
        any(_calls_itself(node) for node in nodes if isinstance(node, ast.FunctionDef)),
        any(_cuts(node) for node in nodes),
        bool(spelled & _TYPES_OF_NUMBERS),
    )


def _calls_itself(function: ast.FunctionDef) -> bool:
    calls = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
    return any(isinstance(called, ast.Name) and called.id == function.name for called in calls)


def _cuts(node: ast.AST) -> bool:
    """Whether it slices with both bounds computed, or counts in steps."""
    match node:
        case ast.Slice(ast.expr() as lower, ast.expr() as upper):
            return not isinstance(lower, ast.Constant) and not isinstance(upper, ast.Constant)
        case ast.Call(ast.Name("range"), [_, _, _]):
            return True
    return False


@changes("features: recursion and cuts")
def adapted(spec: Spec, features: Features) -> Spec:
    """The specification as the features of the body ask for it."""
    match spec:
        case Anything() if features.recursive:
            return _TREES
        case Array() if features.numeric:
            return replace(spec, wide=True)
        case Items(item):
            return replace(spec, item=adapted(item, features), long=features.windows)
        case Fixed(items):
            return replace(spec, items=tuple(adapted(item, features) for item in items))
        case Dictionary(_, value, entries):
            known = tuple(Entry(entry.key, adapted(entry.value, features), entry.required) for entry in entries)
            return replace(spec, value=None if value is None else adapted(value, features), entries=known)
        case Either(options, rare):
            return either([adapted(option, features) for option in options], list(rare))
    return spec
