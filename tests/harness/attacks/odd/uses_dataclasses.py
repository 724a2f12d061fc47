"""Builds its answer out of classes of its own, with postponed annotations."""
from __future__ import annotations

from dataclasses import astuple, dataclass, field
from enum import Enum


class State(Enum):
    EMPTY = 0
    OPEN = 1


@dataclass
class Run:
    character: str
    count: int = 1


@dataclass
class Machine:
    found: list[Run] = field(default_factory=list)
    state: State = State.EMPTY

    def feed(self, character: str) -> None:
        if self.state is State.OPEN and self.found[-1].character == character:
            self.found[-1].count += 1
        else:
            self.found.append(Run(character))
        self.state = State.OPEN


def runs(text: str) -> list[tuple[str, int]]:
    machine = Machine()
    for character in text:
        machine.feed(character)
    return [astuple(run) for run in machine.found]
