"""What an instruction by the author says: the stub, the docstring, facts on the interface, examples."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.instruct.drafts import Draft, quoted
from pipeline.instruct.source import docstring_of
from tests.pipeline.instruct.making import Inputs, drafted, view_of
from tests.pipeline.making import suite

CLIP = '''
from typing import Optional
import math

def clip(text: Optional[str], limit=3, *, mark="..."):
    """Shorten a text to a limit and put a mark behind it.

    >>> clip("abcdef")
    'abc...'

    See Also
    --------
    wrap : another one
    """
    if text is None:
        raise ValueError("no text")
    if not text:
        return ""
    if len(text) <= limit:
        return text
    return text[:limit] + mark
'''
INPUTS: Inputs = [("abcdef",), ("ab",), ("",), (None,), ("hello world", 5), ("xyz", 2), ("a much longer text", 10)]


def test_the_text_is_a_stub_that_parses() -> None:
    text = drafted(suite(CLIP, INPUTS)).text
    body = ast.parse(text).body
    assert isinstance(body[-1], ast.FunctionDef)
    assert text.startswith("from typing import Optional\n\n\ndef clip(text: Optional[str], limit=3, *, mark='...'):\n")
    assert len(body[-1].body) == 1


def test_the_authors_words_and_examples_are_kept_and_pointers_left_out() -> None:
    text = docstring_of(drafted(suite(CLIP, INPUTS)).text)
    assert text.startswith("Shorten a text to a limit and put a mark behind it.\n\n>>> clip(\"abcdef\")\n'abc...'")
    assert "wrap" not in text


def test_nothing_is_told_of_how_the_body_works() -> None:
    draft = drafted(suite(CLIP, INPUTS))
    assert draft.types == ("`limit`: int.", "Returns: str.")
    assert draft.notes == ("Raises ValueError: no text",)


def test_imports_of_types_alone_are_given_for_sc_and_those_of_libraries_for_wsc() -> None:
    assert "math" not in drafted(suite(CLIP, INPUTS)).text
    assert "import math" in drafted(suite(CLIP, INPUTS, libraries=("math",))).text


def test_a_function_without_a_docstring_has_facts_and_examples_alone() -> None:
    draft = drafted(suite("def twice(xs):\n    return [2 * x for x in xs]\n", [([1],), ([2, 3],)]))
    assert draft.prose == ""
    assert docstring_of(draft.text).startswith("Details (in no particular order):\n    - `xs`: list of int.\n")


PARTS = Draft("def f(x):", ("import math",), (0,), ">>> f(1)\n2\n>>> f(2)\n3", "Do it.", ("`x`: int.",), ("Raises KeyError: k",))


def test_the_parts_stand_in_their_order_with_blank_lines_between_them() -> None:
    assert PARTS.text == (
        'import math\n\n\ndef f(x):\n    """Do it.\n\n    Details (in no particular order):\n        - `x`: int.\n'
        "        - Raises KeyError: k\n\n    Examples:\n        >>> f(1)\n        2\n\n        >>> f(2)\n        3\n"
        '    """\n')


def test_parts_that_are_empty_leave_no_gap() -> None:
    assert replace(PARTS, imports=(), types=(), notes=(), shown="").text == 'def f(x):\n    """Do it.\n    """\n'
    assert "Details" in replace(PARTS, types=()).text and "Details" in replace(PARTS, notes=()).text
    assert replace(PARTS, prose="").text.startswith('import math\n\n\ndef f(x):\n    """Details')


@pytest.mark.parametrize(("prose", "heading"), [
    ("Do it.\n\n>>> f(0)\n1", "More examples:"), ("Do it.\n\nExample:\n    None.", "More examples:"), ("Do it.", "Examples:"),
    ("Do it.\n\nArgs:\n    examples: What was seen.", "Examples:")])
def test_examples_below_others_are_more_of_them(prose: str, heading: str) -> None:
    assert f"\n    {heading}\n        >>> f(1)" in replace(PARTS, prose=prose).text


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from('\\"\'\n'), max_size=40))
def test_a_docstring_literal_gives_its_text_back(text: str) -> None:
    assert ast.literal_eval(quoted(text)) == text + "\n"


def test_what_is_said_and_what_is_shown_are_told_apart() -> None:
    view = view_of(CLIP, INPUTS)
    assert "abc..." not in view.said and "Raises ValueError: no text" in view.said and "def clip(" in view.said
    assert "See Also" not in view.said and "`limit`: int." not in view.said
    assert view.shown.strip().startswith('>>> clip("abcdef")\n\'abc...\'\n') and ">>> clip('hello world', 5)" in view.shown
    assert "'hello...'" in view.answers and ">>>" not in view.answers


