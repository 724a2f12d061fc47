"""Variants do what their origin does, whatever the program holds; what can't be rewritten safely is left alone."""

from __future__ import annotations

import ast
import copy
import os
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from harness.errors import UserError
from pipeline.records import Reason
from pipeline.transforms.preserving.chains import CHAINS, OPERATORS, USUAL, Refused, Variant, chain_named, vary

PROGRAMS: dict[str, tuple[str, list[tuple[object, ...]]]] = {
    "loops that go on, end and have an else": ('''
def f(rows, stop):
    found = []
    for row in rows:
        for value in row:
            if value == stop:
                break
            if value % 2:
                continue
            found.append(value)
        else:
            found.append("end")
            continue
        if len(found) > 6:
            break
    else:
        found.append("all")
    return found
''', [([[1, 2, 4], [6, 3]], 3), ([[2] * 9, [9, 9], [1]], 9), ([], 0), ([[]], 1)]),
    "an else that leaves the loop around": ('''
def f(n):
    told = []
    while n > 0:
        k = n
        while k > 3:
            k -= 2
            if k == 7:
                told.append("seven")
                break
        else:
            n -= 1
            if n == 2:
                break
            continue
        told.append(n)
        n -= 3
    else:
        told.append("none left")
    return told, n
''', [(12,), (3,), (0,), (5,), (15,)]),
    "targets of all kinds": ('''
def f(pairs, box):
    out = {}
    for first, *rest in pairs:
        for box["last"] in rest:
            out[first] = box["last"]
    for out["x"], (a, b) in [(1, (2, 3)), (4, (5, 6))]:
        pass
    return out, a + b, box
''', [([(1, 2, 3), (4,)], {}), ([], {"last": 0}), ([("k", 9)], {})]),
    "a variable that is read behind its loop": ('''
def f(n: int):
    i = -1
    for i in range(n):
        if i * i > 20:
            break
    return i
''', [(3,), (0,), (9,)]),
    "counting that is changed inside, and captured": ('''
def f(n: int, xs: list):
    calls = []
    for i in range(2, n):
        i = i * 2
        calls.append(lambda: i)
    for j in range(len(xs) + 1):
        xs.append(j)
    for k in range(n):
        if k == 1:
            continue
        calls.append(lambda k=k: k)
    return [call() for call in calls], xs
''', [(5, [1]), (0, []), (3, [0, 0])]),
    "what is looped over changes": ('''
def f(xs, d):
    for x in xs:
        if x < 4:
            xs.append(x + 1)
    for key in d:
        if key == 2:
            d[9] = 9
    return xs
''', [([1], {}), ([3, 9], {1: 1, 2: 2}), ([], {2: 0, 3: 0})]),
    "inner functions and scopes": ('''
def f(x, *args, key=None, **more):
    total = 0
    def add(amount, times=1):
        nonlocal total
        for _ in range(times):
            total += amount
        return total
    add(x, times=2)
    size = lambda len: len * 2
    names = [x for x in args if (last := x)]
    table = {x: y for x, y in zip(args, names)}
    return total, add(amount=1), size(3), len(args), names, table, key, sorted(more), last if names else None
''', [(1,), (2, 3, 0, 4), (5, "a", "b")]),
    "exceptions, patterns and conditions with walrus": ('''
def f(data, limit=-5):
    out = []
    for item in data:
        try:
            match item:
                case {"kind": "x", **rest}:
                    out.append(rest)
                case [1, second, *others] if (n := len(others)) > 0:
                    out.append((second, others, n))
                case -1 | 0:
                    out.append("small")
                case str() as text:
                    out.append(f"{text!r:>{len(text) + 6}}")
                case _:
                    out.append(10 // item)
        except (ZeroDivisionError, TypeError) as error:
            out.append(type(error).__name__)
        else:
            if m := len(out):
                out.append(m)
        finally:
            limit += 1
    return out, limit, -5 ** 2, 1 .real, data[-1:]
''', [([{"kind": "x", "a": 1}, [1, 2, 3], -1, "text", 3, None, 0.0],), ([],), ([[1, 2]],)]),
    "generators, recursion by keyword, endless iterators": ('''
import itertools
def f(n, step=1):
    def upto(limit):
        try:
            for value in itertools.count():
                if value >= limit:
                    return
                yield value
        finally:
            seen.append(limit)
    seen = []
    if n <= 0:
        return [step]
    for one in upto(n):
        if one > 2:
            break
        seen.append(one)
    return seen + f(n=n - 3, step=step + 1)
''', [(7,), (0,), (2, 5)]),
    "numbers that are no expressions": ('''
from typing import Literal
def f(x: Literal[3] = 3, width: int = 8) -> "list[int]":
    y: Literal[4, 5] = 4
    return [f"{x:>{width}}", f"{y:08d}", 10**9, 10**10, True + 1, 0x10, x is 3, -7, [1, 2, 3][-1], 1_000]
''', [(3,), (4, 2)]),
    "texts that say nothing of names": ('''
def f(text):
    found = 0
    for c in "aeiou":
        found += text.count(c)
    for part in sorted(text.split()):
        for letter in list(part):
            found += letter == "x"
    for word in (text, "ax"):
        if not word: continue
        found += len(word)
    return found
''', [("an axe",), ("",), ("xx yx",)]),
}  # fmt: skip
"""Programs whose function is `f` and what it is called with."""


