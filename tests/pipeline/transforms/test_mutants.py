"""Mutants: each operator makes the change that it is named after; every mutant parses and differs."""

import ast
import textwrap
from pathlib import Path
from random import Random

import pytest

from pipeline.languages.python.effects import chance_in
from pipeline.languages.python.language import PYTHON
from pipeline.transforms.altering.mutants import Mutants, fairly, mutants, variants


def texts(body: str, operator: str) -> set[str]:
    """The bodies of the mutants of one operator, on a function of x and y."""
    program = "def f(x, y):\n" + textwrap.indent(textwrap.dedent(body).strip(), "    ") + "\n"
    found = [ast.parse(m.program).body[0] for m in mutants(program, "f") if m.operator == operator]
    return {"\n".join(ast.unparse(s) for s in f.body) for f in found if isinstance(f, ast.FunctionDef)}


@pytest.mark.parametrize(("operator", "body", "expected"), [
    ("negate the condition", "return 1 if x else 2", {"return 1 if not x else 2"}),
    ("change the comparison", "return x < y", {"return x <= y"}),
    ("change the comparison", "return x in y", {"return x not in y"}),
    ("change the arithmetic", "return x + y", {"return x - y"}),
    ("swap and with or", "return x and y", {"return x or y"}),
    ("drop an operand", "return x and y", {"return y", "return x"}),
    ("negate the constant", "return True", {"return False"}),
    ("add one to the constant", "return 3", {"return 4"}),
    ("take one from the constant", "return 3", {"return 2"}),
    ("change the text", "return 'a'", {"return 'ax'"}),
    ("drop the filter", "return [a for a in x if a]", {"return [a for a in x]"}),
    ("drop the method call", "return x.strip()", {"return x"}),
    ("drop the call", "return sorted(x)", {"return x"}),
    ("swap the arguments", "return divmod(x, y)", {"return divmod(y, x)"}),
    ("delete the statement", "x += 1\nreturn x", {"pass\nreturn x"}),
    ("delete the jump", "for a in x:\n    break\nreturn y", {"for a in x:\n    pass\nreturn y"}),
    ("drop the branch", "if x:\n    return 1\nreturn 2", {"if False:\n    return 1\nreturn 2"}),
    ("always take the branch", "if x:\n    return 1\nreturn 2", {"if True:\n    return 1\nreturn 2"}),
    ("skip the loop", "for a in x:\n    y += a\nreturn y", {"for a in ():\n    y += a\nreturn y"}),
    ("skip the loop", "while x:\n    x -= y\nreturn y", {"while False:\n    x -= y\nreturn y"}),
    ("drop the not", "return not x", {"return x"}),
    ("turn the comparison round", "return x < y", {"return x >= y"}),
    ("change the comparison", "return 0 < x < y", {"return 0 <= x < y", "return 0 < x <= y"}),
    ("drop an operand", "return x and y and 1", {"return y and 1", "return x and 1", "return x and y"}),
    ("negate the filter", "return [a for a in x if a]", {"return [a for a in x if not a]"}),
    ("change the arithmetic", "return x / y", {"return x * y", "return x // y"}),
    ("drop the right operand", "return x + y", {"return x"}),
    ("drop the left operand", "return x + y", {"return y"}),
    ("drop the minus", "return -x", {"return x"}),
    ("empty the text", "return 'a'", {"return ''"}),
    ("drop the default", "return x.get(y, 1)", {"return x.get(y)"}),
    ("drop the keyword", "return sorted(x, reverse=y)", {"return sorted(x)"}),
    ("lengthen the range", "return range(x)", {"return range(x + 1)"}),
    ("shorten the range", "return range(x, y)", {"return range(x, y - 1)"}),
    ("call the sibling", "return x.lower()", {"return x.upper()"}),
    ("call the sibling", "return min(x)", {"return max(x)"}),
    ("drop the lower bound", "return x[y:]", {"return x[:]"}),
    ("raise the upper bound", "return x[:y]", {"return x[:y + 1]"}),
    ("reduce the upper bound", "return x[:y]", {"return x[:y - 1]"}),
    ("drop the step", "return x[::y]", {"return x[:]"}),
    ("swap break and continue", "for a in x:\n    if a:\n        break\n    y += a\nreturn y",
     {"for a in x:\n    if a:\n        continue\n    y += a\nreturn y"}),
    ("return None", "return x", {"return"}),
    ("delete the raise", "if x:\n    raise KeyError(y)\nreturn y", {"if x:\n    pass\nreturn y"}),
    ("change the exception", "if x:\n    raise ValueError(y)\nreturn y",
     {"if x:\n    raise TypeError(y)\nreturn y"}),
    ("swap the operands", "return x - y", {"return y - x"}),
    ("swap the operands", "return x ** y // 2", {"return 2 // x ** y", "return y ** x // 2"}),
    ("change the order of operations", "return (x + y) * 2", {"return x + y * 2"}),
    ("change the order of operations", "return x * (y + 2)", {"return x * y + 2"}),
    ("change the order of operations", "return x / (y - 2)", {"return x / y - 2"}),
    ("change the order of operations", "return x - (y - 2)", {"return x - y - 2"}),
    ("change the order of operations", "return (x or y) and 2", {"return x or (y and 2)"}),
    ("change the order of operations", "return not (x and y)", {"return not x and y"}),
    ("change the order of operations", "return (x or 1) == y", {"return x or 1 == y"}),
    ("assign instead of adding", "x += y\nreturn x", {"x = y\nreturn x"}),
    ("set instead of counting", "x += 2\nreturn x", {"x = 2\nreturn x"}),
    ("set instead of counting", "x[y] -= 1\nreturn x", {"x[y] = 0\nreturn x"}),
    ("only the first element", "return all(a > y for a in x)", {"return all((a > y for a in [*x][:1]))"}),
    ("only the first element", "return [a for a in range(x)]", {"return [a for a in range(x)[:1]]"}),
    ("drop one exception", "try:\n    return int(x)\nexcept (TypeError, ValueError):\n    return y",
     {"try:\n    return int(x)\nexcept (ValueError,):\n    return y",
      "try:\n    return int(x)\nexcept (TypeError,):\n    return y"}),
    ("narrow the type test", "return isinstance(x, (int, str))",
     {"return isinstance(x, (str,))", "return isinstance(x, (int,))"}),
    ("narrow the type test", "return isinstance(x, int | str | list)",
     {"return isinstance(x, str | list)", "return isinstance(x, int | list)", "return isinstance(x, int | str)"}),
    ("stop the recursion", "return f(y, x % y) if y else x", {"return y if y else x"}),
    ("negate the return", "return x or y", {"return not (x or y)"}),
    ("negate the return", "return 0 < x < y", {"return not 0 < x < y"}),
    ("negate the return", "return x.isdigit()", {"return not x.isdigit()"}),
    ("drop one element", "return x in ('a', 'b')", {"return x in ('b',)", "return x in ('a',)"}),
    ("drop one key", "return {'a': x, **y}", {"return {**y}"}),
    ("call the sibling", "return x.strip()", {"return x.lstrip()", "return x.rstrip()"}),
    ("call the sibling", "return x.rsplit('.', 1)", {"return x.split('.', 1)"}),
    ("drop the handler", "try:\n    return int(x)\nexcept ValueError:\n    return y",
     {"try:\n    return int(x)\nexcept ():\n    return y"}),
], ids=lambda value: value if isinstance(value, str) and "\n" not in value else None)
def test_an_operator_makes_its_change(operator: str, body: str, expected: set[str]) -> None:
    assert expected <= texts(body, operator)


