"""What a body does, step by step in English: an instruction's details where single sentences don't tell it all.

The outline tells all of a body or nothing: each statement becomes a line, those of branches and loops are set in
below theirs, and a statement that words don't reach means that there is no outline. Whoever follows it gives the
same answers, so nothing else has to be told; how the steps are written down stays open.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.instruct.outline_words import OutlineWords
from pipeline.instruct.paraphrase import MAX_DEPTH
from pipeline.languages.python.facts import Facts

MAX_LINES = 22
MAX_CHARS = 320
MAX_NESTED = 4
MAX_MESSAGE = 120
_DONE = {
    "append": "Append {1} to {0}", "add": "Add {1} to {0}", "extend": "Append each element of {1} to {0}",
    "update": "Take all of {1} into {0}", "remove": "Remove the first {1} from {0}", "discard": "Remove {1} from {0}",
    "appendleft": "Put {1} at the beginning of {0}", "popleft": "Remove the first element of {0}",
    "reverse": "Reverse {0}", "clear": "Empty {0}", "insert": "Insert {2} into {0} at position {1}",
}
_COUNTS = {"append": 1, "add": 1, "extend": 1, "update": 1, "remove": 1, "discard": 1, "appendleft": 1, "popleft": 0,
           "reverse": 0, "clear": 0, "insert": 2}
_CHANGED: dict[type[ast.operator], str] = {
    ast.Add: "Add {1} to {0}", ast.Sub: "Subtract {1} from {0}", ast.Mult: "Multiply {0} by {1}",
    ast.Div: "Divide {0} by {1}", ast.FloorDiv: "Divide {0} by {1} and round down",
    ast.Mod: "Set {0} to its remainder when divided by {1}", ast.Pow: "Raise {0} to the power of {1}",
    ast.LShift: "Shift {0} left by {1} bits", ast.RShift: "Shift {0} right by {1} bits",
    ast.BitOr: "Join {1} to {0} with `|`", ast.BitAnd: "Keep of {0} what is in {1} too (`&`)",
    ast.BitXor: "Combine {0} with {1} by `^`",
}


@dataclass(frozen=True)
class Line:
    """One line of an outline, and how deep it stands."""

    level: int
    text: str


def outline(facts: Facts) -> tuple[Line, ...]:
    """The lines of the whole outline; none where words don't reach all of the body."""
    try:
        lines = tuple(_Outline(facts).lines(facts.body, 0))
    except _BeyondWords:
        return ()
    return lines if len(lines) <= MAX_LINES and all(len(line.text) <= MAX_CHARS for line in lines) else ()


class _BeyondWords(Exception):
    """A statement that can't be told."""


