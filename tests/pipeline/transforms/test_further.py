"""The operators that are made by name only: what they change, what they leave alone, and that nothing answers otherwise."""

from __future__ import annotations

import ast
import builtins
import keyword

import pytest

from harness.languages import Call, Machine
from harness.values import encode
from pipeline.records import Reason
from pipeline.shipped import shipped
from pipeline.transforms.preserving.chains import CHAINS, OPERATORS, USUAL, Refused, Variant, vary
from pipeline.transforms.preserving.draft import Layout, stored_names
from pipeline.transforms.preserving.proof import proof_of
from pipeline.transforms.preserving.words import FILES, words
from pipeline.vary.equivalence import differences, known
from tests.pipeline.suites.conftest import machine
from tests.pipeline.transforms.test_preserving import PROGRAMS, ran

__all__ = ["machine"]

pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning")
FURTHER = [name for name in CHAINS if name not in USUAL]
RICH: dict[str, tuple[str, list[tuple[object, ...]]]] = {
    "conditions of all kinds": ('''
def f(n: int, word: str = "ab", *rest, table=None):
    size = 0
    told = []
    for k in range(n):
        size += k
        if k < n and not (word == "ab" or size > 3):
            told.append("low")
        elif not table and (k or rest) and n != 2:
            told.append(not (k and table))
        else:
            told.append(k is not None and 3)
        while size > n and size not in (1, 2):
            size -= 2
    text = "many" if size > 2 else ("few" if word else "none")
    assert n < 99 or not word, "too many"
    kept = [one for one in rest if not (one == 1 or one == None) and one != word]
    label = ""
    label += word
    label *= 2
    return size, told, text, kept, label, 0 < n < 5, "mixed"[1:]
''', [(0,), (3,), (5, "xy", 1, None, 2.5, float("nan")), (2, ""), (7, "ab", "ab")]),
    "scopes and late binding": ('''
def f(xs, y=2):
    x = "outer"
    made = [x * y for x in xs if x for y in (x, y)]
    calls = [lambda x=x: x for x in xs]
    late = [lambda: x for x in xs]
    first = 1
    second = (x, y)
    third = []
    def inner(y):
        nonlocal first
        first += y
        z: int = first * 2 + y
        return [[x, z] for z in range(y)] if y > 1 else [z for z, *_ in [(1, 2)]]
    class Box:
        size: int = 3
        label = "in a class" if y else "none"
        size = size * 2 + 1
    found = [call() for call in [*calls, *late]]
    nested = [[b for b in a] for a in [[x], [y]] for a in [a, a]]
    return made, found, inner(1), inner(3), first, second, third, Box.size, Box.label, nested, x
''', [([1, 2],), ([],), ([0, 3, 0],), (["a"], 3)]),
    "finally, generators and what is taken away": ('''
def f(data, key="name"):
    def walk(things):
        try:
            for one in things:
                got = yield one if one else -1
                part = one + 1
                total = part * 2 + (got or 0)
                yield total
        finally:
            seen.append("ended" if things else "nothing")
    seen = []
    out = [n for n in walk(data)]
    try:
        del key
        rest = [x for x in data if key]
    except UnboundLocalError as error:
        out = out + [type(error).__name__]
    finally:
        if len(out) == 3:
            return out, seen
        else:
            seen.append("more")
    a, b = 1, 2
    b, a = a, b
    return out if seen else None, seen, a, b
''', [([1],), ([],), ([0, 2, 5],)]),
    "texts and types where nothing may be changed": ('''
from typing import Literal, Optional
def f(kind: Literal["one", "two"] = "one", names: Optional[list] = None) -> "list[str]":
    "Not the documentation."
    x: "int"
    limit: int
    limit = 3
    table: dict = {"first key": 1, "second": "value"}
    match kind:
        case "one" | "three":
            found = f"{kind:>{limit}} and 'more' {table['first key']}"
        case {"key": "word"}:
            found = "mapping"
        case _:
            found = "%s %d" % (kind, limit)
    def inner(a: int, b: str = "yes") -> str:
        return b * a
    name = "'quoted' \\n \\\\ \\u00e9\\U0001f600" + b"bytes".decode()
    return [found, name, inner(2), table, names, kind is "one"]
''', [("one",), ("two",), ({"key": "word"},), ("three", [])]),
    "sums in place that are seen elsewhere": ('''
def f(rows, start=0, ratio: float = 1.5):
    kept = rows
    kept += [4]
    whole = start
    whole += 1
    n = 0
    n += 2
    n <<= 3
    n |= 5
    share = ratio
    share /= 2
    share -= n
    mark = "a"
    mark += "b" * n
    mark = mark + mark
    mean = (share + n) / 2
    box = [0]
    box[0] += n
    return rows, whole, n, share, mark, mean, box, (n := n + 1) + n
''', [([1],), ([], 2.5), ([0, 0], -1, 2.0)]),
}  # fmt: skip


