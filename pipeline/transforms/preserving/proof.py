"""What is proved of one step of a chain without running anything."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import CodeType
from typing import Any

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


def _code(program: str) -> CodeType:
    return compile(program, "program", "exec", dont_inherit=True)


def _meaning(code: CodeType, named: bool) -> tuple[Any, ...]:
    """What a code object does, without its lines, and without the names of its variables unless they are `named`.

    Variables that inner functions share are numbered by their names, so of these the names always count.
    """
    constants = tuple(
        _meaning(value, named) if isinstance(value, CodeType) else (type(value).__name__, repr(value))
        for value in code.co_consts
    )
    names = (code.co_varnames, code.co_name) if named else len(code.co_varnames)
    arguments = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
    return code.co_code, constants, code.co_names, names, code.co_cellvars, code.co_freevars, arguments


def _without_what_was_added(before: str, after: str) -> str:
    old, new = ast.parse(before), ast.parse(after)
    for node in ast.walk(new):
        if isinstance(node, ast.If):
            if not isinstance(node.test, ast.BoolOp) or len(node.test.values) != 2:
                return SUITE
            kept, added = node.test.values
            # The operand has no names: it is a constant, whatever the program does.
            if any(isinstance(part, (ast.Name, ast.Call)) for part in ast.walk(added)):
                return SUITE
            if _value(added) is not isinstance(node.test.op, ast.And):
                return SUITE
            node.test = kept
    return INVERSE if ast.dump(old) == ast.dump(new) else SUITE


def _value(node: ast.expr) -> object:
    """The truth of an operand that is made of truth values, whole numbers and their comparisons, None for others."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, bool) else None
    if isinstance(node, ast.BoolOp):
        values = [_value(part) for part in node.values]
        if not all(isinstance(value, bool) for value in values):
            return None
        return all(values) if isinstance(node.op, ast.And) else any(values)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        left, right = node.left, node.comparators[0]
        if isinstance(left, ast.Constant) and isinstance(right, ast.Constant) \
                and type(left.value) is type(right.value) is int:
            if isinstance(node.ops[0], ast.Gt):
                return left.value > right.value
            if isinstance(node.ops[0], ast.Lt):
                return left.value < right.value
    return None


_PROOFS: dict[str, Callable[[str, str], str]] = {
    "ConstUnfold": _same_code, "VarNormI": _same_but_for_names, "VarNormII": _same_but_for_names,
    "CondAug": _without_what_was_added,
}
