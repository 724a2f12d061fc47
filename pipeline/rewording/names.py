"""Other names of the function and its parameters: with a typo, or with a synonym; everywhere, so that all runs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, combinations, product, zip_longest
from random import Random

from harness.records import Frame
from pipeline.records import Reason
from pipeline.rewording.drafts import CONSTRUCTION, UNCHECKED, Draft, Nothing, Question
from pipeline.rewording.inflection import VERB, cased
from pipeline.rewording.mentions import renamed, renamed_signature
from pipeline.rewording.typos import misspellings, slips
from pipeline.rewording.words import CURATED, NAMES, substitutions, surroundings
from pipeline.transforms.preserving.draft import Draft as Program
from pipeline.transforms.preserving.draft import Inapplicable, identifiers
from pipeline.transforms.preserving.names import rename_function, rename_variables
from pipeline.transforms.preserving.reflection import check_names

TYPO, SYNONYM, CAMEL = "typo", "synonym", "camel"
"""How a name becomes another one."""
SHORTEST = 3
"""Letters of a part of a name in which a typo can be."""
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


@dataclass(frozen=True)
class Piece:
    """A word of a name, and where it begins."""

    start: int
    text: str


def pieces(name: str) -> tuple[Piece, ...]:
    """The words of a name, whether underscores or capitals part them."""
    return tuple(Piece(match.start(), match[0]) for match in _PART.finditer(name))


def with_typos(name: str, random: Random) -> Iterator[str]:
    """A name with one typo in one of its words, five misspellings and five slips in turn; none gives a real word."""
    both: list[list[str]] = []
    for kind in (misspellings, slips):
        found = [
            _put(name, {place: typo}) for place, piece in enumerate(pieces(name)) if len(piece.text) >= SHORTEST
            for typo in kind(piece.text)]
        both.append(random.sample(found, len(found)))
    five = 5
    first, second = both
    yield from chain(first[:five], second[:five], first[five:], second[five:])


def with_synonyms(name: str, source: str, random: Random, acts: bool) -> Iterator[str]:
    """A name with one word replaced, then with more of them; verbs only in one that says what is done (`acts`)."""
    own = pieces(name)
    options = {}
    for place, piece in enumerate(own):
        verbal = acts and (not place or own[place - 1].text.lower() in surroundings().joining)
        options[place] = list(_synonyms(piece.text, source, verbal))
    for count in range(1, len(own) + 1):
        some = [dict(zip(places, words, strict=True)) for places in combinations(options, count)
                for words in product(*(options[place] for place in places))]
        yield from (_put(name, changed) for changed in random.sample(some, len(some)))


def in_camel_case(name: str) -> str:
    """A name whose words are told apart by capitals; underscores before it stay."""
    bare = name.lstrip("_")
    first, *rest = bare.split("_")
    return name[: len(name) - len(bare)] + first + "".join(word[:1].upper() + word[1:] for word in rest)


def _synonyms(piece: str, source: str, verbal: bool) -> Iterator[str]:
    for one in substitutions(source, NAMES).get(piece.lower(), ()):
        if len(one.words) == 1 and (verbal or one.kind != VERB):
            yield from (cased(other, piece) for other in one.others if other.isalpha())


def _put(name: str, changed: dict[int, str]) -> str:
    own = pieces(name)
    for place in sorted(changed, reverse=True):
        piece = own[place]
        name = name[: piece.start] + changed[place] + name[piece.start + len(piece.text) :]
    return name


@dataclass(frozen=True)
class Renaming:
    """Renames the function, or in turn its parameters, by a typo, a synonym, or capitals in place of underscores."""

    name: str
    function: bool
    how: str

    def drafts(self, question: Question) -> Iterator[Draft]:
        """As `Strategy` says."""
        task = question.task
        _check(question)
        old = (task.entry_point,) if self.function else question.parameters
        some = [list(self._named(question, name)) for name in old]
        for row in zip_longest(*some):
            for pair in filter(None, row):
                draft = self._draft(question, *pair)
                if draft is not None:
                    yield draft

    def _named(self, question: Question, old: str) -> Iterator[tuple[str, str, str]]:
        random = question.random(self.name, 0)
        if self.how != SYNONYM:
            for new in with_typos(old, random) if self.how == TYPO else (in_camel_case(old),):
                if _fit(question, new):
                    yield old, new, CONSTRUCTION
            return
        for source in question.config.synonyms:
            meaning = CONSTRUCTION if source == CURATED else UNCHECKED
            for new in with_synonyms(old, source, random, self.function or _is_switch(question, old)):
                if _fit(question, new):
                    yield old, new, meaning

    def _draft(self, question: Question, old: str, new: str, meaning: str) -> Draft | None:
        reference = other_reference(question, old, new)
        signature = renamed_signature(question.task.signature, old, new, self.function)
        return Draft(
            renamed(question, old, new), meaning=meaning, entry_point=new if self.function else "",
            signature=signature, reference=reference, renames={} if self.function else {old: new})


def _fit(question: Question, new: str) -> bool:
    """Whether a name can be given: it is one, nobody has it, and it is no word by itself that means something else."""
    return new.isidentifier() and new not in question.taken


def _is_switch(question: Question, name: str) -> bool:
    """Whether a parameter says yes or no to something that is done."""
    assert question.function is not None, "names are changed where the signature can be read"
    given = question.function.args
    return any(
        one.arg == name and one.annotation is not None and ast.unparse(one.annotation) == "bool"
        for one in (*given.posonlyargs, *given.args, *given.kwonlyargs))


def _check(question: Question) -> None:
    """Raise `Nothing` where the code that is given calls the function, or the program looks at its own names."""
    task = question.task
    if question.function is None:
        raise Nothing(Reason.UNSUPPORTED_SYNTAX, "The signature can't be read.")
    frame = task.given or Frame()
    given = {name for text in (frame.before, frame.after) for name in _identifiers(text)}
    if task.entry_point in given:
        raise Nothing(
            Reason.UNSUPPORTED_SYNTAX, f"The code that is given calls {task.entry_point}, so no name can change.")
    try:
        check_names(Program.of(task.reference, task.entry_point, Random(0)), functions=True)
    except Inapplicable as refusal:
        raise Nothing(refusal.reason, str(refusal)) from None


def _identifiers(text: str) -> set[str]:
    try:
        return set(identifiers(ast.parse(text)))
    except (SyntaxError, ValueError):
        return set(re.findall(r"[A-Za-z_]\w*", text))


def other_reference(question: Question, old: str, new: str) -> str:
    """The reference under another name of the function or of a parameter, printed anew, without its comments.

    Raises `Nothing` where it holds what can't be renamed safely.
    """
    task = question.task
    program = Program.of(task.reference, task.entry_point, Random(0))
    try:
        if old == task.entry_point:
            rename_function(program, new)
        else:
            rename_variables(program, {old: new})
    except Inapplicable as refusal:
        raise Nothing(refusal.reason, str(refusal)) from None
    return program.text