@pytest.mark.parametrize("chain", FURTHER)
@pytest.mark.parametrize("name", RICH)
def test_a_variant_does_what_its_origin_does(name: str, chain: str) -> None:
    program, calls = RICH[name]
    expected = [ran(program, "f", arguments) for arguments in calls]
    for seed in range(6):
        for most in (0, 1):
            made = vary(program, "f", chain, seed, ("a task",), most)
            if isinstance(made, Refused):
                assert made.reason in (Reason.NOT_APPLICABLE, Reason.UNSUPPORTED_SYNTAX), made.evidence
                continue
            for arguments, right in zip(calls, expected, strict=True):
                assert repr(ran(made.program, made.entry_point, arguments)) == repr(right), made.program
            assert made == vary(program, "f", chain, seed, ("a task",), most)


WRITTEN = [
    ("OperandSwap", "def f(a: int, b: float):\n    return a < b", "return b > a"),
    ("OperandSwap", "def f(a: str):\n    return a >= 'x'", "return 'x' <= a"),
    ("OperandSwap", "def f(a):\n    return a == None", "return None == a"),
    ("OperandSwap", "def f(xs):\n    n = 0\n    for i in range(9):\n        n += i\n    return 3 != n", "return n != 3"),
    ("IfReverse", "def f(a):\n    if a in 'b':\n        return 1\n    else:\n        return 2", "if a not in 'b':\n        return 2\n    else:\n        return 1"),
    ("IfReverse", "def f(a):\n    if not a:\n        a = 1\n    else:\n        a = 2", "if a:\n        a = 2\n    else:\n        a = 1"),
    ("IfReverse", "def f(a):\n    if a == 1:\n        a = 1\n    else:\n        a = 2", "if not a == 1:\n        a = 2"),
    ("DeMorgan", "def f(a, b):\n    return not (a and b)", "return not a or not b"),
    ("DeMorgan", "def f(a, b):\n    return not (a and (not b))", "return not a or not not b"),
    ("DeMorgan", "def f(a, b):\n    if not (a or not b):\n        return 1", "if not a and b:"),
    ("DeMorgan", "def f(a, b):\n    if a or b:\n        return 1", "if not (not a and (not b)):"),
    ("AugUnfold", "def f(n: int):\n    n -= 2\n    return n", "n = n - 2"),
    ("AugUnfold", "def f(xs):\n    s = ''\n    s += str(xs)\n    return s", "s = s + str(xs)"),
    ("AssignUnfold", "def f(a):\n    x = a() ** a()\n    return x", "part = a()\n    x = part ** a()"),
    ("Comp2Loop", "def f(xs):\n    return [x for x in xs if x]", "made = []\n    for x1 in xs:\n        if x1:\n            made.append(x1)\n    return made"),
    ("Comp2Loop", "def f(xs, x):\n    x = [x + [y for y in x] for x in x]\n    return x", "for x1 in x:\n        made.append(x1 + [y for y in x1])\n    x = made"),
    ("Ternary2If", "def f(a):\n    return 1 if a else 2", "if a:\n        return 1\n    else:\n        return 2"),
    ("Swap", "def f(a):\n    x = 1\n    y = [a]\n    return x", "y = [a]\n    x = 1"),
    ("Untyped", "def f(a: int, *b: str, c: 'x' = 1) -> int:\n    d: int = 2\n    return d", "def f(a, *b, c=1):\n    d = 2"),
    ("StringUnfold", "def f(a):\n    return a['ab']", "return a['a' + 'b']"),
]  # fmt: skip


