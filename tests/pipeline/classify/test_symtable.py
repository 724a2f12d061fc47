"""The free names of the scope graph are those of Python's own `symtable`, except for named categories."""

from __future__ import annotations

import importlib.util
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.pipeline.classify.expectations import ROOT


@pytest.fixture(scope="module")
def oracle():
    spec = importlib.util.spec_from_file_location("compare_symtable", ROOT / "scripts" / "compare_symtable.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_on_some_thousand_functions_of_the_standard_library(oracle):
    files = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
    comparison = oracle.compare_files(files, 1500)
    assert comparison.functions == 1500
    assert comparison.unexplained() == []


@pytest.mark.slow
def test_on_fifty_thousand_installed_functions(oracle):
    comparison = oracle.compare_files(oracle.installed_files(), 50_000)
    assert comparison.functions >= 50_000
    assert comparison.unexplained() == []
    assert comparison.skipped["syntax errors by tree-sitter"] < 20


@pytest.mark.parametrize(("text", "category"), [
    ("class A:\n    def f(self):\n        return super().f()\n", "super"),
    ("class A:\n    def f(self):\n        return __x\n", "mangled"),
    ("def f(a):\n    x: 'B' = a\n    return x\n", "quoted"),
    ("from __future__ import annotations\ndef f(a):\n    def g(b: B): pass\n    return g\n", "deferred"),
    ("def top(a):\n    return a\n", "top"),
    ("def f():\n    class A:\n        x = x\n    return A\n", "class order"),
])
def test_each_category_has_an_example(oracle, text, category):
    comparison = oracle.Comparison()
    oracle.compare_text(text, "example.py", comparison, 10)
    assert set(comparison.categories()) == {category}
    assert set(oracle.CATEGORIES) >= {category}


def test_a_wrong_free_name_would_be_found(oracle, monkeypatch):
    text = "x = 1\ndef f(a):\n    return [x for b in a]\n"
    comparison = oracle.Comparison()
    oracle.compare_text(text, "example.py", comparison, 10)
    assert comparison.disagreements == []
    monkeypatch.setattr(oracle, "_outside", lambda table: {"a"})
    oracle.compare_text(text, "example.py", comparison, 10)
    assert {(each.name, each.side) for each in comparison.unexplained()} == {("x", "scope graph"), ("a", "symtable")}
