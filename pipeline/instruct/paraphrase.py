"""What expressions have in common in English: comparisons, tests, slices, arithmetic.

"" is the answer wherever words don't reach.
"""

from __future__ import annotations

import ast
import re
from abc import ABC, abstractmethod

from pipeline.instruct.forms import ARITHMETIC, MATCHES, ORDER, POSITIONS
from pipeline.instruct.phrases import TESTS, elements
from pipeline.languages.python.facts import Facts

MAX_DEPTH = 9
MAX_LISTED = 12
MAX_ATOMS = 5


class Paraphrase(ABC):
    """Puts the expressions of one function into words; which names may stand for themselves is left to `of`."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.parameters = frozenset(parameter.name for parameter in facts.parameters)
        self.local = frozenset(
            node.id for node in facts.nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))

    @abstractmethod
    def of(self, node: ast.expr, depth: int = MAX_DEPTH) -> str:
        """An expression in words."""

    @abstractmethod
    def inner(self, node: ast.expr, depth: int) -> str:
        """An expression as an operand: in brackets where it has operands of its own."""

    def condition(self, node: ast.expr) -> str:
        """A condition in words, without `and`, `or`, `not` at its top."""
        if isinstance(node, ast.Compare):
            return self._comparison(node)
        if isinstance(node, ast.Call):
            told = self._test(node)
            if told or (isinstance(node.func, ast.Name) and node.func.id in ("any", "all", "isinstance")):
                return told
        subject = self.of(node)
        return f"{subject} is truthy" if subject else ""

    def combined(self, test: ast.expr) -> str:
        """A whole condition in words, as long as it is short; brackets where `and`, `or` and `not` meet."""
        if isinstance(test, ast.BoolOp):
            parts = [self.combined(value) for value in test.values]
            parts = [f"({part})" if isinstance(value, ast.BoolOp) else part
                     for value, part in zip(test.values, parts, strict=True)]
            joined = " and " if isinstance(test.op, ast.And) else " or "
            return joined.join(parts) if all(parts) and len(parts) <= MAX_ATOMS else ""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return negated(self.combined(test.operand))
        return self.condition(test)

    def _binary(self, node: ast.BinOp, depth: int) -> str:
        if isinstance(node.op, ast.Mod) and isinstance(node.left, (ast.JoinedStr, ast.Constant)) and isinstance(
                getattr(node.left, "value", ""), str):
            return ""
        left, right = self.inner(node.left, depth), self.inner(node.right, depth)
        if isinstance(node.op, ast.Mult) and isinstance(node.left, ast.List) and left and right:
            return f"{left} repeated {right} times"
        return ARITHMETIC[type(node.op)].format(left, right) if left and right and type(node.op) in ARITHMETIC else ""

    def _part(self, node: ast.Subscript, depth: int) -> str:
        inner = self.of(node.value, depth - 1)
        if not inner:
            return ""
        if isinstance(node.slice, ast.Slice):
            return self._slice(inner, node.slice, depth)
        place = _number(node.slice)
        if place is not None:
            return POSITIONS.get(place, f"the element of {{}} at position {place}").format(inner)
        key = self.of(node.slice, depth - 1)
        return f"what {inner} has under {key}" if key else f"an element of {inner}"

    def _slice(self, whole: str, part: ast.Slice, depth: int) -> str:
        if part.step is not None:
            return f"{whole} in reverse order" if ast.unparse(part) == "::-1" else ""
        low, high = _number(part.lower), _number(part.upper)
        if part.lower is None and part.upper is not None:
            if high is not None and high < 0:
                return f"{whole} without its last {elements(-high)}"
            if isinstance(part.upper, ast.UnaryOp) and isinstance(part.upper.op, ast.USub) and high is None:
                cut = self.of(part.upper.operand, depth - 1)
                return f"{whole} with so much cut off its end: {cut}" if cut else ""
            end = self.of(part.upper, depth - 1)
            if high is None and end:
                return f"the part of {whole} before position {end}"
            return f"the first {end} of {whole}" if end else ""
        if part.upper is None and part.lower is not None:
            if low is not None and low < 0:
                return f"the last {-low} of {whole}"
            start = self.of(part.lower, depth - 1)
            if low is None and start:
                return f"the part of {whole} from position {start} on"
            return f"{whole} without its first {elements(low or start)}" if start else ""
        if part.lower is None or part.upper is None:
            return whole
        start, end = self.of(part.lower, depth - 1), self.of(part.upper, depth - 1)
        return f"the part of {whole} from position {start} up to, but without, {end}" if start and end else ""

    def _comparison(self, node: ast.Compare) -> str:
        sides = [self.of(side) for side in (node.left, *node.comparators)]
        if not all(sides):
            return ""
        if len(node.ops) == 1 and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            no = isinstance(node.ops[0], ast.NotIn)
            right = node.comparators[0]
            if isinstance(right, ast.Constant):
                return f"{sides[0]} {'does not occur' if no else 'occurs'} in {sides[1]}"
            if is_constant(right):
                return f"{sides[0]} is {'none' if no else 'one'} of {listed(right)}"
            if is_constant(node.left):
                return f"{sides[1]} {'does not contain' if no else 'contains'} {sides[0]}"
        pairs = zip(sides, node.ops, sides[1:], strict=False)
        return " and ".join(f"{left} {ORDER[type(op)]} {right}" for left, op, right in pairs)

    def _test(self, node: ast.Call) -> str:
        name = ast.unparse(node.func)
        if name == "isinstance" and len(node.args) == 2:
            subject = self.of(node.args[0])
            kinds = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
            named = " or ".join(map(ast.unparse, kinds))
            return f"{subject} is {'an' if named[0] in 'aeiou' else 'a'} {named}" if subject else ""
        if name == "hasattr" and len(node.args) == 2:
            sides = [self.of(argument) for argument in node.args]
            return f"{sides[0]} has the attribute {sides[1]}" if all(sides) else ""
        if name in MATCHES and len(node.args) == 2:
            sides = [self.of(argument) for argument in node.args]
            return MATCHES[name].format(*sides) if all(sides) else ""
        if not isinstance(node.func, ast.Attribute):
            return ""
        subject, method = self.of(node.func.value), node.func.attr
        if subject and method in TESTS and not node.args:
            return f"{subject} {TESTS[method]}"
        if subject and method in ("startswith", "endswith") and len(node.args) == 1:
            argument = listed(node.args[0]) if is_constant(node.args[0]) else self.of(node.args[0])
            one = "one of " if isinstance(node.args[0], ast.Tuple) else ""
            return f"{subject} {method.removesuffix('with')} with {one}{argument}" if argument else ""
        return ""


def negated(told: str) -> str:
    """The opposite of a condition, in words where there is one verb and no quantifier; in brackets otherwise."""
    if told.startswith("not (") and is_bracketed(told.removeprefix("not ")):
        return told.removeprefix("not (").removesuffix(")")
    bare = _QUOTED.sub(lambda found: "'" * len(found.group(0)), told)
    verbs = list(_VERBS.finditer(bare))
    if len(verbs) != 1 or _QUANTIFIED.search(bare) or " and " in bare or " or " in bare:
        return f"not ({told})" if told else ""
    start, end = verbs[0].span()
    return told[:start] + _OPPOSITES[verbs[0].group(0)] + told[end:]


_OPPOSITES = {
    " is not empty": " is empty", " is neither None nor empty": " is None or empty", " is True": " is False",
    " is truthy": " is falsy", " is not None": " is None", " is None": " is not None", " is not in ": " is in ",
    " is in ": " is not in ", " does not contain ": " contains ", " contains ": " does not contain ",
    " has the attribute ": " lacks the attribute ", " lacks the attribute ": " has the attribute ",
    " occurs in ": " does not occur in ", " does not occur in ": " occurs in ",
    " starts with ": " does not start with ", " ends with ": " does not end with ", " equals ": " differs from ",
    " differs from ": " equals ", " is none of ": " is one of ", " is one of ": " is none of ",
    " consists of ": " does not consist of ", " is a ": " is no ", " is an ": " is no ",
    " is only whitespace": " is not only whitespace", " is an identifier": " is no identifier",
}
_VERBS = re.compile("|".join(re.escape(verb) for verb in sorted(_OPPOSITES, key=len, reverse=True)))
_QUANTIFIED = re.compile(r"\b(?:any of|each of|for at least one|for every one)\b")
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")


def is_bracketed(told: str) -> bool:
    """Whether one pair of brackets holds all of a text."""
    depth = 0
    for place, sign in enumerate(told):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return sign == ")" and place == len(told) - 1
    return False


def is_constant(node: ast.expr) -> bool:
    """Whether an expression is a constant, or a negative or short container of constants."""
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return 0 < len(node.elts) <= MAX_LISTED and all(map(is_constant, node.elts))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return is_constant(node.operand)
    return isinstance(node, ast.Constant)


def listed(node: ast.expr) -> str:
    """A constant as Python writes it; the elements of a container with commas."""
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return ", ".join(map(ast.unparse, node.elts))
    return ast.unparse(node)


def _number(node: ast.expr | None) -> int | None:
    """The integer that a constant expression is."""
    sign = 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node, sign = node.operand, -1
    if isinstance(node, ast.Constant) and isinstance(node.value, int) and not isinstance(node.value, bool):
        return sign * node.value
    return None
