"""Inference: what a function's text says of its parameters."""

from __future__ import annotations

import ast

import pytest

from pipeline.suites.domain.description import describe
from pipeline.suites.inference.evidence.annotations import specification
from pipeline.suites.inference.evidence.docstrings import described, from_words
from pipeline.suites.inference.infer import documented_exceptions, infer
from pipeline.suites.subject import Subject
from tests.pipeline.suites.programs import program

ANNOTATIONS = [
    ("int", "int"), ("str | None", "str | None"), ("Optional[float]", "float | None"), ("'list[int]'", "list[int]"),
    ("typing.Sequence[str]", "list[str]"), ("tuple[int, ...]", "tuple[int], ..."), ("tuple[int, str]", "tuple[int, str]"),
    ("Literal['a', 'b']", "one of 'a', 'b'"), ("Union[int, str, None]", "int | str | None"),
    ("Mapping[str, list[int]]", "{str: list[int]}"), ("np.ndarray", "array of float"), ("NDArray[np.int64]", "array of int"),
    ("pd.DataFrame", "DataFrame"), ("set[str]", "set[str]"), ("datetime.date", "date"), ("Decimal", "Decimal"),
    ("Annotated[int, 'positive']", "int"), ("Callable[[int], int]", "a pure function (int -> int)"),
    ("Callable", "a pure function"), ("Callable[[str, str], bool]", "a pure function of 2 arguments (str -> bool)"),
    ("Callable[[int, int, int], int]", "a function of 3 arguments"), ("bytes", "bytes"),
    ("IO[str]", "a IO"), ("Path", "Path"), ("Counter[str]", "Counter {str: int in [0, ...]}"), ("Any", "anything"),
]


@pytest.mark.parametrize(("text", "expected"), ANNOTATIONS, ids=[text for text, _ in ANNOTATIONS])
def test_annotations(text: str, expected: str) -> None:
    spec = specification(ast.parse(text, mode="eval").body)
    assert spec is not None
    assert describe(spec) == expected


@pytest.mark.parametrize("text", ["Widget", "my.Thing", "T", "lambda: 0", "'not valid ('"])
def test_annotations_that_say_nothing(text: str) -> None:
    assert specification(ast.parse(text, mode="eval").body) is None


WORDS = [
    ("int", "int"), ("int, optional", "int"), ("int or None", "int | None"), ("list of str", "list[str]"),
    ("{'a', 'b'}", "one of 'a', 'b'"), ("array_like", "array of float"), ("dict[str, int]", "{str: int}"),
    ("str or list", "str | list[anything]"), ("float, default 1.0", "float"), ("list of list of ints", "list[list[int]]"),
    ("`list[dict]` or `str`", "list[{str: anything}] | str"), (":class:`str`", "str"), ("tuple(int)", "tuple[int], ..."),
]


@pytest.mark.parametrize(("text", "expected"), WORDS, ids=[text for text, _ in WORDS])
def test_types_in_prose(text: str, expected: str) -> None:
    spec = from_words(text)
    assert spec is not None
    assert describe(spec) == expected


STYLES = [
    "Do it.\n\nArgs:\n    n (int): how many\n\nRaises:\n    ValueError: if it is bad",
    "Do it.\n\nParameters\n----------\nn : int\n    how many\n\nRaises\n------\nValueError\n    if it is bad",
    "Do it.\n\n:param int n: how many\n:raises ValueError: if it is bad",
]


@pytest.mark.parametrize("text", STYLES, ids=["google", "numpy", "rest"])
def test_three_styles_of_docstrings(text: str) -> None:
    found = described(text)
    assert describe(found.parameters["n"][0]) == "int"
    assert found.raises == ("ValueError",)


