"""A control-flow graph that knows no language: blocks of steps, edges, complexity, reachability, control dependence."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol


@dataclass(frozen=True)
class Returned:
    """What a return gives back: `constant` is the text of a constant, or None where the value is computed."""

    constant: str | None


@dataclass(frozen=True)
class Step:
    """One simple statement, as reads and writes of names.

    `writes` get a new value; `touches` may be changed in place, so that they keep what they depended on;
    `returned` is set on a step that leaves the function with a value.
    """

    line: int
    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    touches: frozenset[str] = frozenset()
    returned: Returned | None = None


@dataclass(frozen=True)
class Block:
    """Steps that run one after the other; `decides` are the names that choose between its successors.

    `kind` is `plain`, `branch` (a condition, a loop, a case), `attempt` (something may be raised) or `definition`
    (of a nested function, whose body is a detour).
    """

    index: int
    steps: tuple[Step, ...] = ()
    decides: frozenset[str] = frozenset()
    kind: str = "plain"


@dataclass(frozen=True)
class FlowGraph:
    """The control flow of one function, from `entry` to the one `exit`.

    `edges` count for complexity. `never` are those of them that a constant condition closes. `exceptional` are the
    ways from inside an attempt to its handlers: values flow along them, but they don't count.
    """

    blocks: tuple[Block, ...]
    edges: tuple[tuple[int, int], ...]
    entry: int
    exit: int
    parameters: tuple[str, ...] = ()
    never: frozenset[tuple[int, int]] = frozenset()
    exceptional: tuple[tuple[int, int], ...] = ()
    aliases: tuple[tuple[str, str], ...] = field(default=())

    @property
    def complexity(self) -> int:
        """McCabe's number, E - N + 2P, where P is 1: everything ends in the one exit."""
        return len(self.edges) - len(self.blocks) + 2

    @property
    def branches(self) -> int:
        """How many ways lead out of conditions, loops and cases."""
        branching = {block.index for block in self.blocks if block.kind == "branch"}
        return sum(start in branching for start, _ in self.edges)

    @cached_property
    def successors(self) -> tuple[tuple[int, ...], ...]:
        """For each block the blocks that can follow it, exceptional ways included."""
        follow: list[list[int]] = [[] for _ in self.blocks]
        for start, end in (*self.edges, *self.exceptional):
            if (start, end) not in self.never:
                follow[start].append(end)
        return tuple(tuple(sorted(set(ends))) for ends in follow)

    @cached_property
    def reachable(self) -> frozenset[int]:
        """The blocks that can be reached from the entry."""
        seen = {self.entry}
        todo = [self.entry]
        while todo:
            for end in self.successors[todo.pop()]:
                if end not in seen:
                    seen.add(end)
                    todo.append(end)
        return frozenset(seen)

    def returns(self) -> tuple[tuple[int, Step], ...]:
        """The reachable steps that return a value, each with its block."""
        return tuple(
            (block.index, step)
            for block in self.blocks if block.index in self.reachable
            for step in block.steps if step.returned is not None
        )

    @cached_property
    def controllers(self) -> tuple[frozenset[int], ...]:
        """For each block the blocks whose decision it depends on (Ferrante et al. 1987), directly."""
        after = self._post_dominators()
        controlled: list[set[int]] = [set() for _ in self.blocks]
        for start in sorted(self.reachable):
            ends = self.successors[start]
            if len(ends) < 2:
                continue
            for end in ends:
                strict = after[start] & ~(1 << start)
                for block in _bits(after[end] & ~strict):
                    controlled[block].add(start)
        return tuple(frozenset(blocks) for blocks in controlled)

    def _post_dominators(self) -> list[int]:
        """For each block, as bits, the blocks that every way from it to the exit passes, itself included."""
        everything = (1 << len(self.blocks)) - 1
        after = [everything] * len(self.blocks)
        after[self.exit] = 1 << self.exit
        changed = True
        while changed:
            changed = False
            for block in range(len(self.blocks) - 1, -1, -1):
                if block == self.exit or not self.successors[block]:
                    continue
                common = everything
                for end in self.successors[block]:
                    common &= after[end]
                common |= 1 << block
                if common != after[block]:
                    after[block], changed = common, True
        return after


@dataclass(frozen=True)
class FunctionFlow:
    """A function's control flow with what its layout says of it.

    `line` is where it begins in its program, `lines` counts those with code on them, documentation left out, `depth` is
    the number of conditions, loops, attempts and nested functions that the deepest statement lies in. `nothing` is the
    constant that a function gives back which gives nothing.
    """

    graph: FlowGraph
    line: int
    lines: int
    depth: int
    nothing: str


class FlowReader(Protocol):
    """How a language's functions become graphs."""

    def read(self, program: str, name: str) -> FunctionFlow:
        """The flow of a program's function; raises `Unreadable`."""
        ...


def _bits(number: int) -> list[int]:
    """The positions of the set bits, ascending."""
    found = []
    while number:
        low = number & -number
        found.append(low.bit_length() - 1)
        number ^= low
    return found
