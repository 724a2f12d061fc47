"""The operator that adds to conditions what changes none of them."""

from __future__ import annotations

import ast
from random import Random

from pipeline.transforms.bound_names import walk
from pipeline.transforms.preserving.draft import Draft


class CondAug:
    """The condition C of each `if` becomes `C and T` or `C or F`, where T is always true and F always false."""

    name = "CondAug"
    version = 1

    def sites(self, draft: Draft) -> int:
        """How many `if` and `elif` there are."""
        return len(_ifs(draft.function))

    def apply(self, draft: Draft) -> None:
        """Add to each of them; only the truth of these conditions is asked for, so their values may change."""
        for node in draft.chosen(_ifs(draft.function)):
            holds = draft.random.random() < 0.5
            added = _true(draft.random) if holds else never(draft.random)
            node.test = ast.BoolOp(ast.And() if holds else ast.Or(), [node.test, added])


def _ifs(function: ast.FunctionDef) -> list[ast.If]:
    return [node for node in walk(function) if isinstance(node, ast.If)]


def _true(random: Random) -> ast.expr:
    kind = random.randrange(4)
    if kind == 3:
        return ast.BoolOp(ast.And(), [_true_pair(random, one) for one in random.sample(range(3), 2)])
    return _true_pair(random, kind)


def _true_pair(random: Random, kind: int) -> ast.expr:
    if kind == 0:
        values = [True, False] if random.random() < 0.5 else [False, True]
        return ast.BoolOp(ast.Or(), [ast.Constant(value) for value in values])
    greater, less = _compared(random)
    return greater if kind == 1 else ast.BoolOp(ast.Or(), [greater, less])


def never(random: Random) -> ast.expr:
    """A condition of constants that is never true."""
    kind = random.randrange(3)
    if kind == 0:
        values = [True, False] if random.random() < 0.5 else [False, True]
        return ast.BoolOp(ast.And(), [ast.Constant(value) for value in values])
    greater, less = _compared(random)
    return less if kind == 1 else ast.BoolOp(ast.And(), [greater, less])


def _compared(random: Random) -> tuple[ast.Compare, ast.Compare]:
    """Two digits, the larger first: that it is greater, and that it is less."""
    small, large = sorted(random.sample(range(11), 2))

    def compared(sign: ast.cmpop) -> ast.Compare:
        return ast.Compare(ast.Constant(large), [sign], [ast.Constant(small)])

    return compared(ast.Gt()), compared(ast.Lt())
