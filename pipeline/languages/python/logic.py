"""How much is computed in a Python function, and in what forms: numbers that rules compare with their limits."""

from __future__ import annotations

import ast

from pipeline.languages.python.facts import COMPREHENSIONS, LOOPS, Facts

_PLAIN_CALLS = frozenset({"str", "dict", "list", "tuple", "set", "isinstance", "bool", "repr", "type", "format"})
_PLAIN_METHODS = frozenset({"get", "format", "append", "items", "keys", "values", "copy"})
_STRUCTURES = (ast.Dict, ast.DictComp, ast.Set, ast.SetComp, ast.List, ast.ListComp)
_WORK = (*LOOPS, *COMPREHENSIONS, ast.Try, ast.BinOp, ast.AugAssign, ast.Slice)
_KINDS = (ast.stmt, ast.expr, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
_UNTOLD = (
    ast.Pass, ast.Expr, ast.Constant, ast.Name, ast.Attribute, ast.Call, ast.BinOp, ast.UnaryOp, ast.BoolOp,
    ast.Compare,
)
"""What stands everywhere, or is told better by the operator or the call that it holds."""
_LEAST_TABLE = 4
"""Entries from which on a literal dictionary is a table."""


def operations(facts: Facts) -> int:
    """How much is computed: loops count twice, then calls, arithmetic, comparisons, slices, attempts."""
    total = 2 * facts.recursive
    for node in facts.nodes:
        if isinstance(node, (*LOOPS, *COMPREHENSIONS)):
            total += 2
        elif isinstance(node, (ast.AugAssign, ast.Slice, ast.Try, ast.UnaryOp)):
            total += not (isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)))
        elif isinstance(node, ast.BinOp):
            total += not _is_text(node)
        elif isinstance(node, ast.Compare):
            total += not _is_none_test(node)
        elif isinstance(node, ast.Call):
            total += not _is_plain_call(node)
    return total


def structures(facts: Facts) -> int:
    """How many kinds of literals and comprehensions of containers there are."""
    return len({type(node) for node in facts.nodes if isinstance(node, _STRUCTURES)})


def kinds(facts: Facts) -> frozenset[str]:
    """The kinds of statements, expressions and operators, and what is called, by its last name; not what is raised."""
    raised = {id(node.exc) for node in facts.nodes if isinstance(node, ast.Raise)}
    called = {_called(node) for node in facts.nodes if isinstance(node, ast.Call) and id(node) not in raised}
    plain = {type(node).__name__ for node in facts.nodes if isinstance(node, _KINDS) and not isinstance(node, _UNTOLD)}
    return frozenset(plain | called - {""})


def _called(node: ast.Call) -> str:
    """The last name of what is called, "" where it has none."""
    match node.func:
        case ast.Name(name) | ast.Attribute(attr=name):
            return f"{name}()"
    return ""


def returns(facts: Facts) -> list[ast.Return]:
    """All return statements."""
    return [node for node in facts.nodes if isinstance(node, ast.Return)]


def constant_returns(facts: Facts) -> int:
    """How many of them give a constant or nothing."""
    return sum(node.value is None or isinstance(node.value, ast.Constant) for node in returns(facts))


def computed_returns(facts: Facts) -> int:
    """How many of them give neither a constant nor a name."""
    values = [node.value for node in returns(facts) if node.value is not None]
    return sum(not isinstance(value, (ast.Constant, ast.Name)) for value in values)


def tests(facts: Facts) -> list[ast.expr]:
    """The conditions of all `if` statements."""
    return [node.test for node in facts.nodes if isinstance(node, ast.If)]


def equalities(facts: Facts) -> int:
    """How many of them compare with constants alone."""
    return sum(map(_compares_with_constant, tests(facts)))


def tables(facts: Facts) -> list[int]:
    """The sizes of the literal dictionaries of constants that are tables."""
    return [
        len(node.keys) for node in facts.nodes
        if isinstance(node, ast.Dict) and len(node.keys) >= _LEAST_TABLE and _all_constant(node)
    ]


def works(facts: Facts) -> bool:
    """Whether there is a loop, an attempt, arithmetic or a slice."""
    return any(isinstance(node, _WORK) for node in facts.nodes)


def outer_calls(facts: Facts) -> list[str]:
    """What is called outside of conditions; conversions and formatting don't count."""
    conditions = [node.test for node in facts.nodes if isinstance(node, (ast.If, ast.IfExp))]
    tested = {id(child) for test in conditions for child in ast.walk(test)}
    calls = [node for node in facts.nodes if isinstance(node, ast.Call) and not _is_plain_call(node)]
    return [ast.unparse(call.func) for call in calls if id(call) not in tested]


def shapes(facts: Facts) -> list[str]:
    """Assignments, conditions and expressions as the types of their nodes alone."""
    return [_shape(node) for node in facts.nodes if isinstance(node, (ast.Assign, ast.If, ast.Expr))]


def _is_plain_call(node: ast.Call) -> bool:
    if isinstance(node.func, ast.Name):
        return node.func.id in _PLAIN_CALLS or node.func.id.endswith(("Error", "Exception"))
    return isinstance(node.func, ast.Attribute) and node.func.attr in _PLAIN_METHODS


def _is_text(node: ast.BinOp) -> bool:
    """`"..." % x`, `"a" + b`."""
    sides = (node.left, node.right)
    return any(isinstance(side, ast.JoinedStr) or (
        isinstance(side, ast.Constant) and isinstance(side.value, (str, bytes))) for side in sides)


def _is_none_test(node: ast.Compare) -> bool:
    return all(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops)


def _compares_with_constant(test: ast.expr) -> bool:
    if isinstance(test, ast.BoolOp):
        return all(_compares_with_constant(value) for value in test.values)
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Attribute):
        return test.func.attr in ("startswith", "endswith") and all(map(_is_constant, test.args))
    if not isinstance(test, ast.Compare):
        return False
    if isinstance(test.ops[0], ast.In) and _is_constant(test.left) and len(test.ops) == 1:
        return True
    return all(map(_is_constant, test.comparators)) and all(
        isinstance(op, (ast.Eq, ast.In, ast.Is, ast.NotEq)) for op in test.ops)


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) or (
        isinstance(node, (ast.Tuple, ast.List, ast.Set)) and all(_is_constant(value) for value in node.elts))


def _all_constant(node: ast.Dict) -> bool:
    return all(key is not None and _is_constant(key) for key in node.keys) and all(map(_is_constant, node.values))


def _shape(node: ast.AST) -> str:
    """A statement's node types alone."""
    return " ".join(type(child).__name__ for child in ast.walk(node))
