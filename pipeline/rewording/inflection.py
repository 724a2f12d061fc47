"""Forms of English words: those of verbs and nouns that rules give, the others from a table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

VERB, NOUN = "verb", "noun"
BASE, THIRD, GERUND, PAST, PARTICIPLE, PLURAL = "base", "third", "ing", "past", "participle", "plural"
_HISSING = re.compile(r"(s|x|z|ch|sh)$")
_CONSONANT_Y = re.compile(r"[^aeiou]y$")
_AN = re.compile(r"(?i)(?:hour|honest|heir|[aeiou])")
_A = re.compile(r"(?i)(?:u(?:ni(?!n|m)|se|sual|tf|rl|til)|eu|one\b|once\b)")


@dataclass(frozen=True)
class Irregular:
    """Forms that no rule gives: third person, gerund, past and participle of verbs, the plural of nouns."""

    verbs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    nouns: Mapping[str, str] = field(default_factory=dict)


def forms(word: str, kind: str, irregular: Irregular) -> dict[str, str]:
    """The forms of a word or phrase by their names; of a verb the first word inflects, of a noun the last one."""
    if kind == VERB:
        first, space, rest = word.partition(" ")
        return {form: f"{text}{space}{rest}" for form, text in _verb(first, irregular).items()}
    if kind == NOUN:
        rest, space, last = word.rpartition(" ")
        return {BASE: word, PLURAL: f"{rest}{space}{irregular.nouns.get(last) or plural(last)}"}
    return {BASE: word}


def _verb(word: str, irregular: Irregular) -> dict[str, str]:
    names = THIRD, GERUND, PAST, PARTICIPLE
    told = irregular.verbs.get(word)
    return {BASE: word, **dict(zip(names, told or _regular(word), strict=True))}


def _regular(word: str) -> tuple[str, str, str, str]:
    if _CONSONANT_Y.search(word):
        return plural(word), f"{word}ing", f"{word[:-1]}ied", f"{word[:-1]}ied"
    if word.endswith("e"):
        going = f"{word}ing" if word.endswith(("ee", "oe")) else f"{word[:-1]}ing"
        return f"{word}s", going, f"{word}d", f"{word}d"
    return plural(word), f"{word}ing", f"{word}ed", f"{word}ed"


def plural(word: str) -> str:
    """The regular plural, which is also how verbs end in the third person."""
    if _CONSONANT_Y.search(word):
        return f"{word[:-1]}ies"
    return f"{word}es" if _HISSING.search(word) else f"{word}s"


def article(before: str, word: str) -> str:
    """The indefinite article `before` a word, as that word wants it, in the same case."""
    wanted = "an" if _AN.match(word) and not _A.match(word) else "a"
    return wanted.capitalize() if before[:1].isupper() else wanted


def cased(word: str, like: str) -> str:
    """A word with a capital first letter, where another one has it."""
    return word[:1].upper() + word[1:] if like[:1].isupper() else word
