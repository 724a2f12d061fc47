"""Rules on whether there is enough logic in a function to test anything."""

from __future__ import annotations

import ast
from collections import Counter

from pipeline.config import JudgeConfig
from pipeline.languages.python.facts import COMPREHENSIONS, LOOPS, Facts
from pipeline.records import Candidate

MIN_OPERATIONS = 3
MIN_LOGIC = 6
MAX_WRAPPED_CALLS = 2
MAX_WRAPPER_STATEMENTS = 4
_PLAIN_CALLS = frozenset({"str", "dict", "list", "tuple", "set", "isinstance", "bool", "repr", "type", "format"})
_PLAIN_METHODS = frozenset({"get", "format", "append", "items", "keys", "values", "copy"})


def has_few_statements(facts: Facts, candidate: Candidate, config: JudgeConfig) -> str:
    """Fewer statements than the configuration asks."""
    del candidate
    count = facts.statements
    return f"{count} statements, and {config.min_statements} are asked." if count < config.min_statements else ""


def has_few_operations(facts: Facts, candidate: Candidate, config: JudgeConfig) -> str:
    """Only renaming, unpacking, formatting or tests for None: nothing is computed."""
    del config
    count = operations(facts)
    complexity = candidate.measures.complexity if candidate.measures else 1
    asked = max(MIN_OPERATIONS, MIN_LOGIC - complexity)
    return f"{count} operations besides renaming and formatting, {asked} are asked." if count < asked else ""


def is_a_table(facts: Facts, candidate: Candidate, config: JudgeConfig) -> str:
    """A chain of tests against constants that returns a constant each, or a lookup in a literal table."""
    del candidate, config
    returns = [node for node in facts.nodes if isinstance(node, ast.Return)]
    constant = [node for node in returns if node.value is None or isinstance(node.value, ast.Constant)]
    tests = [node.test for node in facts.nodes if isinstance(node, ast.If)]
    equalities = [test for test in tests if _compares_with_constant(test)]
    if len(returns) > 3 and len(constant) >= len(returns) - 1 and len(equalities) >= len(tests) - 1 and not facts.loops:
        return f"{len(constant)} of {len(returns)} returns give a constant for a value that equals a constant."
    tables = [node for node in facts.nodes if isinstance(node, ast.Dict) and len(node.keys) > 3 and _all_constant(node)]
    if tables and operations(facts) - len(tables) < MIN_OPERATIONS + 2 and not facts.loops:
        return f"The answer is looked up in a table of {len(tables[0].keys)} entries."
    return ""


def is_a_version(facts: Facts, candidate: Candidate, config: JudgeConfig) -> str:
    """The function from before the cutoff that is nearest to it has its name, and much of its text."""
    del facts
    where = candidate.function.provenance
    namesake = where.nearest.split(" in ")[0].rsplit(".", 1)[-1].strip("_") == candidate.function.name.strip("_")
    near = namesake and where.similarity >= config.max_namesake_similarity
    return f"{where.nearest} has the same name and a similarity of {where.similarity:.2f}." if near else ""


def wraps_one_call(facts: Facts, candidate: Candidate, config: JudgeConfig) -> str:
    """Besides guards there are one or two calls of something that exists, which get the arguments as they are."""
    del candidate, config
    work = (*LOOPS, *COMPREHENSIONS, ast.Try, ast.BinOp, ast.AugAssign, ast.Slice)
    if facts.statements > MAX_WRAPPER_STATEMENTS or any(isinstance(node, work) for node in facts.nodes):
        return ""
    tests = [node.test for node in facts.nodes if isinstance(node, (ast.If, ast.IfExp))]
    tested = {id(child) for test in tests for child in ast.walk(test)}
    calls = [node for node in facts.nodes if isinstance(node, ast.Call) and not _is_plain_call(node)]
    outside = [call for call in calls if id(call) not in tested]
    returns = [node.value for node in facts.nodes if isinstance(node, ast.Return) and node.value is not None]
    computed = [value for value in returns if not isinstance(value, (ast.Constant, ast.Name))]
    wraps = 0 < len(outside) <= MAX_WRAPPED_CALLS and len(computed) <= MAX_WRAPPED_CALLS
    return f"It wraps {ast.unparse(outside[0].func)}." if wraps else ""


def is_repetitive(facts: Facts, candidate: Candidate, config: JudgeConfig) -> str:
    """Most statements are one statement again and again, with other constants and names."""
    del candidate, config
    shapes = Counter(_shape(node) for node in facts.nodes if isinstance(node, (ast.Assign, ast.If, ast.Expr)))
    if not shapes:
        return ""
    _, most = shapes.most_common(1)[0]
    many = most >= 8 and most > 0.6 * shapes.total()
    return f"One statement comes {most} times with other constants." if many else ""


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


def answers_with_functions(facts: Facts, candidate: Candidate, config: JudgeConfig) -> str:
    """Functions of its own for answers: nothing can be compared with them."""
    del candidate, config
    return "It returns a function that it defines." if facts.answers_with_functions else ""
