"""Lowering a Python function, read with `ast`, into the control-flow graph of `pipeline.languages.flow`.

An attempt (`try`) has a way into its body, one into each handler, and one that stands for what no handler takes; so
it counts as in `mccabe`. A nested function counts as a detour. Conditional expressions, boolean operators,
comprehensions and `assert` are no blocks of their own, as in `mccabe`.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace

from pipeline.languages.flow import Block, FlowGraph, Returned, Step
from pipeline.transforms.bound_names import bound, changed, parameter_names, reads, root, walk_own

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


def find_function(tree: ast.Module, name: str) -> FunctionNode:
    """The function of that name at the top of a program, the last one; raises `LookupError`."""
    found = [
        node for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name
    ]
    if not found:
        raise LookupError(f"The program defines no function {name}.")
    return found[-1]


def lower(function: FunctionNode) -> FlowGraph:
    """The control-flow graph of a function, with every read and write of a name in it."""
    return _Lowering(function).graph()


@dataclass
class _Draft:
    """A block that is being filled."""

    steps: list[Step] = field(default_factory=list)
    decides: frozenset[str] = frozenset()
    kind: str = "plain"


@dataclass
class _Places:
    """Where a jump inside the current statements leads."""

    leave: int
    loop_start: int | None = None
    loop_end: int | None = None
    handlers: tuple[int, ...] = ()
    silent: bool = False


class _Lowering:
    """Walks the statements once; `here` is the block being filled, or None where nothing can follow a jump."""

    def __init__(self, function: FunctionNode) -> None:
        self.function = function
        self.drafts: list[_Draft] = []
        self.edges: list[tuple[int, int]] = []
        self.never: set[tuple[int, int]] = set()
        self.exceptional: set[tuple[int, int]] = set()
        self.aliases: set[tuple[str, str]] = set()
        self.effects: dict[str, frozenset[str]] = {}
        self.exit = self.new()
        self.here: int | None = self.new()
        self.entry = self.here

    def graph(self) -> FlowGraph:
        self.body(self.function.body, _Places(self.exit))
        if self.here is not None:
            self.step(Step(self.function.end_lineno or 0, returned=Returned("None")))
            self.connect(self.here, self.exit)
        blocks = tuple(Block(i, tuple(d.steps), d.decides, d.kind) for i, d in enumerate(self.drafts))
        return FlowGraph(
            blocks, tuple(self.edges), self.entry, self.exit, parameter_names(self.function),
            frozenset(self.never), tuple(sorted(self.exceptional)), tuple(sorted(self.aliases)),
        )

    # building

    def new(self) -> int:
        self.drafts.append(_Draft())
        return len(self.drafts) - 1

    def connect(self, start: int, end: int) -> None:
        self.edges.append((start, end))

    def step(self, step: Step) -> None:
        if self.here is None:
            self.here = self.new()
        self.drafts[self.here].steps.append(step)

    def decision(self, kind: str, decides: frozenset[str], places: _Places) -> int:
        """A block that chooses what comes next."""
        block = self.new()
        self.drafts[block].kind = kind
        self.drafts[block].decides = frozenset() if places.silent else decides
        if self.here is not None:
            self.connect(self.here, block)
        self.raises(block, places)
        self.here = None
        return block

    def arm(self, start: int, statements: list[ast.stmt], places: _Places, end: int, first: Step | None = None) -> int:
        """Statements that run when `start` chooses them, and then `end`; gives their first block."""
        self.here = arm = self.new()
        self.connect(start, arm)
        if first is not None:
            self.step(first)
        self.raises(arm, places)
        self.body(statements, places)
        if self.here is not None:
            self.connect(self.here, end)
        return arm

    def raises(self, block: int, places: _Places) -> None:
        self.exceptional.update((block, handler) for handler in places.handlers)

    def jump(self, end: int) -> None:
        if self.here is None:
            self.here = self.new()
        self.connect(self.here, end)
        self.here = None

    # statements

    def body(self, statements: list[ast.stmt], places: _Places) -> None:
        for statement in statements:
            self.statement(statement, places)
            if self.here is not None:
                self.raises(self.here, places)

    def statement(self, node: ast.stmt, places: _Places) -> None:
        match node:
            case ast.If():
                self.branch(node, places)
            case ast.While() | ast.For() | ast.AsyncFor():
                self.loop(node, places)
            case ast.Try() | ast.TryStar():
                self.attempt(node, places)
            case ast.Match():
                self.cases(node, places)
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    self.simple(item, node.lineno, places)
                self.body(node.body, places)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.nested(node, places)
            case ast.ClassDef():
                self.simple(node, node.lineno, places, writes=frozenset((node.name,)))
                self.body(node.body, _Places(self.exit, silent=True))
            case ast.Return():
                constant = constant_text(node.value)
                self.simple(node, node.lineno, places, returned=Returned(constant))
                self.jump(places.leave)
            case ast.Raise():
                self.simple(node, node.lineno, places)
                self.jump(places.handlers[0] if places.handlers else places.leave)
            case ast.Break() | ast.Continue():
                end = places.loop_end if isinstance(node, ast.Break) else places.loop_start
                self.jump(self.exit if end is None else end)
            case _:
                self.simple(node, node.lineno, places)

    def simple(
        self, node: ast.AST, line: int, places: _Places,
        writes: frozenset[str] | None = None, returned: Returned | None = None,
    ) -> None:
        """One step for a statement without blocks of its own."""
        if places.silent:
            self.step(Step(line))
            return
        read, wrote, touched = reads(node), bound(node) if writes is None else writes, changed(node)
        if isinstance(node, ast.AugAssign):
            read, touched = read | _target_names(node.target), touched | _target_names(node.target)
        for name in read & self.effects.keys():
            touched |= self.effects[name]
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.withitem)):
            self.note_aliases(node, wrote)
        self.step(Step(line, read, wrote - touched, touched, returned))

    def note_aliases(self, node: ast.AST, names: frozenset[str]) -> None:
        """After `y = x`, `y = x[k]` or `y = x.get(k)`, what changes y may change x."""
        value = node.context_expr if isinstance(node, ast.withitem) else getattr(node, "value", None)
        values = value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value]
        sources = {root(one) for one in values if one is not None} - {""}
        self.aliases.update((name, source) for name in names for source in sources if name != source)
        if len(names) > 1 and isinstance(node, ast.Assign) and len(node.targets) > 1:
            first, *others = sorted(names)
            self.aliases.update((first, other) for other in others)

    def branch(self, node: ast.If, places: _Places) -> None:
        self.walrus(node.test, node.lineno, places)
        start = self.decision("branch", reads(node.test), places)
        end = self.new()
        arm = self.arm(start, node.body, places, end)
        other = self.arm(start, node.orelse, places, end) if node.orelse else end
        if not node.orelse:
            self.connect(start, end)
        self.close(start, node.test, arm, other)
        self.here = end

    def loop(self, node: ast.While | ast.For | ast.AsyncFor, places: _Places) -> None:
        test = node.test if isinstance(node, ast.While) else node.iter
        self.walrus(test, node.lineno, places)
        start, end = self.decision("branch", reads(test), places), self.new()
        inside = replace(places, loop_start=start, loop_end=end)
        first = None
        if not isinstance(node, ast.While) and not places.silent:
            names = bound(node.target)
            first = Step(node.lineno, reads(node.iter), names, changed(node.target))
            self.aliases.update((name, root(node.iter)) for name in names if root(node.iter))
        arm = self.arm(start, node.body, inside, start, first)
        other = self.arm(start, node.orelse, places, end) if node.orelse else end
        if not node.orelse:
            self.connect(start, end)
        if isinstance(node, ast.While):
            self.close(start, node.test, arm, other)
        self.here = end

    def attempt(self, node: ast.Try | ast.TryStar, places: _Places) -> None:
        start = self.decision("attempt", _all_reads(node.body), places)
        after, arms = self.new(), [self.new() for _ in node.handlers]
        inside = replace(places, handlers=tuple(arms) or places.handlers)
        self.arm(start, [*node.body, *node.orelse], inside, after)
        for handler, block in zip(node.handlers, arms, strict=True):
            self.connect(start, block)
            self.here = block
            self.step(Step(handler.lineno, reads(handler.type) if handler.type else frozenset(), _names(handler.name)))
            self.body(handler.body, places)
            if self.here is not None:
                self.connect(self.here, after)
        self.connect(start, after if node.finalbody and not node.handlers else places.leave)
        self.here = after
        self.body(node.finalbody, places)

    def cases(self, node: ast.Match, places: _Places) -> None:
        subject = reads(node.subject)
        start, end = self.decision("branch", subject | _all_reads(node.cases), places), self.new()
        total = False
        for case in node.cases:
            first = None if places.silent else Step(case.pattern.lineno, subject, bound(case.pattern))
            self.arm(start, case.body, places, end, first)
            total |= case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
        if not total:
            self.connect(start, end)
        self.here = end

    def nested(self, node: FunctionNode, places: _Places) -> None:
        """A function inside the function: a definition here, and its body as a detour that only counts."""
        name = frozenset((node.name,))
        outer = reads(node)
        shared = {name for child in ast.walk(node) if isinstance(child, ast.Nonlocal) for name in child.names}
        self.effects[node.name] = (changed(node) & outer) | frozenset(shared)
        if not places.silent:
            self.step(Step(node.lineno, outer, name))
        start, end = self.decision("definition", frozenset(), _Places(self.exit, silent=True)), self.new()
        self.arm(start, node.body, _Places(end, silent=True), end)
        self.connect(start, end)
        self.here = end

    def walrus(self, test: ast.expr, line: int, places: _Places) -> None:
        """The names that a condition binds or changes are written before it decides."""
        if any(isinstance(child, (ast.NamedExpr, ast.Call)) for child in walk_own(test)):
            self.simple(ast.Expr(test), line, places)

    def close(self, start: int, test: ast.expr, arm: int, other: int) -> None:
        """Mark the way that a constant condition never takes."""
        if isinstance(test, ast.Constant):
            self.never.add((start, other if test.value else arm))


def constant_text(value: ast.expr | None) -> str | None:
    """One text per constant value (`-1`, `()`, `[1, "a"]` count as constants), None for what is computed."""
    if value is None:
        return "None"
    if reads(value) or any(isinstance(child, (ast.Call, *_COMPUTED)) for child in ast.walk(value)):
        return None
    return ast.unparse(value)


_COMPUTED = (ast.Lambda, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.ListComp, ast.SetComp, ast.DictComp)


def _target_names(target: ast.AST) -> frozenset[str]:
    return frozenset((root(target),)) - {""}


def _all_reads(nodes: list[ast.stmt] | list[ast.match_case]) -> frozenset[str]:
    return frozenset().union(*(reads(node) for node in nodes))


def _names(name: str | None) -> frozenset[str]:
    return frozenset((name,)) if name else frozenset()