NAMES = {"FuncNorm", "VarNormI", "VarNormII", "MisleadingNames"}


def ran(program: str, name: str, arguments: tuple[object, ...]) -> object:
    """What a program's function gives, and what has become of its arguments."""
    space: dict[str, object] = {}
    exec(compile(program, "program", "exec"), space)
    arguments = copy.deepcopy(arguments)
    try:
        answer: object = space[name](*arguments)  # type: ignore[operator]
    except Exception as error:
        answer = type(error).__name__
    return answer, arguments


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_variant_does_what_its_origin_does(name: str, chain: str) -> None:
    program, calls = PROGRAMS[name]
    for seed in range(6):
        made = vary(program, "f", chain, seed, ("a task",))
        if isinstance(made, Refused):
            assert made.reason is Reason.NOT_APPLICABLE, made.evidence
            continue
        for arguments in calls:
            assert ran(made.program, made.entry_point, arguments) == ran(program, "f", arguments), made.program
        assert made == vary(program, "f", chain, seed, ("a task",))


@pytest.mark.parametrize(("operator", "most"), [("While2For", 1), ("FuncNorm", 0)])
def test_most_operators_apply_to_most_of_these(operator: str, most: int) -> None:
    applied = [vary(program, "f", operator, 0) for program, _ in PROGRAMS.values()]
    assert sum(isinstance(one, Variant) for one in applied) == most


@pytest.mark.parametrize(("chain", "program", "reason"), [
    ("VarNormI", "def f(x):\n    return locals()", Reason.INTROSPECTIVE),
    ("VarNormI", "def f(x):\n    return f'{x=}'", Reason.INTROSPECTIVE),
    ("VarNormII", "def f(x):\n    class A:\n        y = x\n    return A.y", Reason.UNSUPPORTED_SYNTAX),
    ("VarNormI", "def f(x):\n    return vars()", Reason.INTROSPECTIVE),
    ("VarNormI", "def f(x):\n    return eval('x')", Reason.INTROSPECTIVE),
    ("VarNormI", "import builtins\ndef f(x):\n    return builtins.locals()", Reason.INTROSPECTIVE),
    ("VarNormI", "def f(x):\n    def g(vars):\n        return vars\n    return vars()", Reason.INTROSPECTIVE),
    ("FuncNorm", "def walk(x):\n    return globals()", Reason.INTROSPECTIVE),
    ("FuncNorm", "def walk(x):\n    global walk\n    walk = x", Reason.UNSUPPORTED_SYNTAX),
    ("For2While", "def f(x):\n    class A:\n        for y in x:\n            z = y\n    return A", Reason.UNSUPPORTED_SYNTAX),
    ("For2While", "def f(x, next):\n    for y in x:\n        next += y\n    return next", Reason.UNSUPPORTED_SYNTAX),
    ("VarNormI", "import sys\ndef f(x):\n    return [sys._getframe(1) for _ in x]", Reason.INTROSPECTIVE),
    ("VarNormI", "import sys\ndef f(x):\n    return g()\ndef g():\n    return sys._getframe(1)", Reason.INTROSPECTIVE),
    ("For2While", "def f(x):\n    for y in x:\n        z = locals()\n    return z", Reason.INTROSPECTIVE),
    ("CondAug", "import inspect\ndef f(x):\n    return inspect.stack()", Reason.NOT_APPLICABLE),
    ("Plain", "'Text.'\ndef f(x):\n    return __doc__", Reason.INTROSPECTIVE),
    ("Plain", "import inspect as i\ndef f(x):\n    return i.isclass(x)", Reason.INTROSPECTIVE),
    ("Plain", "def f(x):\n    'Text.'\n    return f.__doc__", Reason.INTROSPECTIVE),
    ("Plain", "import inspect\ndef f(x):\n    return inspect.getsource(x)", Reason.INTROSPECTIVE),
    ("For2While", "def f(xs, iter):\n    for x in xs:\n        iter(x)", Reason.UNSUPPORTED_SYNTAX),
    ("While2For", "def f(int):\n    while int:\n        int -= 1\n    return int", Reason.UNSUPPORTED_SYNTAX),
    ("FuncNorm", "import m\ndef walk(x):\n    return getattr(m, 'walk')", Reason.UNSUPPORTED_SYNTAX),
    ("ConstUnfold", "def f(x):\n    return x", Reason.NOT_APPLICABLE),
    ("FUV", "def f(x):\n    return x + 1", Reason.NOT_APPLICABLE),
    ("All", "def f(x):\n    return x", Reason.NOT_APPLICABLE),
])
def test_what_can_not_be_rewritten_safely_is_left_alone(chain: str, program: str, reason: Reason) -> None:
    found = vary(program, "walk" if "walk" in program else "f", chain, 0)
    assert isinstance(found, Refused) and found.reason is reason and found.evidence


