"""Lowering Python: complexity against `mccabe` on the whole standard library, reachability, measures."""

from __future__ import annotations

import ast
import sysconfig
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import mccabe
import pytest

from pipeline.languages.python.lowering import FunctionNode, lower

DIFFERENCES = {
    "finally": "mccabe does not look inside `finally`",
    "match": "mccabe takes a whole `match` for one simple statement",
    "except*": "mccabe takes a whole `try` with `except*` for one simple statement",
}


def function(text: str) -> FunctionNode:
    node = ast.parse(text).body[0]
    assert isinstance(node, ast.FunctionDef)
    return node


def mccabe_complexity(node: ast.AST) -> int:
    visitor = mccabe.PathGraphingAstVisitor()
    visitor.preorder(ast.Module([node], []), visitor)
    return next(iter(visitor.graphs.values())).complexity()


def unseen(node: ast.AST) -> Counter[str]:
    """The complexity that mccabe leaves out, by the name of the difference."""
    found: Counter[str] = Counter()
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Match, ast.TryStar)):
            found["match" if isinstance(child, ast.Match) else "except*"] += _adds([child])
            continue
        found += unseen(child)
        if isinstance(child, ast.Try):
            inside = Counter({"finally": _adds(child.finalbody)})
            for statement in child.finalbody:
                found -= unseen(ast.Module([statement], []))
            found += inside
    return found


def _adds(statements: list[ast.stmt]) -> int:
    body = statements or [ast.Pass(lineno=1, col_offset=0)]
    host = function("def f():\n    pass\n")
    host.body = body
    return lower(host).complexity - 1


def library_functions(files: int) -> Iterator[tuple[Path, FunctionNode]]:
    folder = Path(sysconfig.get_paths()["stdlib"])
    for path in sorted([*folder.glob("*.py"), *folder.glob("*/*.py")])[:files]:
        if "site-packages" in path.parts:
            continue
        try:
            tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield path, node


def compare(files: int) -> tuple[int, Counter[str], list[str]]:
    """How many functions agree, how many differ by which named difference, and which do so for none."""
    same, named, unexplained = 0, Counter[str](), []
    for path, node in library_functions(files):
        difference = lower(node).complexity - mccabe_complexity(node)
        left_out = unseen(node)
        if difference == 0:
            same += 1
        elif difference == left_out.total():
            named.update(left_out.keys())
        else:
            unexplained.append(f"{path}:{node.lineno} {node.name}: {difference}, {dict(left_out)}")
    return same, named, unexplained


def test_complexity_is_mccabes_on_thousands_of_library_functions() -> None:
    same, named, unexplained = compare(files=60)
    assert same > 1000
    assert unexplained == []
    assert set(named) <= set(DIFFERENCES)


@pytest.mark.slow
def test_complexity_is_mccabes_on_the_whole_standard_library() -> None:
    same, named, unexplained = compare(files=100_000)
    assert same > 30_000
    assert unexplained == []
    assert set(named) == set(DIFFERENCES) - ({"except*"} - set(named))


COMPLEXITY = {
    "straight": ("return x", 1),
    "if": ("if x: pass", 2),
    "elif": ("if x: pass\n elif x > 1: pass\n else: pass", 3),
    "for": ("for a in x: pass", 2),
    "loop with else": ("for a in x: pass\n else: pass", 2),
    "boolean operators are no branches": ("return x and 1 or 2", 1),
    "conditional expressions are no branches": ("return 1 if x else 2", 1),
    "comprehensions are no branches": ("return [a for a in x if a]", 1),
    "assert is no branch": ("assert x", 1),
    "an attempt": ("try: pass\n except ValueError: pass", 3),
    "an attempt with else": ("try: pass\n except ValueError: pass\n else: pass", 3),
    "a nested function": ("def g(): return 1\n return g()", 2),
    "a nested function with a branch": ("def g():\n  if x: return 1\n return g()", 3),
    "code after return": ("return 1\n if x: pass", 2),
    "break and continue": ("while x:\n  if x > 1: break\n  continue", 3),
}


@pytest.mark.parametrize(("body", "expected"), COMPLEXITY.values(), ids=COMPLEXITY.keys())
def test_complexity(body: str, expected: int) -> None:
    node = function(f"def f(x):\n {body}\n")
    assert lower(node).complexity == expected == mccabe_complexity(node)


def test_a_match_counts_its_cases() -> None:
    node = function("def f(x):\n match x:\n  case 1: return 1\n  case 2: return 2\n  case _: return 3\n")
    assert lower(node).complexity == 3
    assert mccabe_complexity(node) == 1


def test_code_after_a_return_is_not_reachable() -> None:
    graph = lower(function("def f(x):\n return 1\n return x\n"))
    assert [step.line for _, step in graph.returns()] == [2]


def test_falling_off_the_end_returns_none() -> None:
    graph = lower(function("def f(x):\n if x:\n  return 1\n"))
    assert sorted(step.returned.constant for _, step in graph.returns() if step.returned) == ["1", "None"]


def test_every_block_but_the_exit_leads_somewhere() -> None:
    for _, node in library_functions(40):
        graph = lower(node)
        assert {start for start, _ in graph.edges} == set(range(len(graph.blocks))) - {graph.exit}
