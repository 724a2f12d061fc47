"""Reading the body: statements in the order of the text, and what each local name stands for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pipeline.suites.domain.formats.words import paired_names
from pipeline.suites.inference.clues import Clue
from pipeline.suites.inference.interpreter import body_arrays, body_frames, body_texts
from pipeline.suites.inference.interpreter.body_calls import COPIES
from pipeline.suites.inference.interpreter.body_expressions import Expressions
from pipeline.suites.inference.interpreter.body_operators import operate
from pipeline.suites.subject import full_name


def clues_of(
    function: ast.FunctionDef, names: dict[str, str], members: Sequence[ast.FunctionDef] = ()
) -> dict[str, Clue]:
    """The clues on each parameter of a function, by name; what it hands on to members is read there, too."""
    readers = [(one, Reader(one.name, names)) for one in (*members, function)]
    known: dict[str, dict[str, Clue]] = {}
    for one, reader in readers:
        reader.parameters = known[one.name] = reader.declare(one.args)
    for one, reader in readers:
        texts = [part.value for part in ast.walk(one) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        reader.dates = [text for text in texts if re.search(r"%[YymdBbHMSj]", text) and len(text) < 40][:6]
        reader.functions = {name: list(parameters.values()) for name, parameters in known.items()}
        reader.keywords = known
        reader.statements(one.body)
    return known[function.name]


class Reader(Expressions):
    """Walks statements in the order of the text and keeps what each local name stands for."""

    def declare(self, arguments: ast.arguments) -> dict[str, Clue]:
        """Fresh clues for the parameters of a function, in the scope from now on."""
        named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        made = {argument.arg: Clue(parameter=True) for argument in named}
        for extra in (arguments.vararg, arguments.kwarg):
            if extra is not None:
                made[extra.arg] = Clue()
        self.scope.update(made)
        return made

    def statements(self, body: list[ast.stmt]) -> None:
        """Read a block."""
        for statement in body:
            visit = getattr(self, f"_do_{type(statement).__name__}", None)
            if visit is not None:
                visit(statement)
            else:
                self._generic(statement)

    @contextmanager
    def branch(self) -> Iterator[dict[str, Clue]]:
        """A block that may not run: names that it binds anew stand for both values afterwards."""
        before = dict(self.scope)
        yield before
        for name, clue in self.scope.items():
            old = before.get(name)
            if old is not None and old is not clue:
                joined = Clue(about=old.about or clue.about)
                if old.votes.get("set") and clue.votes.get("set"):
                    joined.vote("set", weight=1)
                old.same.append(joined)
                clue.same.append(joined)
                before[name] = joined
            else:
                before[name] = clue
        self.scope = before

    def _do_FunctionDef(self, node: ast.FunctionDef) -> None:
        outer = dict(self.scope)
        self.functions[node.name] = list(self.declare(node.args).values())
        self.statements(node.body)
        self.scope = outer

    def _do_Assign(self, node: ast.Assign) -> None:
        clue = self.read(node.value)
        for target in node.targets:
            self.bind(target, clue, node.value)
            body_frames.named(self, target, node.value, False)
            self._type_of(target, node.value)

    def _type_of(self, target: ast.expr, value: ast.expr) -> None:
        """`kind = type(value)`: what the kind is compared with says the same of the value; masks and parts, too."""
        if isinstance(target, ast.Name):
            self.masks.discard(target.id)
            self.masks |= {target.id} if self._is_mask(value) else set()
            self.cuts.pop(target.id, None)
            if body_texts.place_of(value) is not None:
                self.cuts[target.id] = value
            self.types.pop(target.id, None)
            match value:
                case ast.Call(ast.Name("type"), [ast.Name() as subject]):
                    self.types[target.id] = subject

    def _do_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.bind(node.target, self.read(node.value), node.value)

    def _do_AugAssign(self, node: ast.AugAssign) -> None:
        target = self.read(node.target)
        operate(node.op, target, self.read(node.value), node.target, node.value)

    def _do_If(self, node: ast.If) -> None:
        narrowed = self.condition(node.test)
        leaves = bool(node.body) and isinstance(node.body[-1], (ast.Return, ast.Raise, ast.Continue))
        with self.branch():
            self.scope.update(narrowed[True])
            self.statements(node.body)
        with self.branch():
            self.scope.update(narrowed[False])
            self.statements(node.orelse)
        if leaves:
            self.scope.update(narrowed[False])

    def _do_While(self, node: ast.While) -> None:
        narrowed = self.condition(node.test)
        with self.branch():
            self.scope.update(narrowed[True])
            self.statements(node.body)
        self.statements(node.orelse)

    def _do_For(self, node: ast.For) -> None:
        with self.branch():
            self.bind(node.target, self.iterate(node.iter), node.iter)
            self.looped(node.target, node.iter)
            self.statements(node.body)
        self.statements(node.orelse)

    def _do_Try(self, node: ast.Try) -> None:
        self.statements(node.body)
        for handler in node.handlers:
            self.read(handler.type).vote("exception value", "it is caught", 4)
            with self.branch():
                self.statements(handler.body)
        self.statements(node.orelse)
        self.statements(node.finalbody)

    def _do_Delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            self.read(target)

    def _do_Match(self, node: ast.Match) -> None:
        self.read(node.subject)
        for case in node.cases:
            with self.branch():
                self.read(case.guard)
                self.statements(case.body)

    def bind(self, target: ast.expr, clue: Clue, value: ast.expr | None = None) -> None:
        """Let a target stand for a value, unpacking it where the target is a tuple."""
        if isinstance(target, ast.Name):
            self.scope[target.id] = clue
        elif isinstance(target, ast.Starred):
            self.bind(target.value, clue)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target, clue, value)
        else:
            place = self.read(target)
            clue.same.append(place)

    def _unpack(self, target: ast.Tuple | ast.List, clue: Clue, value: ast.expr | None) -> None:
        if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts):
            for one, expression in zip(target.elts, value.elts, strict=True):
                self.bind(one, self.read(expression), expression)
            return
        if any(isinstance(one, ast.Starred) for one in target.elts):
            clue.vote("sequence", "it is unpacked", 2)
            clue.lengths.append(len(target.elts))
            starred = next(i for i, one in enumerate(target.elts) if isinstance(one, ast.Starred))
            for index, one in enumerate(target.elts):
                self.bind(one, clue.position(index) if index < starred else clue if index == starred else clue.items())
            return
        clue.vote("sequence", f"it is unpacked into {len(target.elts)}", 2)
        clue.arities.append(len(target.elts))
        body_arrays.unpacked(clue, len(target.elts))
        if clue.count_of is not None:
            clue.count(len(target.elts))
        if isinstance(value, ast.Call) and value.args and full_name(value.func, self.names) in COPIES:
            self.read(value.args[0]).arities.append(len(target.elts))
        names = [one.id for one in target.elts if isinstance(one, ast.Name)]
        clue.rising = clue.rising or paired_names(names) == [tuple(names)]
        for index, one in enumerate(target.elts):
            self.bind(one, clue.position(index))

    def looped(self, target: ast.expr, values: ast.expr) -> None:
        """Note what a name stands for in a loop: texts that are given as literals, or numbers up to a constant."""
        body_frames.named(self, target, values, True)
        match target, values:
            case ast.Name(name), ast.Call(ast.Name("range"), [ast.Constant(int(count))]) if count > 0:
                self.counters[name] = count - 1
            case ast.Name(name), _:
                self.counters.pop(name, None)