@pytest.mark.parametrize(("operator", "program", "written"), WRITTEN)
def test_what_is_written(operator: str, program: str, written: str) -> None:
    made = vary(program, "f", operator, 0)
    assert isinstance(made, Variant) and written in made.program, made


LEFT = [
    ("OperandSwap", "def f(a, b):\n    return a < b", "nothing is known of both"),
    ("OperandSwap", "def f(a, b):\n    return a == b", "equality may be anything"),
    ("OperandSwap", "def f(a: int, b: str):\n    return a < b", "its complaint names the order"),
    ("OperandSwap", "def f(a: int, b: int, c: int):\n    return a < b < c", "a chain"),
    ("OperandSwap", "def f(a: int = None):\n    return a < 3", "no whole number by default"),
    ("OperandSwap", "def f(a: int):\n    a = a.x\n    return a < 3", "bound anew"),
    ("OperandSwap", "def f(a: int, b):\n    def g(a):\n        return a < 3\n    return g(b)", "another scope's name"),
    ("OperandSwap", "def f(a, len):\n    n = len(a)\n    return n < 3", "no length"),
    ("OperandSwap", "def f(a):\n    n = m = 0\n    del n, m\n    return n == m", "no value, and which name is told"),
    ("OperandSwap", "def f(n: int, m=n < 3):\n    return m", "a default belongs to what is around"),
    ("IfReverse", "def f(a):\n    if a:\n        return 1\n    elif a is None:\n        return 2", "an elif"),
    ("DeMorgan", "def f(a, b):\n    return a and b", "the value counts"),
    ("DeMorgan", "def f(a, b):\n    return [a or b, f'{a and b}']", "values, too"),
    ("AugUnfold", "def f(xs):\n    xs += [1]\n    return xs", "a list"),
    ("AugUnfold", "def f(xs):\n    n = 0\n    for x in xs:\n        n += x\n    return n", "may become an array"),
    ("AugUnfold", "def f(n: int):\n    n += 'a'\n    return n", "its complaint names the sign"),
    ("AugUnfold", "def f():\n    n = 0\n    def g():\n        nonlocal n\n        n += 1\n    return g", "shared"),
    ("AugUnfold", "def f(a):\n    a.n = 0\n    a.n += 1\n    return a", "an attribute"),
    ("AssignUnfold", "def f(s, t):\n    s = s + t\n    return s", "a text that grows"),
    ("AssignUnfold", "def f(a):\n    class B:\n        c = a() + 1\n    return B", "names of a class are seen"),
    ("Comp2Loop", "def f(xs):\n    return [lambda: x for x in xs]", "late binding"),
    ("Comp2Loop", "def f(xs):\n    return [(x for _ in x) for x in xs]", "a generator runs later"),
    ("Comp2Loop", "def f(xs):\n    return [lambda x=x: x for x in xs]", "a default of a lambda"),
    ("Comp2Loop", "def f(xs):\n    return [y := x for x in xs]", "walrus"),
    ("Comp2Loop", "async def g(): pass\ndef f(xs):\n    async def h():\n        return [x async for x in xs]\n    return h", "async"),
    ("Comp2Loop", "def f(xs):\n    return {x for x in xs}, [x for x in xs]", "not the whole value"),
    ("Ternary2If", "def f(a):\n    a += 1 if a else 2\n    return a", "a is read before the test"),
    ("Swap", "def f(a):\n    x = a\n    y = x\n    return y", "reads what the other binds"),
    ("Swap", "def f(a):\n    x = 1\n    y = a.b\n    return y", "may do anything"),
    ("Swap", "def f(a):\n    x = 1\n    y = z\n    return y", "a name that may be none"),
    ("Swap", "def f(a):\n    x = 1\n    x = 2\n    return x", "one name"),
    ("Swap", "def f(a):\n    def g():\n        y = 1\n        x = a\n        a = 2\n        del y\n    return g", "not yet bound there"),
    ("Untyped", "def f():\n    x: int\n    return x", "makes it a variable"),
    ("Untyped", "def f():\n    class A:\n        x: int = 1\n    return A", "a field"),
    ("StringUnfold", "def f(x):\n    return f'{x} and more', x.a, 'a'", "a part of a text, and a letter"),
    ("StringUnfold", "def f(x):\n    x = 1\n    'documentation'\n    match x:\n        case 'ab':\n            y: 'int' = 1", "no expression"),
]  # fmt: skip


