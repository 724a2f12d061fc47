"""Python's grammar as tree-sitter gives it: parsing, kinds of nodes by name, and the values of literals."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

import tree_sitter_python
from tree_sitter import Language, Node, Parser, Tree

GRAMMAR = Language(tree_sitter_python.language())


@cache
def _parser() -> Parser:
    return Parser(GRAMMAR)


@lru_cache(maxsize=2)
def parse(data: bytes) -> Tree:
    """The concrete syntax tree of a text in UTF-8; it always gives one, with error nodes where nothing fits.

    The last ones are kept, since a file is read for its functions first and for its names then.
    """
    return _parser().parse(data)


def kinds(*names: str) -> frozenset[int]:
    """The ids of all kinds of named nodes with these names (some names have several)."""
    found = {
        kind for kind in range(GRAMMAR.node_kind_count)
        if GRAMMAR.node_kind_is_named(kind) and GRAMMAR.node_kind_for_id(kind) in names
    }
    missing = set(names) - {GRAMMAR.node_kind_for_id(kind) for kind in found}
    if missing:
        raise KeyError(f"the grammar has no nodes called {', '.join(sorted(missing))}")
    return frozenset(found)


def kind(name: str) -> int:
    """The id of the only kind of named nodes with this name."""
    (found,) = kinds(name)
    return found


def token(text: str) -> int:
    """The id of an anonymous node: a keyword, an operator or punctuation."""
    found = GRAMMAR.id_for_node_kind(text, False)
    if found is None:
        raise KeyError(f"the grammar has no token {text!r}")
    return found


def child_at(node: Node, index: int) -> Node | None:
    """A child, or None where there are fewer, as under syntax errors."""
    return node.child(index) if index < node.child_count else None


def named_child_at(node: Node, index: int) -> Node | None:
    """A named child, or None where there are fewer."""
    return node.named_child(index) if index < node.named_child_count else None


def identifier(text: bytes) -> str:
    """A name as Python compares names: in normal form KC."""
    name = text.decode("utf-8", "replace")
    return name if name.isascii() else unicodedata.normalize("NFKC", name)


_SIMPLE = {
    "\n": "", "\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t",
    "v": "\v",
}
_BYTES_ESCAPE = re.compile(r"\\(?:([\n\\'\"abfnrtv])|([0-7]{1,3})|x([0-9a-fA-F]{2}))")
_TEXT_ESCAPE = re.compile(
    _BYTES_ESCAPE.pattern.removesuffix(")")
    + r"|u([0-9a-fA-F]{4})|U(0010[0-9a-fA-F]{4}|000[0-9a-fA-F]{5})|N\{([^}]+)\})"
)


def _character(match: re.Match[str]) -> str:
    simple, octal, *hexes = match.groups()
    if simple is not None:
        return _SIMPLE[simple]
    if octal is not None:
        return chr(int(octal, 8))
    if len(hexes) == 4 and hexes[3] is not None:
        try:
            return unicodedata.lookup(hexes[3])
        except KeyError:
            return match.group()
    return chr(int(next(h for h in hexes if h is not None), 16))


def unescape(body: bytes, prefix: bytes) -> bytes:
    """What stands between the quotes of a literal, its escapes replaced by what they mean."""
    if b"\\" not in body or b"r" in prefix:
        return body
    pattern = _BYTES_ESCAPE if b"b" in prefix else _TEXT_ESCAPE
    return pattern.sub(_character, body.decode("utf-8", "replace")).encode("utf-8", "surrogatepass")


def string_parts(text: bytes) -> tuple[bytes, bytes]:
    """The prefix in small letters without `u`, and the value, of a literal without interpolations."""
    start = 0
    while text[start:start + 1] not in (b'"', b"'", b""):
        start += 1
    quotes = 3 if text[start:start + 3] in (b'"""', b"'''") else 1
    prefix = text[:start].lower().replace(b"u", b"")
    return prefix, unescape(text[start + quotes:-quotes], prefix)


def number(text: bytes) -> bytes:
    """A numeric literal by its value: `0xFF` is `255`, `1E3` is `1000.0`."""
    plain = text.replace(b"_", b"").lower().decode("ascii", "replace")
    try:
        return str(int(plain, 0)).encode()
    except ValueError:
        pass
    try:
        return repr(float(plain)).encode()
    except ValueError:
        return plain.encode()