class _Outline:
    """Tells the statements of one function."""

    def __init__(self, facts: Facts) -> None:
        self.words = OutlineWords(facts)

    def lines(self, statements: list[ast.stmt], level: int) -> Iterator[Line]:
        """The lines of a block."""
        if level > MAX_NESTED:
            raise _BeyondWords
        for statement in statements:
            yield from self._lines(statement, level)

    def _lines(self, node: ast.stmt, level: int) -> Iterator[Line]:
        if isinstance(node, ast.If):
            yield from self._branches(node, level)
        elif isinstance(node, ast.For):
            head = f"For {self._told(self.words.one_pass(node.target, node.iter))}"
            yield from self._block(head, node.body, level)
            if node.orelse:
                yield from self._block("If the loop was not left early", node.orelse, level)
        elif isinstance(node, ast.While):
            endless = isinstance(node.test, ast.Constant) and node.test.value
            head = "Repeat" if endless else f"As long as {self._told(self.words.combined(node.test))}"
            yield from self._block(head, node.body, level)
            if node.orelse:
                raise _BeyondWords
        elif isinstance(node, ast.Try):
            yield from self._attempt(node, level)
        elif isinstance(node, ast.With):
            yield from self._suppressed(node, level)
        elif isinstance(node, ast.FunctionDef):
            yield from self._helper(node, level)
        elif _says_nothing(node):
            return
        elif not isinstance(node, ast.Pass) or level:
            yield Line(level, f"{self.step(node)}.")

    def _block(self, head: str, body: list[ast.stmt], level: int) -> Iterator[Line]:
        """A head with what is below it: in the same line where that is one simple step."""
        if len(body) == 1 and not isinstance(body[0], (ast.If, ast.For, ast.While, ast.Try, ast.With)):
            step = self.step(body[0])
            yield Line(level, f"{head}, {step[:1].lower()}{step[1:]}.")
        else:
            yield Line(level, f"{head}:")
            yield from self.lines(body, level + 1)

    def _branches(self, node: ast.If, level: int) -> Iterator[Line]:
        yield from self._block(f"If {self._told(self.words.combined(node.test))}", node.body, level)
        rest = node.orelse
        while len(rest) == 1 and isinstance(rest[0], ast.If):
            asked = self._told(self.words.combined(rest[0].test))
            yield from self._block(f"Otherwise, if {asked}", rest[0].body, level)
            rest = rest[0].orelse
        if rest:
            yield from self._block("Otherwise", rest, level)

    def _attempt(self, node: ast.Try, level: int) -> Iterator[Line]:
        if node.finalbody:
            raise _BeyondWords
        yield Line(level, "Try this:")
        yield from self.lines(node.body, level + 1)
        for handler in node.handlers:
            kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
            named = " or ".join(ast.unparse(kind) if kind else "any exception" for kind in kinds)
            steps = [each for each in handler.body if not isinstance(each, ast.Raise)]
            read = {part.id for each in steps for part in ast.walk(each) if isinstance(part, ast.Name)}
            called = f" (called `{handler.name}`)" if handler.name in read else ""
            yield from self._block(f"If that raises {named}{called}", handler.body, level)
        if node.orelse:
            yield from self._block("If it raises nothing", node.orelse, level)

    def _suppressed(self, node: ast.With, level: int) -> Iterator[Line]:
        """`with suppress(KeyError):`."""
        call = node.items[0].context_expr
        if len(node.items) > 1 or not isinstance(call, ast.Call) or not ast.unparse(call.func).endswith("suppress"):
            raise _BeyondWords
        yield Line(level, f"Try this, and go on if it raises {' or '.join(map(ast.unparse, call.args))}:")
        yield from self.lines(node.body, level + 1)

    def _helper(self, node: ast.FunctionDef, level: int) -> Iterator[Line]:
        """A function inside the function."""
        taken = node.args
        if node.decorator_list or taken.vararg or taken.kwarg or taken.kwonlyargs or taken.defaults:
            raise _BeyondWords
        of = f" of {_listed([f'`{argument.arg}`' for argument in taken.args])}" if taken.args else ""
        yield Line(level, f"With a helper `{node.name}`{of} that works so:")
        documented = ast.get_docstring(node) is not None
        yield from self.lines(node.body[1:] if documented else node.body, level + 1)

    def step(self, node: ast.stmt) -> str:
        """One simple statement as a demand."""
        if isinstance(node, ast.Return):
            return f"Return {self._value(node.value)}" if node.value else "Return None"
        if isinstance(node, ast.Raise) and node.exc is not None:
            return self._raised(node.exc)
        if isinstance(node, ast.Raise):
            return "Raise that exception again"
        if isinstance(node, ast.Continue):
            return "Go on with the next pass of the loop"
        if isinstance(node, ast.Break):
            return "Leave the loop"
        if isinstance(node, ast.Pass):
            return "Do nothing"
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            return self._assigned(node)
        if isinstance(node, ast.AugAssign) and type(node.op) in _CHANGED:
            return _CHANGED[type(node.op)].format(self._target(node.target), self._value(node.value))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            return self._done(node.value)
        if isinstance(node, ast.Delete) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Subscript):
            return f"Remove {self._target(node.targets[0])}"
        if isinstance(node, ast.Assert):
            return f"Raise AssertionError unless {self._told(self.words.combined(node.test))}"
        raise _BeyondWords

    def _raised(self, raised: ast.expr) -> str:
        """The exception's type; the message only where it is constant, as it is never compared."""
        kind = raised.func if isinstance(raised, ast.Call) else raised
        if not isinstance(kind, (ast.Name, ast.Attribute)):
            raise _BeyondWords
        message = raised.args[0] if isinstance(raised, ast.Call) and raised.args else None
        text = message.value if isinstance(message, ast.Constant) and isinstance(message.value, str) else ""
        return f"Raise {ast.unparse(kind)}" + (f" ({text!r})" if 0 < len(text) <= MAX_MESSAGE else "")

    def _assigned(self, node: ast.Assign | ast.AnnAssign) -> str:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if node.value is None:
            raise _BeyondWords
        first = targets[0]
        if isinstance(first, ast.Tuple) and len(targets) == 1:
            if isinstance(node.value, ast.Tuple) and len(node.value.elts) == len(first.elts):
                pairs = zip(first.elts, node.value.elts, strict=True)
                said = " and ".join(f"{self._target(each)} be {self._value(value)}" for each, value in pairs)
                return f"Let, at the same time, {said}"
            names = _listed([self._target(each) for each in first.elts])
            return f"Let {names} be {self._parts(node.value)}"
        if not all(isinstance(target, ast.Name) for target in targets):
            if len(targets) > 1:
                raise _BeyondWords
            return f"Set {self._target(first)} to {self._value(node.value)}"
        return f"Let {_listed([self._target(target) for target in targets])} be {self._value(node.value)}"

    def _parts(self, value: ast.expr) -> str:
        """Several values that one expression gives."""
        told = self._value(value)
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and len(value.args) == 1 and (
                value.func.attr in ("partition", "rpartition")):
            which = "first" if value.func.attr == "partition" else "last"
            owner, sign = self._value(value.func.value), self._value(value.args[0])
            return f"what {owner} has before, at and after the {which} {sign}"
        return told if told.startswith("the quotient and the remainder") else f"the elements of {told}, in this order"

    def _target(self, target: ast.expr) -> str:
        if isinstance(target, ast.Name):
            return f"`{target.id}`"
        if isinstance(target, ast.Attribute):
            return self._told(self.words.of(_loaded(target)))
        if isinstance(target, ast.Starred):
            return f"{self._target(target.value)} (a list of all that the others leave)"
        if isinstance(target, ast.Tuple):
            return f"({_listed([self._target(each) for each in target.elts])})"
        if isinstance(target, ast.Subscript):
            return self._told(self.words.of(_loaded(target)))
        raise _BeyondWords

    def _done(self, node: ast.Call) -> str:
        """A call for what it does to its owner."""
        if not isinstance(node.func, ast.Attribute) or self.words.is_library(node.func):
            return f"Call {self._value(node).removeprefix('the result of ')}"
        name, owner = node.func.attr, self._told(self.words.of(node.func.value))
        if name == "sort" and not node.args:
            return self._sorted(node, owner)
        if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
            return f"Call {self._value(node).removeprefix('the result of ')}"
        arguments = [self._told(self.words.inner(argument, MAX_DEPTH)) for argument in node.args]
        if name == "pop" and not arguments:
            return f"Remove the last element of {owner}"
        if name == "pop":
            return f"Remove what {owner} has at {arguments[0]}" + (", if it has" if len(arguments) == 2 else "")
        if name == "setdefault" and len(arguments) == 2:
            return f"Put {arguments[1]} under {arguments[0]} into {owner} unless something is there"
        if _COUNTS.get(name) != len(arguments):
            return f"Call {self._value(node).removeprefix('the result of ')}"
        return _DONE[name].format(owner, *arguments)

    def _sorted(self, node: ast.Call, owner: str) -> str:
        words = {word.arg: word.value for word in node.keywords}
        turned = words.get("reverse", ast.Constant(False))
        if set(words) - {"key", "reverse"} or not isinstance(turned, ast.Constant):
            raise _BeyondWords
        by = self._told(self.words.sort_key(words["key"])) if "key" in words else ""
        return f"Sort {owner} in {'descending' if turned.value else 'ascending'} order{by}"

    def _value(self, node: ast.expr) -> str:
        return self._told(self.words.of(node))

    @staticmethod
    def _told(words: str) -> str:
        if not words:
            raise _BeyondWords
        return words


def _says_nothing(node: ast.stmt) -> bool:
    """Declarations of types, imports of libraries, and texts that stand for themselves."""
    if isinstance(node, ast.AnnAssign):
        return node.value is None
    return isinstance(node, (ast.Import, ast.ImportFrom)) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _loaded(node: ast.expr) -> ast.expr:
    """The same expression as one that is read."""
    return ast.parse(ast.unparse(node), mode="eval").body


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