@pytest.mark.parametrize(("operator", "program", "why"), LEFT)
def test_what_is_left_alone(operator: str, program: str, why: str) -> None:
    found = vary(program, "f", operator, 0)
    assert isinstance(found, Refused) and found.reason is Reason.NOT_APPLICABLE, f"{why}: {found}"


@pytest.mark.parametrize(("operator", "program"), [
    ("DeadStore", "def f(x):\n    return locals()"),
    ("DeadBranch", "def f(x):\n    return eval('x')"),
    ("AssignUnfold", "def f(x):\n    y = x + 1\n    return vars()"),
    ("Comp2Loop", "def f(xs):\n    return [x for x in dir()]"),
    ("Untyped", "import typing\ndef f(x: int):\n    return typing.get_type_hints(f)"),
    ("Untyped", "def f(x: int):\n    return f.__annotations__"),
    ("Untyped", "import functools\n@functools.singledispatch\ndef f(x: int):\n    return x"),
    ("Untyped", "def f(x):\n    @x.reads\n    def g(y: int):\n        return y\n    return g"),
])
def test_who_looks_at_names_or_annotations_is_refused(operator: str, program: str) -> None:
    found = vary(program, "f", operator, 0)
    assert isinstance(found, Refused) and found.reason is Reason.INTROSPECTIVE and found.evidence.endswith(".")


@pytest.mark.parametrize(("operator", "proof"), [
    ("StringUnfold", "bytecode"), ("DeMorgan", "bytecode"), ("Untyped", "bytecode"), ("IfReverse", "inverse"),
    ("Ternary2If", "inverse"), ("DeadStore", "inverse"), ("DeadBranch", "inverse"), ("AssignUnfold", "inverse"),
    ("OperandSwap", "suite"), ("AugUnfold", "suite"), ("Swap", "suite"), ("Comp2Loop", "suite"),
])  # fmt: skip
def test_each_is_proved_where_that_can_be(operator: str, proof: str) -> None:
    program = """
def f(n: int, xs):
    count = 0
    label = "text"
    count += n
    if not (n < 3 and xs):
        label = "other" if n else "none"
    else:
        total = xs(n) * 2 + n
    return [x for x in label if count]
"""
    for seed in range(4):
        made = vary(program, "f", operator, seed)
        assert isinstance(made, Variant) and made.proof == proof, made


@pytest.mark.parametrize(("operator", "before", "after"), [
    ("DeadStore", "a = 1", "b = a\na = 1"),
    ("DeadStore", "print()", "b = print()\nprint()"),
    ("DeadBranch", "a = 1", "if 3 > 2:\n    b = 1\na = 1"),
    ("DeadBranch", "a = 1", "if 3 < 2:\n    a = 1\na = 1"),
    ("DeadBranch", "def f():\n    pass", "def f():\n    if 3 < 2:\n        b = yield\n    pass"),
    ("IfReverse", "if a:\n    b()\nelse:\n    c()", "if not a:\n    b()\nelse:\n    c()"),
    ("IfReverse", "if a < b:\n    b()\nelse:\n    c()", "if a >= b:\n    c()\nelse:\n    b()"),
    ("Ternary2If", "a = 1 if b else 2", "if b:\n    a = 1\nelse:\n    c = 2"),
    ("AssignUnfold", "a = b() + c()", "d = c()\na = b() + d"),
    ("AssignUnfold", "a = b() + c()", "d = b()\na = d + c(d)"),
    ("StringUnfold", "a = 'abc'", "a = 'ab' + 'd'"),
    ("DeMorgan", "if a and b:\n    c()", "if not (not a and not b):\n    c()"),
    ("Untyped", "def f(a: int = 1):\n    pass", "def f(a=2):\n    pass"),
])
def test_what_is_written_wrongly_is_not_proved(operator: str, before: str, after: str) -> None:
    assert proof_of(operator, before, after) == "suite"


