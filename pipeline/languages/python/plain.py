"""A program as it is, without what only speaks to people: comments and layout; docstrings stay."""

from __future__ import annotations

import ast
import io
import tokenize


def plain(program: str) -> str:
    """The program's code in one layout, without comments."""
    return ast.unparse(ast.parse(program))


def without_comments(program: str) -> str:
    """The program as it is, line by line, without its comments."""
    lines = program.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(program).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column].rstrip()
    return "\n".join(lines) + "\n"
