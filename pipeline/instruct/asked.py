"""Writing an instruction by a language model, in the style of its track, and checking what it wrote.

The model writes prose alone: signature, imports and examples are ours. What it may not say (lines of the body, examples
of its own), and what it must not leave out (constants, exceptions, parameters), is checked by the rules that hold for
all instructions; what is wrong goes back to it.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from harness.records import Track
from pipeline.config import InstructConfig
from pipeline.instruct import Draft
from pipeline.instruct.doctests import parsed
from pipeline.instruct.gate import RULES
from pipeline.instruct.leaks import longest_overlap
from pipeline.instruct.rules import assembled, bare, signature
from pipeline.instruct.told import View
from pipeline.languages.python.facts import Facts, read_facts
from pipeline.languages.python.plain import plain
from pipeline.llm.desk import Desk
from pipeline.llm.prompting import Prompt, render, version
from pipeline.llm.structured import Answer
from pipeline.records import Suite

STYLES = {Track.SC_PYTHON: "instruct-sc", Track.WSC_PYTHON: "instruct-wsc"}
"""The prompt of each track (paper, Tables 11 and 12); `instruct-java` waits for the Java track (Table 13)."""
REQUIRED = frozenset((
    "input types", "open types", "strange parameters", "parameters", "exceptions", "changes", "constants", "options",
))
"""Rules that a text has to pass."""
WANTED = frozenset(("vague", "operations", "decisions"))
"""Rules on words: what they object to goes back, but a text that still does not please them may be right."""
MAX_CHARS = 8_000
_QUOTES = re.compile(r"\A(?:[rR]?(?:\"\"\"|'''))|(?:\"\"\"|''')\Z")
_CODE = re.compile(r"```|^\s*(?:def|class|import|from\s+\w+\s+import)\s", re.MULTILINE)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")


class Written(Answer):
    """What a writer gives: the signature, as a sign that it is this function's, and the text of the docstring."""

    signature: str
    docstring: str


@dataclass(frozen=True)
class Faults:
    """What is wrong with a text: `hard` keeps it from being used, `soft` only goes back to the writer."""

    hard: tuple[str, ...] = ()
    soft: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "\n".join(f"- {fault}" for fault in (*self.hard, *self.soft))


@dataclass
class Picky:
    """An objection for `Desk.ask` that remembers the last text with nothing but soft faults."""

    check: Callable[[str], Faults]
    signature: str = ""
    acceptable: list[str] = field(default_factory=list)

    def __call__(self, answer: Written) -> str:
        """All faults of an answer as one text, "" where there are none."""
        faults = self.check(tidy(answer.docstring))
        if self.signature and not same_signature(answer.signature, self.signature):
            faults = replace(faults, hard=(f"The signature must be exactly: {self.signature}", *faults.hard))
        if not faults.hard:
            self.acceptable.append(tidy(answer.docstring))
        return str(faults)


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

    def write(self, suite: Suite, facts: Facts | None = None, missing: Sequence[str] = ()) -> Draft | None:
        """The instruction, None where the model has none that passes; `missing` are facts that it has to tell."""
        facts = facts or read_facts(suite.candidate.program, suite.candidate.function.name)
        objection = Picky(lambda text: faults_of(text, suite, facts, self.config), signature(facts))
        prompt = writing_prompt(suite, facts, self.config, missing)
        answer = self.desk.ask(self.config.model, prompt, Written, objection)
        if answer is None and not objection.acceptable:
            return None
        text = objection.acceptable[-1] if answer is None else tidy(answer.docstring)
        return draft_of(text, suite, facts, self.config)


def writing_prompt(suite: Suite, facts: Facts, config: InstructConfig, missing: Sequence[str]) -> Prompt:
    """The question for a text in the style of the suite's track."""
    candidate = suite.candidate
    return render(
        STYLES[Track(candidate.track)], code=plain(candidate.program), signature=signature(facts),
        libraries=", ".join(candidate.libraries), examples=_examples(bare(suite, facts, config), facts),
        missing="\n".join(f"- {one}" for one in missing),
    )


def draft_of(text: str, suite: Suite, facts: Facts, config: InstructConfig) -> Draft:
    """A text as an instruction: with the author's examples, as they stand, and those from the cases."""
    author = "\n\n".join(part for part in (text, _own_examples(facts)) if part)
    return assembled(replace(bare(suite, facts, config, text), author=author), ())


def faults_of(text: str, suite: Suite, facts: Facts, config: InstructConfig) -> Faults:
    """What is wrong with a docstring's text, as sentences for who wrote it."""
    form = form_faults(text, facts, config)
    if form:
        return Faults(form)
    draft = draft_of(text, suite, facts, config)
    view = View(documented(suite, draft.author), suite, draft, config)
    found = [(rule.name, rule.check(view)) for rule in RULES if rule.name in REQUIRED | WANTED]
    return Faults(
        tuple(f"{name}: {_addressed(what)}" for name, what in found if what and name in REQUIRED),
        tuple(f"{name}: {_addressed(what)}" for name, what in found if what and name in WANTED),
    )


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
    overlap = longest_overlap(facts, text)
    if len(overlap.split(" ")) > config.max_overlap_tokens:
        found.append(f"This is copied from the body, say it in words: {overlap[:300]}")
    return tuple(found)


def documented(suite: Suite, text: str) -> Facts:
    """The facts about a suite's function as they are under another docstring."""
    facts = read_facts(suite.candidate.program, suite.candidate.function.name)
    has = ast.get_docstring(facts.function, clean=False) is not None
    statement = ast.copy_location(ast.Expr(ast.Constant(text)), facts.function.body[0])
    facts.function.body[: int(has)] = [ast.fix_missing_locations(statement)]
    return Facts(facts.tree, facts.function)


def tidy(text: str) -> str:
    """A text as the inside of a docstring: without quotes around it, without indentation, with spaces for tabs."""
    text = text.replace("\r\n", "\n").expandtabs(4).strip()
    return inspect.cleandoc(_QUOTES.sub("", _QUOTES.sub("", text))).strip()


def same_signature(given: str, wanted: str) -> bool:
    """Whether two `def` lines have the same names, types and default values, however they are written."""
    found = [_parsed(line) for line in (given, wanted)]
    return found[0] is not None and found[0] == found[1]


def _parsed(line: str) -> str | None:
    start = line.find("def ")
    try:
        node = ast.parse(f"{line[max(start, 0):].rstrip().rstrip(':')}: ...").body[0]
    except (SyntaxError, ValueError, RecursionError):
        return None
    if not isinstance(node, ast.FunctionDef):
        return None
    return ast.dump(ast.Tuple([ast.Name(node.name), ast.Lambda(node.args, node.returns or ast.Constant(None))]))


def _examples(draft: Draft, facts: Facts) -> str:
    """What readers will see below the text."""
    return "\n".join(part for part in (_own_examples(facts), draft.shown) if part)


def _own_examples(facts: Facts) -> str:
    """The author's doctests, letter for letter; those that are not true have been taken out of the facts."""
    text = facts.description.text if facts.description else ""
    lines, kept = text.splitlines(), []
    for example in parsed(text):
        count = example.source.count("\n") + example.want.count("\n")
        kept += lines[example.lineno : example.lineno + count]
    return f"Examples:\n{textwrap.indent(textwrap.dedent(chr(10).join(kept)), '    ')}" if kept else ""


def _addressed(what: str) -> str:
    """An objection as it is said to whoever wrote the text."""
    return what.replace("The author says", "The docstring says").replace("the author says", "the docstring says")
