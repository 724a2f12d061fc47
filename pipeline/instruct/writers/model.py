"""A language model as a writer: prose in the style of its track, checked and sent back until nothing is missing.

The model writes prose alone: signature, imports and examples are ours. What it may not say (lines of the body, examples
of its own), and what it must not leave out (constants, exceptions, parameters), is checked by the rules that hold for
all instructions; what is wrong goes back to it.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace

from harness.records import Dependence
from pipeline.config import InstructConfig
from pipeline.instruct.checks.gate import ON_TEXT, objections, too_much_overlap
from pipeline.instruct.drafts import Draft, View, frame
from pipeline.instruct.examples.author_doctests import parsed
from pipeline.instruct.source import same_signature, signature, with_docstring
from pipeline.languages.python.facts import Facts
from pipeline.languages.python.plain import plain
from pipeline.llm.desk import Desk
from pipeline.llm.prompting import Prompt, render, version
from pipeline.llm.structured import Answer
from pipeline.records import Suite

STYLES = {Dependence.SC: "instruct-sc", Dependence.WSC: "instruct-wsc"}
"""The prompt by what a function depends on (paper, Tables 11 and 12); `instruct-java` waits for Java (Table 13)."""
MAX_CHARS = 8_000
_QUOTES = re.compile(r"\A(?:[rR]?(?:\"\"\"|'''))|(?:\"\"\"|''')\Z")
_CODE = re.compile(r"```|^\s*(?:def|class|import|from\s+\w+\s+import)\s", re.MULTILINE)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")


class Written(Answer):
    """What a writer gives: the signature, as a sign that it is this function's, and the text of the docstring."""

    signature: str
    docstring: str


@dataclass(frozen=True)
class ModelWriter:
    """Writes by the configured model; `desk` is where the suite's questions are asked."""

    config: InstructConfig
    desk: Desk

    @property
    def name(self) -> str:
        """The model, with the version of what it was asked."""
        asked = "".join(version(name)[:4] for name in STYLES.values())
        return f"llm:{self.desk.office.model(self.config.model).model}@{asked}"

    def write(self, suite: Suite, facts: Facts, missing: Sequence[str] = ()) -> Draft | None:
        """The instruction, None where the model has none that passes; `missing` are facts that it has to tell."""
        wanted = signature(facts, suite.candidate)

        def objection(answer: Written) -> str:
            other = () if same_signature(answer.signature, wanted) else (f"The signature must be exactly: {wanted}",)
            return listed((*other, *faults_of(tidy(answer.docstring), suite, facts, self.config)))

        prompt = writing_prompt(suite, facts, self.config, missing)
        answer = self.desk.ask(self.config.model, prompt, Written, objection)
        return None if answer is None else draft_of(tidy(answer.docstring), suite, facts, self.config)


def writing_prompt(suite: Suite, facts: Facts, config: InstructConfig, missing: Sequence[str]) -> Prompt:
    """The question for a text in the style of the suite's track."""
    candidate = suite.candidate
    examples = (_own_examples(facts), frame(suite, facts, config).shown)
    return render(
        STYLES[candidate.dependence], code=plain(candidate.program), signature=signature(facts, candidate),
        libraries=", ".join(candidate.libraries), examples="\n".join(part for part in examples if part),
        missing="\n".join(f"- {one}" for one in missing),
    )


def draft_of(text: str, suite: Suite, facts: Facts, config: InstructConfig) -> Draft:
    """A text as an instruction: with the author's examples, as they stand, and those from the cases."""
    prose = "\n\n".join(part for part in (text, _own_examples(facts)) if part)
    return replace(frame(suite, facts, config, text), prose=prose)


def faults_of(text: str, suite: Suite, facts: Facts, config: InstructConfig) -> tuple[str, ...]:
    """What is wrong with a docstring's text, as sentences for who wrote it."""
    form = form_faults(text, facts, config)
    if form:
        return form
    draft, function = draft_of(text, suite, facts, config), suite.candidate.function
    view = View(with_docstring(suite.candidate.program, function.name, draft.prose), suite, draft, config)
    return tuple(map(str, objections(view, ON_TEXT)))


def form_faults(text: str, facts: Facts, config: InstructConfig) -> tuple[str, ...]:
    """What is wrong with the form of a text, whatever it is about: size, code, examples, lines of the body."""
    if not text or len(text) > MAX_CHARS:
        return (f"The docstring must have some words, and at most {MAX_CHARS} characters.",)
    found = []
    if _CONTROL.search(text):
        found.append("The docstring holds control characters.")
    if ">>>" in text:
        found.append("Write no examples: those that were run are put below your text.")
    if _CODE.search(text):
        found.append("Write prose alone: no code, no fences, no signature, no imports.")
    overlap = too_much_overlap(facts, text, config)
    if overlap:
        found.append(f"This is copied from the body, say it in words: {overlap[:300]}")
    return tuple(found)


def listed(faults: Sequence[str]) -> str:
    """Faults as a text that goes back to the model, "" for none."""
    return "\n".join(f"- {fault}" for fault in faults)


def tidy(text: str) -> str:
    """A text as the inside of a docstring: without quotes around it, without indentation, with spaces for tabs."""
    text = text.replace("\r\n", "\n").expandtabs(4).strip()
    return inspect.cleandoc(_QUOTES.sub("", _QUOTES.sub("", text))).strip()


def _own_examples(facts: Facts) -> str:
    """The author's doctests, letter for letter; those that are not true have been taken out of the facts."""
    text = facts.description.text if facts.description else ""
    lines, kept = text.splitlines(), []
    for example in parsed(text):
        count = example.source.count("\n") + example.want.count("\n")
        kept += lines[example.lineno : example.lineno + count]
    return f"Examples:\n{textwrap.indent(textwrap.dedent(chr(10).join(kept)), '    ')}" if kept else ""
