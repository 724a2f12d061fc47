"""What instructions read from a function's syntax."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest

from pipeline.instruct.source import (
    GAP,
    arithmetic,
    code_without_texts,
    docstring_of,
    imports_only,
    local_names,
    needed_imports,
    raised,
    raw_docstring,
    returned_type,
    same_signature,
    signature,
    with_docstring,
)
from pipeline.languages.python.facts import Facts, read_facts
from tests.pipeline.instruct.making import documented
from tests.pipeline.making import candidate


def read(body: str, parameters: str = "x, y") -> Facts:
    return read_facts(documented("D.", body, parameters, "f"), "f")


SIGNATURES = {
    "several lines": ("def f(\n    a: int,\n    *,\n    b=1,\n) -> str: ...", "def f(a: int, *, b=1) -> str:"),
    "no annotation": ("def f(a, /, *rest, **more): ...", "def f(a, /, *rest, **more):"),
    "a comment": ("def f(a):  # an aside\n    ...", "def f(a):"),
}


@pytest.mark.parametrize(("program", "line"), SIGNATURES.values(), ids=SIGNATURES)
def test_a_signature_is_one_line(program: str, line: str) -> None:
    assert signature(read_facts(program, "f"), candidate(program)) == line


def test_constants_that_are_not_given_are_written_out() -> None:
    program = "LOW = 2\nBOUNDS = (LOW, 9)\nKeys = list[str]\n\ndef f(a: Keys, *, b=BOUNDS, c=LOW) -> Keys:\n    return a\n"
    whole = candidate(program)
    assert signature(read_facts(program, "f"), whole) == "def f(a: list[str], *, b=(2, 9), c=2) -> list[str]:"
    given = replace(whole, before=program[: program.index("def")])
    assert signature(read_facts(program, "f"), given) == "def f(a: Keys, *, b=BOUNDS, c=LOW) -> Keys:"


def test_the_type_of_the_answer_is_its_annotation() -> None:
    assert returned_type(read_facts("def f() -> list[int]: ...", "f")) == "list[int]"
    assert returned_type(read_facts("def f(): ...", "f")) == ""


@pytest.mark.parametrize(("given", "same"), [
    ("def f(a: int, *, b=1) -> str:", True), ("def f(a:int,*,b = 1)->str", True), ("f", False), ("", False),
    ("def f(a: int, *, b=2) -> str:", False), ("def g(a: int, *, b=1) -> str:", False), ("def f(a, *, b=1):", False),
    ("```python\ndef f(a: int, *, b=1) -> str:", True), ("class f: pass\ndef (", False)])
def test_signatures_are_the_same_however_they_are_written(given: str, same: bool) -> None:
    assert same_signature(given, "def f(a: int, *, b=1) -> str:") is same


IMPORTS = ("from __future__ import annotations", "from typing import Any", "import math", "import numpy as np", "from widgets import Box")
NEEDED = {
    "none": ("a: int", "", (), ()),
    "a type": ("a: Any", "", (), ("from typing import Any",)),
    "a type in quotes": ("a: 'list[Any]'", "", (), ("from typing import Any",)),
    "what is no type": ("a: 'no type'", "", (), ()),
    "a module": ("a: np.ndarray", "", (), ("import numpy as np",)),
    "a default": ("a=math.pi", "", (), ("import math",)),
    "a default of a keyword": ("*, a=math.pi, **b: Any", "", (), ("from typing import Any", "import math")),
    "what nothing binds": ("a: Widget", "", (), ("from __future__ import annotations",)),
    "what a text speaks of": ("a", "As `math` has it; annotations too.", (), ("import math",)),
    "a name in quotes": ("a", "Between 'math' and \"Box\".", (), ()),
    "libraries": ("a", "", ("math", "numpy"), ("import math", "import numpy as np", "from widgets import Box")),
}


@pytest.mark.parametrize(("parameters", "spoken", "libraries", "lines"), NEEDED.values(), ids=NEEDED)
def test_import_lines_that_a_reader_needs(
    parameters: str, spoken: str, libraries: tuple[str, ...], lines: tuple[str, ...]
) -> None:
    program = f"def f({parameters}): ..."
    asked = replace(candidate(program), imports=IMPORTS, libraries=libraries)
    assert needed_imports(read_facts(program, "f"), asked, spoken) == lines


def test_what_is_written_out_needs_imports_and_what_it_was_called_does_not() -> None:
    program = "from __future__ import annotations\nfrom typing import Any\n\nKeys = dict[str, Any]\n\ndef f(a: Keys): ...\n"
    assert needed_imports(read_facts(program, "f"), candidate(program)) == ("from typing import Any",)


RAISED = {
    "a message": ("raise ValueError('no x')", [("ValueError", "no x")]),
    "a formatted message": ("raise ValueError(f'bad {x}!')", [("ValueError", f"bad {GAP}!")]),
    "per cent": ("raise ValueError('bad %s and %d' % (x, y))", [("ValueError", f"bad {GAP} and {GAP}")]),
    "format": ("raise ValueError('bad {} and {y}'.format(x, y=y))", [("ValueError", f"bad {GAP} and {GAP}")]),
    "a name": ("m = 'one'\nm = 'two'\nraise KeyError(m)", [("KeyError", "two")]),
    "several lines": ("raise ValueError('a'\n    '  b')", [("ValueError", "a b")]),
    "nothing": ("raise ValueError()", [("ValueError", "")]),
    "a class": ("raise json.JSONDecodeError", [("json.JSONDecodeError", "")]),
    "something computed": ("raise ValueError(g(x))", [("ValueError", "")]),
    "what was caught": ("try:\n    g(x)\nexcept OSError:\n    raise", []),
    "two": ("if x:\n    raise KeyError('a')\nraise TypeError('b')", [("KeyError", "a"), ("TypeError", "b")]),
}


@pytest.mark.parametrize(("body", "found"), RAISED.values(), ids=RAISED)
def test_exceptions_with_their_messages(body: str, found: list[tuple[str, str]]) -> None:
    assert list(raised(read(body))) == found


ARITHMETIC = {
    "none": ("return x[0]", 0), "a sum": ("return x + y - 1", 2), "in place": ("x *= 2\nreturn x", 1),
    "remainders": ("return x % y // 2", 0), "texts": ("return 'a' + x", 0), "formatted": ("return f'{x}' + y", 0),
    "bounds": ("return x[y - 1:y + 1]", 0), "lists": ("return [x] + y", 0), "matrices": ("return x @ y ** 2 / 3", 3),
}  # fmt: skip


@pytest.mark.parametrize(("body", "count"), ARITHMETIC.values(), ids=ARITHMETIC)
def test_arithmetic_is_counted(body: str, count: int) -> None:
    assert arithmetic(read(body)) == count


def test_local_names_are_those_that_the_body_gives() -> None:
    assert local_names(read("z = x\nfor one, y in z:\n    print(one)\nreturn [w for w in z]")) == {"z", "one", "w"}


def test_the_body_s_code_has_no_texts_and_no_docstring() -> None:
    assert code_without_texts(read("if x:\n    return 'a' + f'{y}'\nreturn b'c'")) == "if x:\n    return § + §\nreturn §"
    assert code_without_texts(read_facts("def f(x):\n    nonlocal_ = x\n    return x", "f")) == "nonlocal_ = x\nreturn x"


def test_a_docstring_can_be_replaced_added_and_read_back() -> None:
    for program in ('def f(x):\n    """Old."""\n    return x\n', "def f(x):\n    return x\n"):
        facts = with_docstring(program, "f", "New.\n\nArgs:\n    x: it.")
        assert raw_docstring(facts) == "New.\n\nArgs:\n    x: it."
        assert facts.description is not None and facts.description.parameters == {"x": ("", "it.")}
        assert [ast.unparse(node) for node in facts.body] == ["return x"]
    assert raw_docstring(read_facts("def f(x):\n    return x\n", "f")) == ""


def test_the_docstring_of_an_instruction_is_that_of_its_function() -> None:
    assert docstring_of('import math\n\n\ndef f(x):\n    """Do it.\n\n    And so.\n    """\n') == "Do it.\n\nAnd so."


@pytest.mark.parametrize(("source", "only"), [
    ("from widgets import f", True), ("from widgets import f, g", False), ("import f", False), ("f(1)", False), ("from", False)])
def test_a_statement_that_imports_the_function_alone(source: str, only: bool) -> None:
    assert imports_only(source, "f") is only
