"""Operators that write whole numbers as sums and differences, and texts as two pieces."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pipeline.transforms.preserving.draft import Draft

LARGEST = 10**9
"""Whole numbers above it are left as they are."""
PARTS = 100
"""The first part of a sum or a difference is one of 1 to this."""

_ELSEWHERE = frozenset({"annotation", "returns", "format_spec", "pattern"})
"""Parts of a node in which a number is no expression."""
_Slot = tuple[ast.AST, str, int | None]


class ConstUnfold:
    """Each whole number n becomes `a + (n - a)`, or `a - (a - n)` where that has no sign; a is drawn."""

    name = "ConstUnfold"
    version = 1

    def sites(self, draft: Draft) -> int:
        """How many whole numbers the function holds where an expression may stand."""
        return len(list(_numbers(draft.function)))

    def apply(self, draft: Draft) -> None:
        """Unfold all of them."""
        for slot, number in draft.chosen(list(_numbers(draft.function))):
            _put(slot, _unfolded(number, draft.random.randint(1, PARTS)))


class StringUnfold:
    """Each text of two characters or more becomes `"te" + "xt"`; where it is cut is drawn."""

    name = "StringUnfold"
    version = 1

    def sites(self, draft: Draft) -> int:
        """How many texts the function holds where an expression may stand, f-strings and lone texts left out."""
        return len(list(_texts(draft.function)))

    def apply(self, draft: Draft) -> None:
        """Cut them."""
        for slot, text in draft.chosen(list(_texts(draft.function))):
            cut = draft.random.randrange(1, len(text))
            _put(slot, ast.BinOp(ast.Constant(text[:cut]), ast.Add(), ast.Constant(text[cut:])))


def _put(slot: _Slot, new: ast.expr) -> None:
    owner, field, place = slot
    if place is None:
        setattr(owner, field, new)
    else:
        getattr(owner, field)[place] = new


def _texts(node: ast.AST) -> Iterator[tuple[_Slot, str]]:
    """Texts by where they stand: not in annotations, patterns and f-strings, and not as statements."""
    for field, value in ast.iter_fields(node):
        if field in _ELSEWHERE or (isinstance(node, ast.Expr) and _is_text(value)):
            continue
        for place, part in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(part, ast.Constant) and isinstance(part.value, str) and len(part.value) > 1:
                yield (node, field, place), part.value
            elif isinstance(part, ast.AST) and not isinstance(part, ast.JoinedStr) and not _is_literal_type(part):
                yield from _texts(part)


def _is_text(node: object) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _unfolded(number: int, first: int) -> ast.BinOp:
    rest, sign = (number - first, ast.Add()) if number >= first else (first - number, ast.Sub())
    return ast.BinOp(ast.Constant(first), sign, ast.Constant(rest))


def _numbers(node: ast.AST) -> Iterator[tuple[_Slot, int]]:
    """Whole numbers with their signs, by where they stand: not in annotations, patterns and formats."""
    for field, value in ast.iter_fields(node):
        if field in _ELSEWHERE:
            continue
        for place, part in enumerate(value) if isinstance(value, list) else [(None, value)]:
            number = _number(part)
            if number is not None:
                yield (node, field, place), number
            elif isinstance(part, ast.AST) and not _is_literal_type(part):
                yield from _numbers(part)


def _number(node: object) -> int | None:
    """The whole number that is written there, its sign included, None for anything else and for large ones."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _number(node.operand) if isinstance(node.operand, ast.Constant) else None
        return None if inner is None else -inner
    whole = isinstance(node, ast.Constant) and type(node.value) is int and abs(node.value) <= LARGEST
    return node.value if whole and isinstance(node, ast.Constant) else None  # type: ignore[return-value]


def _is_literal_type(node: ast.AST) -> bool:
    """Whether a type is written there, as `Literal[3]` is where it stands as a value."""
    if not isinstance(node, ast.Subscript):
        return False
    name = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
    return name == "Literal"