NOTES: dict[str, tuple[str, Inputs, str]] = {
    "the types of what is not annotated": (
        'def f(xs):\n    """D."""\n    return [x for x in xs]', [(["a"],), ([],)],
        "`xs`: list of str."),
    "the type of what is annotated as any value": (
        'def f(xs: "Any"):\n    """D."""\n    return [x for x in xs]', [(["a"],), ([],)],
        "`xs`: list of str."),
    "the type of the answer": (
        'def f(xs):\n    """D."""\n    return {x: 1 for x in xs}', [(["a"],)],
        "Returns: dict from str to int."),
    "keys": (
        'def f(o):\n    """D."""\n    return [o["a"], o.get("b", 3)]', [({"a": 1, "b": 2, "c": 3},)],
        "Keys of `o`: 'a', 'b'."),
    "keys that are asked for": (
        'def f(o):\n    """D."""\n    return "a" in o', [({"a": 1},), ({},)],
        "Keys of `o`: 'a'."),
    "keys of elements": (
        'def f(rows):\n    """D."""\n    for r in rows:\n        return r["id"]', [([{"id": 1}],)],
        "Keys of each element of `rows`: 'id'."),
    "keys of values": (
        'def f(o):\n    """D."""\n    return [r["id"] for r in o.values()]', [({"x": {"id": 1}, "y": {"id": 2}},)],
        "Keys of each value of `o`: 'id'."),
    "keys of what stands under a key": (
        'def f(o):\n    """D."""\n    return [each["b"] for each in o["a"]]', [({"a": [{"b": 1}]},)],
        "Keys of each element of what `o` has under 'a': 'b'."),
    "keys that a local name reads": (
        'def f(o):\n    """D."""\n    p = dict(o)\n    return p.pop("a")', [({"a": 1},)],
        "Keys of `o`: 'a'."),
    "messages of exceptions": (
        'def f(x):\n    """D."""\n    if x * 2 < 0:\n        raise ValueError(f"bad {x}")\n    return x', [(1,), (-1,)],
        "Raises ValueError: bad …"),
    "messages in a variable": (
        'def f(x):\n    """D."""\n    m = "too small"\n    if x * 2 < 0:\n        raise ValueError(m)\n    return x', [(1,), (-1,)],
        "Raises ValueError: too small"),
    "messages that are quoted": (
        'def f(x):\n    """D."""\n    raise KeyError("no key")', [(1,), (-1,)],
        "Raises KeyError: no key"),
    "long messages": (
        f'def f(x):\n    """D."""\n    raise KeyError("{"z" * 130}")', [(1,), (-1,)],
        f"Raises KeyError: {'z' * 120}…"),
    "changes in place": (
        'def f(xs):\n    """D."""\n    xs.append(1)\n    return xs', [([],)],
        "`xs` is changed in place."),
}


@pytest.mark.parametrize(("program", "inputs", "note"), NOTES.values(), ids=NOTES)
def test_facts_on_the_interface(program: str, inputs: Inputs, note: str) -> None:
    draft = drafted(suite(program, inputs))
    assert note in (*draft.types, *draft.notes)
    assert f"\n        - {note}\n" in draft.text


CAUGHT = '''
def whole(text: str) -> int:
    """The number that a text holds, 0 where it holds none or a negative one."""
    try:
        number = int(text)
        if number < 0:
            raise ValueError("negative")
        return number
    except ValueError:
        return 0
'''
SILENT: dict[str, tuple[str, Inputs]] = {
    "types that are declared": ('def f(x: str) -> str:\n    """D."""\n    return x', [("a",), ("b",)]),
    "types that the author tells": (
        'def f(x):\n    """D.\n\n    Args:\n        x (str): it.\n    """\n    return None', [("a",), ("b",)]),
    "keys that the author tells": ('def f(o: "Opts") -> int:\n    """What `a` is."""\n    return o["a"]', [({"a": 1},)]),
    "keys that no case has": ('def f(o: "Opts") -> int:\n    """D."""\n    return o.get("a", 0)', [({"b": 1},)]),
    "keys that hardly a case has": (
        'def f(o: "Opts") -> int:\n    """D."""\n    return o.get("a", 0)', [({"b": 1},)] * 40 + [({"a": 1},)]),
    "keys that the body doesn't name": ('def f(o: "Opts") -> int:\n    """D."""\n    return len(o)', [({"b": 1},)]),
    "an exception that is caught again": (CAUGHT, [("1",), ("-1",), ("x",)]),
    "an exception of something else": (
        'def f(x: str) -> int:\n    """D."""\n    if len(x) > 9:\n        raise ValueError("long")\n    return int(x)', [("1",), ("x",)]),
    "an exception that comes of itself": ('def f(x: list) -> int:\n    """D."""\n    return x[0]', [([],), ([1],)]),
}


@pytest.mark.parametrize(("program", "inputs"), SILENT.values(), ids=SILENT)
def test_what_needs_no_note(program: str, inputs: Inputs) -> None:
    draft = drafted(suite(program, inputs))
    assert not [note for note in (*draft.types, *draft.notes) if not note.startswith(("Returns", "`x`: list of"))]


def test_keys_are_told_in_the_order_of_the_body() -> None:
    program = 'def f(o):\n    """D."""\n    return [o[key] for key in ("d", "a", "c")] + [o["b"]]'
    given: Any = {"a": 1, "b": 2, "c": 3, "d": 4}
    assert "Keys of `o`: 'b'." in drafted(suite(program, [(given,)])).notes
    program = 'def f(o):\n    """D."""\n    return o["d"], o["a"], o["b"]'
    assert "Keys of `o`: 'd', 'a', 'b'." in drafted(suite(program, [(given,)])).notes
