"""A Python function as normalised tokens: what its fingerprint and its shingles are made of.

Tokens that begin with `(` or `)` open and close a node of the syntax tree; the others stand in the text. Left out are
comments, docstrings, annotations, punctuation, redundant parentheses and the function's own name; literals are given
by their value, adjacent ones joined; `else: if` and `elif` are one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum

from tree_sitter import Node

from pipeline.languages.python.syntax import GRAMMAR, child_at, kind, kinds, number, string_parts, token, unescape

OWN_NAME = b"<itself>"


class Action(IntEnum):
    """What becomes of a kind of node."""

    NODE = 0
    SKIP = 1
    THROUGH = 2
    NAME = 3
    TOKEN = 4
    DOT = 5
    COLON = 6
    NUMBER = 7
    STRING = 8
    CONTENT = 9
    FUNCTION = 10
    PARAMETERS = 11
    BLOCK = 12
    ASSIGNMENT = 13
    KEYWORD = 14
    YIELD = 15
    LAMBDA = 16
    STATEMENT = 17
    TUPLE_PATTERN = 18
    ELIF = 19
    FORMAT = 20
    OUTDATED = 21
    LEAF = 22
    TYPE = 23


_NAMED: dict[Action, tuple[str, ...]] = {
    Action.SKIP: ("comment", "line_continuation", "type_parameter", "string_start", "string_end"),
    Action.THROUGH: ("parenthesized_expression", "argument_list", "typed_parameter", "parenthesized_list_splat"),
    Action.NAME: ("identifier",),
    Action.NUMBER: ("integer", "float"),
    Action.STRING: ("string",),
    Action.CONTENT: ("string_content",),
    Action.FUNCTION: ("function_definition",),
    Action.PARAMETERS: ("parameters",),
    Action.BLOCK: ("block",),
    Action.ASSIGNMENT: ("assignment",),
    Action.KEYWORD: ("keyword_argument",),
    Action.YIELD: ("yield",),
    Action.LAMBDA: ("lambda",),
    Action.STATEMENT: ("expression_statement",),
    Action.TUPLE_PATTERN: ("tuple_pattern",),
    Action.ELIF: ("elif_clause",),
    Action.FORMAT: ("format_specifier",),
    Action.OUTDATED: ("print_statement", "exec_statement"),
    Action.LEAF: ("import_prefix",),
    Action.TYPE: ("type",),
}
_SAME = {
    "expression_list": "tuple", "pattern_list": "tuple", "tuple_pattern": "tuple", "list_pattern": "list",
    "typed_default_parameter": "default_parameter", "concatenated_string": "string", "list_splat_pattern": "list_splat",
}
_DROPPED = ("(", ")", "[", "]", "{", "}", ",", ";", "->", "elif")

TYPE_ALIAS = kind("type_alias_statement")
SLICE = kind("slice")
STRINGS = kinds("string", "concatenated_string")
CONCATENATED = kind("concatenated_string")
DOCUMENTED = kinds("function_definition", "class_definition")
COLON, COMMA = token(":"), token(",")


def _actions() -> list[int]:
    by_name = {name: action for action, names in _NAMED.items() for name in names}
    actions = []
    for index in range(GRAMMAR.node_kind_count + 1):
        name = GRAMMAR.node_kind_for_id(index) or ""
        if GRAMMAR.node_kind_is_named(index):
            actions.append(by_name.get(name, Action.NODE))
        elif name in _DROPPED:
            actions.append(Action.SKIP)
        else:
            actions.append({".": Action.DOT, ":": Action.COLON}.get(name, Action.TOKEN))
    return [int(action) for action in actions]


def _names() -> list[str]:
    names = [GRAMMAR.node_kind_for_id(index) or "" for index in range(GRAMMAR.node_kind_count + 1)]
    return [_SAME.get(name, name) for name in names]


ACTIONS = _actions()
OPEN = [b"(" + name.encode() for name in _names()]
CLOSE = [b")" + name.encode() for name in _names()]
PLAIN = {
    index: (name.encode(),) if action == Action.TOKEN else ()
    for index, (action, name) in enumerate(zip(ACTIONS, _names(), strict=True))
    if action in (Action.TOKEN, Action.SKIP)
}
"""What is written for those kinds of nodes that are the same wherever they stand."""
ERROR = 65535
_ELIF_OPEN = (b"(else_clause", b"else", b"(block", b"(if_statement", b"if")
_ELIF_CLOSE = b"\0".join((b")if_statement", b")block", b")else_clause"))


@dataclass(slots=True)
class Frame:
    """A function inside the walk: its node, and which of the walk's tokens are its own."""

    node: Node
    name: bytes
    outer: Frame | None
    first: int = 0
    last: int = 0
    is_generator: bool = False
    is_lambda: bool = False
    outdated: bool = False
    strings: list[tuple[int, int]] = field(default_factory=list)


