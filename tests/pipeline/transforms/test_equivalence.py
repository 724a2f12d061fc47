"""Normal forms: what has one form answers alike on all kinds of values; what only looks alike has two."""

import ast
import copy
import itertools
import math
import sys
import textwrap
from typing import Any

import pytest

from pipeline.transforms.altering.equivalence import Forms
from pipeline.transforms.altering.mutants import mutants

VALUES: list[Any] = [
    None, True, False, 0, 1, 2, -1, 2.5, -0.0, math.nan, math.inf, "", "a", "b", " aB ", "a b a", "12", b"", b" a", [],
    [1], [3, 1, 2], ["b", "a"], [[1], []], (), (1, 2), {}, {"a": None}, {"a": 1, "b": [0]}, set(), {1}, {1, 2}, {"a"},
]


def program(body: str) -> str:
    return "def f(x, y):\n" + textwrap.indent(textwrap.dedent(body).strip(), "    ") + "\n"


def form(body: str) -> object:
    function = ast.parse(program(body)).body[0]
    assert isinstance(function, ast.FunctionDef)
    return Forms(function).of()


def answers(body: str) -> list[tuple[object, ...]]:
    """What the function gives, raises and makes of its arguments, for all pairs of values."""
    namespace: dict[str, Any] = {}
    exec(program(body), namespace)
    found: list[tuple[object, ...]] = []
    for pair in itertools.product(VALUES, VALUES):
        x, y = copy.deepcopy(pair)
        try:
            found.append((repr(namespace["f"](x, y)), repr(x), repr(y)))
        except Exception as error:
            found.append((type(error), repr(x), repr(y)))
    return found


EQUAL = [
    ("return x < 3", "return 3 > x"),
    ("return x >= y", "return y <= x"),
    ("return x == y", "return y == x"),
    ("return 1 if not x == y else 2", "return 1 if x != y else 2"),
    ("return 1 if not x == y else 2", "return 2 if x == y else 1"),
    ("return not not not x", "return not x"),
    ("return not x in y", "return x not in y"),
    ("return not not isinstance(x, str)", "return isinstance(x, str)"),
    ("return 1 if not (x and y) else 2", "return 1 if not x or not y else 2"),
    ("return bool(x in y)", "return x in y"),
    ("if bool(x):\n    return y", "if x:\n    return y"),
    ("return [a for a in x if not a == y]", "return [a for a in x if a != y]"),
    ("return len(x) > 0", "return len(x) != 0"),
    ("return len(x) > 0", "return 1 <= len(x)"),
    ("return len(x) < 1", "return len(x) == 0"),
    ("return len(x) <= 2", "return not len(x) > 2"),
    ("return len(x) >= 0", "return len(x) > -1"),
    ("if len(x):\n    return y", "if len(x) >= 1:\n    return y"),
    ("return 1 if not len(x) else 2", "return 1 if len(x) == 0 else 2"),
    ("return x[0:]", "return x[:]"),
    ("return x[:len(x)]", "return x[::]"),
    ("return x[1 - 1:y]", "return x[:y]"),
    ("return x[::1]", "return x[None:None]"),
    ("return len(x) + 0", "return len(x)"),
    ("return 1 * len(x) // 1", "return len(x) - 0"),
    ("return - -len(x)", "return len(x)"),
    ("return int(len(x))", "return len(x)"),
    ("return str(str(x))", "return str(x)"),
    ("return str(f'{x}{y}')", "return f'{x}{y}'"),
    ("return f'{str(x)}'", "return f'{x}'"),
    ("return x.strip().strip()", "return x.strip()"),
    ("return 1 if x.strip() else 2", "return 1 if x.lstrip() else 2"),
    ("return [a for a in x if y.rstrip('a')]", "return [a for a in x if y.strip('a')]"),
    ("return not x.lstrip(y)", "return not x.rstrip(y)"),
    ("return x.lstrip().rstrip()", "return x.strip()"),
    ("return x.strip('a').lstrip('a')", "return x.strip('a')"),
    ("return x.lower().lower()", "return x.lower()"),
    ("return x.strip(None)", "return x.strip()"),
    ("return x.split(None, -1)", "return x.split()"),
    ("return x.get(y, None)", "return x.get(y)"),
    ("return x.setdefault(y, None)", "return x.setdefault(y)"),
    ("return list(range(0, len(x)))", "return list(range(len(x)))"),
    ("return range(0, x, 1)", "return range(x)"),
    ("return sum(x, 0)", "return sum(x)"),
    ("return list(enumerate(x, start=0))", "return list(enumerate(x, 0))"),
    ("return sorted(x, reverse=False)", "return sorted(x)"),
    ("return sorted(list(x))", "return sorted(x)"),
    ("return sorted(set(list(x)))", "return sorted(set(x))"),
    ("return list(sorted(x))", "return sorted(tuple(x))"),
    ("return list([a for a in x])", "return [a for a in x]"),
    ("return ','.join(list(x))", "return ','.join(x)"),
    ("if x:\n    return 1\nelse:\n    return y", "if x:\n    return 1\nreturn y"),
    ("if not x:\n    return 1\nelse:\n    y = 2\nreturn y", "if x:\n    y = 2\nelse:\n    return 1\nreturn y"),
    ("x = x\nreturn y", "pass\nreturn y"),
    ("a = 1\na = a\nreturn a", "a = 1\nreturn a"),
    ("a = 0\nreturn y", "return y"),
    ("a = [x, (1, y)]\nreturn y", "return y"),
    ("for a in x:\n    a\n    a = a\nreturn y", "for a in x:\n    pass\nreturn y"),
    ("a: int = 1\nreturn a", "a = 1\nreturn a"),
]


