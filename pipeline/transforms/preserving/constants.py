"""Operators that write whole numbers as sums and differences, and texts as two pieces."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pipeline.transforms.bound_names import FIELDS
from pipeline.transforms.preserving.draft import Draft

LARGEST = 10**9
"""Whole numbers above it are left as they are."""
PARTS = 100
"""The first part of a sum or a difference is one of 1 to this."""

_ELSEWHERE = frozenset({"annotation", "returns", "format_spec", "pattern"})
"""Parts of a node in which a number is no expression."""
_PARTS = {kind: tuple(field for field in fields if field[0] not in _ELSEWHERE) for kind, fields in FIELDS.items()}
_WRITTEN = ast.Constant, ast.UnaryOp
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


def _slots(function: ast.AST, closed: type[ast.AST] | tuple[()] = ()) -> Iterator[tuple[_Slot, ast.AST]]:
    """The nodes of a function by where they stand, as the text has them: not in annotations, patterns and formats.

    Below nodes of a `closed` kind it does not look.
    """
    waiting: list[tuple[_Slot, ast.AST]] = [((function, "", None), function)]
    while waiting:
        slot, node = waiting.pop()
        yield slot, node
        if _is_literal_type(node) or isinstance(node, closed):
            continue
        inside: list[tuple[_Slot, ast.AST]] = []
        for field, several in _PARTS[type(node)]:
            value = getattr(node, field, None)
            if several:
                inside += (((node, field, place), part) for place, part in enumerate(value or ()) if part is not None)
            elif value is not None:
                inside.append(((node, field, None), value))
        waiting += reversed(inside)


def _texts(function: ast.AST) -> Iterator[tuple[_Slot, str]]:
    """Texts by where they stand: not in f-strings, and not as statements."""
    for slot, node in _slots(function, ast.JoinedStr):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) > 1 \
                and not isinstance(slot[0], ast.Expr):
            yield slot, node.value


def _unfolded(number: int, first: int) -> ast.BinOp:
    rest, sign = (number - first, ast.Add()) if number >= first else (first - number, ast.Sub())
    return ast.BinOp(ast.Constant(first), sign, ast.Constant(rest))


def _numbers(function: ast.AST) -> Iterator[tuple[_Slot, int]]:
    """Whole numbers with their signs, by where they stand."""
    for slot, node in _slots(function):
        if isinstance(node, _WRITTEN) and _number(slot[0]) is None:
            number = _number(node)
            if number is not None:
                yield slot, number


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
