"""The gate: an instruction that passes, and for each rule what it objects to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from harness.records import Measures, Member
from pipeline.instruct.checks.gate import ON_EXAMPLES, ON_TEXT, RULES, longest_overlap, objections
from pipeline.instruct.drafts import View
from pipeline.instruct.source import with_docstring
from pipeline.languages.python.facts import read_facts
from pipeline.records import Reason
from tests.pipeline.instruct.making import Inputs, documented, view_of

TEXT = """Join the words of a text with hyphens, in lower case, and cut the result to a number of characters.

    Args:
        text: words, separated by whitespace.
        limit: how many characters the result may have.
    """
DOC = f'"""{TEXT}"""'
GOOD = f'''
def slug(text, limit):
    {DOC}
    joined = "-".join(text.lower().split())
    if len(joined) > limit:
        joined = joined[:limit]
    return joined
'''
INPUTS: Inputs = [("Ab cd", 9), ("Ab cd ef", 4), ("", 3), ("x", 1), ("a  b", 2), ("Q r", 7)]


def with_body(body: str, doc: str = TEXT, signature: str = "text, limit") -> str:
    return documented(doc, body, signature)


def found(program: str, inputs: Inputs | None = None) -> dict[str, str]:
    view = view_of(program, INPUTS if inputs is None else inputs)
    return {objection.rule.name: objection.evidence for objection in objections(view)}


def test_a_full_description_passes() -> None:
    assert found(GOOD) == {}


BROKEN: dict[str, tuple[str, Inputs, str]] = {
    "answers": (
        GOOD, [("x y" * 400, 1000), ("z q" * 400, 1000)],
        "No case is short and plain enough to be shown."),
    "overlap": (
        GOOD.replace("Args:", 'Done by "-".join(text.lower().split()) and if len(joined) > limit: joined = joined[:limit].\n\n    Args:'), INPUTS,
        "The text and the body share: "),
    "length": (
        with_body("return text[:limit]", "Cut a text."), INPUTS,
        "There are 3 words, 3 of them in the prose, for a complexity of 3, 1 statements and 0 arithmetic operations; asked are 10, and 7 in the prose."),
    "parameters": (
        GOOD.replace("text, limit", "text, limit, q=1").replace("[:limit]", "[:limit * q]"), INPUTS,
        "Nothing is said of q."),
    "strange parameters": (
        GOOD.replace("limit: how", "limit: which.\n        other: how"), INPUTS,
        "other is described, which the signature lacks."),
    "input types": (
        GOOD.replace("text: words", "text (int): words"), INPUTS,
        "6 of 6 cases pass str for text, which is documented otherwise."),
    "open types": (
        GOOD.replace("text: words, separated by whitespace.", "text: what is cut."),
        [("a", 1), (["a"], 1), (("a",), 1), ({"a": 1}, 1)],
        "Nothing says what text is, and the cases pass dict, list, str, tuple."),
    "exceptions": (
        GOOD.replace("    return joined", "    if limit == 9:\n        raise OSError\n    return joined"), INPUTS,
        "Cases raise OSError, of which nothing is said."),
    "constants": (
        with_body("return text[:limit * 37] + 'qq' if text != 'zz' else 'k'"), INPUTS,
        "Nothing tells of 'zz', 37, 'k'."),
}


@pytest.mark.parametrize("name", BROKEN)
def test_each_rule_objects(name: str) -> None:
    program, inputs, evidence = BROKEN[name]
    assert found(program, inputs).get(name, "").startswith(evidence), found(program, inputs)


def test_arguments_that_change_are_told_by_a_note_or_shown() -> None:
    doc = "Put the limit at the end of the text, which is a list of words, and give the first word."
    view = view_of(with_body("text.append(limit)\nreturn text[0]", doc), [(["a"], 1), (["b", "c"], 2)])
    silent = replace(view, draft=replace(view.draft, notes=(), shown=""))
    assert [str(objection) for objection in objections(silent, ON_TEXT)] == [
        "changes: Arguments are changed in place, which is not said."]
    shown = replace(view, draft=replace(view.draft, notes=()))
    assert "# afterwards" in view.draft.shown and not list(objections(shown, ON_TEXT))
    told = replace(view, draft=replace(view.draft, shown=""))
    assert "`text` is changed in place." in view.draft.notes and not list(objections(told, ON_TEXT))


def test_helpers_that_nobody_has_are_not_spoken_of_and_what_they_hold_is_told() -> None:
    helper = "def cut(text, limit):\n    return text[:limit] if limit < 99 else text\n\n\n"
    view = view_of(helper + with_body("return cut('-'.join(text.split()), limit)", TEXT + "As `cut` does, for short ones."), INPUTS)
    member = Member("cut", "function", "a.py", 1, 2, "0", "MIT")
    whole = replace(view.suite.candidate, members=(member,))
    alone = replace(view, suite=replace(view.suite, candidate=whole))
    told = {one.rule.name: one.evidence for one in objections(alone, ON_TEXT)}
    assert told["helpers"] == "It speaks of cut, of which nothing is given." and "99" in told["constants"]
    given = replace(view, suite=replace(view.suite, candidate=replace(whole, before=helper)))
    assert not {"helpers", "constants"} & {one.rule.name for one in objections(given, ON_TEXT)}


def test_branches_that_no_example_takes() -> None:
    view = view_of(GOOD, [*INPUTS, *[("w v" * 200 + str(i), 1) for i in range(4)]])
    made = replace(view.suite, covered=tuple((i,) for i in range(10)))
    draft = replace(view.draft, examples=(0, 1, 2, 3, 4, 5))
    told = [objection.evidence for objection in objections(replace(view, suite=made, draft=draft), ON_EXAMPLES)]
    assert told == ["The examples leave 4 of 10 branches and statements out."]
    most = replace(view, suite=made, draft=replace(draft, examples=tuple(range(9))))
    assert not list(objections(most, ON_EXAMPLES))


def test_every_rule_has_a_case() -> None:
    assert {rule.name for rule in RULES} == {*BROKEN, "changes", "branches", "helpers"}


def test_a_copied_body_is_a_leak_and_all_else_is_underspecified() -> None:
    assert {rule.name for rule in RULES if rule.reason is not Reason.UNDERSPECIFIED} == {"overlap"}
    assert next(rule.reason for rule in RULES if rule.name == "overlap") is Reason.LEAKS_BODY


@pytest.mark.parametrize("inputs", [[("", 3), (" ", 2), ("", 9)], [("a", 3), ("a", 4), ("a", 5)]], ids=["empty", "one answer"])
def test_examples_that_show_nothing_are_objected_to(inputs: Inputs) -> None:
    assert found(GOOD, inputs)["answers"] == "The examples show nothing but one answer, or special values."


def test_each_frequent_kind_of_answer_is_shown() -> None:
    view = view_of(with_body("return text[:limit] or None"), [("ab", 1), ("bc", 1), ("cde", 2), ("", 1)])
    kinds = {view.suite.cases[index].expected.value is None for index in view.draft.examples}
    assert kinds == {True, False} and not list(objections(view, ON_EXAMPLES))
    values = tuple(i for i in view.draft.examples if view.suite.cases[i].expected.value is not None)
    without = replace(view, draft=replace(view.draft, examples=values))
    assert [one.evidence for one in objections(without, ON_EXAMPLES)] == ["No example shows an answer of the kind None."]


def words_asked(body: str, complexity: int, count: int) -> bool:
    """Whether so many words are enough."""
    doc = " ".join(["text", "limit", *["word"] * (count - 2)])
    view = view_of(with_body(body, doc), [("a", 1), ("b", 2)], Measures(5, complexity, 1, 4))
    return "length" not in {objection.rule.name for objection in objections(view)}


@pytest.mark.parametrize(("body", "complexity", "asked"), [
    ("return text[:limit]", 1, 7),
    ("return text[:limit]", 4, 12),
    ("return text[:limit]", 9, 22),
    ("\n".join(["text = text[:limit]"] * 29) + "\nreturn text", 1, 21),
    ("return text[:" + " + ".join(["limit * limit"] * 5) + "]", 1, 7),
    ("return len(text) + " + " + ".join(["limit * limit"] * 5), 1, 30),
], ids=["the least", "branches", "many branches", "statements", "bounds of slices", "arithmetic"])
def test_words_are_asked_in_proportion_to_what_there_is_to_tell(body: str, complexity: int, asked: int) -> None:
    assert words_asked(body, complexity, asked)
    assert not words_asked(body, complexity, asked - 1)


def test_notes_count_as_words_but_seven_are_the_writer_s() -> None:
    body = 'if limit < 0:\n    raise ValueError("a limit below zero makes no sense at all")\nreturn text[:limit]'
    inputs: Inputs = [("ab", 1), ("cd", -1)]
    assert "length" not in found(with_body(body, "Cut a text to the limit given."), inputs)
    assert "length" in found(with_body(body, "Cut a text to limit."), inputs)
    assert "length" in found(with_body(body.replace("a limit below zero makes no sense at all", ""), "Cut a text to the limit given."), inputs)


PARAMETERS = {
    "by its name": ("a, b", "Give `a` that many times, b.", ""),
    "by its words": ("a, word_count", "Give a text a, as many words as the counts say.", ""),
    "by type and name": ("a, width: int", "Give a.", ""),
    "a short name with a type": ("a, n: int", "Give a.", "Nothing is said of n."),
    "the only one": ("q", "Twice.", ""),
    "the first, with a type": ("q: str, width: int", "Twice.", ""),
    "the first, without": ("q, width: int", "Twice.", "Nothing is said of q."),
    "part of a word": ("a, n", "Give a, now.", "Nothing is said of n."),
}


@pytest.mark.parametrize(("signature", "doc", "evidence"), PARAMETERS.values(), ids=PARAMETERS)
def test_a_parameter_is_spoken_of(signature: str, doc: str, evidence: str) -> None:
    count = signature.count(",") + 1
    assert found(with_body("return 1", doc, signature), [(1,) * count, (2,) * count]).get("parameters", "") == evidence


def test_anything_may_be_described_where_keywords_are_taken() -> None:
    doc = "Cut.\n\n    Args:\n        text: what is cut.\n        other: more."
    assert "strange parameters" in found(with_body("return text", doc, "text"), [("a",), ("b",)])
    assert "strange parameters" not in found(with_body("return text", doc, "text, **more"), [("a",), ("b",)])


EXCEPTIONS = {
    "no word": ("Take what stands at a place.", "return text[limit]", "Cases raise IndexError, of which nothing is said."),
    "its name": ("Take what stands at a place, an IndexError where nothing does.", "return text[limit]", ""),
    "part of a name": ("Take what stands there, MyIndexErrors apart.", "return text[limit]", "Cases raise IndexError, of which nothing is said."),
    "its message": ("Take it.", 'if limit > 5:\n    raise IndexError("no such place")\nreturn text[limit]', ""),
    "no message": ("Take it.", "if limit > 5:\n    raise IndexError()\nreturn text[limit]", "Cases raise IndexError, of which nothing is said."),
    "caught again": ("Take it.", "try:\n    return text[limit]\nexcept IndexError:\n    return ''", ""),
}


@pytest.mark.parametrize(("doc", "body", "evidence"), EXCEPTIONS.values(), ids=EXCEPTIONS)
def test_exceptions_of_the_cases_are_named(doc: str, body: str, evidence: str) -> None:
    assert found(with_body(body, doc), [("ab", 1), ("cd", 9)]).get("exceptions", "") == evidence


def test_messages_are_no_leak() -> None:
    message = "a long message, which has (many) words: and signs, all of them = plain text"
    facts = read_facts(with_body(f'raise ValueError("{message}")'), "slug")
    assert len(longest_overlap(facts, message).split()) <= 1


def test_a_run_of_plain_words_is_no_leak() -> None:
    facts = read_facts(with_body("return text and limit"), "slug")
    assert longest_overlap(facts, "either text and limit or none") == ""
    assert longest_overlap(read_facts(with_body("return text[:limit]"), "slug"), "give text[:limit]") == "text [ : limit ]"


def test_the_checks_look_at_the_text_that_would_be_given() -> None:
    view = view_of(GOOD, INPUTS)
    facts = with_docstring(view.suite.candidate.program, "slug", "Cut it.")
    short = View(facts, view.suite, replace(view.draft, prose="Cut it."), view.config)
    assert {objection.rule.name for objection in objections(short)} == {"length", "parameters", "constants"}


def test_an_objection_names_its_rule() -> None:
    view: Any = view_of(with_body("return text[:limit]", "Cut a text."), INPUTS)
    assert str(next(objections(view))).startswith("length: There are 3 words")
