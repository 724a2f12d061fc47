"""The word lists in `data/words`: English, protected words, the keyboard, synonyms; read once, from files alone."""

from __future__ import annotations

import builtins
import gzip
import keyword
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from harness.errors import UserError, guess
from harness.records import digest
from pipeline.rewording.inflection import BASE, NOUN, THIRD, VERB, Irregular, forms
from pipeline.shipped import shipped

FOLDER = "data/words"
CURATED, WORDNET = "curated", "wordnet"
SOURCES = CURATED, WORDNET
FILES = ("english.txt.gz", "keyboard.toml", "protected.txt", "thesaurus.toml", "wordnet.tsv.gz")
TEXT, NAMES = "text", "names"
_WORDNET_KINDS = {"n": NOUN, "v": VERB, "a": "fixed", "r": "fixed"}


@dataclass(frozen=True)
class Conditions:
    """Where in a text words stand for each other, as the thesaurus says it."""

    object: bool = False
    noun: bool = False
    first: bool = False
    ends: bool = False
    alone: bool = False
    affirm: bool = False
    unless_after: tuple[str, ...] = ()
    unless_before: tuple[str, ...] = ()
    only_before: tuple[str, ...] = ()
    only_after: tuple[str, ...] = ()


@dataclass(frozen=True)
class Substitution:
    """One form of a word or phrase, and what may stand in its place, in the same form.

    `lemma` is the form by which a lexicon calls it. Of nouns `forms` are all forms of it, `others` those of each word
    that may stand in its place.
    """

    kind: str
    form: str
    lemma: str
    words: tuple[str, ...]
    others: tuple[str, ...]
    conditions: Conditions
    forms: tuple[str, ...]
    other_forms: tuple[tuple[str, ...], ...]


@cache
def english() -> frozenset[str]:
    """Words of English in lower case, to which typos must not lead."""
    return frozenset(_packed("english.txt.gz"))