class Walk:
    """One pass over a function's tree, those inside it included; `frames` holds them all, the outer first."""

    def __init__(self, node: Node) -> None:
        self.out: list[bytes] = []
        self.frames: list[Frame] = []
        self._frame: Frame | None = None
        self._closers: list[bytes | None] = []
        self._parents: list[int] = []
        self._dotted = self._keyword = self._first_statement = False
        self._run(node)

    def tokens(self, frame: Frame) -> list[bytes]:
        """The tokens of one of the functions, from its parameters to its end, its own name replaced."""
        own = frame.name
        return [OWN_NAME if t == own else t for t in self.out[frame.first:frame.last]]

    def _run(self, root: Node) -> None:
        out, closers, parents = self.out, self._closers, self._parents
        outer: list[Iterator[Node]] = []
        siblings = iter((root,))
        while True:
            for node in siblings:
                index = node.kind_id
                plain = PLAIN.get(index)
                if plain is not None:
                    out.extend(plain)
                    continue
                close = WRITERS[index](self, node, index)
                if close is SKIPPED:
                    continue
                if node.child_count:
                    closers.append(close)
                    parents.append(index)
                    outer.append(siblings)
                    siblings = iter(node.children)
                    break
                if close is not None:
                    out.append(close)
            else:
                if not outer:
                    return
                siblings = outer.pop()
                self._leave(parents.pop(), closers.pop())

    def _leave(self, index: int, close: bytes | None) -> None:
        if close is not None:
            self.out.append(close)
        frame = self._frame
        if frame is not None and index in FRAMED:
            frame.last = len(self.out)
            self._frame = frame.outer

    def _damaged(self, _node: Node, _index: int) -> bytes | None:
        return self._open(0)

    def _node(self, node: Node, index: int) -> bytes | None:
        self._first_statement = False
        if node.child_count:
            return self._open(index)
        self.out.append(node.text or b"")
        return SKIPPED

    def _open(self, index: int) -> bytes:
        self.out.append(OPEN[index])
        return CLOSE[index]

    def _type(self, _node: Node, _index: int) -> bytes | None:
        return None if TYPE_ALIAS in self._parents else SKIPPED

    def _name(self, node: Node, _index: int) -> bytes | None:
        text = node.text or b""
        if self._dotted:
            text = b"." + text
        elif self._keyword:
            text += b"="
        self._dotted = self._keyword = False
        self.out.append(text)
        return SKIPPED

    def _leaf(self, node: Node, _index: int) -> bytes | None:
        self.out.append(node.text or b"")
        return SKIPPED

    def _through(self, _node: Node, _index: int) -> bytes | None:
        return None

    def _dot(self, _node: Node, _index: int) -> bytes | None:
        self._dotted = True
        return SKIPPED

    def _colon(self, _node: Node, _index: int) -> bytes | None:
        if self._parents and self._parents[-1] == SLICE:
            self.out.append(b":")
        return SKIPPED

    def _number(self, node: Node, _index: int) -> bytes | None:
        self.out.append(number(node.text or b""))
        return SKIPPED

    def _string(self, node: Node, index: int) -> bytes | None:
        text = node.text or b""
        if b"\n" in text and self._frame is not None:
            self._frame.strings.append((node.start_point.row, node.end_point.row))
        joined = bool(self._parents) and self._parents[-1] == CONCATENATED
        prefix, value = string_parts(text)
        if b"f" in prefix or b"t" in prefix:
            return None if joined else self._open(index)
        if not joined:
            self.out.append(OPEN[index])
        self._literal(value, prefix)
        if not joined:
            self.out.append(CLOSE[index])
        return SKIPPED

    def _content(self, node: Node, _index: int) -> bytes | None:
        text = (node.text or b"").replace(b"{{", b"{").replace(b"}}", b"}")
        self._literal(unescape(text, b""), b"")
        return SKIPPED

    def _literal(self, value: bytes, prefix: bytes) -> None:
        value = value.replace(b"\0", b"\\0")
        if self.out and self.out[-1][:1] == b"'":
            self.out[-1] += value
        elif value or b"b" in prefix:
            self.out.append(b"'" + value if b"b" not in prefix else b"'b:" + value)

    def _function(self, node: Node, index: int) -> bytes | None:
        name = node.child_by_field_name("name")
        frame = Frame(node, (name.text or b"") if name is not None else b"", self._frame)
        self._frame = frame
        self.frames.append(frame)
        return self._open(index)

    def _parameters(self, _node: Node, index: int) -> bytes | None:
        if self._frame is not None:
            self._frame.first = len(self.out)
        return self._open(index)

    def _lambda(self, node: Node, index: int) -> bytes | None:
        if node.child_count:
            self._frame = Frame(node, b"", self._frame, is_lambda=True)
        return self._open(index)

    def _yield(self, _node: Node, index: int) -> bytes | None:
        if self._frame is not None:
            self._frame.is_generator = True
        return self._open(index)

    def _outdated(self, _node: Node, index: int) -> bytes | None:
        frame = self._frame
        while frame is not None:
            frame.outdated, frame = True, frame.outer
        return self._open(index)

    def _block(self, _node: Node, index: int) -> bytes | None:
        self._first_statement = bool(self._parents) and self._parents[-1] in DOCUMENTED
        return self._open(index)

    def _statement(self, node: Node, index: int) -> bytes | None:
        first, self._first_statement = self._first_statement, False
        statement = child_at(node, 0)
        if statement is None:
            return self._open(index)
        if first and node.child_count == 1 and statement.kind_id in STRINGS and _is_text(statement):
            if b"\n" in (statement.text or b"") and self._frame is not None:
                self._frame.strings.append((statement.start_point.row, statement.end_point.row))
            return SKIPPED
        if ACTIONS[statement.kind_id] == Action.ASSIGNMENT and _is_annotation(statement):
            return SKIPPED
        return self._open(index)

    def _assignment(self, _node: Node, index: int) -> bytes | None:
        return self._open(index)

    def _keyword_argument(self, _node: Node, index: int) -> bytes | None:
        self._keyword = True
        return self._open(index)

    def _tuple_pattern(self, node: Node, index: int) -> bytes | None:
        second = child_at(node, 2)
        if node.child_count == 3 and second is not None and second.kind_id != COMMA:
            return None
        return self._open(index)

    def _elif(self, _node: Node, _index: int) -> bytes | None:
        """Write `elif` as the `if` in an `else` that it is; the statement around it closes all of them."""
        self.out.extend(_ELIF_OPEN)
        outer = self._closers[-1]
        self._closers[-1] = _ELIF_CLOSE if outer is None else b"\0".join((_ELIF_CLOSE, outer))
        return None

    def _format(self, node: Node, index: int) -> bytes | None:
        self.out.append(node.text or b"")
        return self._open(index)


