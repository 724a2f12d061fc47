"""Branches that no input has taken, in words, each with the condition that decides it."""

from __future__ import annotations

import ast
from collections.abc import Sequence

MOST_SHOWN = 200
"""Characters of a line or a condition."""
MOST_TOLD = 40


def untaken(program: str, goals: Sequence[Sequence[int]]) -> list[str]:
    """A sentence for each goal (line and target, as `Goal` has them), branches first, no statement twice."""
    lines, starts = program.splitlines(), _starts(ast.parse(program))
    branches = [(line, target) for line, target in goals if target]
    behind = {target for _, target in branches}
    told = [_branch(line, target, lines, starts.get(line)) for line, target in branches]
    told += [f"line {line}, `{_text(lines, line)}`: never runs" for line, at in goals if not at and line not in behind]
    return told[:MOST_TOLD]


def _starts(tree: ast.AST) -> dict[int, ast.AST]:
    """The outermost statement that begins in each line."""
    found: dict[int, ast.AST] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.stmt, ast.ExceptHandler)):
            found.setdefault(node.lineno, node)
    return found


def _branch(line: int, target: int, lines: Sequence[str], node: ast.AST | None) -> str:
    if isinstance(node, (ast.If, ast.While)):
        inside = "true" if _within(node.body, target) else "false"
        return f"line {line}: `{ast.unparse(node.test)[:MOST_SHOWN]}` is never {inside}"
    where = f"line {line}, `{_text(lines, line)}`"
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return f"{where}: {'its body never runs' if _within(node.body, target) else 'it never runs out of items'}"
    if target > 0:
        return f"{where}: never goes on to line {target}, `{_text(lines, target)}`"
    return f"{where}: the function never ends there"


def _within(body: Sequence[ast.stmt], line: int) -> bool:
    return body[0].lineno <= line <= (body[-1].end_lineno or body[-1].lineno)


def _text(lines: Sequence[str], line: int) -> str:
    return lines[line - 1].strip()[:MOST_SHOWN] if 0 < line <= len(lines) else ""
