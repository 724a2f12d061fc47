"""What is proved of one step of a chain without running anything."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import lru_cache
from types import CodeType
from typing import Any

from pipeline.transforms.bound_names import walk
from pipeline.transforms.preserving.draft import identifiers
from pipeline.transforms.preserving.undo import (
    branches,
    conditional,
    folded,
    truth_of,
    untyped,
    without_branches,
    without_stores,
)

BYTECODE, INVERSE, SUITE = "bytecode", "inverse", "suite"
"""Both compile to the same; taking out what was added gives the original; nothing, so that the cases have to tell."""


def proof_of(operator: str, before: str, after: str) -> str:
    """How a step from one program to another by this operator is proved: one of the three."""
    proof = _PROOFS.get(operator)
    return SUITE if proof is None else proof(before, after)


def _same_code(before: str, after: str) -> str:
    return BYTECODE if _meaning(_code(before), True) == _meaning(_code(after), True) else SUITE


def _same_but_for_names(before: str, after: str) -> str:
    return BYTECODE if _meaning(_code(before), False) == _meaning(_code(after), False) else SUITE


@lru_cache(maxsize=16)
def _code(program: str) -> CodeType:
    return compile(program, "program", "exec", dont_inherit=True)


def _meaning(code: CodeType, named: bool) -> tuple[Any, ...]:
    """What a code object does, without its lines, and without the names of its variables unless they are `named`.

    Variables that inner functions share are numbered by their names, so of these the names always count.
    """
    constants = tuple(
        _meaning(value, named) if isinstance(value, CodeType) else (type(value).__name__, _written(value))
        for value in code.co_consts
    )
    names = (code.co_varnames, code.co_name) if named else len(code.co_varnames)
    arguments = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
    return code.co_code, constants, code.co_names, names, code.co_cellvars, code.co_freevars, arguments


def _written(value: object) -> str:
    """A constant as a text; a set may hold its items in any order."""
    return repr(sorted(map(repr, value)) if isinstance(value, frozenset) else value)


def _without_what_was_added(before: str, after: str) -> str:
    new = ast.parse(after)
    for node in walk(new):
        if isinstance(node, ast.If):
            if not isinstance(node.test, ast.BoolOp) or len(node.test.values) != 2:
                return SUITE
            kept, added = node.test.values
            # The operand has no names: it is a constant, whatever the program does.
            if any(isinstance(part, (ast.Name, ast.Call)) for part in walk(added)):
                return SUITE
            if truth_of(added) is not isinstance(node.test.op, ast.And):
                return SUITE
            node.test = kept
    compiled = compile(new, "program", "exec", dont_inherit=True)
    return INVERSE if _meaning(compiled, True) == _meaning(_code(before), True) else SUITE


def _same_tree(before: str, after: str) -> str:
    return BYTECODE if ast.dump(ast.parse(before)) == ast.dump(ast.parse(after)) else SUITE


def _undone(form: Callable[[ast.Module, set[str]], ast.AST]) -> Callable[[str, str], str]:
    """The proof that both programs have one form; it is told which names only the second one has."""

    def proof(before: str, after: str) -> str:
        old, new = ast.parse(before), ast.parse(after)
        fresh = set(identifiers(new)) - set(identifiers(old))
        return INVERSE if ast.dump(form(old, fresh)) == ast.dump(form(new, fresh)) else SUITE

    return proof


def _same_but_for_annotations(before: str, after: str) -> str:
    old, new = (compile(untyped(ast.parse(one)), "program", "exec", dont_inherit=True) for one in (before, after))
    return BYTECODE if _meaning(old, True) == _meaning(new, True) else SUITE


_PROOFS: dict[str, Callable[[str, str], str]] = {
    **dict.fromkeys(["BlankLines", "Tabs", "SplitLines", "MisleadingComments", "MisleadingHints"], _same_tree),
    **dict.fromkeys(["ConstUnfold", "StringUnfold", "DeMorgan"], _same_code),
    **dict.fromkeys(["VarNormI", "VarNormII", "MisleadingNames"], _same_but_for_names),
    "CondAug": _without_what_was_added, "Untyped": _same_but_for_annotations,
    "IfReverse": _undone(branches), "Ternary2If": _undone(conditional), "AssignUnfold": _undone(folded),
    "DeadStore": _undone(without_stores), "DeadBranch": _undone(without_branches),
}
