"""Which parameters the returned value depends on: one small function per claim."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from pipeline.languages.python.lowering import find_function, lower
from pipeline.screen.dependence import returned_dependence


def dependence(body: str, signature: str = "x, y") -> str:
    """The parameters that `f(x, y)` with this body depends on, as words."""
    text = f"def f({signature}):\n" + "\n".join("    " + line for line in dedent(body).strip().splitlines())
    return " ".join(sorted(returned_dependence(lower(find_function(ast.parse(text), "f"))).parameters))


DATA = {
    "a parameter itself": ("return x", "x"),
    "through assignments": ("a = x\nb = a + 1\nreturn b", "x"),
    "overwritten": ("a = x\na = 1\nreturn a", ""),
    "overwritten on one way only": ("a = x\nif y:\n    a = 1\nreturn a", "x y"),
    "a parameter overwritten": ("x = 3\nreturn x", ""),
    "augmented": ("n = 0\nn += x\nreturn n", "x"),
    "unpacking": ("a, b = x\nreturn b", "x"),
    "a walrus in a condition": ("if (n := len(x)) > 3:\n    return n\nreturn 0", "x"),
    "appended to": ("out = []\nout.append(x)\nreturn out", "x"),
    "stored under a key": ("out = {}\nout[x] = 1\nreturn out", "x"),
    "changed through another name": ("out = {}\nrow = out.setdefault('k', [])\nrow.append(x)\nreturn out", "x"),
    "changed by a function that it is given to": ("import heapq\nh = []\nheapq.heappush(h, x)\nreturn h", "x"),
    "changed by an inner function": ("out = []\ndef add(v):\n    out.append(v)\nadd(x)\nreturn out", "x"),
    "nonlocal": ("n = 0\ndef add(v):\n    nonlocal n\n    n += v\nadd(x)\nreturn n", "x"),
    "a comprehension's own name": ("return [x for x in range(3)]", ""),
    "a lambda's own name": ("return (lambda x: x)(1)", ""),
    "a lambda's outer name": ("return (lambda a: a + x)(1)", "x"),
    "with": ("import io\nwith io.StringIO(x) as f:\n    return f.read()", "x"),
    "a loop's variable": ("for a in x:\n    last = a\nreturn last", "x"),
    "carried round a loop": ("a = b = 0\nwhile b < 3:\n    a, b = b, x\nreturn a", "x"),
    "a match subject": ("match x:\n    case [a, *b]:\n        return b\nreturn 0", "x"),
}

CONTROL = {
    "two constants": ("if x:\n    return 1\nreturn 2", "x"),
    "one constant twice": ("if x:\n    return 1\nelse:\n    return 1", ""),
    "a constant or falling off the end": ("if x:\n    return 1", "x"),
    "one constant or an exception": ("if x:\n    raise ValueError\nreturn 1", ""),
    "counting in a loop": ("n = 0\nfor a in x:\n    n += 1\nreturn n", "x"),
    "a constant chosen earlier": ("r = 'a'\nif x:\n    r = 'b'\nreturn r", "x"),
    "nested conditions": ("if x:\n    if y:\n        return 1\nreturn 2", "x y"),
    "an exception that is caught": ("try:\n    int(x)\nexcept ValueError:\n    return 1\nreturn 2", "x"),
    "break": ("while True:\n    if x:\n        break\n    return 2\nreturn 3", "x"),
    "a loop's else": ("for a in x:\n    if a:\n        break\nelse:\n    return 1\nreturn 2", "x"),
    "a way that is never taken": ("if False:\n    return x\nreturn 1", ""),
    "after a loop that never ends": ("while True:\n    if y:\n        return 1", ""),
    "the cases of a match": ("match x:\n    case 1:\n        return 'a'\n    case _:\n        return 'b'", "x"),
    "a conditional expression": ("return 1 if y else 2", "y"),
}


@pytest.mark.parametrize(("body", "expected"), DATA.values(), ids=DATA.keys())
def test_values_flow(body: str, expected: str) -> None:
    assert dependence(body) == expected


@pytest.mark.parametrize(("body", "expected"), CONTROL.values(), ids=CONTROL.keys())
def test_decisions_count(body: str, expected: str) -> None:
    assert dependence(body) == expected


def test_an_assignment_inside_an_attempt_reaches_its_handler() -> None:
    body = "a = 0\ntry:\n    a = x\n    int('z')\nexcept ValueError:\n    return a\nreturn 0"
    assert dependence(body) == "x"


def test_star_parameters_count() -> None:
    assert dependence("return len(rest) + len(named)", "*rest, **named") == "named rest"


def test_the_constants_are_told() -> None:
    tree = ast.parse("def f(x):\n    if x:\n        return 'a'\n    return None\n")
    assert returned_dependence(lower(find_function(tree, "f"))).constants == ("'a'", "None")
