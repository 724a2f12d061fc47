"""The toy's control flow: blocks of steps, one for each value that is stored or given back."""

from __future__ import annotations

from dataclasses import dataclass, field

from pipeline.languages.flow import Block, FlowGraph, FunctionFlow, Returned, Step
from tests.toy.syntax import ToyFunction, Word, end_of, function_of


@dataclass
class _Draft:
    steps: list[Step] = field(default_factory=list)
    decides: frozenset[str] = frozenset()
    kind: str = "plain"


class _Lowering:
    """Walks the words of a body once; `here` is the block being filled, None where nothing can follow."""

    def __init__(self, function: ToyFunction) -> None:
        self.parameters = function.parameters
        self.drafts = [_Draft(), _Draft()]
        self.exit, self.entry = 0, 1
        self.edges: list[tuple[int, int]] = []
        self.here: int | None = self.entry
        self.deepest = 0
        self.run(list(function.body), 0)
        if self.here is not None:
            self.drafts[self.here].steps.append(Step(function.last.line, returned=Returned("0")))
            self.edges.append((self.here, self.exit))

    def graph(self) -> FlowGraph:
        blocks = tuple(Block(i, tuple(d.steps), d.decides, d.kind) for i, d in enumerate(self.drafts))
        return FlowGraph(blocks, tuple(self.edges), self.entry, self.exit, self.parameters)

    def new(self, kind: str = "plain", after: int | None = None) -> int:
        self.drafts.append(_Draft(kind=kind))
        if after is not None:
            self.edges.append((after, len(self.drafts) - 1))
        return len(self.drafts) - 1

    def run(self, body: list[Word], depth: int) -> None:
        self.deepest = max(self.deepest, depth)
        pending: list[Word] = []
        place = 0
        while place < len(body):
            word = body[place]
            if word.text == "if":
                place = self.choice(body, place, pending, depth)
                pending = []
            elif word.text.startswith("@"):
                place = end_of(body, next(i for i in range(place, len(body)) if body[i].text == "{"))
            elif word.text == "return" or word.text.endswith("="):
                self.step(word, pending)
                pending = []
            elif word.is_number or word.is_use:
                pending.append(word)
            place += 1

    def step(self, word: Word, pending: list[Word]) -> None:
        if self.here is None:
            self.here = self.new()
        reads = frozenset(one.text for one in pending if one.is_use)
        if word.text != "return":
            self.drafts[self.here].steps.append(Step(word.line, reads, frozenset({word.text[:-1]})))
            return
        constant = pending[0].text if len(pending) == 1 and pending[0].is_number else None
        self.drafts[self.here].steps.append(Step(word.line, reads, returned=Returned(constant)))
        self.edges.append((self.here, self.exit))
        self.here = None

    def choice(self, body: list[Word], place: int, pending: list[Word], depth: int) -> int:
        """Lower an `if` with its blocks; gives the place of its last word."""
        decision = self.new("branch", self.here)
        self.drafts[decision].decides = frozenset(one.text for one in pending if one.is_use)
        after = self.new()
        last = end_of(body, place + 1)
        arms = [body[place + 2 : last]]
        if last + 1 < len(body) and body[last + 1].text == "else":
            start, last = last + 2, end_of(body, last + 2)
            arms.append(body[start + 1 : last])
        for arm in arms:
            self.here = self.new(after=decision)
            self.run(arm, depth + 1)
            if self.here is not None:
                self.edges.append((self.here, after))
        if len(arms) == 1:
            self.edges.append((decision, after))
        self.here = after if any(end == after for _, end in self.edges) else None
        return last


class ToyFlow:
    """How the toy's functions become graphs."""

    def read(self, program: str, name: str) -> FunctionFlow:
        function = function_of(program, name)
        lowering = _Lowering(function)
        lines = {word.line for word in (*function.head, *function.body, function.last)}
        return FunctionFlow(lowering.graph(), function.head[0].line, len(lines), lowering.deepest, "0")
