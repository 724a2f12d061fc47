"""A program as it is, without what only speaks to people: comments and layout; docstrings stay."""

from __future__ import annotations

import ast


def plain(program: str) -> str:
    """The program's code in one layout, without comments."""
    return ast.unparse(ast.parse(program))
