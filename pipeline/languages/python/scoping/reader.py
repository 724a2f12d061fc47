"""The machine that walks through a file: a stack of work, and how names are reported."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from tree_sitter import Node

from pipeline.languages.python.scoping.rules import FUNCTION, MODULE
from pipeline.languages.python.syntax import child_at, identifier, kind
from pipeline.languages.scoping import ROOT, Binder, Block, Condition, Reading, Role, ScopeSink, Unit, Use

VALUE, ANNOTATION, PATTERN, TARGET, FOR, WITH, EXCEPT, DELETE = range(8)
"""What is made of the names in a node: used, used in an annotation, captured, or bound in one of these ways."""

KINDS = {
    PATTERN: "pattern", TARGET: "assignment", FOR: "loop variable", WITH: "context", EXCEPT: "exception",
    DELETE: "deletion",
}
ALWAYS = Condition.ALWAYS
IDENTIFIER, ATTRIBUTE = kind("identifier"), kind("attribute")
CHAIN = frozenset({IDENTIFIER, ATTRIBUTE})
DECORATED = kind("decorated_definition")
_GLOBAL = re.compile(rb"\bglobal\b")
_WORDS = {kind("function_definition"): "function", kind("class_definition"): "class"}

Item = tuple[Node | None, int, int, Condition]
Handler = Callable[["Reader", Node, int, int, Condition], None]


class Reader:
    """One pass over a file, functions and classes put off, with a stack of its own, so that no nesting is too deep.

    An item of work is a node, its scope, what is made of the names in it, and the condition that it stands under. An
    item without a node ends the unit whose index stands for the scope.
    """

    def __init__(self, sink: ScopeSink, handlers: Sequence[Handler | None]) -> None:
        self.sink = sink
        self.units: list[Unit] = []
        self.preamble: list[str] = []
        self.decorated: dict[int, tuple[int, bool]] = {}
        self.kinds = {ROOT: MODULE}
        self.prefixes = {ROOT: ""}
        self._inside_function: set[int] = set()
        self._handlers = handlers
        self._work: list[Item] = []
        self._fixed: int | None = None
        self._bound: dict[int, int] = {}

    def read(self, root: Node) -> Reading:
        """Report what a file defines, and all that is in its statements but in functions and classes; those later."""
        blocks, closed = [], dict[str, list[Callable[[], None]]]()
        for node in root.named_children:
            first = self.sink.counts()[2]
            block = Block(range(node.start_byte, node.end_byte), node.start_point.row + 1, range(first, first))
            blocks.append(block)
            name = self._put_off(node)
            if name is None:
                self._open(node, block)
            else:
                closed.setdefault(name, []).append(partial(self._open, node, block))
            block.definitions = range(first, self.sink.counts()[2])
        return Reading(self.units, tuple(self.preamble), blocks, closed)

    def _open(self, node: Node, block: Block) -> None:
        """Report what is in an outermost statement."""
        scopes, references, _ = self.sink.counts()
        self.push(node, ROOT)
        self._run()
        ends = self.sink.counts()
        block.scopes, block.references = range(scopes, ends[0]), range(references, ends[1])

    def _put_off(self, node: Node) -> str | None:
        """The name of a function or class, reported, that defines nothing else at the top of the file, else None."""
        definition = node.child_by_field_name("definition") if node.kind_id == DECORATED else node
        word = _WORDS.get(definition.kind_id) if definition is not None else None
        if definition is None or word is None:
            return None
        name, body = definition.child_by_field_name("name"), definition.child_by_field_name("body")
        text = node.text or b""
        if name is None or body is None or _GLOBAL.search(text) or b":=" in text[: body.start_byte - node.start_byte]:
            return None
        self._bound[definition.id] = self.bind(name, ROOT, word)
        return identifier(name.text or b"")

    def aside(self, node: Node, scope: int, role: int, position: int) -> None:
        """Read a node that is not of the file's own tree, all of it at one position."""
        fixed, work = self._fixed, self._work
        self._fixed, self._work = position, [(node, scope, role, ALWAYS)]
        self._run()
        self._fixed, self._work = fixed, work

    def _run(self) -> None:
        work, handlers = self._work, self._handlers
        last = len(handlers)
        while work:
            node, scope, role, condition = work.pop()
            if node is None:
                self._end(scope)
                continue
            index = node.kind_id
            handler = handlers[index] if index < last else None
            if handler is not None:
                handler(self, node, scope, role, condition)
            else:
                work.extend([(child, scope, role, condition) for child in reversed(node.named_children)])

    def push(self, node: Node | None, scope: int, role: int = VALUE, condition: Condition = ALWAYS) -> None:
        """Put a node on the stack; what is put there last is read first."""
        if node is not None:
            self._work.append((node, scope, role, condition))

    def push_all(self, nodes: Iterable[Node], scope: int, role: int = VALUE, condition: Condition = ALWAYS) -> None:
        """Put nodes on the stack, so that they are read in their order."""
        self._work.extend([(node, scope, role, condition) for node in reversed(list(nodes))])

    def position(self, node: Node) -> int:
        """The offset that is reported for a node."""
        return node.start_byte if self._fixed is None else self._fixed

    def bind(self, node: Node, scope: int, word: str, condition: Condition = ALWAYS, alias: int | None = None) -> int:
        """Report an identifier as a definition."""
        binder = Binder(identifier(node.text or b""), word, self.position(node), condition, None, alias)
        return self.sink.define(scope, binder)

    def define(self, node: Node, name: Node, scope: int, word: str, condition: Condition) -> int:
        """Report the name of a function or class, if it was not reported before the rest of it."""
        known = self._bound.pop(node.id, None)
        return self.bind(name, scope, word, condition) if known is None else known

    def refer(
        self, node: Node, scope: int, role: int, path: tuple[str, ...] = (), arguments: int | None = None
    ) -> int:
        """Report an identifier as a reference."""
        use = Role.ANNOTATION if role == ANNOTATION else Role.VALUE
        return self.sink.refer(scope, Use(identifier(node.text or b""), self.position(node), path, use, arguments))

    def chain(self, node: Node, scope: int, role: int, arguments: int | None = None) -> int | None:
        """Report a name with the attributes taken from it; None when no name stands at the beginning."""
        path: list[str] = []
        while node.kind_id == ATTRIBUTE:
            inner, last = child_at(node, 0), node.child_by_field_name("attribute")
            if inner is None or last is None:
                return None
            path.append(identifier(last.text or b""))
            node = inner
        role = ANNOTATION if role == ANNOTATION else VALUE
        if node.kind_id == IDENTIFIER:
            return self.refer(node, scope, role, tuple(reversed(path)), arguments)
        self.push(node, scope, role)
        return None

    def scope(self, word: str, parent: int, qualified: str | None = None) -> int:
        """Report a scope; `qualified` is put before the names of functions in it."""
        index = self.sink.scope(word, parent)
        self.kinds[index] = word
        self.prefixes[index] = self.prefixes[parent] if qualified is None else qualified
        if word == FUNCTION or parent in self._inside_function:
            self._inside_function.add(index)
        return index

    def inside_function(self, scope: int) -> bool:
        """Whether a scope is that of a function, or lies in one."""
        return scope in self._inside_function

    def begin(self, unit: Unit) -> None:
        """Start a function: what is reported until the stack is down to here again belongs to it."""
        scopes, references, _ = self.sink.counts()
        unit.scopes, unit.references = range(scopes, scopes), range(references, references)
        self._work.append((None, len(self.units), VALUE, ALWAYS))
        self.units.append(unit)

    def _end(self, index: int) -> None:
        unit = self.units[index]
        scopes, references, _ = self.sink.counts()
        unit.scopes, unit.references = range(unit.scopes.start, scopes), range(unit.references.start, references)