SKIPPED = b"\0skipped"
FRAMED = kinds("function_definition", "lambda")
_BY_ACTION: dict[int, Callable[[Walk, Node, int], bytes | None]] = {
    Action.NODE: Walk._node, Action.NAME: Walk._name, Action.THROUGH: Walk._through,
    Action.DOT: Walk._dot, Action.COLON: Walk._colon, Action.NUMBER: Walk._number,
    Action.STRING: Walk._string, Action.CONTENT: Walk._content, Action.FUNCTION: Walk._function,
    Action.PARAMETERS: Walk._parameters, Action.BLOCK: Walk._block, Action.ASSIGNMENT: Walk._assignment,
    Action.KEYWORD: Walk._keyword_argument, Action.YIELD: Walk._yield, Action.LAMBDA: Walk._lambda,
    Action.STATEMENT: Walk._statement, Action.TUPLE_PATTERN: Walk._tuple_pattern, Action.ELIF: Walk._elif,
    Action.FORMAT: Walk._format, Action.OUTDATED: Walk._outdated, Action.LEAF: Walk._leaf,
    Action.TYPE: Walk._type,
}
WRITERS = {index: _BY_ACTION[action] for index, action in enumerate(ACTIONS) if index not in PLAIN}
WRITERS[ERROR] = Walk._damaged
"""By the kind of a node what writes its beginning, and gives what is written at its end: None for nothing, or `SKIPPED`
where it is not entered."""


def _is_text(node: Node) -> bool:
    """Whether a string could be a docstring: neither bytes nor with interpolations."""
    parts = [node] if node.kind_id != CONCATENATED else [c for c in node.children if c.kind_id in STRINGS]
    prefixes = (part.text.split(b"'", 1)[0].split(b'"', 1)[0].lower() for part in parts if part.text)
    return not any(letter in prefix for prefix in prefixes for letter in (b"b", b"f", b"t"))


def _is_annotation(node: Node) -> bool:
    """Whether an assignment is a mere `name: type`."""
    middle = child_at(node, 1)
    return node.child_count == 3 and middle is not None and middle.kind_id == COLON
