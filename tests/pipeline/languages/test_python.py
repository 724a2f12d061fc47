"""Reading Python: decoding, definitions, fingerprints, shingles."""

from __future__ import annotations

import ast
import subprocess
import sys
import sysconfig
from pathlib import Path
from textwrap import dedent

import pytest

from pipeline.languages.python.reading import READER, undecorated
from pipeline.languages.reading import Definition
from pipeline.languages.registry import language


def shingles_in(text: str) -> frozenset[int]:
    """Those of the first function in a text."""
    return frozenset(READER.shingles(READER.definitions(text)[0].tokens))


def definitions(text: str) -> list[Definition]:
    return list(READER.definitions(dedent(text)))


def fingerprint(text: str) -> str:
    return definitions(text)[0].fingerprint


# decoding


@pytest.mark.parametrize(("data", "text"), [
    ("ä = 1".encode(), "ä = 1"),
    (b"\xef\xbb\xbfa = 1", "a = 1"),
    ("# -*- coding: latin-1 -*-\nä".encode("latin-1"), "# -*- coding: latin-1 -*-\nä"),
    ("#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n€".encode("cp1252"),
     "#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n€"),
    (b"a\r\nb\rc\n", "a\nb\nc\n"),
    (b"", ""),
])
def test_a_file_is_decoded_by_pep_263(data, text):
    assert READER.decode(data) == text


@pytest.mark.parametrize("data", [
    b"\xff\xfea\0", b"a = '\xe4'", b"# coding: nothing\n", b"# coding: rot13\na", b"# coding: zlib\na", b"a\0b",
    b"\xef\xbb\xbf# coding: latin-1\n", b"# coding: utf-7\n+2AA-", b"# coding: unicode_escape\n\\ud800",
])
def test_what_python_would_not_decode_is_refused(data):
    with pytest.raises(UnicodeDecodeError):
        READER.decode(data)


# definitions

FILE = '''\
import functools

@functools.lru_cache(maxsize=None)
@other
def first(a):
    """Doc."""
    return a


if first:
    def second(): pass
else:
    async def second():
        yield

class A:
    class B:
        @staticmethod
        def static(a, *, b=(1,
  2)):
            text = """
    not moved
        """
            return [
        a, b]

        @property
        def method(self):
            def inner():
                yield 1
            return inner

    def outer(self):
        @decorator(1)
        def inner(): return lambda: (yield)
        class C:
            def deep(self): pass
'''


def test_definitions_are_found_with_kind_and_place():
    assert [(d.qualified, d.kind, d.line_start, d.line_end, d.decorators) for d in definitions(FILE)] == [
        ("first", "function", 3, 7, ("functools.lru_cache", "other")),
        ("second", "function", 11, 11, ()),
        ("second", "function", 13, 14, ()),
        ("A.B.static", "staticmethod", 18, 25, ("staticmethod",)),
        ("A.B.method", "method", 27, 31, ("property",)),
        ("A.B.method.inner", "nested", 29, 30, ()),
        ("A.outer", "method", 33, 37, ()),
        ("A.outer.inner", "nested", 34, 35, ("decorator",)),
        ("A.outer.deep", "nested", 37, 37, ()),
    ]


def test_only_own_yields_make_a_generator():
    generators = [d.qualified for d in definitions(FILE) if d.is_generator]
    assert generators == ["second", "A.B.method.inner"]
    assert [d.line_start for d in definitions(FILE) if d.is_async] == [13]


def test_the_source_is_dedented_but_for_the_inside_of_strings():
    static = definitions(FILE)[3]
    assert static.source == (
        '@staticmethod\ndef static(a, *, b=(1,\n2)):\n    text = """\n    not moved\n        """\n'
        "    return [\na, b]\n"
    )
    assert ast.parse(static.source)


def test_decorators_can_be_taken_off():
    assert undecorated(definitions(FILE)[0].source) == 'def first(a):\n    """Doc."""\n    return a\n'
    with pytest.raises(ValueError, match="no function"):
        undecorated("x = 1")


@pytest.mark.parametrize(("text", "names"), [
    ("@a.b.c(1)(2)\ndef f(): pass", ("a.b.c",)),
    ("@a [0]\ndef f(): pass", ("a [0]",)),
    ("@(lambda f: f)\ndef f(): pass", ("(lambda f: f)",)),
    ("@a . b\ndef f(): pass", ("a.b",)),
])
def test_decorators_are_dotted_names_or_their_text(text, names):
    assert definitions(text)[0].decorators == names


@pytest.mark.parametrize("text", [
    "def f(a):\n    return (a\n", "def f(a:\n    return a\n", "def f():\n    print 'a'\n", "def f():\n    exec 'a'\n",
    "def f():\n    def g():\n        print 'a'\n",
])
def test_syntax_errors_and_python_2_are_not_intact(text):
    assert not any(d.intact for d in definitions(text) if d.name == "f")