BROKEN = {
    "a list that is no longer changed in place": ("kept += [n]", "kept = kept + [n]"),
    "an order that is negated": ("if n < 3:", "if not n > 3:"),
    "a test whose branches are not swapped": ("if n < 3:", "if not n < 3:"),
    "a loop variable that leaks": ("[n for n in kept]", "[m for m in kept if (n := m)]"),
    "a conditional that lost a branch": ("label = 'a' if kept else 'b'", "if kept:\n        label = 'a'"),
    "assignments that depend on each other": ("first = n\n    n = 1", "n = 1\n    first = n"),
    "a text that is put together in the wrong order": ("'b'", "'' + 'a'"),
    "a branch that is taken": ("n = 1", "n = 1\n    if 3 > 2:\n        first = 0"),
}  # fmt: skip
ORIGIN = """
def f(kept, n):
    label = 'none'
    if n < 3:
        kept += [n]
    else:
        label = 'low'
    first = n
    n = 1
    label = 'a' if kept else 'b'
    made = [n for n in kept]
    return label, made, n, first
"""


def test_broken_forms_are_refused_by_the_gate(machine: Machine) -> None:
    calls = [Call((encode(kept), encode(n)), {}) for kept in ([], [0], [2, 5]) for n in (-1, 3, 4)]
    origin = known(ORIGIN, "f", calls, machine)
    texts = [ORIGIN.replace(old, new) for old, new in BROKEN.values()]
    assert ORIGIN not in texts and len(origin.right) == len(calls)
    variants = [Variant("made", 0, ORIGIN, text, "f", {}, {}, {}) for text in (*texts, ORIGIN)]
    told = dict(zip((*BROKEN, "none"), differences(variants, origin, machine), strict=True))
    assert [name for name, difference in told.items() if not difference] == ["none"], told


@pytest.mark.parametrize("chain", [*OPERATORS, "FUV", "AFU"])
def test_a_dose_is_as_many_places_as_there_are_at_most(chain: str) -> None:
    for program in (RICH["conditions of all kinds"][0], PROGRAMS["loops that go on, end and have an else"][0]):
        every = vary(program, "f", chain, 5)
        if isinstance(every, Refused):
            assert every.reason is Reason.NOT_APPLICABLE
            continue
        for most in (1, 2, 3):
            made = vary(program, "f", chain, 5, (), most)
            assert isinstance(made, Variant) and all(count <= most for count in made.sites.values())
            if chain in OPERATORS:
                assert made.sites[chain] == min(most, every.sites[chain])
        if chain in OPERATORS:
            whole = vary(program, "f", chain, 5, (), 999)
            assert isinstance(whole, Variant) and whole.sites == every.sites


def test_a_smaller_dose_is_part_of_a_larger_one() -> None:
    program = "def f():\n    return [" + ", ".join(map(str, range(200, 230))) + "]\n"
    left = list[set[str]]()
    for most in (1, 4, 9, 30):
        made = vary(program, "f", "ConstUnfold", 3, (), most)
        assert isinstance(made, Variant) and made.program.count("+") == most
        left.append({one for one in made.program.replace("]", ",").split() if "+" not in one})
    numbers = [set(map(str, range(200, 230))) & {word.strip("[],") for word in some} for some in left]
    assert numbers[0] > numbers[1] > numbers[2] and len(numbers[0]) == 29


def test_renamed_variables_are_counted_and_others_keep_their_names() -> None:
    program = "def f(var2, b, c=0):\n    d = var2 + b\n    return f(var2=d, b=c) if d else c"
    for seed in range(20):
        made = vary(program, "f", "VarNormI", seed, (), 1)
        if isinstance(made, Refused):
            assert made.reason is Reason.NOT_DIVERGENT
            continue
        [(old, new)] = [(old, new) for old, new in made.renames.items()] or [("d", "var1")]
        assert made.sites == {"VarNormI": 1} and (old == "var2" or "var2" in made.program)
        assert new not in program.replace("var2", "") and len(made.renames) <= 1