SEEN = {
    "a variable that is called like what looks at variables": (
        "def f(dir, vars=2):\n    for eval in dir:\n        vars += eval\n    return dir, vars", [([1, 2],), ([],)]),
    "an attribute of that name": ("def f(x):\n    y = x\n    return hasattr(y, 'vars') and y.vars", [(1,), (len,)]),
    "code with a namespace of its own": (
        "def f(x):\n    space = {'x': 5}\n    exec('y = x + 1', space)\n    return eval('x * y', space), x", [(1,)]),
    "names of the module": (
        "total = 1\ndef f(x, y):\n    z = x\n    def add(y):\n        global total, z\n        z = y\n        total += y\n"
        "        return [total for total in (total,)], z\n    return add(y), globals()['total'], z, [x for total in (x,)]",
        [(1, 2), (3, 4)]),
    "documentation where there is none": ("def f(x):\n    for y in x:\n        if __doc__:\n            return y\n    return x", [("ab",)]),
    "frames of who calls": (
        "import sys\ndef f(xs):\n    for x in xs:\n        name = sys._getframe(1).f_code.co_name\n    return name, x", [([1],)]),
    "documentation that is written": (
        "def f(xs):\n    for x in xs:\n        def g(): pass\n        g.__doc__ = x\n    return x", [(["a"],)]),
    "kinds of objects": ("import inspect\ndef f(x):\n    for y in x:\n        if inspect.isclass(y):\n            return 'class'", [([1, int],), ([],)]),
    "a name of Python's own that no loop needs": (
        "def f(object, xs, len=3):\n    for x in xs:\n        object += x\n    return object, len", [(1, [2, 3])]),
    "loops in methods": (
        "def f(xs):\n    class Box:\n        def total(self, n):\n            for x in xs:\n                n += x\n            return n\n"
        "    for x in Box().total(1), 7:\n        xs.append(x)\n    return xs", [([1, 2],)]),
    "a text with the function's name": ("def f(x):\n    walk = f\n    return 'f', f(x - 1) if x else 0", [(2,)]),
    "a name that is imported and bound": (
        "def f(x):\n    import math\n    if x:\n        math = None\n    y = math\n    return y is None", [(0,), (1,)]),
}  # fmt: skip
"""Programs that look as if they looked at their names."""


@pytest.mark.parametrize("name", SEEN)
def test_what_can_not_be_seen_may_change(name: str) -> None:
    program, calls = SEEN[name]
    made = [vary(program, "f", chain, 1) for chain in OPERATORS]
    usual = [one for one in made if isinstance(one, Variant)]
    refused = [one for one in made if isinstance(one, Refused) and one.reason is not Reason.NOT_APPLICABLE]
    assert len(usual) >= 3 and {one.chain for one in refused} <= NAMES, refused
    for one in usual:
        for arguments in calls:
            assert repr(ran(one.program, one.entry_point, arguments)) == repr(ran(program, "f", arguments)), one.program


def test_a_loop_whose_variable_a_text_may_read_is_none_that_counts() -> None:
    program = "def f(text):\n    for i in range(3):\n        pass\n    return eval(text)"
    made = vary(program, "f", "For2While", 0)
    assert isinstance(made, Variant) and ran(made.program, "f", ("i",)) == ran(program, "f", ("i",)) == (2, ("i",))


def test_a_variant_that_is_no_other_program_or_too_long_is_refused() -> None:
    named = vary("def f(var1):\n    return var1", "f", "VarNormI", 0)
    assert isinstance(named, Refused) and named.reason is Reason.NOT_DIVERGENT
    long = vary("def f():\n    return [1, 2, 3]", "f", "CondAug", 0)
    assert isinstance(long, Refused) and long.reason is Reason.NOT_APPLICABLE
    many = vary("def f(x):\n" + "    for a in x: a\n" * 30, "f", "For2While", 0)
    assert isinstance(many, Refused) and many.reason is Reason.VARIANT_TOO_LONG


