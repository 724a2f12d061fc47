"""Effects: rules as data on what a function may use besides its parameters, and what breaks them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from pipeline.records import Reason


@dataclass(frozen=True)
class Use:
    """One use of an outside name. `arguments` counts those of a call, and is None where it is not called.

    `name` is dotted: `builtins.open`, `os.path.join`; a method of an object that is not known is `?.method`.
    """

    name: str
    line: int
    arguments: int | None


@dataclass(frozen=True)
class Rule:
    """Names that are refused: exactly, or everything below where one ends in `.*`; `but` lists what is allowed of it.

    `enough` is the number of arguments from which on a call is harmless (a seed, an explicit time); 0: never.
    """

    reason: Reason
    why: str
    names: tuple[str, ...]
    but: tuple[str, ...] = ()
    enough: int = 0


@dataclass(frozen=True)
class Finding:
    """One line that breaks a rule, in words."""

    reason: Reason
    line: int
    what: str


class Effects(Protocol):
    """What a language says of effects and of chance."""

    def findings(self, program: str, name: str) -> Sequence[Finding]:
        """What in a program's function goes beyond its parameters, sorted by line; the lines are the program's."""
        ...

    def beside(self, program: str, name: str) -> Sequence[Finding]:
        """The same of all else in a program: other functions, classes, and what runs when it is loaded."""
        ...


def broken(uses: Iterable[Use], rules: Sequence[Rule]) -> Iterator[Finding]:
    """What uses break which rules, use by use."""
    for use in uses:
        for rule in rules:
            if breaks(use, rule):
                name = use.name.removeprefix("builtins.").removeprefix("?")
                yield Finding(rule.reason, use.line, f"{name} {rule.why}")


def breaks(use: Use, rule: Rule) -> bool:
    """Whether a use is one that a rule refuses."""
    if any(_covers(pattern, use.name) for pattern in rule.but):
        return False
    if rule.enough and (use.arguments is None or use.arguments >= rule.enough):
        return False
    return speaks_of(rule, use)


def speaks_of(rule: Rule, use: Use) -> bool:
    """Whether a rule has anything to say of a use, be it that it is harmless."""
    return any(_covers(pattern, use.name) for pattern in rule.names)


def _covers(pattern: str, name: str) -> bool:
    if pattern.endswith("*"):
        return name.startswith(pattern[:-1])
    return name == pattern or (not pattern.startswith(("builtins.", "?.")) and name.startswith(pattern + "."))
