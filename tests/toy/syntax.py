"""The toy's syntax: words with their places, and functions among them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipeline.languages.programs import Unreadable

KEYWORDS = frozenset({"{", "}", "if", "else", "return"})
_WORD = re.compile(r"\S+")


@dataclass(frozen=True)
class Word:
    """A word, the offset in the text where it begins, and its line, from 1."""

    text: str
    position: int
    line: int

    @property
    def is_number(self) -> bool:
        """Whether it stands for itself."""
        return re.fullmatch(r"-?\d+", self.text) is not None

    @property
    def is_use(self) -> bool:
        """Whether it uses a name."""
        return not (self.is_number or self.text in KEYWORDS or self.text.endswith("=") or self.text[0] in "^*&@")


@dataclass(frozen=True)
class ToyFunction:
    """A function by its words: `head` the name and the parameters, `body` what stands between its brackets."""

    head: tuple[Word, ...]
    body: tuple[Word, ...]
    last: Word
    depth: int
    closed: bool

    @property
    def name(self) -> str:
        """The name without its sign."""
        return self.head[0].text[1:]

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple(word.text[:-1] for word in self.head[1:])


def words(text: str) -> list[Word]:
    """The words of a text; lines that begin with `#` have none."""
    found, start = [], 0
    for number, line in enumerate(text.split("\n"), 1):
        if not line.lstrip().startswith("#"):
            found += [Word(match.group(), start + match.start(), number) for match in _WORD.finditer(line)]
        start += len(line) + 1
    return found


def end_of(all_words: list[Word], start: int) -> int:
    """The place of the bracket that closes the one at `start`, or of the text's end."""
    depth = 0
    for place in range(start, len(all_words)):
        depth += {"{": 1, "}": -1}.get(all_words[place].text, 0)
        if depth == 0:
            return place
    return len(all_words)


def functions(text: str) -> list[ToyFunction]:
    """All functions of a text, in its order."""
    found, depth = [], 0
    everything = words(text)
    for place, word in enumerate(everything):
        depth += {"{": 1, "}": -1}.get(word.text, 0)
        if word.text.startswith("@"):
            opening = next((i for i in range(place, len(everything)) if everything[i].text == "{"), len(everything))
            closing = end_of(everything, opening)
            last = everything[min(closing, len(everything) - 1)]
            head, body = tuple(everything[place:opening]), tuple(everything[opening + 1 : closing])
            found.append(ToyFunction(head, body, last, depth, closing < len(everything)))
    return found


def fault(text: str) -> str:
    """What is wrong with a text, "" where nothing is."""
    depth = 0
    for word in words(text):
        depth += {"{": 1, "}": -1}.get(word.text, 0)
        if depth < 0:
            return f"line {word.line} closes a block that was not begun"
    return "a block is not closed" if depth else ""


def function_of(program: str, name: str) -> ToyFunction:
    """The last function of that name; raises `Unreadable`."""
    found = [function for function in functions(program) if function.name == name and function.depth == 0]
    if fault(program) or not found:
        raise Unreadable(fault(program) or f"The program defines no function {name}.")
    return found[-1]
