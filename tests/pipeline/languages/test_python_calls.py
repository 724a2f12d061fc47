"""Which calls can be read off a text, and with which arguments."""

import pytest

from pipeline.languages.python.reading import READER
from pipeline.languages.reading import CallSite


def calls(text: str, *names: str) -> list[str]:
    return [site.arguments for site in READER.calls(text, names or ("f",))]


@pytest.mark.parametrize(("text", "arguments"), [
    ("f('a', -1, key=None)", "'a', -1, key=None"),
    ("f([1, (2, {3})], {'k': b'v'})", "[1, (2, {3})], {'k': b'v'}"),
    ("x = f(1)", "1"),
    ("assert f(f2(1)) or f(2)", "2"),
    ("f('-' * 10 + 'x')", "'-' * 10 + 'x'"),
    ("f(np.array([[1.5, 2]]), date(2020, 1, 2))", "np.array([[1.5, 2]]), date(2020, 1, 2)"),
    ("import m as q\nq.f(3)", "3"),
    ("f(UUID('x'), slice(1, None), re.compile('a', re.I))", "UUID('x'), slice(1, None), re.compile('a', re.I)"),
    ("f(ipaddress.ip_address('::1'))", "ipaddress.ip_address('::1')"),
    ("async def t():\n    with a:\n        f(4)", "4"),
])
def test_literal_arguments_are_read(text: str, arguments: str) -> None:
    assert calls(text) == [arguments]


@pytest.mark.parametrize("text", [
    "f()", "f(x)", "f(*[1])", "f(**{'a': 1})", "self.f(1)", "cls.f(1)", "g(1)", "f(f'{x}')", "f([x])", "f(open('x'))",
    "f(...)", "f({**a})", "print 1, f(1)", "f(Project(1))", "f(os.remove('x'))", "f(os.compile('x'))", "f(re.escape)", "f(re.I.value)", "f(os.SEP)", "\0f(1)",
])
def test_what_is_no_literal_is_no_evidence(text: str) -> None:
    assert calls(text) == []


def test_a_name_stands_for_the_literal_that_it_is_bound_to_once() -> None:
    assert calls("A = 'a'\ndef t():\n    b = [A, 2]\n    f(A, b)") == ["'a', ['a', 2]"]
    assert calls("def t():\n    b = 1\n    b = 2\n    f(b)") == []
    assert calls("A = 1\ndef t(A):\n    f(A)") == []
    assert calls("def t():\n    b = 1\n    b += 2\n    f(b)") == []


PARAMETRIZED = """
@pytest.mark.parametrize("text, width", [("abc", 2), pytest.param("d", 3, id="x"), ("e", make())])
@pytest.mark.parametrize("sep", ["-", "+"])
def test_it(text, width, sep):
    assert f(text, width, sep=sep) == f("once")
"""


def test_a_parametrized_test_calls_once_for_each_row() -> None:
    found = calls(PARAMETRIZED)
    assert found == ["'abc', 2, sep='-'", "'d', 3, sep='+'", "'once'"]


def test_where_the_caller_takes_it_from_is_said() -> None:
    text = "from a.b import f as g, c\nimport x.y as z\ng(1)\nc.f(2)\nz.f(3)\nw.f(4)\nf(5)"
    assert [(s.module, s.arguments) for s in READER.calls(text, ["f"])] == [
        ("b", "1"), ("c", "2"), ("y", "3"), ("w", "4"), ("", "5"),
    ]
    assert READER.calls(text, ["f"])[0] == CallSite("f", "b", "1")


def test_deep_nesting_is_survived() -> None:
    assert calls("f(" + "[" * 5000 + "]" * 5000 + ")") == []
    assert len(calls("f(1" + "+1" * 3000 + ")")) <= 1
