"""Strings that a regular expression matches, made from its parse tree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any

# The parser of `re` is no public interface, but it has kept its form since Python 2.
_re: Any = re
constants, parser = _re._constants, _re._parser

MAX_REPEAT, LONG_REPEAT = 6, 100
ECHO = 0.15
"""How many of the matches have the same text in all groups of the same form."""
TRIALS = 5
"""How many matches are made for a pattern that looks around, until one is right."""
_LOOKS_AROUND = re.compile(r"\(\?<?[=!]")
_PRINTABLE = [chr(code) for code in range(32, 127)]
_UNUSUAL = [*map(chr, range(32)), "\x7f", "\x85", "é", "ÿ", "Ω", "中", "\u200b", "\uffff", "😀"]
_CATEGORIES: dict[str, str] = {
    "CATEGORY_DIGIT": "0123456789",
    "CATEGORY_WORD": "abcdefgXYZ019_",
    "CATEGORY_SPACE": " \t\n",
    "CATEGORY_NOT_DIGIT": "abcXYZ -_.,",
    "CATEGORY_NOT_WORD": " -.,:/!@#",
    "CATEGORY_NOT_SPACE": "abcXYZ019-_.",
}


def matching(pattern: str, rng: Random, vocabulary: Sequence[str] = (), counts: Sequence[int] = ()) -> str:
    """A string that the pattern matches, mostly (look-arounds are not solved); raises `ValueError` for bad patterns.

    Where it allows runs of any characters, words of the vocabulary stand in some; some repetitions are about as many
    as the counts say.
    """
    try:
        tree = _parsed(pattern)
        if _LOOKS_AROUND.search(pattern):
            return _looking_around(pattern, tree, rng, _Generator(rng, vocabulary, counts))[:200]
        return _on_the_calendar(pattern, "".join(_Generator(rng, vocabulary, counts).sequence(tree))[:200], rng)
    except (re.error, OverflowError, RecursionError, IndexError, KeyError, AttributeError) as error:
        raise ValueError(str(error)) from error


def _on_the_calendar(pattern: str, text: str, rng: Random) -> str:
    """The match with days and times that there are in the place of digits that look like them, mostly."""
    if text.count("-") + text.count("/") + text.count(":") < 2 or rng.random() < 0.2:
        return text
    made = _DAY.sub(lambda found: _day(found, rng), text)
    made = _TIME.sub(lambda _: f"{rng.randrange(24):02d}:{rng.randrange(60):02d}:{rng.randrange(60):02d}", made)
    return made if made != text and re.search(pattern, made) else text


_DAY = re.compile(r"(?<!\d)\d{4}([-/])\d\d([-/])\d\d(?!\d)")
_TIME = re.compile(r"(?<!\d)\d\d:\d\d:\d\d(?!\d)")


def _day(found: re.Match[str], rng: Random) -> str:
    return f"{rng.randint(1990, 2035)}{found[1]}{rng.randint(1, 12):02d}{found[2]}{rng.randint(1, 28):02d}"


@lru_cache(200)
def _parsed(pattern: str) -> Any:
    return parser.parse(pattern, 0)


def group_texts(pattern: str, rng: Random) -> list[str]:
    """The texts of the groups in one match of the pattern."""
    generator = _Generator(rng)
    try:
        list(generator.sequence(_parsed(pattern)))
    except (re.error, OverflowError, RecursionError, IndexError, KeyError, AttributeError):
        return []
    return [generator.groups[number] for number in sorted(generator.groups)]


def _looking_around(pattern: str, tree: Any, rng: Random, generator: _Generator) -> str:
    """A match made by trial: what look-arounds ask for stands before, behind or in what the rest matches."""
    compiled, made = re.compile(pattern), ""
    for _ in range(TRIALS):
        generator.asserted.clear()
        base = generator.text(tree)
        asked = list(generator.asserted)
        rng.shuffle(asked)
        joined = "".join(asked)
        for made in (base, joined + base, base + joined, joined):
            if compiled.search(made):
                return made
    return made


class _Generator:
    def __init__(self, rng: Random, vocabulary: Sequence[str] = (), counts: Sequence[int] = ()) -> None:
        self.rng = rng
        self.vocabulary = vocabulary
        self.counts = counts
        self.groups: dict[int, str] = {}
        self.asserted: list[str] = []
        # Parts of one form that hold the same text are what a comparison of them waits for.
        self.echo = rng.random() < ECHO
        self.known: dict[str, str] = {}

    def sequence(self, tree: Any) -> list[str]:
        return [self.one(str(op), argument) for op, argument in tree]

    def text(self, tree: Any) -> str:
        return "".join(self.sequence(tree))

    def one(self, op: str, argument: Any) -> str:
        match op:
            case "LITERAL":
                return chr(argument)
            case "NOT_LITERAL":
                return self.rng.choice([c for c in "aZ0 _-." if ord(c) != argument])
            case "ANY":
                return self.rng.choice("abcxyzABC019 _-.,")
            case "IN":
                return self.member(argument)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                return self.repeat(*argument)
            case "BRANCH":
                return self.text(self.rng.choice(argument[1]))
            case "SUBPATTERN":
                number, _, _, inner = argument
                made = self.text(inner)
                if self.echo and number is not None:
                    made = self.known.setdefault(repr(inner), made)
                if number is not None:
                    self.groups[number] = made
                return made
            case "ATOMIC_GROUP":
                return self.text(argument)
            case "GROUPREF":
                return self.groups.get(argument, "")
            case "GROUPREF_EXISTS":
                number, yes, no = argument
                return self.text(yes) if number in self.groups else self.text(no or [])
            case "ASSERT":
                direction, inner = argument
                made = self.text(inner)
                if direction < 0:
                    return made
                # What a look-ahead asks for is written elsewhere, since something else may follow here.
                self.asserted.append(made)
                return ""
        return ""

    def repeat(self, fewest: int, most: Any, inner: Any) -> str:
        limit = min(fewest + MAX_REPEAT, int(most)) if most != constants.MAXREPEAT else fewest + MAX_REPEAT
        unlimited = most == constants.MAXREPEAT
        if self.counts and self.rng.random() < 0.06:
            count = self.rng.choice(self.counts) + self.rng.choice((0, 1))
            if count >= fewest and (unlimited or count <= most):
                return "".join(self.text(inner) for _ in range(count))
        if self.vocabulary and self.rng.random() < 0.2:
            known = [word for word in self.vocabulary if len(word) >= fewest and (unlimited or len(word) <= most)]
            word = self.rng.choice(known) if known else ""
            if word and all(_allowed(character, inner) for character in word):
                return word
        count = self.rng.choice([fewest, min(fewest + 1, limit), self.rng.randint(fewest, limit)])
        return "".join(self.text(inner) for _ in range(min(count, 60)))

    def member(self, members: Any) -> str:
        negated = bool(members) and str(members[0][0]) == "NEGATE"
        if negated:
            allowed = [c for c in _PRINTABLE if not _within(c, members[1:])]
            common = [c for c in "abcxyzABC019 _-" if c in allowed]
            unusual = [] if allowed else [c for c in _UNUSUAL if not _within(c, members[1:])]
            return self.rng.choice(common if common and self.rng.random() < 0.8 else allowed or unusual or ["a"])
        op, argument = self.rng.choice(members)
        return self.rng.choice(_characters(str(op), argument) or ["a"])


def _allowed(character: str, tree: Any) -> bool:
    """Whether a class of characters, where the tree is nothing else, holds the character."""
    if len(tree) != 1:
        return False
    op, argument = tree[0]
    match str(op):
        case "ANY":
            return character != "\n"
        case "NOT_LITERAL":
            return ord(character) != int(argument)
        case "IN":
            negated = bool(argument) and str(argument[0][0]) == "NEGATE"
            return _within(character, argument) != negated
    return False


def _within(character: str, members: Any) -> bool:
    for op, argument in members:
        match str(op):
            case "RANGE" if argument[0] <= ord(character) <= argument[1]:
                return True
            case "LITERAL" if argument == ord(character):
                return True
            case "CATEGORY" if _in_category(character, str(argument)):
                return True
    return False


def _in_category(character: str, name: str) -> bool:
    kind = name.rsplit("_", 1)[-1]
    inside = {
        "DIGIT": character.isdigit(),
        "SPACE": character.isspace(),
        "WORD": character.isalnum() or character == "_",
    }
    return inside.get(kind, False) != ("NOT" in name)


def _characters(op: str, argument: Any) -> list[str]:
    if op == "LITERAL":
        return [chr(argument)]
    if op == "RANGE":
        low, high = argument
        return [chr(code) for code in range(low, min(high, low + 200) + 1)]
    if op == "CATEGORY":
        return list(_CATEGORIES.get(str(argument), "a"))
    return []
