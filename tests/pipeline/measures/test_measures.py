"""The measures of small programs, counted by hand."""

from __future__ import annotations

import ast

import pytest

from harness.errors import UserError
from pipeline.languages.registry import language
from pipeline.measures.complexity import Complexity, complexity
from pipeline.measures.profile import C_NAMES, R_NAMES, checked, profile
from pipeline.measures.pythonic import score
from pipeline.measures.readability import Readability, cognitive, entropy, readability

PROGRAM = '''
import functools
import re
from helpers import clean

@functools.wraps(print)
def outer(rows):
    total = 0
    table = {}
    for row in rows:
        if not row:
            continue
        elif len(row) > 3 and row[0]:
            for cell in row:
                while cell:
                    cell -= 1
                    total += int(str(cell))
        else:
            table[0] = [x for x in row if x > 1]
    found = re.sub("a", "b", clean(str(total)))
    return inner(found) if found else inner("", 1)

def inner(text, depth=0):
    try:
        return inner(text[1:], depth + 1) if len(text) else (lambda: depth)()
    except (IndexError, KeyError):
        raise
'''


def test_complexity() -> None:
    found = complexity(ast.parse(PROGRAM), {"helpers": ast.parse("def clean(text):\n    return tidy(text)\n\ndef tidy(x): return x\n")})
    assert found == Complexity(
        c1=(1 + 1 + 2 + 1 + 1) + (1 + 2) + 1 + 1,  # two loops' and conditions' ways, the handler and going past it
        c2=2 + 1,  # `not row`, `... and ...`, and the filter; names and calls alone are no predicates
        c3=1 + 1 + 2 + 3 - 1,
        c4=1 + 1 + 2 + 1,  # a comprehension, a lambda, a decorator twice, a recursive function
        c5=2, c6=1, c7=3 + 1)


@pytest.mark.parametrize("body", [
    "if a:\n        a = 1\n    return a", "while a:\n        a -= 1\n    return a",
    "for b in a:\n        if b:\n            break\n    return b",
    "try:\n        return a\n    except KeyError:\n        return 1\n    except ValueError:\n        return 2",
    "match a:\n        case 1:\n            return 1\n        case _:\n            return 2",
    "return [b for b in a if b and a]",
])
def test_cyclomatic_complexity_is_that_of_the_control_flow_graph(body: str) -> None:
    program = f"def f(a):\n    {body}\n"
    graph = language("python").flow.read(program, "f").graph
    assert complexity(ast.parse(program)).c1 == graph.complexity


@pytest.mark.parametrize(("body", "depth"), [
    ("if a:\n    pass\nelif b:\n    pass\nelse:\n    if c:\n        pass\n", 0),
    ("for a in b:\n    for c in a:\n        pass\n", 1),
    ("for a in b:\n    if a:\n        while c:\n            pass\n", 3),
    ("try:\n    for a in b:\n        if a: pass\nexcept E:\n    if b: pass\n", 1),
])
def test_nesting(body: str, depth: int) -> None:
    assert complexity(ast.parse(body)).c3 == depth


def test_readability() -> None:
    text = "def f(a):\n    b = [1]\n    # a comment\n    for c in a:\n        for d in c:\n            if d > 1 or not d:\n                b = int(str(d))\n    return b\n"
    found = readability([text], [ast.parse(text)])
    assert found == Readability(
        r1=6 + 5 + 5 + 5 + 8 + 9 + 2, r2=7, r3=3, r4=1, r5=3, r6=1, r7=2, r8=2, r9=2, r10=1, r11=9, r12=1,
        r13=pytest.approx(found.r13))


def test_entropy_is_in_bits() -> None:
    assert entropy(list("abcd")) == 2 and entropy(["a"]) == 0 and entropy([]) == 0


def test_cognitive_complexity_counts_levels() -> None:
    assert cognitive([ast.parse("def f(a):\n    if a:\n        for b in a:\n            if b and a:\n                pass\n    else:\n        pass\n")]) == 2 + 2 + 3 + 1


def test_relative_measures_by_the_paper() -> None:
    paper = profile("paper")
    assert paper.complexity == (46.30, 18.25, 17.32, 15.69, 17.06, 4.48, 10.06)
    assert paper.rc(Complexity(c6=9)) == pytest.approx(1 / 7)
    assert paper.rc_uncapped(Complexity(c6=9)) == pytest.approx(9 / 4.48 / 7)
    assert paper.rr(Readability()) == 1
    assert paper.rr(Readability(r9=3)) == pytest.approx(12 / 13)
    assert paper.passed(Readability(r9=3, r10=9), Readability(r9=3, r10=5)) == ["r10"]


def test_thresholds_of_nothing_are_refused() -> None:
    good_c, good_r = dict.fromkeys(C_NAMES, 1.0), dict.fromkeys(R_NAMES, 1.0)
    assert checked("own", good_c, good_r).rc(Complexity(1, 1, 1, 1, 1, 1, 1)) == 1
    for bad in (0, -1, True, "many", None, float("nan")):
        with pytest.raises(UserError, match="set it to a number above 0"):
            checked("own", good_c | {"c3": bad}, good_r)
    with pytest.raises(UserError, match=r"no profile 'papr'.*name one of"):
        profile("papr")


def test_pylint_prefers_what_is_used() -> None:
    good = score([("main", "def add(first, second):\n    return first + second\n")])
    bad = score([("main", "import os\n\n\ndef add(first, second):\n    unused = 1\n    return first+second\n")])
    assert good == 10 > bad
