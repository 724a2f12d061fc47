"""Outside names: cases, and agreement with the scope graph's own reading on real functions."""

from __future__ import annotations

import ast

import pytest

from pipeline.classify import resolved_calls
from pipeline.languages.python.language import PYTHON
from pipeline.languages.python.uses import uses
from tests.pipeline.screen.test_flow import library_functions

CASES = {
    "a builtin": ("def f(x):\n    open(x)", "builtins.open/1"),
    "a shadowed builtin": ("def f(x):\n    open = x\n    open(x)", ""),
    "a parameter called as a builtin": ("def f(open):\n    open(1)", ""),
    "an alias": ("import numpy as np\ndef f(x):\n    return np.random.rand(x, 2)", "numpy.random.rand/2"),
    "a member": ("from os import path as p\ndef f(x):\n    return p.exists(x)", "os.path.exists/1"),
    "an import inside": ("def f(x):\n    import os\n    return os.sep", "os.sep"),
    "handed on, not called": ("import time\ndef f(x):\n    return list(map(time.time, x))",
                              "builtins.list/1 builtins.map/2 time.time"),
    "a method of an unknown object": ("def f(x):\n    return x.read()", "?.read/0"),
    "a method of a call's result": ("import os\ndef f(x):\n    return os.getcwd().upper()", "?.upper/0 os.getcwd/0"),
    "annotations": ("import logging\ndef f(x: logging.Logger) -> logging.Logger:\n    y: logging.Logger = x\n    return y", ""),
    "a comprehension's name": ("import os\ndef f(x):\n    return [os for os in x]", ""),
}


@pytest.mark.parametrize(("program", "expected"), CASES.values(), ids=CASES.keys())
def test_uses(program: str, expected: str) -> None:
    tree = ast.parse(program)
    found = [use.name + ("" if use.arguments is None else f"/{use.arguments}") for use in uses(tree, tree.body[-1])]
    assert sorted(found) == expected.split()


def test_the_scope_graph_reads_the_same_names() -> None:
    compared = 0
    for _, node in library_functions(20):
        if not isinstance(node, ast.FunctionDef) or len(ast.unparse(node)) > 4000:
            continue
        program = "import os, sys, re, collections\n\n\n" + ast.unparse(_without_annotations(node))
        tree = ast.parse(program)
        if isinstance(tree.body[-1], ast.FunctionDef) and tree.body[-1].decorator_list:
            continue
        mine = {use.name.removeprefix("builtins.") for use in uses(tree, tree.body[-1]) if not use.name.startswith("?")}
        theirs = {name.removeprefix("builtins.") for name, line in resolved_calls(program, PYTHON.naming) if line > 1}
        assert mine == theirs, node.name
        compared += 1
    assert compared > 150


def _without_annotations(node: ast.FunctionDef) -> ast.FunctionDef:
    for child in ast.walk(node):
        if isinstance(child, ast.arg):
            child.annotation = None
        elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            child.returns = None
    return node
