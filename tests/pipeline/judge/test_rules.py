"""The rule judge: one function per rule that it breaks, and functions that it must let through."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from textwrap import dedent, indent

import pytest

from pipeline.config import JudgeConfig
from pipeline.judge import Refusal
from pipeline.judge.rules import RULES, RuleJudge
from pipeline.judge.stage import JudgeStage
from pipeline.records import Candidate, Judgement, Reason, Rejection
from pipeline.screen.stage import ScreenStage
from tests.pipeline.making import candidate, context

DOC = "Count how often each word of a text occurs, ignoring case and the words that are stop words."
BODY = """
counts = {}
for word in text.lower().split():
    if word not in stops:
        counts[word] = counts.get(word, 0) + 1
return counts
"""


def program(doc: str = DOC, body: str = BODY, signature: str = "text, stops", name: str = "count", head: str = "") -> str:
    quoted = f'"""{doc}"""\n' if doc else ""
    return f"{head}\ndef {name}({signature}):\n" + indent(quoted + dedent(body).strip(), "    ") + "\n"


def opinion(
    text: str, libraries: tuple[str, ...] = (), project: str = "widgets", nearest: str = "", similarity: float = 0.0,
    config: JudgeConfig | None = None,
) -> Judgement | Refusal:
    made = ScreenStage().screen(candidate(text, project, libraries=libraries))
    assert isinstance(made, Candidate), made
    where = replace(made.function.provenance, nearest=nearest, similarity=similarity)
    made = replace(made, function=replace(made.function, provenance=where))
    return RuleJudge(config or JudgeConfig()).judge(made)


def reading(attribute: str) -> str:
    return f"total = 0\nfor a in text:\n    if a not in stops:\n        total += a.{attribute}\nreturn total"


REFUSED = {
    "no description": (Reason.UNDESCRIBED, program("")),
    "short description": (Reason.UNDESCRIBED, program("Count frequent words.")),
    "restated name": (Reason.UNDESCRIBED, program("Count the stops of the text and return the count.")),
    "other language": (Reason.UNDESCRIBED, program("Считает слова в тексте без учёта регистра и стоп-слов.")),
    "few statements": (Reason.TRIVIAL, program(body="if text:\n    return [a * 2 + b for a, b in zip(text, stops)]")),
    "few operations": (Reason.TRIVIAL, program(body="""
        if text is None:
            text = 'x'
        name = text.title()
        return {'name': name, 'stops': stops}""")),
    "a table of answers": (Reason.TRIVIAL, program(body="""
        if text == 'a':
            return 1
        if text == 'b':
            return 2
        if text == 'c':
            return 3
        return 4""", signature="text")),
    "a wrapper": (Reason.TRIVIAL, program(body="""
        if text is None or len(text) > 4 or text == stops:
            return ''
        return re.sub(stops, '', text)""", head="import re\n")),
    "repeated lines": (Reason.TRIVIAL, program(body="\n".join(
        f"v{i} = text[{i}] + {i}" for i in range(12)) + "\nif stops:\n    return v3\nreturn v4")),
    "annotations": (Reason.NOT_CONSTRUCTIBLE, program(signature="text: str, stops: 'TextIO'")),
    "library objects": (
        Reason.NOT_CONSTRUCTIBLE, program(signature="text: str, stops: Tag", head="from bs4.element import Tag\n")),
    "function answers": (Reason.NOT_ENCODABLE, program(body="""
        words = [word.lower() for word in text.split() if word]
        def counted(word):
            if word in stops:
                return 0
            return words.count(word)
        return counted""")),
    "called parameters": (
        Reason.NOT_CONSTRUCTIBLE, program(body=BODY.replace("text.lower()", "stops(text, 1, 2)"))),
    "attributes": (Reason.NOT_CONSTRUCTIBLE, program(body=reading("version"))),
    "classes and methods": (Reason.NOT_CONSTRUCTIBLE, program(
        body=BODY.replace("text.lower()", "self.lower()").replace("text", "self"), signature="self, stops")),
    "references": (Reason.TOO_SPECIAL, program("Like :func:`other`. " + DOC)),
    "the project's name": (Reason.TOO_SPECIAL, program(DOC + " Used by widgets.")),
    "unknown names": (Reason.TOO_SPECIAL, program(DOC + " The text is a LayoutBlock.")),
    "unfinished": (Reason.TOO_SPECIAL, program(DOC + " TODO: accents.")),
}


@pytest.mark.parametrize(("name", "reason", "text"), [(n, r, t) for n, (r, t) in REFUSED.items()], ids=REFUSED.keys())
def test_each_rule_objects(name: str, reason: Reason, text: str) -> None:
    found = opinion(text, ("re",) if "import re" in text else ())
    assert isinstance(found, Refusal)
    assert (found.reason, found.evidence.split(":")[0]) == (reason, name)


TYPED = "text: str, stops: list[str]"


@pytest.mark.parametrize(("doc", "signature", "name", "body", "leaves"), [
    ("", TYPED, "count_words", BODY, False), ("Count.", TYPED, "count_words", BODY, False),
    ("", TYPED, "countWords", BODY, False), ("", TYPED, "count", BODY, True),
    ("", "text: str, stops", "count_words", BODY, True), ("", "text: str, stops: object", "count_words", BODY, True),
    ("", TYPED, "count_words", BODY.replace("{}", "{'these are the words of a text': 1}"), True),
    ("", TYPED, "count_words", "if not text:\n    raise ValueError('give me a text of some words')\n" + dedent(BODY), False),
])
def test_a_signature_that_speaks_for_itself_needs_no_description(
        doc: str, signature: str, name: str, body: str, leaves: bool) -> None:
    assert isinstance(opinion(program(doc, body, signature, name)), Refusal)
    found = opinion(program(doc, body, signature, name), config=JudgeConfig(undocumented=True))
    assert isinstance(found, Refusal) == leaves
    assert not isinstance(found, Refusal) or found.reason is Reason.UNDESCRIBED


@pytest.mark.parametrize("body", [
    "first = text.render()\ntext = str(first)\n", "own = text.copy()\nown.render()\ntext = str(own)\n",
    "if hasattr(text, 'render'):\n    text = str(stops)\n",
], ids=["before it gets another value", "of a copy", "that is asked for"])
def test_members_that_no_value_has(body: str) -> None:
    found = opinion(program(body=body + dedent(BODY)))
    assert isinstance(found, Refusal)
    assert found.evidence.startswith("attributes: ")


def test_every_rule_has_a_case() -> None:
    assert {rule.name for rule in RULES} == {*REFUSED, "a namesake"}


@pytest.mark.parametrize(("nearest", "similarity", "leaves"), [
    ("count in widgets/text.py (widgets-1.0.tar.gz)", 0.4, True), ("_count in a.py (w-1.tar.gz)", 0.35, True),
    ("Text.count in a.py (w-1.tar.gz)", 0.4, True), ("count in a.py (w-1.tar.gz)", 0.3, False),
    ("counted in a.py (w-1.tar.gz)", 0.45, False), ("", 0.0, False),
])
def test_a_version_of_an_older_namesake_leaves(nearest: str, similarity: float, leaves: bool) -> None:
    found = opinion(program(), nearest=nearest, similarity=similarity)
    assert isinstance(found, Refusal) == leaves
    assert not isinstance(found, Refusal) or found.reason is Reason.PRIOR_TO_CUTOFF


def test_tests_of_how_a_text_begins_or_what_it_holds_make_a_table_too() -> None:
    found = opinion(program(signature="text", body="""
        if text.endswith('a'):
            return 1
        if text.startswith(('b', 'c')):
            return 2
        if 'd' in text:
            return 3
        return 4"""))
    assert isinstance(found, Refusal)
    assert found.evidence.startswith("a table of answers")


LEFT_ALONE = {
    "an ordinary function": program(),
    "a value, a file and a method of text in backticks": program(
        DOC + " Handles ``react``, `README.md` and what `str.split` gives, so that `count(text, stops)` is complete."),
    "a reference to a builtin": program(DOC + " Returns a :class:`dict`."),
    "a section that points elsewhere": program(DOC + "\n\n    See Also\n    --------\n    other : another\n    "),
    "methods of plain values": program(body=BODY.replace("text.lower()", "text.casefold()")),
    "methods of what library calls give": program(
        body="n = 0\nfor m in re.finditer(stops, text):\n    if m.start() > 3:\n        n += m.end()\nreturn n", head="import re\n"),
    "parts of a slice and of a pattern": program(body=BODY.replace("text.lower().split()", "(text.pattern, stops.start)")),
    "an annotated pattern": program(signature="text: str | re.Pattern[str], stops: slice", head="import re\n"),
    "members of an identifier": program(body=reading("version"), head="from uuid import UUID\n"),
    "members of an address": program(body=reading("ipv4_mapped"), head="import ipaddress\n"),
    "a parameter called with one argument": program(body=BODY.replace("text.lower()", "stops(text)")),
    "a dict called self": program(body=BODY.replace("text.lower().split()", "self['words']"), signature="self, stops"),
    "members that other values have": program(body="if hasattr(text, 'columns'):\n    text = str(text.columns)\n" + dedent(BODY)),
    "members of what takes its place": program(body="text = text.copy()\ntext = str(text)\ntext = text.render()\n" + dedent(BODY)),
    "an annotation with a class that values are of": program(
        signature="text: str, stops: OrderedDict", head="from collections import OrderedDict\n"),
    "a parameter that may be left out": program(signature="text: str, stops: 'Callable | None' = None"),
}


@pytest.mark.parametrize("text", LEFT_ALONE.values(), ids=LEFT_ALONE.keys())
def test_what_is_left_alone(text: str) -> None:
    assert isinstance(opinion(text, ("re",) if "import re" in text else ()), Judgement)


@pytest.mark.parametrize("doc", [
    "Same as foo_bar but for texts.", "Like :meth:`Text.words`.", "Inverse of parse_words().", "See https://example.org.",
    "Implements RFC 3986.", "As described in the manual.", "Used by our pipeline.", "Internal helper of the parser.",
    "This is algorithm 2 of [1]_.", "After Smith et al (1999).",
    "See above.", "It is shown in the example below.", "It belongs to the table below it, as the below function says.", "This mends #1234.",
    "The text is that of `Persona.voice`.", "Handed to ``flood(text)`` later.", "The signs follow `cv2.flip`.",
])
def test_pointers_elsewhere(doc: str) -> None:
    found = opinion(program(f"{doc} {DOC}"))
    assert isinstance(found, Refusal)
    assert found.reason is Reason.TOO_SPECIAL


def test_an_aside_is_no_pointer() -> None:
    assert isinstance(opinion(program(f"{DOC} Used by our pipeline.")), Judgement)


def test_attributes_of_array_and_frame_are_known_with_their_library() -> None:
    text = program(body=reading("ndim"), head="import numpy as np\n")
    assert isinstance(opinion(text, ("numpy",)), Judgement)
    assert isinstance(opinion(text), Refusal)


def test_a_harder_function_is_called_harder() -> None:
    easy = opinion(program(body="if not text:\n    return 0\ntotal = text + stops * 2\nreturn abs(total) % 7"))
    hard = opinion(program(body="""
        best, last = {}, []
        for i in range(len(text)):
            for j in range(i, len(text)):
                piece = text[i:j]
                if piece in stops:
                    continue
                while piece and piece[0] == ' ':
                    piece = piece[1:]
                    for stop in stops:
                        if piece.startswith(stop) and len(stop) > 1:
                            last.append(stop)
                if piece and len(piece) > 2:
                    best[piece] = best.get(piece, []) + [i]
                elif last and last[-1] == piece:
                    best[piece] = [j]
        return sorted(best, key=lambda p: (-len(best[p]), p))"""))
    assert isinstance(easy, Judgement)
    assert isinstance(hard, Judgement)
    assert (easy.difficulty, hard.difficulty) == ("Easy", "Medium")
    assert hard.reasons[0].startswith("score ")
    assert "deep" in " ".join(hard.reasons)


def test_the_stage_accounts_for_every_record(tmp_path: Path) -> None:
    records = [ScreenStage().screen(candidate(text)) for text in (program(), program(""))]
    kept, rejected = JudgeStage().run([r for r in records if isinstance(r, Candidate)], context(tmp_path))
    assert isinstance(kept, Candidate)
    assert kept.judgement is not None
    assert kept.judgement.judge == "rules-2"
    assert isinstance(rejected, Rejection)
    assert rejected.reason == "undescribed"


def test_the_same_candidate_gets_the_same_opinion() -> None:
    made = candidate(program())
    screened = ScreenStage().screen(made)
    assert isinstance(screened, Candidate)
    judge = RuleJudge(JudgeConfig())
    assert judge.judge(screened) == judge.judge(replace(screened))


def test_elements_that_are_called_can_not_be_built() -> None:
    found = opinion(program(body="for stop in stops:\n    text = stop(text)\n" + dedent(BODY)))
    assert isinstance(found, Refusal) and found.reason is Reason.NOT_CONSTRUCTIBLE and "is called" in found.evidence


@pytest.mark.parametrize("doc", [
    "Gives back a box (x_min, y_min, x_max).", "Returns:\n        word_count: how many words there are.",
    "An array of NumPy will do.",
])
def test_names_that_the_text_explains_are_known(doc: str) -> None:
    assert isinstance(opinion(program(f"{DOC}\n\n    {doc}\n    ")), Judgement)