@pytest.mark.parametrize("body", [
    "print('a', x + 1)", "if y > 1:\n    print(x + 1)\nelse:\n    logger.info('a %d', x + 1)",
    "import warnings\nwarnings.warn('a' + str(x + 1))", "a = len(x) + 1\nb = a * 2\nprint(b)", "a = x + 1",
    "a = 1\na += x + 1\nself.logger.debug(a)", "a = x + 1\nif x:\n    raise ValueError(a)",
    "assert x + 1 > 2",
])
def test_what_is_only_told_is_not_changed(body: str) -> None:
    assert not texts(f"{body}\nreturn y", "change the arithmetic")


@pytest.mark.parametrize("body", [
    "print('a', x + 1, file=y)", "if x + 1:\n    print(x)\n    y += 1", "a = x + 1\nprint(a)\ny += a",
    "a = x + 1\nprint(a)\nlocals()", "global a\na = x + 1", "y.info(x + 1)",
    "'''It.\n\n    Raises:\n        AssertionError: no.\n    '''\nassert x + 1 > 2",
])
def test_what_may_show_in_an_answer_is_changed(body: str) -> None:
    assert texts(f"{body}\nreturn y", "change the arithmetic")


@pytest.mark.parametrize(("operator", "body"), [
    ("swap the operands", "return x + y"),
    ("swap the operands", "return 'a %s' % x"),
    ("swap the operands", "return x - x"),
    ("change the order of operations", "return x + (y - 2)"),
    ("change the order of operations", "return x * 2 + y"),
    ("only the first element", "return next(a for a in itertools.count(x) if a > y)"),
    ("drop one exception", "try:\n    return int(x)\nexcept ValueError:\n    return y"),
    ("stop the recursion", "return g(x, y)"),
    ("negate the return", "return x == y"),
    ("negate the return", "return x.get(y)"),
    ("drop one element", "return [x, 1]"),
    ("call the sibling", "return x.split(',')"),
    ("call the sibling", "x.append(y)\nreturn x"),
    ("call the sibling", "return 1 if x.strip() else y"),
    ("swap the arguments", "return min(x, y)"),
], ids=str)
def test_an_operator_leaves_alone_what_it_would_not_change_or_another_changes(operator: str, body: str) -> None:
    assert texts(body, operator) == set()


