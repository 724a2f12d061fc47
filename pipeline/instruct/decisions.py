"""The decisions of a body, and whether a text tells that each of them exists, by a word on what it asks."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.instruct.vocabulary import TYPES, tells
from pipeline.languages.python.facts import Facts

EMPTY = ("empty non-empty nonempty none null missing absent blank without optional omitted unset zero false default "
         "no not unless any given provided nothing non-none lack has have set exist at-least")
ORDER = ("less more great exceed most least long short small larg big high low before after earl late limit max min "
         "between within beyond above below fit until up range inside outside over under bound negative positive past "
         "first last enough fewer strictly tight close far near new old start end reach worst best overlap clip clamp "
         "cap prefix")
SAME = ("equal same match differ identical unchanged change compar unless except only distinct other duplic "
        "repeat is are correspond common exact mismatch conflict whether if palindrom symmetric")
MEMBER = ("in contain one among member list present missing known unknown already seen duplic uniq allow exist includ "
          "exclud skip only common shared without has have any key appear found occur valid ignor denied filter keep "
          "drop left undefined defined new match")
CAUGHT = ("invalid valid malformed fail error cannot can't unpars pars exception not-a non-numeric if-possible "
          "otherwise unable rais convert numeric")
SHORTER = "pair short truncat parallel extra align correspond same-length prefix common zip match each leftover"
ABSENT = "no not none without unless otherwise unchanged missing absent if found where single alone any optional"


@dataclass(frozen=True)
class Decision:
    """One condition without `and`, `or`, `not`: its source, what it asks, and the words that would tell of it."""

    source: str
    kind: str
    words: str


def decisions(facts: Facts) -> Iterator[Decision]:
    """The decisions of a body in the order of the text, those of assertions and messages left out."""
    for node in facts.nodes:
        for test in tests(node):
            for atom in atoms(test):
                found = _decision(atom, facts)
                if found is not None:
                    yield found
        if isinstance(node, ast.Try):
            for handler in node.handlers:
                yield Decision(caught_source(handler), "errors that are caught", CAUGHT)
        if isinstance(node, ast.Call) and _truncates(node):
            yield Decision(ast.unparse(node), "the shorter one ends it", SHORTER)


def caught_source(handler: ast.ExceptHandler) -> str:
    """How the decision of a handler is named."""
    return f"except {ast.unparse(handler.type) if handler.type else ''}".strip()


def untold(facts: Facts, said: str, told: frozenset[str]) -> list[Decision]:
    """The decisions that nothing tells: neither a sentence made from them (their sources are in `told`) nor a word."""
    found = [decision for decision in decisions(facts) if decision.source not in told]
    return [decision for decision in found if not decision.words or not tells(said, decision.words)]


def tests(node: ast.AST) -> Iterator[ast.expr]:
    """The conditions that a node decides by."""
    if isinstance(node, (ast.If, ast.IfExp)) or (isinstance(node, ast.While) and not isinstance(node.test, ast.Name)):
        yield node.test
    elif isinstance(node, ast.Return) and isinstance(node.value, (ast.Compare, ast.BoolOp)):
        yield node.value
    elif isinstance(node, ast.comprehension):
        yield from node.ifs
    elif isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
        yield from node.values[:-1]


def atoms(test: ast.expr) -> Iterator[ast.expr]:
    """The conditions that `and`, `or` and `not` combine."""
    if isinstance(test, ast.BoolOp):
        for value in test.values:
            yield from atoms(value)
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from atoms(test.operand)
    elif isinstance(test, ast.NamedExpr):
        yield from atoms(test.value)
    else:
        yield test


def _decision(atom: ast.expr, facts: Facts) -> Decision | None:
    source = ast.unparse(atom)
    if isinstance(atom, ast.Constant):
        return None
    if isinstance(atom, ast.Call) and isinstance(atom.func, ast.Name) and atom.func.id == "isinstance":
        return Decision(source, "its type", type_words(atom.args[1]))
    if isinstance(atom, ast.Compare) and len(atom.ops) == 1:
        return _comparison(source, atom)
    if isinstance(atom, ast.Compare):
        return None if any(map(_is_telling, atom.comparators)) else Decision(source, "the range", ORDER)
    if isinstance(atom, (ast.Name, ast.Attribute, ast.Subscript)):
        return Decision(source, "empty or not", _flag_words(atom, facts) or EMPTY)
    return None


def _comparison(source: str, atom: ast.Compare) -> Decision | None:
    operator, right = atom.ops[0], atom.comparators[0]
    if isinstance(operator, (ast.Is, ast.IsNot)) or _is_nothing(right):
        return Decision(source, "empty or not", EMPTY)
    if isinstance(right, ast.Constant) and isinstance(right.value, str):
        return None
    if _is_minus_one(right):
        return Decision(source, "found or not", ABSENT)
    if isinstance(operator, (ast.In, ast.NotIn)):
        told_as_constant = _is_constant(right) or isinstance(atom.left, ast.Constant)
        return None if told_as_constant else Decision(source, "membership", MEMBER)
    if isinstance(operator, (ast.Eq, ast.NotEq)):
        return Decision(source, "equality", f"{SAME} {EMPTY}" if _is_constant(right) else SAME)
    return Decision(source, "an order", f"{ORDER} {EMPTY}" if _is_constant(right) else ORDER)


def _flag_words(atom: ast.expr, facts: Facts) -> str:
    """A parameter that is yes or no is told by the words of its name."""
    for parameter in facts.parameters:
        if isinstance(atom, ast.Name) and parameter.name == atom.id and (
                parameter.annotation == "bool" or parameter.default in ("True", "False")):
            return f"{parameter.name.lower()} {max(parameter.name.lower().split('_'), key=len)[:6]}"
    return ""


def type_words(node: ast.expr) -> str:
    """The words that tell of the types in the second argument of `isinstance`."""
    kinds = node.elts if isinstance(node, ast.Tuple) else _united(node)
    names = [ast.unparse(kind).rsplit(".", 1)[-1] for kind in kinds]
    return " ".join(TYPES.get(name, name.lower()) for name in names)


def _united(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [*_united(node.left), *_united(node.right)]
    return [node]


def _is_nothing(node: ast.expr) -> bool:
    if isinstance(node, (ast.List, ast.Tuple)):
        return not node.elts
    if isinstance(node, ast.Dict):
        return not node.keys
    return isinstance(node, ast.Constant) and (node.value is None or node.value in ("", b""))


def _is_telling(node: ast.expr) -> bool:
    """Whether it is a number that a text must tell anyway."""
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and node.value not in (0, 1)


def _is_minus_one(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and ast.unparse(node) == "-1"


def _is_constant(node: ast.expr) -> bool:
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return all(map(_is_constant, node.elts))
    return isinstance(node, ast.Constant) or (isinstance(node, ast.UnaryOp) and _is_constant(node.operand))


def _truncates(node: ast.Call) -> bool:
    """Whether `zip` leaves out what is left of the longer argument; neighbours in one sequence are no such thing."""
    if not (isinstance(node.func, ast.Name) and node.func.id == "zip" and len(node.args) > 1):
        return False
    strict = any(word.arg == "strict" and ast.unparse(word.value) == "True" for word in node.keywords)
    first = re.split(r"\W", ast.unparse(node.args[0]))[0]
    return not strict and not all(re.split(r"\W", ast.unparse(other))[0] == first for other in node.args[1:])
