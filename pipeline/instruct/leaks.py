"""How much of the body stands in the instruction, as runs of equal code tokens."""

from __future__ import annotations

import ast
import re
from difflib import SequenceMatcher

from pipeline.languages.python.facts import Facts

_TOKEN = re.compile(r"[A-Za-z_]\w*|\d+(?:\.\d+)?|[^\w\s]")
_CODE_SIGNS = frozenset("()[]{}=:.<>+*/%")


def longest_overlap(facts: Facts, text: str) -> str:
    """The longest run of tokens that the body and a text share, "" where they share none with code in it.

    Texts inside the body (messages, keys) are no code and don't count.
    """
    body = _TOKEN.findall("\n".join(ast.unparse(_WithoutTexts().visit(_copy(node))) for node in facts.body))
    said = _TOKEN.findall(text)
    found = SequenceMatcher(None, body, said, autojunk=False).find_longest_match()
    run = body[found.a:found.a + found.size]
    return " ".join(run) if _CODE_SIGNS & set(run) else ""


class _WithoutTexts(ast.NodeTransformer):
    """Puts a mark in place of each text."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Name("§", ast.Load()) if isinstance(node.value, (str, bytes)) else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        del node
        return ast.Name("§", ast.Load())


def _copy(node: ast.stmt) -> ast.AST:
    return ast.parse(ast.unparse(node)).body[0] if not isinstance(node, (ast.Return, ast.Nonlocal)) else \
        ast.parse(f"def f():\n    {ast.unparse(node)}").body[0].body[0]  # type: ignore[attr-defined]
