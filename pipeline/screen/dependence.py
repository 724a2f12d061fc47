"""Which parameters the returned value depends on: by the data that flows into it, by the decisions that led to it."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.languages.flow import FlowGraph, Step

State = dict[str, int]
"""For each name the parameters that its value depends on, as bits; names that depend on none are left out."""


@dataclass(frozen=True)
class Dependence:
    """What is known of the returned value: the parameters it depends on, and all its constants if it has no others."""

    parameters: frozenset[str]
    constants: tuple[str, ...] | None


def returned_dependence(graph: FlowGraph) -> Dependence:
    """Follow parameters to the returns; names that may be the same object are followed together.

    A decision counts only where it chooses between different values: two returns of the same constant are one value.
    """
    flow = _Flow(graph)
    flow.settle()
    returns = graph.returns()
    values = {step.returned.constant for _, step in returns if step.returned is not None}
    constants = tuple(sorted(value for value in values if value is not None)) if None not in values else None
    bits = 0
    for block, step in returns:
        if step.returned is not None and step.returned.constant is None:
            bits |= flow.at_return[(block, step.line)]
        if len(values) > 1:
            bits |= flow.control(block)
    names = frozenset(name for i, name in enumerate(graph.parameters) if bits >> i & 1)
    return Dependence(names, constants)


class _Flow:
    """A forward analysis over the graph that is repeated until nothing changes; all of it only grows."""

    def __init__(self, graph: FlowGraph) -> None:
        self.graph = graph
        start: State = {name: 1 << i for i, name in enumerate(graph.parameters)}
        self.entering: list[State] = [{} for _ in graph.blocks]
        self.entering[graph.entry] = start
        self.deciding = [0] * len(graph.blocks)
        self.at_return: dict[tuple[int, int], int] = {}
        self.groups = _groups(graph.aliases)
        self.exceptional = frozenset(graph.exceptional)
        self.may_raise = frozenset(start for start, _ in graph.exceptional)

    def settle(self) -> None:
        """Run until a whole round changes nothing."""
        while sum(self._visit(block) for block in sorted(self.graph.reachable)):
            pass

    def control(self, block: int) -> int:
        """The parameters that decide, directly or through other decisions, whether a block runs."""
        bits, todo, seen = 0, [block], {block}
        while todo:
            for controller in self.graph.controllers[todo.pop()]:
                bits |= self.deciding[controller]
                if controller not in seen:
                    seen.add(controller)
                    todo.append(controller)
        return bits

    def _visit(self, index: int) -> bool:
        """Carry the state through a block to its successors; tell whether any state grew."""
        block = self.graph.blocks[index]
        state = dict(self.entering[index])
        control = self.control(index)
        inside: State = dict(state)
        decides = control
        for step in block.steps:
            if index in self.may_raise:
                decides |= _all_of(step.reads, state)
            self._apply(step, state, control, index)
            _join(inside, state)
        decides |= _all_of(block.decides, state)
        changed = decides != self.deciding[index]
        self.deciding[index] = decides
        for end in self.graph.successors[index]:
            leaving = inside if (index, end) in self.exceptional else state
            changed |= _join(self.entering[end], leaving)
        return changed

    def _apply(self, step: Step, state: State, control: int, index: int) -> None:
        bits = _all_of(step.reads, state) | control
        if step.returned is not None:
            self.at_return[(index, step.line)] = bits
        for name in step.touches:
            for other in self.groups.get(name, (name,)):
                state[other] = state.get(other, 0) | bits
        for name in step.writes:
            state[name] = bits


def _groups(aliases: tuple[tuple[str, str], ...]) -> dict[str, frozenset[str]]:
    """For each name all names that may be the same object, transitively."""
    groups: dict[str, frozenset[str]] = {}
    for one, other in aliases:
        merged = groups.get(one, frozenset((one,))) | groups.get(other, frozenset((other,)))
        for name in merged:
            groups[name] = merged
    return groups


def _all_of(names: frozenset[str], state: State) -> int:
    bits = 0
    for name in names:
        bits |= state.get(name, 0)
    return bits


def _join(into: State, other: State) -> bool:
    """Add one state to another; tell whether that changed it."""
    changed = False
    for name, bits in other.items():
        merged = into.get(name, 0) | bits
        if merged != into.get(name, 0):
            into[name] = merged
            changed = True
    return changed
