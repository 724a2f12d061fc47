"""What an instruction says: the stub, the author's text, notes, special cases, examples."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.values import encode
from pipeline.config import InstructConfig
from pipeline.instruct.conditions import special_cases
from pipeline.instruct.rules import RuleWriter, _quoted
from pipeline.languages.python.facts import read_facts
from pipeline.records import Suite
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
INPUTS = [("abcdef",), ("ab",), ("",), (None,), ("hello world", 5), ("xyz", 2), ("a much longer text", 10)]


def written(made: Suite, **config: int) -> str:
    return RuleWriter(InstructConfig(**config)).write(made).text


def notes(program: str, inputs: list[tuple[Any, ...]]) -> str:
    return " | ".join(RuleWriter(InstructConfig()).write(suite(program, inputs)).notes)


def test_the_text_is_a_stub_that_parses() -> None:
    text = written(suite(CLIP, INPUTS))
    body = ast.parse(text).body
    assert isinstance(body[-1], ast.FunctionDef)
    assert text.startswith("from typing import Optional\n\n\ndef clip(text: Optional[str], limit=3, *, mark='...'):\n")
    assert len(body[-1].body) == 1


def test_the_authors_words_and_examples_are_kept_and_pointers_left_out() -> None:
    text = ast.get_docstring(ast.parse(written(suite(CLIP, INPUTS))).body[-1])  # type: ignore[arg-type]
    assert text is not None
    assert text.startswith("Shorten a text to a limit and put a mark behind it.\n\n>>> clip(\"abcdef\")\n'abc...'")
    assert "wrap" not in text


def test_imports_of_types_alone_are_given_for_sc_and_those_of_libraries_for_wsc() -> None:
    assert "math" not in written(suite(CLIP, INPUTS))
    assert "import math" in written(suite(CLIP, INPUTS, libraries=("math",)))


def test_examples_are_cases_with_the_answers_of_the_reference() -> None:
    space: dict[str, Any] = {}
    exec(CLIP, space)
    draft = RuleWriter(InstructConfig()).write(suite(CLIP, INPUTS))
    assert ">>> clip('hello world', 5)\n'hello...'" in draft.shown
    assert ">>> clip(None)\nTraceback (most recent call last):\n    ...\nValueError: no text" in draft.shown


def examples_of(program: str, inputs: list[tuple[Any, ...]]) -> str:
    return RuleWriter(InstructConfig()).write(suite(program, inputs)).shown


DOUBLE = 'def f(xs):\n    """D."""\n    return [2 * x for x in xs if x > 0]\n'


def test_examples_are_typical_before_special_and_do_not_repeat_an_answer() -> None:
    shown = examples_of(DOUBLE, [([],), ([-1],), ([-2, -3],), ([3],), ([1, 2],), ([3, -1],), ([0],), ([5, 5],), ([7],)])
    answers = [part.split("\n")[1] for part in shown.split(">>> ")[1:]]
    assert answers[0] != "[]"
    assert answers[-1] == "[]"
    assert len(set(answers)) == len(answers)


def test_nothing_in_and_what_is_passed_on_are_shown_when_that_is_special() -> None:
    program = 'def f(s):\n    """D."""\n    if s is None:\n        return "nobody"\n    return "dear " + s\n'
    assert ">>> f(None)\n'nobody'" in examples_of(program, [("ann",), ("bob",), (None,), *((f"u{i}",) for i in range(40))])


def test_each_exception_is_shown() -> None:
    program = ('def f(n):\n    """D."""\n    if n > 90:\n        raise KeyError("k")\n    if n > 80:\n'
               '        raise ValueError("v")\n    return n * 2\n')
    shown = examples_of(program, [(n,) for n in range(92)])
    assert "ValueError: v" in shown
    assert "KeyError: 'k'" in shown


def test_modules_that_values_need_are_imported_before_the_examples() -> None:
    program = 'def f(p):\n    """D."""\n    return p.name\n'
    assert examples_of(program, [(Path("a/b"),), (Path("c"),)]).startswith(">>> from pathlib import Path\n>>> f(Path('")


def test_long_examples_are_shown_where_there_are_no_others() -> None:
    program = 'def f(s):\n    """D."""\n    return s[::-1]\n'
    assert examples_of(program, [("ab" * 150,), ("cd" * 170,)]).count(">>>") == 2
    assert "cd" not in examples_of(program, [("ab",), ("cd" * 170,)])


def test_examples_show_the_branches_that_few_cases_take() -> None:
    made = suite(CLIP, [("abcd",)] * 30 + [("ab",)])
    made = replace(made, covered=(*[(1,)] * 30, (2,)))
    assert 30 in RuleWriter(InstructConfig(examples=2)).write(made).examples


def test_examples_are_short_and_few() -> None:
    made = suite(CLIP, [("x" * n,) for n in range(1, 400, 7)])
    draft = RuleWriter(InstructConfig(examples=4, max_example_chars=80)).write(made)
    assert 3 <= len(draft.examples) <= 4
    assert all(len(example) < 120 for example in draft.shown.split(">>>"))


NOTES = {
    "the types of what is not annotated": (
        'def f(xs):\n    """D."""\n    return [x for x in xs]', [(["a"],), ([],)], "`xs`: list of str."),
    "the type of the answer": ('def f(xs):\n    """D."""\n    return {x: 1 for x in xs}', [(["a"],)], "Returns: dict from str to int."),
    "keys and defaults": (
        'def f(o):\n    """D."""\n    return [o["a"], o.get("b", 3)]', [({"a": 1},)], "Keys read from `o`: 'a', 'b' (3 where it is missing)."),
    "keys of elements": (
        'def f(rows):\n    """D."""\n    for r in rows:\n        return r["id"]', [([{"id": 1}],)],
        "Keys read from each element of `rows`: 'id'."),
    "messages of exceptions": (
        'def f(x):\n    """D."""\n    if x * 2 < 0:\n        raise ValueError(f"bad {x}")\n    return x', [(1,), (-1,)],
        "Raises ValueError: bad …"),
    "messages in a variable": (
        'def f(x):\n    """D."""\n    m = "too small"\n    if x * 2 < 0:\n        raise ValueError(m)\n    return x', [(1,), (-1,)],
        "Raises ValueError: too small"),
    "changes in place": ('def f(xs):\n    """D."""\n    xs.append(1)\n    return xs', [([],)], "`xs` is changed in place."),
    "what is stripped": (
        'def f(text):\n    """D."""\n    return [line.strip() for line in text.splitlines()]', [("b ",)],
        "Each line of `text` is used without whitespace around it."),
    "what is compared in lower case": (
        'def f(text):\n    """D."""\n    kind = text.split(":")\n    return kind and text.lower() == "a"', [("b",)],
        "`text` is compared in lower case."),
    "what is sorted": (
        'def f(words):\n    """D."""\n    return sorted(words)', [(["b"],)],
        "The elements of `words` are taken in ascending order."),
    "where texts are split": (
        'def f(text):\n    """D."""\n    for line in text.splitlines():\n        name, _, rest = line.partition(":")\n'
        '        return rest.strip()', [("b:c",)], "Each line of `text` is split at the first ':'."),
    "what stands behind a sign": (
        'def f(text):\n    """D."""\n    name, _, rest = text.rpartition(":")\n    return rest.strip()', [("b: c",)],
        "What stands behind the last ':' in `text` is used without whitespace around it."),
    "keys of what stands under a key": (
        'def f(o):\n    """D."""\n    return [each["b"] for each in o["a"]]', [({"a": [{"b": 1}]},)],
        "Keys read from each element of what `o` has under 'a': 'b'."),
    "ties": (
        'def f(words):\n    """D."""\n    return max(words, key=len)', [(["b"],)],
        "Of several that are equally the largest, the first one is taken."),
    "values of a missing key": (
        'def f(o):\n    """D."""\n    return o.get("a")', [({},)], "Keys read from `o`: 'a' (None where it is missing)."),
    "a local name in words": (
        'def f(s):\n    """D."""\n    parts = s.split(":")\n    if len(parts) != 2:\n        return "no"\n    return parts[1]',
        [("a:b",), ("a",)], "If the number of the parts of `s` between ':' is not 2, 'no' is returned."),
    "an order of precedence": (
        'def f(s):\n    """D."""\n    if s.endswith("a"):\n        return 1\n    if "b" in s:\n        return 2\n    return s',
        [("a",), ("b",), ("ba",)], "Otherwise, if `s` contains 'b', 2 is returned."),
}


@pytest.mark.parametrize(("program", "inputs", "note"), NOTES.values(), ids=NOTES.keys())
def test_notes(program: str, inputs: list[tuple[Any, ...]], note: str) -> None:
    assert note in notes(program, inputs)


def test_what_is_done_in_one_of_several_ways_is_not_told_as_if_it_were_done_always() -> None:
    program = ('def f(spec):\n    """D."""\n    if spec.startswith("@"):\n        return spec[: spec.find("@", 1)]\n'
               '    return spec.split("@", 1)[0]\n')
    assert "is split" not in notes(program, [("a@1",), ("@a@1",)])
    assert "is split at the first '@'" in notes(program.replace("spec[: spec.find(\"@\", 1)]", "None"), [("a@1",), ("@a@1",)])


SPECIAL = {
    "not, by annotation": ("if not s:\n    return 0", "s: str", "If `s` is empty, 0 is returned."),
    "not, without": ("if not s:\n    return 0", "s", "If `s` is empty, zero, false or None, 0 is returned."),
    "None": ("if s is None:\n    return ''", "s", "If `s` is None, '' is returned."),
    "one of": ("if s in ('a', 'b'):\n    return 1", "s", "If `s` is one of 'a', 'b', 1 is returned."),
    "contains": ("if ':' in s:\n    raise ValueError('x')", "s", "If `s` contains ':', ValueError is raised."),
    "unchanged": ("if len(s) < 3:\n    return s", "s", "If the length of `s` is less than 3, `s` is returned as it is."),
    "isinstance": ("if not isinstance(s, (str, int)):\n    return None", "s", "If `s` is not a str or int, None is returned."),
    "and": ("if s > 1 and s.isdigit():\n    return 1", "s", "If `s` is greater than 1 and `s` consists of digits, 1 is returned."),
    "starts with": ("if not s.startswith('#'):\n    return s", "s", "If `s` does not start with '#', `s` is returned as it is."),
    "without whitespace": ("if not s.strip():\n    return 0", "s", "If `s` without whitespace around it is empty, 0 is returned."),
    "a local text": ("t = s.strip()\nif not t:\n    return 0", "s", "If `s` without whitespace around it is empty, 0 is returned."),
    "elif": ("if s == 1:\n    return 'a'\nelif s == 2:\n    return 'b'", "s", "If `s` is 2, 'b' is returned."),
    "skipped": ("for x in s:\n    if x is None:\n        continue\n    t = x", "s", "Where an element of `s` is None, it is skipped."),
    "caught": ("try:\n    t = int(s)\nexcept (ValueError, TypeError):\n    return None", "s",
               "Where `int` fails with ValueError or TypeError, None is returned."),
}


@pytest.mark.parametrize(("body", "signature", "sentence"), SPECIAL.values(), ids=SPECIAL.keys())
def test_special_cases(body: str, signature: str, sentence: str) -> None:
    text = f"def f({signature}):\n" + "".join(f"    {line}\n" for line in body.split("\n")) + "    return s[1:]\n"
    assert sentence in [case.sentence for case in special_cases(read_facts(text, "f"))]


FALSE_NOTES = {
    "a return": ('def f(s):\n    """D."""\n    if not s:\n        return 0\n    return 1\n', ("",), encode(5)),
    "an argument": ('def f(s):\n    """D."""\n    if not s:\n        return s\n    return 1\n', ("",), encode("x")),
}


@pytest.mark.parametrize(("program", "given", "answer"), FALSE_NOTES.values(), ids=FALSE_NOTES.keys())
def test_a_note_that_a_case_contradicts_is_left_out(program: str, given: tuple[Any, ...], answer: Any) -> None:
    made = suite(program, [given, ("a",)])
    assert "If `s` is empty" in " ".join(RuleWriter(InstructConfig()).write(made).notes)
    wrong = replace(made.cases[0], expected=replace(made.cases[0].expected, value=answer))
    made = replace(made, cases=(wrong, made.cases[1]))
    assert "If `s` is empty" not in " ".join(RuleWriter(InstructConfig()).write(made).notes)


NOT_TOLD = {
    "stripped for a test alone": 'def f(s):\n    """D."""\n    if s.strip():\n        return s[1:]\n    return s[2:]\n',
    "a set for membership": 'def f(s):\n    """D."""\n    known = set(s)\n    return ["a" in known, "b" not in known]\n',
}


@pytest.mark.parametrize("program", NOT_TOLD.values(), ids=NOT_TOLD.keys())
def test_what_has_no_effect_on_the_answer_is_not_claimed(program: str) -> None:
    told = notes(program, [("ab",), ("b c",)])
    assert "is used without whitespace" not in told
    assert "duplicates" not in told


UNTOLD = {
    "of a computed local name": "t = g(s)\nif not t:\n    return 0",
    "of a parameter with another value": "s = s[1:]\nif not s:\n    return 0",
    "behind another way out": "if s[0] > s[1]:\n    return s[2]\nif not s:\n    return 0",
    "with a computed answer": "if not s:\n    return s + 1",
}


@pytest.mark.parametrize("body", UNTOLD.values(), ids=UNTOLD.keys())
def test_what_is_no_plain_special_case_is_not_told(body: str) -> None:
    text = "def f(s):\n" + "".join(f"    {line}\n" for line in body.split("\n")) + "    return s[1:]\n"
    assert special_cases(read_facts(text, "f")) == ()


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from('\\"\'\n'), max_size=40))
def test_a_docstring_literal_gives_its_text_back(text: str) -> None:
    assert ast.literal_eval(_quoted(text)) == text + "\n"


LINKS = '''
def links_of(lines: list[str]) -> list[str]:
    """What stands behind the marks of the lines, which have two characters."""
    return [line[2:].strip() for line in lines]
'''
PIECES = '''
def pieces(text: str, ends: list[int]) -> list[str]:
    """Cut a text at its ends, one piece after the other, the rest of it last."""
    start, made = 0, []
    for end in ends:
        made.append(text[start:end].strip())
        start = end
    made.append(text[start:].strip())
    return made
'''


def test_a_beginning_or_an_end_of_an_operand_has_words() -> None:
    told = notes(LINKS, [(["-L a ", "x"],), ([],), (["-Lb", "-L c"],)])
    assert "Each element of `lines` without its first 2 elements is used without whitespace around it." in told
    sometimes = LINKS.replace("line[2:].strip()", "line[2:].strip() if line[:1] == '-' else line")
    assert "is used without" not in notes(sometimes, [(["-L a ", "x"],), ([],), (["-Lb", "-L c"],)])


def test_where_words_do_not_reach_the_answers_tell_that_they_are_stripped() -> None:
    spaced = [(" a b c " + "x" * n, [2, 3]) for n in range(12)]
    told = "No text in the answer begins or ends with whitespace."
    assert told in notes(PIECES, spaced)
    assert told not in notes(PIECES, [("abc", [1]), ("abcd", [2])])
    assert told not in notes(PIECES.replace("start:].strip()", "start:]"), [(" a b " + "x" * n + " ", [2]) for n in range(12)])


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


def test_an_exception_that_is_caught_again_is_none_of_its_own() -> None:
    assert "Raises" not in notes(CAUGHT, [("1",), ("-1",), ("x",)])
    assert "Raises ValueError: negative" in notes(CAUGHT.replace("return 0", "raise"), [("1",), ("-1",)])


def test_what_is_stripped_for_a_condition_is_said_to_be_looked_at_alone() -> None:
    text = 'def f(text: str) -> str:\n    """D."""\n    if text.strip().startswith("#"):\n        return "x"\n    return text'
    told = notes(text, [(" #a",), ("b",)])
    assert "`text` is used" not in told