def test_each_step_is_proved_where_it_can_be() -> None:
    program, _ = PROGRAMS["texts that say nothing of names"]
    for chain, proof in (("ConstUnfold", "bytecode"), ("VarNormI", "bytecode"), ("VarNormII", "bytecode"),
                         ("CondAug", "inverse"), ("For2While", "suite"), ("AUV", "bytecode+inverse"), ("FUV", "suite")):
        made = vary(program, "f", chain, 3)
        assert isinstance(made, Variant) and made.proof == proof, chain
    # Variables that inner functions share are numbered by their names.
    shared = vary("def f(b, a):\n    return lambda: (a, b)", "f", "VarNormI", 0)
    assert isinstance(shared, Variant) and shared.proof == "suite"


def test_arguments_by_keyword_are_known_by_their_new_names() -> None:
    made = vary("def area(width, height=2, *, unit=1):\n    return width * height * unit", "area", "All", 0)
    assert isinstance(made, Refused)
    made = vary("def area(width, height=2, *, unit=1):\n    return width * height * unit", "area", "VarNormI", 0)
    assert isinstance(made, Variant) and made.renames == {"width": "var1", "height": "var2", "unit": "var3"}


def test_another_seed_or_task_makes_another_variant() -> None:
    program, _ = PROGRAMS["loops that go on, end and have an else"]
    made = [vary(program, "f", "FUV", seed, (task,)) for seed, task in ((0, "a"), (1, "a"), (0, "b"))]
    assert len({one.program for one in made if isinstance(one, Variant)}) == 3


def test_an_unknown_chain_is_guessed() -> None:
    with pytest.raises(UserError, match="did you mean 'CondAug'"):
        chain_named("Condaug")


def functions(count: int) -> list[tuple[str, str]]:
    """Functions of the standard library, drawn by a seed: program and name."""
    folder = Path(os.__file__).parent
    files = [file for file in sorted(folder.rglob("*.py")) if "test" not in str(file.relative_to(folder))]
    Random(28).shuffle(files)
    found: list[tuple[str, str]] = []
    for file in files:
        try:
            tree = ast.parse(file.read_text("utf-8"))
        except (SyntaxError, ValueError):
            continue
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and len(node.body) > 1:
                node.decorator_list = []
                found.append((ast.unparse(node), node.name))
        if len(found) >= count:
            break
    return found[:count]


@pytest.mark.slow  # 3,000 functions
def test_hardly_any_function_with_a_place_to_change_is_left_alone_by_rule() -> None:
    made, refused = Counter[str](), Counter[str]()
    every = functions(3000)
    for program, name in every:
        for chain in OPERATORS:
            found = vary(program, name, chain, 1, (name,))
            if isinstance(found, Variant):
                compile(found.program, "variant", "exec")
                made[chain] += 1
            elif found.reason in (Reason.INTROSPECTIVE, Reason.UNSUPPORTED_SYNTAX):
                refused[chain] += 1
    shares = {chain: refused[chain] / (made[chain] + refused[chain]) for chain in USUAL if chain in OPERATORS}
    assert len(every) == 3000 and max(shares.values()) <= 0.02, shares


def test_functions_that_nobody_chose_are_rewritten() -> None:
    """All variants compile; at most a few functions with a site are refused by rule, each with a sentence."""
    count: Counter[str] = Counter()
    every = functions(120)
    for program, name in every:
        for chain in OPERATORS:
            made = vary(program, name, chain, 1, (name,))
            if isinstance(made, Variant):
                compile(made.program, "variant", "exec")
                assert made.program != made.origin
                count[chain] += 1
            elif made.reason is not Reason.NOT_APPLICABLE:
                assert made.evidence.endswith(".")
                count["refused"] += 1
    assert len(every) == 120 and all(count[chain] >= (7 if chain in USUAL else 1) for chain in OPERATORS), count
    assert count["refused"] <= 0.05 * sum(count.values()), count


AROUND = '''
LIMIT = 3


def before(n, most=LIMIT):
    while n > most:
        n = shrunk(value=n - 1, least=0) if n > 5 else n - 1
    return n


def shrunk(value, least):
    for step in range(3):
        if value > least + step:
            value = before(value - 1) + 1
    return value


def behind(n):
    for k in range(2):
        n += k
    return n
'''


@pytest.mark.parametrize("chain", USUAL)
def test_what_stands_around_the_entry_point_is_written_as_it_was(chain: str) -> None:
    made = vary(AROUND, "shrunk", chain, 3)
    if chain in ("While2For", "All"):
        assert isinstance(made, Refused)
        return
    assert isinstance(made, Variant)
    assert made.program == ast.unparse(ast.parse(made.program)) + "\n"
    assert "def behind(n):\n    for k in range(2):\n        n += k\n    return n\n" in made.program
    old, new = dict[str, object](), dict[str, object]()
    exec(AROUND, old)
    exec(made.program, new)
    for n in range(12):
        assert old["before"](n) == new["before"](n)  # type: ignore[operator]
        assert old["shrunk"](n, 2) == new[made.entry_point](n, 2)  # type: ignore[operator]