def test_a_class_that_another_includes_is_not_dropped() -> None:
    assert texts("return isinstance(x, (bool, int))", "narrow the type test") == {"return isinstance(x, (bool,))"}
    caught = "try:\n    return int(x)\nexcept (KeyError, LookupError):\n    return y"
    assert len(texts(caught, "drop one exception")) == 1


def test_of_long_tables_four_parts_are_dropped_in_turn() -> None:
    table = ", ".join(f"'{letter}'" for letter in "abcdefghijk")
    found = texts(f"return x in [{table}]", "drop one element")
    assert len(found) == 4 and not any("'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'" in text for text in found)
    assert any("'a'" not in text for text in found) and any("'k'" not in text for text in found)
    keys = ", ".join(f"'{letter}': 1" for letter in "abcdefghijk")
    assert len(texts(f"return {{{keys}}}.get(x, y)", "drop one key")) == 4


def test_a_mutant_with_the_same_bytecode_is_none() -> None:
    assert texts("x = 1\nwhile True:\n    return x", "delete the jump") == set()
    assert not texts("for a in x:\n    y = a\n    continue\nreturn y", "delete the jump")


def test_the_tree_is_as_before_when_all_have_been_made() -> None:
    function = ast.parse("def f(x, y=1):\n    return [a[1:] for a in x if a and not y] or -x.get(y, 2)").body[0]
    assert isinstance(function, ast.FunctionDef)
    before = ast.dump(function, include_attributes=True)
    made = [(operator, ast.unparse(function)) for operator, _, _ in variants(function)]
    assert len(set(made)) == len(made) > 10
    assert ast.dump(function, include_attributes=True) == before


def test_the_text_of_an_exception_is_no_place_for_a_mutant() -> None:
    found = mutants("def f(x):\n    raise ValueError(f'no {x + 1}')\n", "f")
    assert {m.operator for m in found} == {"delete the raise", "change the exception"}
    found = mutants("def f(x):\n    assert x, repr(x)\n", "f")
    assert found == []
    found = mutants("def f(x):\n    m = 'no ' + x\n    raise ValueError(m)\n", "f")
    assert {m.operator for m in found if m.line == 2} == {"delete the statement"}


def test_a_variable_that_only_a_raise_reads_is_its_text() -> None:
    text = "def f(n):\n    m = 'a' + 'b'\n    if n > 3:\n        raise ValueError(m)\n    return n\n"
    assert {m.operator for m in mutants(text, "f") if m.line == 2} == {"delete the statement"}
    read = mutants(text.replace("return n", "return m"), "f")
    assert {"change the text", "change the arithmetic"} <= {m.operator for m in read if m.line == 2}


def test_a_filter_has_the_line_that_it_stands_in() -> None:
    found = mutants("def f(x):\n    return [\n        a\n        for a in x\n        if a\n    ]\n", "f")
    assert {m.line for m in found if m.operator == "drop the filter"} == {2}


def test_the_docstring_is_left_alone_and_members_come_after_the_function() -> None:
    program = 'def g():\n    return 1\n\n\ndef f(x):\n    """Add 1."""\n    return x + 1\n'
    found = mutants(program, "f")
    assert {(m.line, m.member) for m in found} == {(7, ""), (2, "g")}
    assert [m.member for m in found] == sorted(m.member for m in found)
    assert all(("return 1\n" in m.program) == (not m.member) and "Add 1." in m.program for m in found)
    assert "`g` line 2: " in str(found[-1]) and str(found[0]).startswith("line 7: ")


