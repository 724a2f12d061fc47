"""Drafts of instructions: the parts of a stub (imports, signature, docstring), the whole text, who writes them."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from harness.values.expressions import Names
from pipeline.config import InstructConfig
from pipeline.instruct.examples.choice import Example, choose
from pipeline.instruct.source import brought_along, needed_imports, signature
from pipeline.languages.python.facts import Facts
from pipeline.records import Suite


@dataclass(frozen=True)
class Draft:
    """An instruction in parts, before it is judged.

    `prose` is what its writer says; `types` and `notes` (keys, exceptions, changed arguments) are sentences on the
    interface that all cases bear out. `examples` are the places of the cases that are shown, `shown` their doctests.
    """

    signature: str
    imports: tuple[str, ...]
    examples: tuple[int, ...]
    shown: str
    prose: str = ""
    types: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @cached_property
    def text(self) -> str:
        """All of it, as a file that ends behind the docstring."""
        head = "\n".join(self.imports) + "\n\n\n" if self.imports else ""
        return f"{head}{self.signature}\n{textwrap.indent(quoted(self._docstring()), '    ')}\n"

    def _docstring(self) -> str:
        """The prose, the details and the examples, with blank lines between them."""
        parts = [self.prose]
        if self.types or self.notes:
            listed = "\n".join(f"    - {note}" for note in (*self.types, *self.notes))
            parts.append(f"Details (in no particular order):\n{listed}")
        if self.shown:
            # An indented `examples:` is a parameter.
            others = re.search(r"(?mi)>>>|^examples?:", self.prose)
            doctests = textwrap.indent(self.shown.replace("\n>>>", "\n\n>>>"), "    ")
            parts.append(f"{'More examples' if others else 'Examples'}:\n{doctests}")
        return "\n\n".join(part for part in parts if part.strip())


class Writer(Protocol):
    """Somebody who writes instructions, always the same one for the same suite."""

    @property
    def name(self) -> str:
        """What `Instruction.author` and the published row's `instructed_by` say."""
        ...

    def write(self, suite: Suite, facts: Facts) -> Draft | None:
        """A draft for the suite's function, None where there is none; `facts` hold what of its docstring is true."""
        ...


@dataclass(frozen=True)
class View:
    """What the checks look at: a function with the docstring that it would have, its suite, and the draft."""

    facts: Facts
    suite: Suite
    draft: Draft
    config: InstructConfig

    @cached_property
    def written(self) -> tuple[Facts, ...]:
        """The facts about all that an answer has to hold: the function, and what it calls where that is not given."""
        return (self.facts, *brought_along(self.suite.candidate))

    @cached_property
    def author(self) -> str:
        """What the writer says, without examples."""
        return self.facts.description.spoken if self.facts.description else ""

    @cached_property
    def said(self) -> str:
        """All that words say: the writer's, the notes, the signature, and what is given besides."""
        return "\n".join((self.author, self.draft.signature, *self.draft.notes, self.suite.candidate.before))

    @cached_property
    def shown(self) -> str:
        """All examples: those in the prose and the chosen ones."""
        spoken = set(self.author.splitlines())
        return "\n".join([*(line for line in self.draft.prose.splitlines() if line not in spoken), self.draft.shown])

    @cached_property
    def answers(self) -> str:
        """What the examples give, without the calls."""
        return "\n".join(line for line in self.shown.splitlines() if not line.lstrip().startswith((">>>", "...")))


def frame(suite: Suite, facts: Facts, config: InstructConfig, spoken: str = "") -> Draft:
    """A draft without words: signature and examples, with the imports that they and the names `spoken` of need."""
    return framed(suite, facts, choose(suite, facts, config), spoken)


def framed(suite: Suite, facts: Facts, examples: Sequence[Example], spoken: str) -> Draft:
    """The same with examples that somebody has chosen."""
    imports = needed_imports(facts, suite.candidate, spoken)
    lacking = Names.of(imports).missing(text for example in examples for text in example.expressions)
    shown = "\n".join((*(f">>> {line}" for line in lacking), *(example.text for example in examples)))
    return Draft(signature(facts, suite.candidate), imports, tuple(example.index for example in examples), shown)


def quoted(text: str) -> str:
    """A text as a docstring literal that gives the text back: raw where it holds backslashes and nothing forbids it."""
    if '"""' in text:
        text = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
        return f'"""{text}\n"""'
    return f'{"r" if chr(92) in text else ""}"""{text}\n"""'
