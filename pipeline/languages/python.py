"""Reading Python with tree-sitter: function definitions, their fingerprints and shingles."""

from __future__ import annotations

import ast
import hashlib
import io
import textwrap
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import tree_sitter_python
from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser

from pipeline.languages import Definition

_GRAMMAR = Grammar(tree_sitter_python.language())
_PUNCTUATION = frozenset("()[]{},:;")
_TRANSPARENT = frozenset({"parenthesized_expression", "typed_parameter"})
_SAME_KIND = {"typed_default_parameter": "default_parameter"}
_FUNCTIONS = frozenset({"function_definition", "lambda"})
_TYPED = frozenset({
    "typed_parameter", "typed_default_parameter", "function_definition", "assignment",
})
_COMPOUND = frozenset(
    f"{kind}_statement" for kind in ("if", "try", "match", "with", "for", "while")
)
_SHINGLE = 5


class Python:
    """The language `python`."""

    name = "python"
    suffixes: tuple[str, ...] = (".py",)

    def decode(self, data: bytes) -> str:
        """The text of a file, by PEP 263 and its byte-order mark; raises `UnicodeDecodeError`."""
        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
            return data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
        except (SyntaxError, LookupError) as error:
            raise UnicodeDecodeError("utf-8", data[:20], 0, 1, str(error)) from None

    def definitions(self, text: str) -> Sequence[Definition]:
        """All function definitions of a file, in the order of the text."""
        data = text.encode("utf-8", "surrogatepass")
        tree = parse(data)
        lines = text.split("\n")
        return [_definition(found, lines) for found in _find(tree, "", "module")]

    def shingles(self, source: str) -> frozenset[int]:
        """The 5-token shingles of a function's leaf tokens, as 64-bit hashes; empty where there is no function."""
        tree = parse(source.encode("utf-8", "surrogatepass"))
        found = next(_find(tree, "", "module"), None)
        return _shingled(_Normal(found.node).leaves) if found else frozenset()


PYTHON = Python()


def parse(data: bytes) -> Node:
    """The root of a file's syntax tree."""
    return Parser(_GRAMMAR).parse(data).root_node


@dataclass(frozen=True)
class _Found:
    node: Node
    outer: Node
    qualified: str
    inside: str
    decorators: tuple[str, ...]


def _find(node: Node, prefix: str, inside: str) -> Iterator[_Found]:
    """The definitions below a node; `inside` says what holds it: `module`, `class` or `function`."""
    for child in node.named_children:
        if child.type == "function_definition":
            yield from _function(child, child, prefix, inside, ())
        elif child.type == "class_definition":
            yield from _class(child, prefix, inside)
        elif child.type == "decorated_definition":
            yield from _decorated(child, prefix, inside)
        elif not child.type.endswith(("expression", "statement")) or _compound(child):
            yield from _find(child, prefix, inside)


def _compound(node: Node) -> bool:
    return node.type in _COMPOUND


def _decorated(node: Node, prefix: str, inside: str) -> Iterator[_Found]:
    inner = node.child_by_field_name("definition")
    if inner is None:
        return
    if inner.type == "class_definition":
        yield from _class(inner, prefix, inside)
        return
    names = tuple(_decorator(c) for c in node.named_children if c.type == "decorator")
    yield from _function(inner, node, prefix, inside, names)


def _decorator(node: Node) -> str:
    inner = node.named_children[0] if node.named_children else node
    if inner.type == "call":
        inner = inner.child_by_field_name("function") or inner
    return _text(inner)


def _class(node: Node, prefix: str, inside: str) -> Iterator[_Found]:
    body = node.child_by_field_name("body")
    if body is not None:
        yield from _find(body, f"{prefix}{_name(node)}.", "function" if inside == "function" else "class")


def _function(node: Node, outer: Node, prefix: str, inside: str, decorators: tuple[str, ...]) -> Iterator[_Found]:
    qualified = prefix + _name(node)
    yield _Found(node, outer, qualified, inside, decorators)
    body = node.child_by_field_name("body")
    if body is not None:
        yield from _find(body, f"{qualified}.<locals>.", "function")


