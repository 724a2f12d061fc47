"""The thirteen measures of readability, R1 to R13 (GeneBench, Table 2); more of any is harder to read."""

from __future__ import annotations

import ast
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from token import COMMENT, DEDENT, ENCODING, ENDMARKER, INDENT, NEWLINE, NL
from tokenize import TokenInfo, generate_tokens

from pipeline.transforms.bound_names import COMPREHENSIONS, walk

_BLANK = frozenset({COMMENT, DEDENT, ENCODING, ENDMARKER, INDENT, NEWLINE, NL})
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_COMPOUND = (ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp)
_MAKERS = frozenset("list tuple dict set frozenset deque defaultdict Counter OrderedDict sorted bytearray".split())
CASTS = frozenset("int float str bool bytes list tuple set dict frozenset complex".split())


@dataclass(frozen=True)
class Readability:
    """Tokens, lines, primitive variables, compound variables, operators, conditions, loops, assignments, loop depth,
    depth of conditions, most tokens in a line, statements with nested casts, entropy of the tokens in bits."""

    r1: int = 0
    r2: int = 0
    r3: int = 0
    r4: int = 0
    r5: int = 0
    r6: int = 0
    r7: int = 0
    r8: int = 0
    r9: int = 0
    r10: int = 0
    r11: int = 0
    r12: int = 0
    r13: float = 0.0

    @property
    def values(self) -> tuple[float, ...]:
        """All thirteen in their order."""
        return (
            self.r1, self.r2, self.r3, self.r4, self.r5, self.r6, self.r7, self.r8, self.r9, self.r10, self.r11,
            self.r12, self.r13)


def readability(texts: Sequence[str], trees: Sequence[ast.Module]) -> Readability:
    """That of a program: the texts of its modules, and their trees."""
    tokens = [token for text in texts for token in tokens_of(text)]
    lines = sum(len({token.start[0] for token in tokens_of(text)}) for text in texts)
    widest = max(max(Counter(token.start[0] for token in tokens_of(text)).values(), default=0) for text in texts)
    nodes = [node for tree in trees for node in walk(tree)]
    names, compound = _variables(nodes)
    return Readability(
        len(tokens), lines, len(names - compound), len(compound), sum(map(_operators, nodes)),
        sum(isinstance(node, (ast.If, ast.IfExp)) for node in nodes) + _filters(nodes),
        sum(isinstance(node, (*_LOOPS, ast.comprehension)) for node in nodes),
        sum(isinstance(node, (ast.Assign, ast.AugAssign, ast.NamedExpr)) for node in nodes)
        + sum(isinstance(node, ast.AnnAssign) and node.value is not None for node in nodes),
        max(_depth(tree, _LOOPS) for tree in trees), max(_depth(tree, (ast.If,)) for tree in trees), widest,
        sum(map(_nested_casts, nodes)) if sum(map(_is_cast, nodes)) > 1 else 0,
        entropy([token.string for token in tokens]),
    )


_kept: dict[str, list[TokenInfo]] = {}


def tokens_of(text: str) -> list[TokenInfo]:
    """The tokens of a module, without comments and what only lays it out."""
    found = _kept.get(text)
    if found is None:
        if len(_kept) > 8:
            _kept.clear()
        found = _kept[text] = [
            token for token in generate_tokens(StringIO(text).readline) if token.type not in _BLANK]
    return found


def entropy(words: Sequence[str]) -> float:
    """Shannon's, in bits a word."""
    counts, total = Counter(words), len(words)
    return -sum(count / total * math.log2(count / total) for count in counts.values()) if total else 0.0


def _variables(nodes: Sequence[ast.AST]) -> tuple[set[str], set[str]]:
    """All names that are bound to values, and those among them that are bound to a compound one somewhere."""
    names, compound = set[str](), set[str]()
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None and _is_compound(node.value):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            compound.update(one.id for one in targets if isinstance(one, ast.Name))
    return names, compound


def _is_compound(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        called = node.func
        return (called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")) in _MAKERS
    return isinstance(node, _COMPOUND)


def _operators(node: ast.AST) -> int:
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 1
    if isinstance(node, ast.Compare):
        return len(node.ops)
    return int(isinstance(node, (ast.BinOp, ast.UnaryOp, ast.AugAssign)))


def _filters(nodes: Sequence[ast.AST]) -> int:
    return sum(len(node.ifs) for node in nodes if isinstance(node, ast.comprehension))


def _depth(node: ast.AST, kinds: tuple[type[ast.AST], ...]) -> int:
    """How many nodes of these kinds stand in one another at most; `elif` is no further level."""
    here = isinstance(node, kinds)
    inside = 0
    for field, value in ast.iter_fields(node):
        chain = field == "orelse" and isinstance(node, ast.If)
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, (ast.stmt, ast.ExceptHandler, ast.match_case)):
                further = chain and len(value) == 1 and isinstance(part, ast.If)
                inside = max(inside, _depth(part, kinds) - (further and here))
    return inside + here


def _nested_casts(node: ast.AST) -> int:
    """Whether a simple statement, or the head of another one, has a cast of a cast."""
    if not isinstance(node, ast.stmt):
        return 0
    parts = [value for _, value in ast.iter_fields(node)]
    flat = [part for value in parts for part in (value if isinstance(value, list) else [value])]
    return int(any(
        _is_cast(inner) and any(_is_cast(below) for below in _below(inner))
        for part in flat if isinstance(part, ast.expr) for inner in walk(part)))


def _below(node: ast.AST) -> list[ast.AST]:
    return [inner for inner in walk(node) if inner is not node] if not isinstance(node, COMPREHENSIONS) else []


def _is_cast(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CASTS


def cognitive(trees: Sequence[ast.Module]) -> int:
    """Cognitive complexity: a point for each break in the flow, and one more for each level around it."""
    return sum(_cognitive(tree, 0) for tree in trees)


def _cognitive(node: ast.AST, depth: int) -> int:
    total = 0
    for field, value in ast.iter_fields(node):
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.AST):
                total += _step(part, node, field, depth, len(value) if isinstance(value, list) else 1)
    return total


def _step(part: ast.AST, node: ast.AST, field: str, depth: int, beside: int) -> int:
    if isinstance(part, ast.If) and isinstance(node, ast.If) and field == "orelse" and beside == 1:
        return 1 + _cognitive(part, depth)
    if isinstance(part, (ast.If, ast.IfExp, *_LOOPS, ast.ExceptHandler, ast.Match)):
        last = part.orelse if isinstance(part, (ast.If, *_LOOPS)) else []
        plain = bool(last) and not (len(last) == 1 and isinstance(last[0], ast.If))
        return 1 + depth + plain + _cognitive(part, depth + 1)
    if isinstance(part, (ast.FunctionDef, ast.Lambda)):
        return _cognitive(part, depth + (not isinstance(node, ast.Module)))
    return int(isinstance(part, ast.BoolOp)) + _cognitive(part, depth)
