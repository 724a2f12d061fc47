"""Encoded values as a person reads them: Python-like text, read off the JSON, so that nothing in a value is ever built.

What an answer gave is nobody's word: a few characters of it may stand for a value of gigabytes. Its text costs no more
than the characters that are asked for.
"""

from __future__ import annotations

import binascii
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from harness.records import Json
from harness.values import TAG

_DEEPEST = 40
_BRACKETS = {"tuple": ("(", ")"), "set": ("{", "}"), "frozenset": ("frozenset({", "})"), "deque": ("deque([", "])"),
             "iterator": ("iter([", "])"), "slice": ("slice(", ")"), "range": ("range(", ")")}
_PAIRS = {"dict": ("{", "}"), "Counter": ("Counter({", "})"), "defaultdict": ("defaultdict({", "})"),
          "OrderedDict": ("OrderedDict({", "})")}
_KINDS = {"f": "float", "i": "int", "u": "uint", "c": "complex", "b": "bool", "M": "datetime", "m": "timedelta"}


class _Enough(Exception):
    """The text is as long as it may be."""


def encoded_text(data: Json, most: int) -> str:
    """The text of an encoded value, or of what pretends to be one, cut after so many characters with an ellipsis."""
    teller = _Teller(most)
    try:
        teller.tell(data, 0)
    except _Enough:
        return "".join(teller.parts)[: most - 3] + "..."
    return "".join(teller.parts)


class _Teller:
    """Writes until there is no room."""

    def __init__(self, most: int) -> None:
        self.parts: list[str] = []
        self.left = most

    def put(self, text: str) -> None:
        """Write a text."""
        self.parts.append(text)
        self.left -= len(text)
        if self.left < 0:
            raise _Enough

    def quoted(self, text: str | bytes) -> None:
        """Write as much of a text in quotes as there is room for."""
        self.put(repr(text[: self.left + 4]))

    def tell(self, data: Json, depth: int) -> None:
        """Write a value."""
        if depth > _DEEPEST:
            self.put("...")
        elif isinstance(data, str):
            self.quoted(data)
        elif isinstance(data, list):
            self.items(data, "[", "]", depth)
        elif isinstance(data, dict):
            self.tagged(data, depth) if isinstance(data.get(TAG), str) else self.pairs(data.items(), "{", "}", depth)
        elif isinstance(data, int) and data.bit_length() > 4000:
            self.put(hex(data))
        else:
            self.put(repr(data))

    def items(self, items: Iterable[Json], begin: str, end: str, depth: int) -> None:
        """Write elements between commas."""
        self.put(begin)
        for number, item in enumerate(items):
            self.put(", " if number else "")
            self.tell(item, depth + 1)
        self.put(end)

    def pairs(self, pairs: Iterable[tuple[Json, Json]], begin: str, end: str, depth: int) -> None:
        """Write keys with their values."""
        self.put(begin)
        for number, (key, value) in enumerate(pairs):
            self.put(", " if number else "")
            self.tell(key, depth + 1)
            self.put(": ")
            self.tell(value, depth + 1)
        self.put(end)

    def tagged(self, data: Mapping[str, Json], depth: int) -> None:
        """Write an object of some type; what has not the form of its type is written as it is stored."""
        tag, value = data[TAG], data.get("v")
        if tag in _BRACKETS and isinstance(value, list):
            begin, end = _BRACKETS[tag]
            if tag == "set" and not value:
                begin, end = "set(", ")"
            self.items(value, begin, ",)" if tag == "tuple" and len(value) == 1 else end, depth)
        elif tag in _PAIRS and isinstance(value, list) and _are_pairs(value):
            self.pairs(value, *_PAIRS[tag], depth)
        elif tag in _TOLD and isinstance(value, str):
            _TOLD[tag](self, value)
        elif tag == "numpy" and isinstance(data.get("dtype"), str):
            self.put(f"np.{_dtype_name(data['dtype'])}(")
            self.tell(value, depth + 1)
            self.put(")")
        elif tag == "Pattern":
            self.put("re.compile(")
            self.tell(value, depth + 1)
            self.put(")")
        else:
            self.others(tag, data, depth)

    def others(self, tag: str, data: Mapping[str, Json], depth: int) -> None:
        """Write an object of any type as a call with its parts."""
        self.put(tag[: self.left + 1] + "(")
        for number, (name, part) in enumerate((name, part) for name, part in data.items() if name != TAG):
            self.put(", " if number else "")
            if name != "v":
                self.put(f"{name[: self.left + 1]}=")
            self.tell(part, depth + 1)
        self.put(")")


def _are_pairs(value: list[Any]) -> bool:
    return all(isinstance(pair, list) and len(pair) == 2 for pair in value)


def _dtype_name(dtype: str) -> str:
    kind, size = _KINDS.get(dtype[1:2], ""), dtype[2:]
    return f"{kind}{8 * int(size)}" if kind and size.isdecimal() and len(size) < 3 and kind != "bool" else dtype[1:20]


def _bytes(teller: _Teller, text: str) -> None:
    try:
        teller.quoted(binascii.a2b_base64(text[: 4 * (teller.left + 4)]))
    except (binascii.Error, ValueError):
        teller.quoted(text)


def _wide(teller: _Teller, text: str) -> None:
    try:
        teller.quoted(bytes.fromhex(text[: 8 * (teller.left + 4)]).decode("utf-32-be", "surrogatepass"))
    except ValueError:
        teller.quoted(text)


_TOLD: dict[str, Callable[[_Teller, str], None]] = {
    "int": lambda teller, text: teller.put(text[: teller.left + 1]),
    "float": lambda teller, text: teller.put(text[: teller.left + 1]),
    "function": lambda teller, text: teller.put(text[: teller.left + 1]),
    "type": lambda teller, text: teller.put(text[: teller.left + 1]),
    "str": _wide,
    "bytes": _bytes,
}