LAID_OUT = """
def f(text, rows=(1, 2)):
    def wrapped(one):
        return f'{one!r:>{len(rows)}}' + 'a, (b'
    if text:
        return [wrapped(one) for one in rows]
    elif rows and (len(rows) > 3):
        rows = {'key': rows, 'other': [1, 2]}
    else:
        pass
    @staticmethod
    def last():
        return rows
    return last
"""


@pytest.mark.parametrize(("operator", "written", "count"), [
    ("BlankLines", "    def wrapped(one):\n        return f'{one!r:>{len(rows)}}' + 'a, (b'\n\n    if text:\n        return [", 3),
    ("Tabs", "\t\treturn f'{one!r:>{len(rows)}}' + 'a, (b'\n\tif text:\n\t\treturn [", 1),
    ("SplitLines", "\n            ", 5),
    ("MisleadingComments", "\n    # ", 9),
    ("MisleadingHints", "    # Hint: ", 4),
])
def test_text_alone_is_changed(operator: str, written: str, count: int) -> None:
    for seed in range(8):
        made = vary(LAID_OUT, "f", operator, seed)
        assert isinstance(made, Variant) and made.proof == "bytecode" and made.sites == {operator: count}
        assert written in made.program and made.program != made.origin
        assert "# " not in made.program.split("elif")[0].splitlines()[-1] and "    @staticmethod\n    def" in made.program.expandtabs(4)
        few = vary(LAID_OUT, "f", operator, seed, (), 1)
        assert isinstance(few, Variant) and few.sites == {operator: 1} and few.proof == "bytecode"


def test_layout_comes_last_in_every_chain() -> None:
    for steps in CHAINS.values():
        kinds = [isinstance(OPERATORS[step], Layout) for step in steps]
        assert kinds == sorted(kinds)


def test_names_mislead() -> None:
    program = """
def f(rows: list, word: str, size: int = 3):
    table = {}
    done = not rows
    for row in rows:
        table[row] = size
    return table, done, word
"""
    roles = words("misleading")["names"]
    of = {word: role for role, some in roles.items() for word in some}
    for seed in range(10):
        made = vary(program, "f", "MisleadingNames", seed)
        assert isinstance(made, Variant) and set(made.renames) == {"rows", "word", "size"}
        assert [of[made.renames[name]] != role for name, role in (("rows", "list"), ("word", "text"), ("size", "number"))] == [True] * 3
        assert "table" not in made.program and len(set(made.renames.values())) == 3
    many = "def f():\n    " + "; ".join(f"x{n} = {n}" for n in range(60)) + "\n    return x59"
    crowded = vary(many, "f", "MisleadingNames", 0)
    assert isinstance(crowded, Variant) and ran(crowded.program, "f", ()) == ran(many, "f", ())


def test_word_lists_hold_what_operators_may_write() -> None:
    dead, misleading = words("dead_code"), words("misleading")
    for text in (*dead["values"], *dead["bodies"]):
        assert not any(isinstance(node, (ast.Call, ast.Return, ast.Yield, ast.Raise, ast.Import)) for node in ast.walk(ast.parse(text)))
    for body in dead["bodies"]:
        assert {node.id for node in ast.walk(ast.parse(body)) if isinstance(node, ast.Name)} == stored_names(ast.parse(body))
        exec(body, {})
    names = [*dead["names"], *(word for some in misleading["names"].values() for word in some)]
    assert all(name.isidentifier() and not keyword.iskeyword(name) and not hasattr(builtins, name) for name in names)
    lines = [*misleading["hints"]["lines"], *(line for some in misleading["comments"].values() for line in some)]
    assert all(line.endswith(".") and "\n" not in line for line in lines)
    assert {*FILES} <= {file.stem for file in shipped("data/words").glob("*.toml")}


def test_every_operator_has_a_chain() -> None:
    assert {name for name, steps in CHAINS.items() if steps == (name,)} == set(OPERATORS)