def test_an_error_elsewhere_leaves_a_function_intact():
    assert [d.intact for d in definitions("def f(a):\n    return a\n\nx = (((\n")] == [True]


def test_no_nesting_is_too_deep():
    text = "def f(a):\n    return " + " + ".join(["a"] * 50_000) + "\n"
    assert len(definitions(text)) == 1
    assert len(shingles_in(text)) < 20


# fingerprints

SAME = {
    "name": ("def f(a): return a", "def g(a): return a"),
    "recursion": ("def f(a): return f(a - 1)", "def g(a): return g(a - 1)"),
    "comments": ("def f(a):\n    # why\n    return a  # so\n", "def f(a):\n    return a\n"),
    "docstring": ("def f(a):\n    '''Doc.'''\n    return a\n", "def f(a):\n    return a\n"),
    "joined docstring": ("def f(a):\n    'Doc' 'string'\n    return a\n", "def f(a):\n    return a\n"),
    "inner docstrings": (
        "def f(a):\n    def g():\n        'Doc.'\n        return a\n    class C:\n        'Doc.'\n        x = 1\n    return g\n",
        "def f(a):\n    def g():\n        return a\n    class C:\n        x = 1\n    return g\n"),
    "annotations": (
        "def f(a: int, *b: str, c: List['x'] = 1, **d: Any) -> dict[str, int]:\n    x: int = a\n    y: str\n    return x\n",
        "def f(a, *b, c=1, **d):\n    x = a\n    return x\n"),
    "decorators": ("@cache\n@x(1)\ndef f(a): return a", "def f(a): return a"),
    "quotes": ("def f(a): return 'it', \"it's\", u'x'", "def f(a): return \"it\", 'it\\'s', '''x'''"),
    "escapes": ("def f(a): return '\\x41\\n', r'\\d', b'\\x00'", "def f(a): return 'A\\12', '\\\\d', b'\\0'"),
    "parentheses": ("def f(a): return (a + (1)), not (a)", "def f(a): return a + 1, not a"),
    "tuples": ("def f(a):\n    (b, c) = (a, 1)\n    return (b, c)\n", "def f(a):\n    b, c = a, 1\n    return b, c\n"),
    "trailing commas": ("def f(a, b,): return g(a, b,), [1, 2,]", "def f(a, b): return g(a, b), [1, 2]"),
    "line breaks": ("def f(a):\n    return a + \\\n        1\n", "def f(a): return a + 1"),
    "blank lines": ("def f(a):\n\n    b = 1; c = 2\n\n\n    return b", "def f(a):\n  b = 1\n  c = 2\n  return b"),
    "joined strings": ("def f(a): return 'a' \"b\" f'{a}c' 'd'", "def f(a): return f'ab{a}cd'"),
    "numbers": ("def f(a): return 0xFF, 1_000, 1E3, 0.50", "def f(a): return 255, 1000, 1000.0, .5"),
    "else if": (
        "def f(a):\n    if a: x = 1\n    elif b: x = 2\n    else: x = 3\n    return x\n",
        "def f(a):\n    if a:\n        x = 1\n    else:\n        if b:\n            x = 2\n        else:\n            x = 3\n    return x\n"),
    "generator argument": ("def f(a): return sum(x for x in a)", "def f(a): return sum((x for x in a))"),
    "type parameters": ("def f[T](a: T): return a", "def f(a): return a"),
}
DIFFERENT = {
    "another name inside": ("def f(a): return g(a)", "def f(a): return h(a)"),
    "parameter": ("def f(a): return a", "def f(b): return b"),
    "default": ("def f(a=1): return a", "def f(a=2): return a"),
    "keyword-only": ("def f(a, b): return a", "def f(a, *, b): return a"),
    "positional-only": ("def f(a, b): return a", "def f(a, /, b): return a"),
    "attribute named like it": ("def f(a): return a.f()", "def g(a): return a.g()"),
    "keyword named like it": ("def f(a): return h(f=a)", "def g(a): return h(g=a)"),
    "nesting of blocks": (
        "def f(a):\n    if a:\n        a = 1\n    return a\n", "def f(a):\n    if a:\n        a = 1\n        return a\n"),
    "nesting of expressions": ("def f(a): return (a + 1) * 2", "def f(a): return a + 1 * 2"),
    "operator": ("def f(a): return a < 1", "def f(a): return a <= 1"),
    "negated operator": ("def f(a): return a in b", "def f(a): return a not in b"),
    "tuple of one": ("def f(a): return (a)", "def f(a): return (a,)"),
    "unpacking a tuple of one": ("def f(a):\n    (b) = a\n    return b", "def f(a):\n    (b,) = a\n    return b"),
    "slice": ("def f(a): return a[1:]", "def f(a): return a[:1]"),
    "list and tuple": ("def f(a): return [a]", "def f(a): return (a,)"),
    "dict and set": ("def f(a): return {a: a}", "def f(a): return {a, a}"),
    "string and bytes": ("def f(a): return 'a'", "def f(a): return b'a'"),
    "f-string and string": ("def f(a): return f'{a}'", "def f(a): return '{a}'"),
    "conversion": ("def f(a): return f'{a!r}'", "def f(a): return f'{a!s}'"),
    "format": ("def f(a): return f'{a:>3}'", "def f(a): return f'{a:<3}'"),
    "string and name": ("def f(a): return 'a'", "def f(a): return a"),
    "number and string": ("def f(a): return 1", "def f(a): return '1'"),
    "int and float": ("def f(a): return 1", "def f(a): return 1.0"),
    "relative import": ("def f(a):\n    from . import b", "def f(a):\n    from .. import b"),
    "decorator inside": ("def f(a):\n    @b\n    def g(): pass", "def f(a):\n    @c\n    def g(): pass"),
    "string that is no docstring": ("def f(a):\n    a = 1\n    'x'\n    return a", "def f(a):\n    a = 1\n    return a"),
    "stars": ("def f(*a): return a", "def f(**a): return a"),
    "argument kinds": ("def f(a): return g(*a)", "def f(a): return g(**a)"),
    "comprehension kinds": ("def f(a): return [b for b in a]", "def f(a): return {b for b in a}"),
    "raise from": ("def f(a): raise a from b", "def f(a): raise a(b)"),
    "string boundary": ("def f(a): return 'a', 'b'", "def f(a): return 'a' 'b',"),
}


