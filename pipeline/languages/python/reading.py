"""Reading Python: text out of bytes, function definitions out of text, fingerprints and shingles out of definitions."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path

import numpy as np
from tree_sitter import Node

from harness.records import digest
from pipeline.languages.python.call_sites import literal_calls
from pipeline.languages.python.methods import alone
from pipeline.languages.python.pieces import pieces
from pipeline.languages.python.renaming import renamed
from pipeline.languages.python.syntax import child_at, identifier, kind, kinds, named_child_at, parse, token
from pipeline.languages.python.tokens import ERROR, Frame, Walk
from pipeline.languages.reading import SHINGLE, CallSite, Definition

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_OF_TREE = re.compile(rb"\0[()][^\0]*")
"""A token that opens or closes a node, with the null byte before it."""
_MOST_HASHES = 1 << 18
_FUNCTION = kind("function_definition")
_CLASS = kind("class_definition")
_DECORATED = kind("decorated_definition")
_DECORATOR = kind("decorator")
_CALL = kind("call")
_DOTTED = kinds("identifier", "attribute")
_ASYNC = token("async")
_HOLDERS = kinds(
    "module", "block", "class_definition", "decorated_definition", "if_statement", "elif_clause", "else_clause",
    "try_statement", "except_clause", "finally_clause", "with_statement", "for_statement", "while_statement",
    "match_statement", "case_clause",
) | {ERROR}


@dataclass(frozen=True)
class _Place:
    """A function outside of all others: its node, that of its decorated whole, and the classes around it."""

    node: Node
    whole: Node
    classes: tuple[str, ...]
    damaged: bool


def _places(root: Node) -> Iterator[_Place]:
    work: list[tuple[Node, tuple[str, ...], bool]] = [(root, (), False)]
    while work:
        node, classes, damaged = work.pop()
        kind_id = node.kind_id
        target = node.child_by_field_name("definition") if kind_id == _DECORATED else node
        if target is not None and target.kind_id == _FUNCTION:
            yield _Place(target, node, classes, damaged)
            continue
        if kind_id == _CLASS:
            classes = (*classes, _name(node))
        inner = damaged or kind_id == ERROR
        work.extend((child, classes, inner) for child in reversed(node.named_children) if child.kind_id in _HOLDERS
                    or child.kind_id == _FUNCTION)


def _name(node: Node) -> str:
    name = node.child_by_field_name("name")
    return identifier(name.text or b"") if name is not None else ""


def _decorators(whole: Node) -> tuple[str, ...]:
    if whole.kind_id != _DECORATED:
        return ()
    return tuple(_decorator(child) for child in whole.named_children if child.kind_id == _DECORATOR)


def _decorator(node: Node) -> str:
    """The dotted name of a decorator; of anything else its text, which is on no list of allowed names."""
    expression: Node | None = named_child_at(node, 0)
    while expression is not None and expression.kind_id == _CALL:
        expression = expression.child_by_field_name("function")
    if expression is None:
        return ""
    text = (expression.text or b"").decode("utf-8", "replace")
    return "".join(text.split()) if expression.kind_id in _DOTTED else " ".join(text.split())


class _Reader:
    """The definitions of one file."""

    def __init__(self, data: bytes) -> None:
        self._lines = data.split(b"\n")

    def read(self, place: _Place) -> Iterator[Definition]:
        """The function at a place, and those inside it."""
        walk = Walk(place.node)
        qualified: dict[int, str] = {}
        for frame in walk.frames:
            prefix = ".".join(place.classes) if frame.outer is None else qualified[_enclosing(frame)]
            name = identifier(frame.name)
            qualified[id(frame)] = f"{prefix}.{name}" if prefix else name
            whole = place.whole if frame.outer is None else _whole(frame.node)
            yield self._definition(frame, walk, whole, qualified[id(frame)], place)

    def _definition(self, frame: Frame, walk: Walk, whole: Node, qualified: str, place: _Place) -> Definition:
        decorators = _decorators(whole)
        first = child_at(frame.node, 0)
        words = walk.tokens(frame)
        tokens = b"\0".join(words)
        strings = [s for other in walk.frames if _within(other, frame) for s in other.strings]
        return Definition(
            name=identifier(frame.name), qualified=qualified, kind=_kind(frame, place, decorators),
            line_start=whole.start_point.row + 1, line_end=_last_row(whole) + 1,
            decorators=decorators, is_async=first is not None and first.kind_id == _ASYNC,
            is_generator=frame.is_generator, source=self._source(whole, strings),
            fingerprint=_hex(tokens),
            intact=not (whole.has_error or place.damaged or frame.outdated),
            tokens=tokens,
            shape=_hex(b"\0".join(renamed(words))),
        )

    def _source(self, node: Node, strings: Sequence[tuple[int, int]]) -> str:
        """The text of a node, dedented; lines inside strings stay as they are."""
        (first, indent), (last, end) = node.start_point, node.end_point
        lines = [*self._lines[first:last], self._lines[last][:end]] if last > first else [self._lines[first][:end]]
        if indent:
            inside = {row for start, stop in strings for row in range(start + 1, stop + 1)}
            lines = [
                line if first + i in inside else _dedented(line, indent) for i, line in enumerate(lines)
            ]
        return b"\n".join(lines).decode("utf-8", "replace").rstrip() + "\n"


def _dedented(line: bytes, indent: int) -> bytes:
    kept = line.lstrip(b" \t\f")
    return line[min(indent, len(line) - len(kept)):]


def _last_row(node: Node) -> int:
    row, column = node.end_point
    return row if column else row - 1


def _whole(node: Node) -> Node:
    """A nested function with its decorators."""
    parent = node.parent
    return parent if parent is not None and parent.kind_id == _DECORATED else node


def _enclosing(frame: Frame) -> int:
    outer = frame.outer
    while outer is not None and outer.is_lambda:
        outer = outer.outer
    return id(outer)


def _within(frame: Frame | None, outer: Frame) -> bool:
    while frame is not None and frame is not outer:
        frame = frame.outer
    return frame is outer


def _kind(frame: Frame, place: _Place, decorators: tuple[str, ...]) -> str:
    if frame.outer is not None:
        return "nested"
    if not place.classes:
        return "function"
    return "staticmethod" if "staticmethod" in decorators else "method"


def _without_surrogates(text: str, encoding: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise UnicodeDecodeError(encoding, b"", 0, 0, "surrogates in the text") from error


_DECIDES = ("pieces", "reading", "renaming", "syntax", "tokens")
"""The modules that decide what is found in a file."""


class PythonReader:
    """What mining asks of Python 3."""

    @cached_property
    def version(self) -> str:
        """A hash over the code and the grammar that decide what is found in a file."""
        code = [f"{name}\n{Path(__file__).with_name(f'{name}.py').read_text('utf-8')}" for name in _DECIDES]
        return digest(*code, version("tree-sitter"), version("tree-sitter-python"))[:24]

    def decode(self, data: bytes) -> str:
        """The text of a file by PEP 263, line ends as `\\n`; raises `UnicodeDecodeError` where Python refuses it."""
        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
            text = data.decode(encoding)
        except UnicodeDecodeError:
            raise
        except (SyntaxError, LookupError, ValueError) as error:
            raise UnicodeDecodeError("utf-8", b"", 0, 0, str(error)) from error
        if "\0" in text:
            raise UnicodeDecodeError(encoding, b"", 0, 0, "a null character")
        _without_surrogates(text, encoding)
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def definitions(self, text: str) -> Sequence[Definition]:
        """All function definitions of a file, in the order of the text."""
        data = text.encode("utf-8")
        reader = _Reader(data)
        return [found for place in _places(parse(data).root_node) for found in reader.read(place)]

    def pieces(self, text: str) -> Sequence[str]:
        """Parts of a file whose definitions, but for their lines, are those of the file if all parts are sound."""
        return pieces(text)

    def is_sound(self, text: str) -> bool:
        """Whether there is no syntax error in a text."""
        return not parse(text.encode("utf-8")).root_node.has_error

    def shingles(self, tokens: bytes) -> Sequence[int]:
        """The shingles of a definition's tokens in their order, as 64-bit hashes that never change."""
        plain = _OF_TREE.sub(b"", b"\0" + tokens)
        hashes = b"".join(map(_HASHES.__getitem__, plain[1:].split(b"\0"))) if plain else b""
        words = np.frombuffer(hashes, dtype=">u8").astype(np.uint64)
        count = max(len(words) - SHINGLE + 1, 1)
        mixed = np.zeros(count, dtype=np.uint64)
        for start in range(min(SHINGLE, len(words))):
            mixed = mixed * _FACTOR + words[start : start + count]
        mixed ^= mixed >> np.uint64(29)
        return list((mixed * _FACTOR).tolist())

    def alone(self, method: Definition) -> Definition | None:
        """The method without its first parameter, and without `classmethod`."""
        text = alone(method.source)
        found = self.definitions(text) if text is not None else ()
        if not found:
            return None
        decorators = tuple(name for name in method.decorators if name != "classmethod")
        # Qualified name and lines stay those of the method, so that it is found in its file.
        return replace(
            found[0], qualified=method.qualified, kind="staticmethod", line_start=method.line_start,
            line_end=method.line_end, decorators=decorators,
        )

    def calls(self, text: str, names: Collection[str]) -> Sequence[CallSite]:
        """The calls of functions of these names whose arguments are literals, parametrized tests row by row."""
        return literal_calls(text, names)


def undecorated(source: str) -> str:
    """The text of a function without its decorators; raises `ValueError` when there is no function."""
    data = source.encode("utf-8")
    place = next(_places(parse(data).root_node), None)
    if place is None:
        raise ValueError("there is no function in the text")
    return data[place.node.start_byte:].decode("utf-8").rstrip() + "\n"


def _hex(tokens: bytes) -> str:
    return blake2b(tokens, digest_size=16).hexdigest()


class _Hashes(dict[bytes, bytes]):
    """The hashes of words, of a limited number of them."""

    def __missing__(self, word: bytes) -> bytes:
        if len(self) == _MOST_HASHES:
            self.clear()
        value = self[word] = blake2b(word, digest_size=8).digest()
        return value


_HASHES = _Hashes()


READER = PythonReader()