USAGE = {
    "methods": ("return x.strip().lower()", "str"),
    "arithmetic": ("return x % 3", "int"),
    "constant keys": ("return x['a'] + x['b'].upper()", "{'a': str, 'b': str}"),
    "optional keys": ("return x.get('mode', 'fast')", "{'mode'?: str}"),
    "unpacking": ("return [a.upper() + str(b - 1) for a, b in x]", "list[tuple[str, int | float]]"),
    "joining": ("return ','.join(x)", "list[str]"),
    "splitting": ("return [int(part) for part in x.split(';')]", "str (split by ';' into str (integer))"),
    "a date": ("from datetime import datetime\n    return datetime.strptime(x, '%d.%m.%Y')", "str (date:%d.%m.%Y)"),
    "isinstance": ("return len(x) if isinstance(x, str) else x + 1", "str | int | float"),
    "pieces counted": ("a, b, c = map(int, x.split(':'))\n    return a + b + c", "str (split by ':' into str (integer))"),
    "none": ("return 0 if x is None else x.upper()", "str | None"),
    "numpy": ("import numpy as np\n    return np.linalg.norm(x)", "array of float"),
    "a callable": ("return x(1)", "a pure function"),
    "a callable in a call": ("return [x(n) for n in range(3)]", "a pure function"),
}


@pytest.mark.parametrize("name", USAGE)
def test_usage(name: str) -> None:
    body, expected = USAGE[name]
    parameter = infer(Subject.of(f"def f(x):\n    {body}\n", "f"))[0]
    assert describe(parameter.spec).split(" (rarely")[0] == expected
    assert not parameter.declared


def test_what_is_declared_is_refined_by_what_is_done() -> None:
    text = program("""
    def f(rows: list, table: dict, unit: str = "px"):
        for row in rows:
            if row["size"] > 3 and unit in ("px", "em"):
                return table["name"].upper()
        return None
    """)
    rows, table, unit = infer(Subject.of(text, "f"))
    assert describe(rows.spec) == "list[{'size': int in [0, ...] | float}]"
    assert describe(table.spec).startswith("{'name': str, str: ")
    assert describe(unit.spec) == "str (as 'px', 'em')"
    assert rows.declared and "annotated list" in rows.evidence


def test_none_is_allowed_only_where_something_says_so() -> None:
    text = "def f(a: int, b: int = None, c: int | None = 3, d: str = 'x'):\n    return a if d is None else b\n"
    shown = {parameter.name: describe(parameter.spec) for parameter in infer(Subject.of(text, "f"))}
    assert shown == {"a": "int", "b": "int | None", "c": "int | None", "d": "str | None"}


def test_wrong_types_come_only_where_the_body_tests_for_them() -> None:
    plain = infer(Subject.of("def f(n: int):\n    return n + 1 if n > 2 else n\n", "f"))[0]
    tested = infer(Subject.of("def f(n: int):\n    if not isinstance(n, int):\n        raise TypeError\n    return n\n", "f"))[0]
    assert "rarely" not in describe(plain.spec)
    assert "rarely" in describe(tested.spec)


def test_recursive_values_are_bounded() -> None:
    text = program("""
    def depth(tree):
        if isinstance(tree, list):
            return 1 + max(depth(node) for node in tree)
        return 0
    """)
    assert describe(infer(Subject.of(text, "depth"))[0].spec).startswith("list[")


@pytest.mark.timeout(60)
def test_texts_in_texts_in_a_recursion_are_bounded() -> None:
    text = program("""
    SIGNS = {"csv": ",", "pipes": "|"}

    def read(text: str, schema: dict, top: bool = False):
        kind = schema.get("type")
        if kind == "object":
            if top:
                pairs = [item.split("=", 1) for item in text.split(",")]
            else:
                items = text.split(",")
                pairs = [items[i : i + 2] for i in range(0, len(items), 2)]
            return {key: read(item, schema.get("properties", {}).get(key, {})) for key, item in pairs}
        if kind == "array":
            return [read(item, schema.get("items") or {}) for item in text.split(SIGNS.get(schema.get("format"), " "))]
        return int(text) if kind == "integer" else text
    """)
    assert describe(infer(Subject.of(text, "read"))[0].spec).startswith("str (integer; split by ',', ' ' into str (")


def test_documented_exceptions() -> None:
    text = 'def f(n):\n    """Do.\n\n    Raises:\n        KeyError: if missing\n        errors.Bad: if bad\n    """\n    return n\n'
    assert documented_exceptions(Subject.of(text, "f")) == ("KeyError", "Bad")


@pytest.mark.parametrize("text", ["", "   ", "x" * 5000, "Args:\n  : :\n", ":param", "Parameters\n------\n\n", "\x00"])
def test_odd_docstrings_say_nothing(text: str) -> None:
    assert described(text).parameters == {} or text
