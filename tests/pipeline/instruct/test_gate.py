"""The gate: an instruction that passes, and for each rule what it objects to."""

from __future__ import annotations

import datetime
import ipaddress
import re
import uuid
import zoneinfo
from collections import deque
from dataclasses import replace
from pathlib import Path, PureWindowsPath
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from harness.records import Measures
from pipeline.config import InstructConfig
from pipeline.instruct.gate import RULES
from pipeline.instruct.leaks import longest_overlap
from pipeline.instruct.rules import RuleWriter
from pipeline.instruct.stage import InstructStage
from pipeline.instruct.told import View
from pipeline.languages.python.facts import read_facts
from pipeline.records import Instruction, Reason, Rejection
from tests.pipeline.making import context, suite

DOC = '''"""Join the words of a text with hyphens, in lower case, and cut the result to a number of characters.

    Args:
        text: words, separated by whitespace.
        limit: how many characters the result may have.
    """'''
GOOD = f'''
def slug(text, limit):
    {DOC}
    joined = "-".join(text.lower().split())
    if len(joined) > limit:
        joined = joined[:limit]
    return joined
'''
INPUTS: list[tuple[Any, ...]] = [("Ab cd", 9), ("Ab cd ef", 4), ("", 3), ("x", 1), ("a  b", 2), ("Q r", 7)]


def objections(program: str, inputs: list[tuple[Any, ...]] | None = None, **measures: int) -> dict[str, str]:
    made = suite(program, INPUTS if inputs is None else inputs)
    made = replace(made, candidate=replace(made.candidate, measures=replace(Measures(5, 3, 1, 4), **measures)))
    config = InstructConfig()
    facts = read_facts(made.candidate.program, made.candidate.function.name)
    view = View(facts, made, RuleWriter(config).write(made), config)
    return {rule.name: rule.check(view) for rule in RULES if rule.check(view)}


def with_body(body: str, doc: str = DOC, signature: str = "text, limit") -> str:
    return f"def slug({signature}):\n    {doc}\n" + "".join(f"    {line}\n" for line in body.split("\n"))


def test_a_full_description_passes() -> None:
    assert objections(GOOD) == {}


BROKEN = {
    "size": with_body("\n".join(f"limit = limit + {i % 2}" for i in range(40)) + "\nreturn limit"),
    "words": with_body("return text[:limit]", '"""Cut a text."""'),
    "vague": GOOD.replace("a number of characters", "some kind of sensible number, as needed"),
    "broad handler": with_body("try:\n    a = text.lower()\n    return a[:limit]\nexcept Exception:\n    return ''"),
    "formula": with_body("return " + " + ".join(["limit * limit"] * 6)),
    "parameters": GOOD.replace("text, limit", "text, limit, q=1").replace("[:limit]", "[:limit * q]"),
    "input types": GOOD.replace("text: words", "text (int): words"),
    "open types": GOOD.replace("text: words, separated by whitespace.", "text: what is cut."),
    "strange parameters": GOOD.replace("limit: how", "limit: which.\n        other: how"),
    "strange examples": GOOD.replace("Args:", ">>> from widgets import Box\n    >>> slug(Box(), 2)\n    'a'\n\n    Args:"),
    "exceptions": GOOD.replace("    return joined", "    if len(joined) * 3 == limit:\n        raise OSError\n    return joined"),
    "changes": with_body("text.reverse()\nif limit:\n    return text[0]\nreturn 3", '"""Give what stands at the end of a list of words."""'),
    "constants": with_body("return text[:limit * 37] + 'qq' if text != 'zz' else 'k'"),
    "operations": with_body("a = sorted(set(abs(round(ord(c) / limit)) for c in text if limit))\nreturn a[::-1][:1] or 0"),
    "decisions": GOOD.replace("    joined = \"-\"", "    if isinstance(limit, complex):\n        limit = limit.real\n    joined = \"-\""),
    "one line": with_body("if limit:\n    return text * 1\nreturn text + text", '"""Give back the text as often as the limit says, once or twice."""'),
    "options": GOOD.replace(".split()", ".split()", 1).replace("return joined", "return int(joined, base=7) if limit < 0 else joined"),
    "answers": GOOD,
    "branches": GOOD,
}
CASES: dict[str, list[tuple[Any, ...]]] = {
    "open types": [("a", 1), (["a"], 1), (("a",), 1), ({"a": 1}, 1)],
    "changes": [(["a", "a"], 1), (["c", "c", "c"], 0), ([f"w{i}" for i in range(300)], 1)],
    "exceptions": [("Ab cd", 4), ("Ab", 2)],
    "answers": [("x y" * 400, 1000), ("z q" * 400, 1000)],
    "formula": [("a", 1), ("b", 2)], "constants": [("a", 1), ("b", 2)], "size": [("a", 1)],
}


