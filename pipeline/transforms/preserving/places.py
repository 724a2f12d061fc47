"""Where in a function statements and expressions stand, for operators that replace them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.transforms.preserving.draft import Draft

Block = list[ast.stmt]
_TESTED = (ast.If, ast.While, ast.IfExp, ast.Assert)


def blocks(node: ast.AST) -> Iterator[Block]:
    """The lists of statements below a node in the order of the text, those of inner functions too.

    Bodies of classes are left out, with all in them: what is bound there can be seen from elsewhere.
    """
    if isinstance(node, ast.ClassDef):
        return
    for _, value in ast.iter_fields(node):
        if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
            yield value
        for part in value if isinstance(value, list) else []:
            if isinstance(part, (ast.stmt, ast.ExceptHandler, ast.match_case)):
                yield from blocks(part)


def statements(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements below a node, without what stands in classes."""
    yield from (statement for block in blocks(node) for statement in block)


@dataclass(frozen=True)
class Slot:
    """Where an expression stands; `truth` says that nothing is asked of it but whether it is true."""

    owner: ast.AST
    field: str
    place: int | None
    node: ast.expr
    truth: bool

    def put(self, new: ast.expr) -> None:
        """Let another expression stand there."""
        if self.place is None:
            setattr(self.owner, self.field, new)
        else:
            getattr(self.owner, self.field)[self.place] = new


def slots(node: ast.AST, truth: bool = False) -> Iterator[Slot]:
    """All places of expressions below a node in the order of the text, but in annotations, patterns and f-strings."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "pattern"):
            continue
        asked = _asks_truth(node, field, truth)
        for place, part in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(part, ast.expr):
                yield Slot(node, field, place, part, asked)
            if isinstance(part, ast.AST) and not isinstance(part, ast.JoinedStr):
                yield from slots(part, asked)


def within(function: ast.FunctionDef) -> Iterator[Slot]:
    """The places of expressions in a function's body, which its defaults and decorators don't belong to."""
    for statement in function.body:
        yield from slots(statement)


def _asks_truth(node: ast.AST, field: str, truth: bool) -> bool:
    """Whether a node asks nothing of its field but whether it is true; `truth` says the same of the node itself."""
    if field == "test":
        return isinstance(node, _TESTED)
    if field == "guard" or (field == "ifs" and isinstance(node, ast.comprehension)):
        return True
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    return truth and (isinstance(node, ast.BoolOp) or (isinstance(node, ast.IfExp) and field in ("body", "orelse")))


def replace(draft: Draft, chosen: Sequence[ast.stmt], rewritten: Callable[[Any], Block]) -> None:
    """Replace chosen statements of the function by others, each where it stands, the first one first."""
    wanted = set(map(id, chosen))
    for block in list(blocks(draft.function)):
        block[:] = [new for one in block for new in (rewritten(one) if id(one) in wanted else [one])]


def name(identifier: str) -> ast.Name:
    """The name where it is read."""
    return ast.Name(identifier, ast.Load())


def assign(identifier: str, value: ast.expr) -> ast.Assign:
    """The statement that gives a name a value."""
    return ast.Assign([ast.Name(identifier, ast.Store())], value, lineno=0)
