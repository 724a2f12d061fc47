"""Rules on what prose must tell: enough words for the body's complexity, parameters, exceptions, changed arguments."""

from __future__ import annotations

import re

from pipeline.instruct.drafts import View
from pipeline.instruct.examples.cases import changed_positions
from pipeline.instruct.source import arithmetic
from pipeline.languages.python.description import words

MIN_WORDS = 7
MIN_NAME = 4
"""Letters of a parameter's name that speak for themselves where its type is declared."""


def there_are_words_enough(view: View) -> str:
    """Words in proportion to what there is to tell: branches, statements, arithmetic."""
    measures = view.suite.candidate.measures
    complexity = measures.complexity if measures else 1
    statements = sum(one.statements for one in view.written)
    operations = sum(map(arithmetic, view.written))
    author = len(words(view.author))
    count = author + sum(len(words(note)) for note in view.draft.notes)
    asked = max(4 + 2 * complexity, round(0.7 * statements), 3 * operations)
    if author >= MIN_WORDS and count >= asked:
        return ""
    return f"There are {count} words, {author} of them in the prose, for a complexity of {complexity}, " \
        f"{statements} statements and {operations} arithmetic operations; " \
        f"asked are {max(asked, MIN_WORDS)}, and {MIN_WORDS} in the prose."


def helpers_are_not_named(view: View) -> str:
    """A text does not count on what nobody who reads it has."""
    candidate = view.suite.candidate
    absent = () if candidate.given else [name for one in candidate.members for name in one.names.split(", ")]
    named = [name for name in absent if _stands_in(name, view.author)]
    return f"It speaks of {', '.join(named)}, of which nothing is given." if named else ""


def parameters_are_explained(view: View) -> str:
    """Each parameter is spoken of, by its name or its words; only the first, if alone, needs no name.

    Nor does one whose type is declared and whose name is a word: the examples show what it is for.
    """
    parameters, told = view.facts.parameters, set(words(re.sub("[_-]", " ", view.author)))
    missing = [
        parameter.name for parameter in parameters
        if not (parameter.annotation and len(parameter.name) >= MIN_NAME)
        and not _named_in_words(parameter.name, told) and not _stands_in(parameter.name, view.author)
    ]
    if missing == [parameter.name for parameter in parameters[:1]] and (
            len(parameters) == 1 or parameters[0].annotation):
        return ""
    return f"Nothing is said of {', '.join(missing)}." if missing else ""


def _named_in_words(name: str, told: set[str]) -> bool:
    parts = [part for part in name.lower().split("_") if len(part) > 2]
    stems = {word.rstrip("s") for word in told}
    return bool(parts) and all(any(stem.startswith(part.rstrip("s")[:5]) for stem in stems) for part in parts)


def _stands_in(name: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def documented_parameters_exist(view: View) -> str:
    """No parameters are described that the function does not have."""
    known = {parameter.name for parameter in view.facts.parameters}
    described = view.facts.description.parameters if view.facts.description else {}
    strange = sorted(set(described) - known)
    flexible = any(parameter.kind == "all keyword" for parameter in view.facts.parameters)
    return f"{', '.join(strange)} is described, which the signature lacks." if strange and not flexible else ""


def exceptions_are_explained(view: View) -> str:
    """Each type of exception that a case raises is named, by the prose or by a note with its message."""
    kinds = {case.expected.exception.rsplit(".", 1)[-1] for case in view.suite.cases if case.expected.kind == "raised"}
    said = "\n".join((view.author, *view.draft.notes))
    missing = sorted(kind for kind in kinds if not _stands_in(kind, said))
    return f"Cases raise {', '.join(missing)}, of which nothing is said." if missing else ""


def changes_are_told(view: View) -> str:
    """That arguments are changed in place is said, or an example shows them afterwards."""
    told = "in place" in view.said.replace("-", " ") or "# afterwards" in view.draft.shown
    return "" if told or not changed_positions(view.suite) else "Arguments are changed in place, which is not said."