@pytest.mark.parametrize("name", sorted(BROKEN.keys() - {"branches"}))
def test_each_rule_objects(name: str) -> None:
    assert name in objections(BROKEN[name], CASES.get(name)), objections(BROKEN[name], CASES.get(name))


WORDS = '"""Give back the words of a text, as many as the limit says. The text comes first, the words in their order."""'
UNSAID = {
    "a regular expression": ("import re\n" + with_body("return re.sub('[b-y]{2,3}x', '', text)[:limit]", WORDS), "constants"),
    "a key of an inner dict": (with_body("return {'zz': text}['zz'][:limit]", WORDS), "constants"),
    "a text that is compared": (with_body("parts = text.split()\nif parts[0] == 'draft':\n    return parts[1:limit]\n"
                                          "return parts[:limit]", WORDS), "constants"),
    "signs in a loop": (with_body("if any(sign in text for sign in '|~'):\n    return text * 1\nreturn text[:limit]", WORDS),
                        "constants"),
    "digits of a rounding": (with_body("return round(len(text) / limit, 3)", WORDS), "constants"),
    "the shorter of two": (with_body("return [a for a, b in zip(text, range(limit))]", WORDS), "decisions"),
    "an order": (with_body("kept = text.split()\nif kept[0] < kept[-1]:\n    kept = kept[1:]\nreturn kept[:limit]",
                           '"""Give back the words of a text, so many of them. The rest of it is ignored."""'), "decisions"),
    "an error that is caught": (with_body("try:\n    kept = text.split()[limit]\nexcept IndexError:\n    kept = text * 1\n"
                                          "return kept", WORDS), "decisions"),
    "a type that is told apart": (with_body("if isinstance(text, bytes):\n    text = text.decode()\nreturn text[:limit]",
                                            WORDS), "decisions"),
}


@pytest.mark.parametrize(("program", "rule"), UNSAID.values(), ids=UNSAID.keys())
def test_a_rule_of_the_body_that_nothing_tells_is_objected_to(program: str, rule: str) -> None:
    assert rule in objections(program, [("ab cd", 1), ("ef g", 1)])


@pytest.mark.parametrize("inputs", [[("", 3), (" ", 2), ("", 9)], [("a", 3), ("a", 4), ("a", 5)]], ids=["empty", "one answer"])
def test_examples_that_show_nothing_are_objected_to(inputs: list[tuple[Any, ...]]) -> None:
    assert objections(GOOD, inputs)["answers"] == "The examples show nothing but one answer, or special values."


def test_branches_that_no_example_takes() -> None:
    made = suite(GOOD, [*INPUTS, *[("w v" * 200 + str(i), 1) for i in range(4)]])
    made = replace(made, covered=tuple((i,) for i in range(10)))
    config = InstructConfig()
    facts = read_facts(made.candidate.program, "slug")
    view = View(facts, made, RuleWriter(config).write(made), config)
    rule = next(rule for rule in RULES if rule.name == "branches")
    assert rule.check(view) == "The examples leave 4 of 10 branches and statements out."


def test_every_rule_has_a_case() -> None:
    assert {rule.name for rule in RULES} == set(BROKEN)


TOLD = {
    "a sign by its name": ('text.split(";")[limit]', "Pieces between semicolons."),
    "a number by a word": ("text[:limit * 60]", "Seconds of a minute."),
    "a text in quotes": ('text.replace("abc", "")', "Leaves out 'abc'."),
    "a pattern by a word": ('re.sub(r"\\s+", "", text)', "Without whitespace."),
    "an operation by a word": ("sorted(text)", "In alphabetical order."),
}


