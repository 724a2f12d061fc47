"""The shape of a function: the same under other names of what it binds, another where anything else changes."""

from __future__ import annotations

import ast
import heapq
import inspect
import shutil
import statistics
import textwrap
from types import ModuleType

import pytest

from pipeline.languages.registry import language
from tests.pipeline.sources.test_elsewhere import with_other_names

SAME = {
    "parameters": ("def f(a, b=1, *c, d, **e):\n    return a + b, c, d, e\n", "def f(v, w=1, *x, y, **z):\n    return v + w, x, y, z\n"),
    "the own name": ("def f(a):\n    return f(a - 1)\n", "def g(b):\n    return g(b - 1)\n"),
    "targets": (
        "def f(a):\n    x, (y, *z) = a\n    x += y\n    return [x, z]\n",
        "def f(p):\n    q, (r, *s) = p\n    q += r\n    return [q, s]\n"),
    "loops and comprehensions": (
        "def f(a):\n    for i, j in a:\n        yield {k: j for k in i if k}\n",
        "def f(p):\n    for q, r in p:\n        yield {s: r for s in q if s}\n"),
    "with, except, import, walrus": (
        "def f(a):\n    import os as o\n    try:\n        with open(a) as b, a as (c, d):\n            return (n := b), c, d, n\n    except E as e:\n        return o.x(e)\n",
        "def f(z):\n    import os as y\n    try:\n        with open(z) as x, z as (w, v):\n            return (u := x), w, v, u\n    except E as t:\n        return y.x(t)\n"),
    "functions inside": ("def f(a):\n    def g(b):\n        return a, b\n    return g, lambda c=a: c\n", "def f(z):\n    def y(x):\n        return z, x\n    return y, lambda w=z: w\n"),
    "patterns": (
        "def f(a):\n    match a:\n        case [x, *y]: return x, y\n        case {'k': z, **r}: return z, r\n        case C(k=v) as w: return v, w\n",
        "def f(m):\n    match m:\n        case [b, *c]: return b, c\n        case {'k': d, **e}: return d, e\n        case C(k=g) as h: return g, h\n"),
    "interpolations": ("def f(a, b):\n    return f'{a:>{b}} {b!r}'\n", "def f(y, z):\n    return f'{y:>{z}} {z!r}'\n"),
}
OTHER = {
    "the order of parameters": ("def f(a, b):\n    return a - b\n", "def f(b, a):\n    return a - b\n"),
    "an attribute": ("def f(a):\n    return a.x\n", "def f(a):\n    return a.y\n"),
    "a keyword": ("def f(a):\n    return g(x=a)\n", "def f(a):\n    return g(y=a)\n"),
    "a global": ("def f(a):\n    return g(a)\n", "def f(a):\n    return h(a)\n"),
    "a declared global": ("def f(a):\n    global g\n    g = a\n", "def f(a):\n    global h\n    h = a\n"),
    "a builtin": ("def f(a):\n    return min(a)\n", "def f(a):\n    return max(a)\n"),
    "an imported name": ("def f(a):\n    from m import x\n    return x(a)\n", "def f(a):\n    from m import y\n    return y(a)\n"),
    "a literal": ("def f(a):\n    return a + 1\n", "def f(a):\n    return a + 2\n"),
    "two names for one": ("def f(a, b):\n    return a + a\n", "def f(a, b):\n    return a + b\n"),
    "an attribute that is assigned to": ("def f(a):\n    a.x = b\n", "def f(a):\n    a.x = c\n"),
}


def shape(text: str) -> str:
    [first, *_] = language("python").reading.definitions(text)
    return first.shape


@pytest.mark.parametrize("case", SAME)
def test_the_names_of_what_a_function_binds_do_not_count(case: str) -> None:
    one, other = SAME[case]
    assert shape(one) == shape(other)


@pytest.mark.parametrize("case", OTHER)
def test_all_else_counts(case: str) -> None:
    one, other = OTHER[case]
    assert shape(one) != shape(other)


@pytest.mark.parametrize("module", [heapq, shutil, statistics, textwrap], ids=lambda module: module.__name__)
def test_real_functions_keep_their_shape_under_other_names(module: ModuleType) -> None:
    functions = [one for one in ast.parse(inspect.getsource(module)).body if isinstance(one, ast.FunctionDef)]
    assert functions
    for one in functions:
        one.decorator_list = []
        text = ast.unparse(one) + "\n"
        assert shape(with_other_names(text)) == shape(text), one.name


@pytest.mark.parametrize("text", ["def f(:\n    match (\n", "def f(a):\n    match a:\n        case C(k=\n", "def f(a):\n    for\n    x =\n"])
def test_broken_code_has_a_shape_too(text: str) -> None:
    assert all(one.shape for one in language("python").reading.definitions(text))
