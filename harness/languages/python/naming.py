"""Names that answers define, looked up in their syntax tree."""

from __future__ import annotations

import ast


def also_named(answer: str, first: str, wanted: str) -> str:
    """An answer that defines the function `first` and none that is called `wanted`, with both names; else as it is."""
    try:
        tree = ast.parse(answer)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return answer
    defined = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}
    if first not in defined or wanted in defined:
        return answer
    return f"{answer.rstrip()}\n\n{wanted} = {first}\n"