@pytest.mark.parametrize(("expression", "words"), TOLD.values(), ids=TOLD.keys())
def test_what_is_told_by_words_needs_no_note(expression: str, words: str) -> None:
    program = "import re\n" + with_body(f"return {expression}", f'"""{words}"""')
    notes = RuleWriter(InstructConfig()).write(suite(program, [("a;b;c" * 9, 2)])).notes
    view = View(read_facts(program, "slug"), suite(program, [("a;b;c" * 9, 2)]), RuleWriter(InstructConfig()).write(
        suite(program, [("a;b;c" * 9, 2)])), InstructConfig())
    checks = {rule.name: rule.check(view) for rule in RULES}
    assert (checks["constants"], checks["operations"]) == ("", "")
    assert not [note for note in notes if "order" in note and "sorted" not in expression]


def test_a_body_that_stands_in_the_description_leaks(tmp_path: Path) -> None:
    leaking = GOOD.replace("Args:", 'Done by "-".join(text.lower().split()) and if len(joined) > limit: joined[:limit].\n\n    Args:')
    (result,) = InstructStage(InstructConfig(max_overlap_tokens=10)).run([suite(leaking, INPUTS)], context(tmp_path))
    assert isinstance(result, Rejection)
    assert result.reason == Reason.LEAKS_BODY.name.lower()


def test_messages_are_no_leak() -> None:
    program = with_body('raise ValueError("a long message, which has (many) words: and signs, all of them = plain text")')
    text = "a long message, which has (many) words: and signs, all of them = plain text"
    assert len(longest_overlap(read_facts(program, "slug"), text).split()) <= 1


def test_the_stage_gives_instructions_or_reasons(tmp_path: Path) -> None:
    beyond = with_body("match limit:\n    case 1:\n        return text\n    case _:\n        return text[:limit]", '"""Cut."""')
    records = [suite(GOOD, INPUTS), suite(BROKEN["words"], INPUTS), suite(beyond, INPUTS)]
    kept, stepwise, rejected = InstructStage().run(records, context(tmp_path))
    assert isinstance(kept, Instruction)
    assert (kept.signature, kept.author) == ("def slug(text, limit):", "rules-1")
    assert isinstance(stepwise, Instruction)
    assert stepwise.author == "steps-1"
    assert "Step by step:\n        - " in stepwise.text
    assert isinstance(rejected, Rejection)
    assert rejected.reason == "underspecified"
    assert rejected.evidence.startswith("words: ")


TYPED = {
    "UUID": uuid.UUID(int=5), "slice": slice(1), "range": range(3), "str | re.Pattern[str]": re.compile("a"), "slice | None": slice(2),
    "os.PathLike[str]": Path("a"), "ipaddress.IPv4Address | IPv6Address": ipaddress.IPv6Address("::1"), "IPv4Network": ipaddress.IPv4Network("10.0.0.0/8"),
    "tzinfo": datetime.UTC, "deque[int]": deque([1]), "PureWindowsPath": PureWindowsPath("a"), "Optional[ZoneInfo]": zoneinfo.ZoneInfo("UTC"),
}  # fmt: skip


@pytest.mark.parametrize("annotation", TYPED)
def test_values_with_a_type_of_their_own_are_what_the_annotation_says(annotation: str) -> None:
    text = with_body("return [text, limit]", signature=f"text: {annotation!r}, limit: int")
    assert "input types" not in objections(text, [(TYPED[annotation], n) for n in range(9)])
    assert "input types" in objections(text, [(2.5, n) for n in range(9)])


def test_a_float_of_numpy_is_a_float() -> None:
    text = with_body("return [text, limit]", signature="text: float, limit: int")
    assert "input types" not in objections(text, [(np.float64(2.5), n) for n in range(9)])
    assert "input types" in objections(text, [(b"2.5", n) for n in range(9)])


def test_types_of_numbers_and_sparse_matrices_are_shown(tmp_path: Path) -> None:
    program = """
import numpy as np
import scipy.sparse as sp


def as_kind(matrix: sp.csr_array, kind=np.float64):
    \"\"\"Give the matrix with the numbers of another type, or the type itself where the matrix is None.\"\"\"
    if matrix is None:
        return kind
    return matrix.astype(kind)
"""
    sparse, none = sp.csr_array(np.array([[0.0, 2.0], [1.0, 0.0]])), None
    inputs = [(none, np.float32), (none, np.int64), (sparse, np.float32), (sparse * 3, np.float64), (sparse * 0, np.int8)]
    made = suite(program, inputs)
    (result,) = InstructStage().run([made], context(tmp_path))
    assert isinstance(result, Instruction), result
    assert "as_kind(None, np.float32)" in result.text
    assert "csr_array" in result.text