@pytest.mark.parametrize("pair", SAME.values(), ids=SAME.keys())
def test_a_fingerprint_does_not_depend_on(pair):
    assert fingerprint(pair[0]) == fingerprint(pair[1])


@pytest.mark.parametrize("pair", DIFFERENT.values(), ids=DIFFERENT.keys())
def test_a_fingerprint_depends_on(pair):
    assert fingerprint(pair[0]) != fingerprint(pair[1])


def test_nested_functions_have_the_fingerprint_that_they_have_alone():
    outer = definitions("class A:\n    def g(self):\n        def f(a): return f(a)\n        return f\n")
    assert outer[1].fingerprint == fingerprint("def h(a): return h(a)")


def test_fingerprints_and_shingles_are_the_same_in_every_process():
    program = (
        "from pipeline.languages.python.reading import READER\n"
        "s = 'def f(a): return [x + 1 for x in a]'\n"
        "print(READER.definitions(s)[0].fingerprint, READER.shingles(READER.definitions(s)[0].tokens))"
    )
    found = {
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True,
                       env={"PYTHONHASHSEED": seed, "PATH": ""}).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


def _standard_library(count: int) -> list[Definition]:
    found: list[Definition] = []
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        found += READER.definitions(READER.decode(path.read_bytes()))
        if len(found) >= count:
            break
    return found[:count]


def test_real_functions_keep_their_fingerprint_when_python_formats_them():
    """`ast.unparse` changes whatever is formatting; it also moves `*args` behind keywords and spells out `{x=}`."""
    functions = _standard_library(1500)
    changed = [d for d in functions if fingerprint(ast.unparse(ast.parse(d.source))) != d.fingerprint]
    assert all(d.intact for d in functions)
    assert len(changed) <= len(functions) * 0.005, [d.qualified for d in changed]


# shingles


def jaccard(a: str, b: str) -> float:
    left, right = shingles_in(a), shingles_in(b)
    return len(left & right) / len(left | right)


LONG = "def f(xs):\n    total = 0\n    for x in xs:\n        if x > 0:\n            total += x * 2\n    return total\n"


def test_shingles_do_not_see_names_and_formatting():
    assert jaccard(LONG, LONG.replace("def f", "def g").replace("x > 0", "(x > 0)  # positive")) == 1.0
    assert shingles_in("@cache\n" + LONG) == shingles_in(LONG)


def test_a_small_change_leaves_most_shingles_and_another_function_few():
    assert 0.5 < jaccard(LONG, LONG.replace("* 2", "* 3")) < 1.0
    assert jaccard(LONG, "def f(path):\n    return path.strip().split('/')[-1].lower()\n") < 0.1


def test_shingles_are_64_bits_and_never_none():
    assert all(0 <= value < 2**64 for value in shingles_in(LONG))
    assert len(shingles_in("def f(): pass")) == 1


def test_shingles_are_the_same_for_ever():
    """An index of known benchmarks holds them."""
    found = sorted(shingles_in("def f(x):\n    return x + 1 if x else 0\n"))
    assert (len(found), found[0]) == (5, 2416622701643700333)


def test_python_is_found_by_name():
    assert language("python").reading is READER
    with pytest.raises(KeyError):
        language("cobol")