@pytest.mark.parametrize(("used", "same"), [
    ("return 1 if empty(x) else 2", True),
    ("while y and not empty(x):\n        x.pop()\n    return x", True),
    ("return [a for a in x if a or empty(a)]", True),
    ("return not any(empty(a) for a in x)", True),
    ("return bool(empty(x) if y else empty(y))", True),
    ("return empty(x)", False),
    ("return 1 if empty(x) is None else 2", False),
    ("return 1 if empty(x) else list(map(empty, x))", False),
    ("return 1 if (y := empty(x)) else y", False),
    ("return y or (empty(x) and 3)", False),
])
def test_no_and_nothing_are_the_same_where_truth_alone_is_asked(used: str, same: bool) -> None:
    helper = "def empty(x):\n    if not x:\n        return True\n    if len(x) > 3:\n        return empty(x[1:])\n    return False\n"
    found = mutants_of_members(f"{helper}\n\ndef f(x, y):\n    {used}\n", "f")
    assert (("empty", "return None", 6) in found) != same
    assert ("empty", "return None", 3) in found


def mutants_of_members(program: str, entry_point: str) -> set[tuple[str, str, int]]:
    every = Mutants(program, entry_point)
    return {(one.member, one.operator, one.line) for site in every.sites for one in every.written(site)}


@pytest.mark.parametrize("helper", [
    "def empty(x):\n    yield x\n    return False\n",
    "@cached\ndef empty(x):\n    return False\n",
    "def empty(x):\n    def inner():\n        return False\n    return inner() == x\n",
    "class Bag:\n    def empty(self):\n        return False\nempty = Bag().empty\n",
])
def test_nothing_is_another_answer_where_it_might_be_seen(helper: str) -> None:
    found = mutants_of_members(f"{helper}\n\ndef f(x, y):\n    return 1 if empty(x) else y\n", "f")
    assert any(operator == "return None" for _, operator, _ in found)


def test_mutants_of_methods_are_those_of_members() -> None:
    program = "class A:\n    def m(self, x):\n        return x + 1\n\n\ndef f(x):\n    return A().m(x)\n"
    assert {m.member for m in mutants(program, "f")} == {"A.m", ""}


def test_lines_that_nothing_comes_to_have_no_mutants() -> None:
    program = "def g(x):\n    if x:\n        return x + 1\n    return 2\n\n\ndef f(x):\n    return g(0)\n"
    every, living = Mutants(program, "f"), Mutants(program, "f", dead={3})
    assert {site.line for site in every.sites} - {site.line for site in living.sites} == {3}


def test_the_function_gets_its_share_of_the_mutants() -> None:
    assert fairly(3, 4, 10, 1) == list(range(7))
    assert [place < 30 for place in fairly(30, 300, 40, 1)].count(True) == 20
    assert [place < 5 for place in fairly(5, 300, 40, 1)].count(True) == 5
    assert len(fairly(300, 7, 40, 1)) == 40 and fairly(300, 0, 40, 7) == sorted(Random(7).sample(range(300), 40))


@pytest.mark.parametrize("name", ["textwrap", "bisect", "statistics", "shlex"])
def test_every_mutant_of_real_code_parses_and_differs(name: str) -> None:
    text = Path(str(__import__(name).__file__)).read_text("utf-8")
    functions = [n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef)][:6]
    for function in functions:
        program = ast.unparse(function)
        found = mutants(program, function.name)
        assert len({m.program for m in found} | {program + "\n"}) == len(found) + 1
        for mutant in found:
            ast.parse(mutant.program)


@pytest.mark.parametrize(("body", "lost"), [
    ("order = list(x)\nrandom.Random(0).shuffle(order)\nreturn order", "random.shuffle(order)"),
    ("rng = random.Random(x)\nreturn rng.random()", ""),  # nothing that one change could take the seed from
    ("return np.random.default_rng(3).integers(x)", "np.random.integers(x)"),
    ("return math.floor(x) + 1", ""),
])
def test_a_mutant_that_loses_its_seed_is_none(body: str, lost: str) -> None:
    program = "import math\nimport random\nimport numpy as np\n\ndef f(x):\n" + textwrap.indent(body, "    ") + "\n"
    every, fit = ({one.program for one in mutants(program, "f", *unfit)} for unfit in ((), (chance_in,)))
    assert fit < every if lost else fit == every
    assert all(lost in text for text in every - fit) and not any(PYTHON.effects.findings(text, "f") for text in fit)