@cache
def protected() -> frozenset[str]:
    """Words that are neither changed nor brought in."""
    lines = shipped(f"{FOLDER}/protected.txt").read_text("utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


@cache
def reserved() -> frozenset[str]:
    """Names that Python has a meaning for."""
    return frozenset({*keyword.kwlist, *keyword.softkwlist, *dir(builtins)})


@cache
def real() -> frozenset[str]:
    """All that a reader takes for a word: of English, of Python, or a usual short form in names."""
    short = {word for one in substitutions(CURATED, NAMES).values() for entry in one for word in entry.words}
    lower = {word.lower() for word in reserved()}
    return english() | protected() | short | lower


@cache
def keyboard() -> Mapping[str, str]:
    """The letters beside each letter on a keyboard."""
    return dict(tomllib.loads(shipped(f"{FOLDER}/keyboard.toml").read_text("utf-8")))


@cache
def verbs() -> frozenset[str]:
    """What may be a verb, in its base form."""
    rows = (line.split("\t") for line in _packed("wordnet.tsv.gz"))
    return frozenset(word for word, kind, _ in rows if kind == "v")


@cache
def third_persons() -> Mapping[str, str]:
    """The base forms of verbs by their third person."""
    return {forms(word, VERB, irregular())[THIRD]: word for word in sorted(verbs())}


@cache
def contractions() -> Mapping[str, str]:
    """Short forms such as `don't` by their long ones."""
    return dict(_thesaurus()["contractions"])


def checked_sources(names: Sequence[str]) -> tuple[str, ...]:
    """Sources of synonyms by their names; raises `UserError` for one that is not there, or none."""
    for name in names:
        if name not in SOURCES:
            raise UserError(f"There are no synonyms of {name!r}{guess(name, SOURCES)}: take {' or '.join(SOURCES)}.")
    if not names:
        raise UserError(f"Synonyms have to come from somewhere: take {' or '.join(SOURCES)}.")
    return tuple(dict.fromkeys(names))


@cache
def substitutions(source: str, use: str) -> Mapping[str, tuple[Substitution, ...]]:
    """What may be replaced in texts or names, by the first word of it, longer phrases first."""
    found: dict[str, list[Substitution]] = {}
    for one in _curated(use) if source == CURATED else _wordnet():
        found.setdefault(one.words[0], []).append(one)
    return {word: tuple(sorted(some, key=lambda one: -len(one.words))) for word, some in found.items()}


@dataclass(frozen=True)
class Surroundings:
    """Words that tell how the one beside them is meant.

    `openers` begin what is spoken of, `closed` are all words of grammar. Behind `nominal` ones stands a noun, behind
    `verbal` ones a verb, which `subjects` come before in the third person; before `verbal_after` none of these stands.
    Behind `auxiliary` ones stands a participle. `denying` ones deny, and
    behind `joining` ones a name goes on with a verb.
    """

    openers: frozenset[str]
    closed: frozenset[str]
    nominal: frozenset[str]
    verbal: frozenset[str]
    verbal_after: frozenset[str]
    auxiliary: frozenset[str]
    subjects: frozenset[str]
    denying: frozenset[str]
    joining: frozenset[str]


@cache
def surroundings() -> Surroundings:
    """Those of the thesaurus."""
    table = _thesaurus()["surroundings"]
    return Surroundings(**{key: frozenset(" ".join(table[key]).split()) for key in Surroundings.__dataclass_fields__})


@cache
def version() -> str:
    """A text that changes with the lists and the rules, for stages whose rows depend on them."""
    code = (file.read_text("utf-8") for file in sorted(Path(__file__).parent.glob("*.py")))
    return digest(*code, *(shipped(f"{FOLDER}/{name}").read_bytes().hex() for name in FILES))


@cache
def _packed(name: str) -> tuple[str, ...]:
    return tuple(gzip.decompress(shipped(f"{FOLDER}/{name}").read_bytes()).decode("utf-8").splitlines())


@cache
def irregular() -> Irregular:
    """The forms that no rule gives."""
    table = _thesaurus()
    return Irregular({word: tuple(some) for word, some in table["verbs"].items()}, dict(table["nouns"]))


@cache
def _forms(word: str, kind: str) -> Mapping[str, str]:
    return forms(word, kind, irregular())


@cache
def _thesaurus() -> dict[str, Any]:
    return tomllib.loads(shipped(f"{FOLDER}/thesaurus.toml").read_text("utf-8"))


def _curated(use: str) -> list[Substitution]:
    found = []
    for group in _thesaurus()["group"]:
        if group.get("use", use) != use:
            continue
        kind = group["kind"] if group.get("inflects", True) else "fixed"
        told: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in group.items()
            if key in Conditions.__dataclass_fields__}
        conditions = Conditions(**told)
        words, gives = group["words"], group.get("gives", [])
        for word in (*words, *group.get("takes", [])):
            others = [other for other in (*words, *gives) if other != word]
            found += _inflected(kind, word, others, conditions, group.get("forms"))
    return [one for one in found if use == TEXT or _nameable(one)]


def _nameable(one: Substitution) -> bool:
    """Whether names may hold it: one word, and of verbs the base form."""
    return len(one.words) == 1 and (one.kind != VERB or one.form == BASE)


def _inflected(
    kind: str, word: str, others: Sequence[str], conditions: Conditions, wanted: Sequence[str] | None
) -> list[Substitution]:
    """A substitution for each form of a word; forms that read alike are one, where those of the others do so too."""
    own = _forms(word, kind)
    every = [_forms(other, kind) for other in others]
    found: dict[tuple[str, tuple[str, ...]], Substitution] = {}
    for form, text in own.items():
        some = tuple(dict.fromkeys(other[form] for other in every))
        if some and (wanted is None or form in wanted) and (text, some) not in found:
            found[text, some] = Substitution(
                kind, form, word, tuple(text.split()), some, conditions, tuple(own.values()),
                tuple(tuple(other.values()) for other in every))
    return list(found.values())


def _wordnet() -> list[Substitution]:
    """All words with their synonyms of the first sense; of words with several parts of speech the verb counts first."""
    found: dict[str, Substitution] = {}
    rows = [line.split("\t") for line in _packed("wordnet.tsv.gz")]
    for word, kind, others in sorted(rows, key=lambda row: "vnar".index(row[1])):
        for one in _inflected(_WORDNET_KINDS[kind], word, others.split(","), Conditions(), None) if others else ():
            found.setdefault(" ".join(one.words), one)
    return list(found.values())
