"""Names that a language model gives to what evolution has brought into a program; what comes of it is proved again."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from harness import bundle
from pipeline.evolve.genome import Evolved
from pipeline.evolve.renamed import WORD, brought
from pipeline.llm.desk import Desk
from pipeline.llm.prompting import render
from pipeline.llm.structured import Answer

LONGEST = 40
"""Characters of a name."""
_FORMS = {"lower": re.compile(r"_*[a-z][a-z0-9_]*"), "upper": re.compile(r"_*[A-Z][A-Z0-9_]*"),
          "caps": re.compile(r"_*[A-Z][A-Za-z0-9]*")}


class Pair(Answer):
    """A name and the one that takes its place."""

    old: str
    new: str


class Names(Answer):
    """All names that a model changes."""

    names: list[Pair]


@dataclass(frozen=True)
class Namer:
    """Asks the model of that name in the configuration; `desk` is where one task's questions are asked."""

    name: str
    desk: Desk

    @property
    def author(self) -> str:
        """Who gives the names, as rows tell it."""
        return f"llm:{self.desk.office.model(self.name).model}"

    def names(self, first: Evolved, made: Evolved, entry_point: str) -> dict[str, str]:
        """New names for what a program has and the first one had not, none where the model has none that can be."""
        free = brought(first.modules, made.modules) - {entry_point}
        if not free:
            return {}

        def objection(answer: Names) -> str:
            return "\n".join(f"- {fault}" for fault in faults(answer, free, made))

        shown = bundle.shown(made.program)
        asked = render("natural-names", program=shown, names=", ".join(sorted(free)), longest=str(LONGEST))
        answer = self.desk.ask(self.name, asked, Names, objection)
        return {} if answer is None else {one.old: one.new for one in answer.names if one.old != one.new}


def faults(answer: Names, free: Collection[str], made: Evolved) -> Sequence[str]:
    """What is wrong with the names of an answer, as sentences for the model."""
    taken = {word for _, text in made.modules for word in WORD.findall(text)} | set(dir(builtins))
    new = [one.new for one in answer.names]
    found = []
    for one in answer.names:
        if one.old not in free:
            found.append(f"{one.old!r} is none of the names that may be changed.")
        elif one.new == one.old:
            continue
        elif not one.new.isidentifier() or keyword.iskeyword(one.new) or len(one.new) > LONGEST:
            found.append(f"{one.new!r} is no name of at most {LONGEST} characters.")
        elif one.new in taken or new.count(one.new) > 1:
            found.append(f"{one.new!r} is the name of something else already.")
        elif not _form(one.old).fullmatch(one.new):
            found.append(f"{one.new!r} is written in another form than {one.old!r}.")
    if len({one.old for one in answer.names}) < len(answer.names):
        found.append("A name can be changed once.")
    return found


def _form(name: str) -> re.Pattern[str]:
    return next((form for form in _FORMS.values() if form.fullmatch(name)), _FORMS["lower"])