def _name(node: Node) -> str:
    name = node.child_by_field_name("name")
    return _text(name) if name is not None else ""


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _kind(found: _Found) -> str:
    if found.inside == "module":
        return "function"
    if found.inside == "function":
        return "nested"
    return "staticmethod" if "staticmethod" in found.decorators else "method"


def _definition(found: _Found, lines: Sequence[str]) -> Definition:
    first, last = found.outer.start_point[0], found.outer.end_point[0]
    if found.outer.end_point[1] == 0 and last > first:
        last -= 1
    normal = _Normal(found.node)
    return Definition(
        name=_name(found.node), qualified=found.qualified, kind=_kind(found), line_start=first + 1, line_end=last + 1,
        decorators=found.decorators, is_async=any(c.type == "async" for c in found.node.children),
        is_generator=normal.yields, source=textwrap.dedent("\n".join(lines[first : last + 1])) + "\n",
        fingerprint=normal.fingerprint(), intact=not found.outer.has_error,
    )


class _Normal:
    """A function's tree with what does not matter left out: `tokens` with its shape, `leaves` without."""

    def __init__(self, node: Node) -> None:
        self._own = _name(node)
        self.tokens: list[str] = []
        self.leaves: list[str] = []
        self.yields = False
        for part in ("parameters", "body"):
            child = node.child_by_field_name(part)
            if child is not None:
                self._visit(child, 0)

    def fingerprint(self) -> str:
        """SHA-256 (hex) of the tokens."""
        return hashlib.sha256("\x1f".join(self.tokens).encode("utf-8", "surrogatepass")).hexdigest()

    def _visit(self, node: Node, depth: int) -> None:
        kind = node.type
        if kind == "comment" or _is_docstring(node) or _is_bare_annotation(node):
            return
        if kind in ("string", "concatenated_string") and (value := _constant(node)) is not None:
            self._leaf(value)
        elif node.child_count == 0:
            self._leaf_node(node)
        else:
            self.yields |= kind == "yield" and depth == 0
            self._inner(node, kind, depth + (kind in _FUNCTIONS))

    def _inner(self, node: Node, kind: str, depth: int) -> None:
        shape = kind not in _TRANSPARENT
        if shape:
            self.tokens.append(f"({_SAME_KIND.get(kind, kind)}")
        skipped = _skipped(node, kind)
        for child in node.children:
            if child.id not in skipped:
                self._visit(child, depth)
        if shape:
            self.tokens.append(")")

    def _leaf_node(self, node: Node) -> None:
        text = _text(node)
        if node.is_named:
            self._leaf("<self>" if text == self._own else text)
        elif text not in _PUNCTUATION and node.type not in ("->",):
            self._leaf(text)

    def _leaf(self, text: str) -> None:
        self.tokens.append(text)
        self.leaves.append(text)


def _skipped(node: Node, kind: str) -> set[int]:
    """The annotations among a node's children."""
    if kind not in _TYPED:
        return set()
    fields = (node.child_by_field_name("return_type" if kind == "function_definition" else "type"),)
    return {f.id for f in fields if f is not None}


def _is_docstring(node: Node) -> bool:
    if node.type != "expression_statement" or node.parent is None or node.parent.type != "block":
        return False
    holder = node.parent.parent
    if holder is None or holder.type not in ("function_definition", "class_definition"):
        return False
    first = next((c for c in node.parent.named_children if c.type != "comment"), None)
    return first is not None and first.id == node.id and node.named_child_count == 1 and (
        node.named_children[0].type in ("string", "concatenated_string")
    )


def _is_bare_annotation(node: Node) -> bool:
    if node.type != "expression_statement" or node.named_child_count != 1:
        return False
    inner = node.named_children[0]
    return inner.type == "assignment" and inner.child_by_field_name("right") is None


def _constant(node: Node) -> str | None:
    """A string without interpolations as its value, however it is written."""
    try:
        return repr(ast.literal_eval(f"({_text(node)})"))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def _shingled(tokens: Sequence[str]) -> frozenset[int]:
    size = min(_SHINGLE, len(tokens))
    if not size:
        return frozenset()
    pieces = ("\x1f".join(tokens[i : i + size]) for i in range(len(tokens) - size + 1))
    return frozenset(_hash64(piece) for piece in pieces)


def _hash64(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