@pytest.mark.parametrize(("one", "other"), EQUAL, ids=str)
def test_one_form_and_the_same_answers(one: str, other: str) -> None:
    assert form(one) == form(other)
    assert answers(one) == answers(other)


DIFFERENT = [
    ("return x + 0", "return x"),
    ("return x * 1", "return x"),
    ("return - -x", "return x"),
    ("return not x < y", "return x >= y"),
    ("return 1 if not x < y else 2", "return 1 if x >= y else 2"),
    ("return not not x", "return x"),
    ("return bool(x)", "return x"),
    ("return x and y", "return y and x"),
    ("return min(x, y)", "return min(y, x)"),
    ("return x + y", "return y + x"),
    ("return len(x) > 1", "return len(x) >= 1"),
    ("return len(x)", "return len(x) > 0"),
    ("return x[1:]", "return x[:]"),
    ("return x[0::-1]", "return x[::-1]"),
    ("return x[:len(y)]", "return x[:]"),
    ("return str(x)", "return x"),
    ("return f'{x!r}'", "return f'{x}'"),
    ("return f'{str(x):>5}'", "return f'{x:>5}'"),
    ("return x.strip('a').strip('b')", "return x.strip('a')"),
    ("return x.strip() or y", "return x.lstrip() or y"),
    ("return 1 if x.strip('a') else 2", "return 1 if x.lstrip('b') else 2"),
    ("return x.strip(y).lstrip('a')", "return x.strip('a')"),
    ("return x.lower().upper()", "return x.lower()"),
    ("return x.get(y, 0)", "return x.get(y)"),
    ("return x.pop(y, None)", "return x.pop(y)"),
    ("return getattr(x, 'real', None)", "return getattr(x, 'real')"),
    ("return dict.get(x, None)", "return dict.get(x)"),
    ("return next(iter(x), None)", "return next(iter(x))"),
    ("return range(1, len(x))", "return range(len(x))"),
    ("return sorted(x, reverse=True)", "return sorted(x)"),
    ("return list(x)", "return x"),
    ("return list(reversed(list(x)))", "return list(reversed(x))"),
    ("if x:\n    y = 1\nelse:\n    return 2\nreturn y", "if x:\n    y = 1\nreturn 2"),
    ("if x:\n    pass\nreturn y", "if x < y:\n    pass\nreturn y"),
    ("if x:\n    a = 1\na\nreturn y", "return y"),
    ("if x:\n    a = 1\na = a\nreturn y", "return y"),
    ("a = x[0]\nreturn y", "return y"),
    ("a = 1\nreturn len(locals())", "return len(locals())"),
    ("a = 1\ndel a\na\nreturn y", "a = 1\ndel a\nreturn y"),
    ("len = str\nreturn len(x) > 0", "len = str\nreturn len(x) != 0"),
    ("global a\na = x\nreturn globals().get('a')", "return globals().get('a')"),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT, ids=str)
def test_what_looks_alike_but_answers_otherwise_has_two_forms(one: str, other: str) -> None:
    assert form(one) != form(other)
    assert answers(one) != answers(other)


def test_text_in_small_letters_stays_so() -> None:
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    assert everything.lower().lower() == everything.lower() and everything.upper().upper() == everything.upper()


def test_functions_of_arrays_have_no_form() -> None:
    assert form("y = np.array(y)\nreturn x < y") is None
    found = mutants("def f(x: 'pd.DataFrame', y):\n    x = x.strip()\n    return x\n", "f")
    assert {"drop the method call", "delete the statement"} <= {m.operator for m in found}


@pytest.mark.parametrize(("body", "left_out"), [
    ("x.sort()\nreturn x", "x\nreturn x"),
    ("x = x.strip()\nreturn x", "x = x\nreturn x"),
    ("return sorted(list(x))", "return sorted(x)"),
    ("return x.get(y, None)", "return x.get(y)"),
    ("return sorted(x, reverse=False)", "return sorted(x)"),
    ("if x == 2:\n    return y\nreturn x", "if x != 2:\n    return y\nreturn x"),
    ("return f'<{str(x)}>'", "return f'<{x}>'"),
    ("a = 0\na = len(x)\nreturn y", "a = 1\na = len(x)\nreturn y"),
    ("return x[1:]", "return x[0:]"),
], ids=str)
def test_mutants_that_do_what_is_known_already_are_left_out(body: str, left_out: str) -> None:
    kept = [m.program for m in mutants(program(body), "f")]
    assert kept and program(left_out) not in kept
