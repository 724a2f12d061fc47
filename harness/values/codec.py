"""The core of the codec: one walk over a value that encodes it, one over JSON that decodes it, and what both ask.

What there is for each type, `Codecs`, is `register`ed by the package; this module knows the types of JSON alone. It and
its neighbours that it serves need nothing of this project, because the process that runs an answer loads them alone,
and import next to nothing at first: a value of a library can only be there when the library is, and decoding imports
what it meets.
"""

from __future__ import annotations

import _json
import math
import sys
from _collections_abc import Iterator, MappingView

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, TypeAlias

    Json: TypeAlias = Any
    Simple: TypeAlias = Callable[[Any], Json]
    Container: TypeAlias = Callable[["Encoder", Any, int], Json]
    Decoder: TypeAlias = Callable[[Json, int], Any]
    Library: TypeAlias = Callable[[type], Container | None]

TAG = "$"
MAX_DEPTH = 100
MAX_NODES = 2_000_000
MAX_BYTES = 32 * 1024**2
EXACT_INT = 2**53
"""Ints from here on are carried as texts, since some readers of JSON have floats alone."""
_NONE: dict[Any, Any] = {}


class NotEncodable(ValueError):
    """The value can't be carried; the message says why, in words that follow "because it holds"."""


class NotDecodable(ValueError):
    """The JSON is not what `encode` gives."""


class Codecs:
    """What there is for some kind of types.

    Encoders stand under their type, or under its library's and its own name where it may not be there yet; those of
    `simple` types hold no other values. `libraries` give by type the encoders of what is defined there. `others` has a
    form for some values of whatever type, None for all else. Decoders stand under the tag of what they read.
    """

    __slots__ = ("containers", "decoders", "libraries", "named_containers", "named_simple", "others", "simple")

    def __init__(
        self, decoders: dict[str, Decoder], simple: dict[type, Simple] = _NONE,
        named_simple: dict[str, Simple] = _NONE, containers: dict[type, Container] = _NONE,
        named_containers: dict[str, Container] = _NONE, libraries: dict[str, Library] = _NONE,
        others: Simple | None = None,
    ) -> None:
        self.simple, self.named_simple, self.libraries, self.others = simple, named_simple, libraries, others
        self.containers, self.named_containers, self.decoders = containers, named_containers, decoders


def register(codecs: Codecs) -> None:
    """Take in what there is for some kind of types."""
    _SIMPLE.update(codecs.simple)
    _NAMED_SIMPLE.update(codecs.named_simple)
    _CONTAINERS.update(codecs.containers)
    _NAMED_CONTAINERS.update(codecs.named_containers)
    _LIBRARIES.update(codecs.libraries)
    _DECODERS.update(codecs.decoders)
    if codecs.others is not None:
        _OTHERS.append(codecs.others)


def tags() -> list[str]:
    """The tags that can be decoded, in order."""
    return sorted(_DECODERS)


PLAIN = frozenset([bool, int, float, str, type(None)])
"""The types of JSON's values that stand for themselves, wherever they are."""


def encode(value: Any, iterators: int = 0, bases: bool = False) -> Json:
    """The JSON of a value; raises `NotEncodable`.

    `iterators` is how many items an iterator inside the value may give: it is emptied, and carried as `Iterated`.
    With 0 there may be no iterators. With `bases`, a value of a subclass of a built-in type (a named tuple, a member of
    an `IntEnum`) is carried as the plain value that it is equal to, and a defaultdict whose default comes from code as
    a dict.
    """
    kind = type(value)
    if value is None or kind is bool or (kind is int and -EXACT_INT < value < EXACT_INT):
        return value
    return Encoder(iterators, bases).encode(value, 0)


def decode(data: Json) -> Any:
    """The value of what `encode` gave; raises `NotDecodable`, whatever the JSON is."""
    if type(data) in PLAIN:
        return data
    try:
        return decode_part(data, 0)
    except NotDecodable:
        raise
    except Exception as error:
        raise NotDecodable(f"{type(error).__name__}: {error}") from None


def canonical(data: Json) -> str:
    """One text per encoded value; the order of keys stays, since it is part of a value."""
    return "".join(_pieces(data, 0))


def _refused(data: Any) -> Any:
    raise TypeError(f"{type(data).__name__} is no JSON")


_pieces: Callable[[Json, int], Iterable[str]] = _json.make_encoder(
    None, _refused, _json.encode_basestring_ascii, None, ":", ",", False, False, False
)
"""What `json.JSONEncoder` makes anew for each value, which takes longer than to write most of them.

The module `json` itself is not imported: together with what it imports, that takes a third of the start of a process.
"""


class Encoder:
    """One walk over a value: how many nodes and bytes it has had, and which containers it is inside of."""

    __slots__ = ("bases", "bytes", "iterators", "nodes", "open")

    def __init__(self, iterators: int, bases: bool):
        self.iterators = iterators
        self.bases = bases
        self.nodes = 0
        self.bytes = 0
        self.open: set[int] = set()

    def encode(self, value: Any, depth: int) -> Json:
        """The JSON of a value at a depth."""
        kind = type(value)
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise NotEncodable(f"more than {MAX_NODES} values")
        if kind is str:
            return self.text(value)
        if value is None or kind is bool or (kind is int and -EXACT_INT < value < EXACT_INT):
            return value
        if kind is float:
            return value if math.isfinite(value) else {TAG: "float", "v": repr(value)}
        if kind is tuple or kind is list:
            # What `nested` does, without two calls for each of the most frequent containers.
            if depth >= MAX_DEPTH or id(value) in self.open:
                return self.nested(value, _CONTAINERS[kind], depth)
            self.open.add(id(value))
            items = self.each(value, depth + 1)
            self.open.discard(id(value))
            return items if kind is list else {TAG: "tuple", "v": items}
        container = _CONTAINERS.get(kind)
        if container is None:
            simple = _SIMPLE.get(kind) or _named(kind, _NAMED_SIMPLE)
            if simple is not None:
                data = simple(value)
                self.count(data.get("v"))
                return data
            container = _named(kind, _NAMED_CONTAINERS) or _foreign(kind)
        if container is None:
            return self.other(value, kind, depth)
        return self.nested(value, container, depth)

    def nested(self, value: Any, container: Container, depth: int) -> Json:
        """The JSON of a container, which may not hold itself."""
        if depth >= MAX_DEPTH:
            raise NotEncodable(f"more than {MAX_DEPTH} levels")
        if id(value) in self.open:
            raise NotEncodable("a cycle")
        self.open.add(id(value))
        try:
            return container(self, value, depth + 1)
        finally:
            self.open.discard(id(value))

    def other(self, value: Any, kind: type, depth: int) -> Json:
        """The JSON of what has no encoder by its type."""
        if isinstance(value, (Iterator, MappingView)):
            if not self.iterators:
                raise NotEncodable(f"an iterator ({kind.__name__})")
            items: list[Json] = []
            for item in iter(value):  # type: ignore[arg-type]
                if len(items) >= self.iterators:
                    raise NotEncodable(f"an iterator ({kind.__name__}) that gives more than {self.iterators} items")
                items.append(self.encode(item, depth + 1))
            return {TAG: "iterator", "v": items}
        for others in _OTHERS:
            data = others(value)
            if data is not None:
                return data
        for base, plain in _BASES.items() if self.bases else ():
            if any(one is base for one in _mro(kind)):
                return self.encode(plain(value), depth)
        raise NotEncodable(why_not(value, kind))

    def text(self, value: str) -> Json:
        """The JSON of a text, by its code points where UTF-8 has none for them."""
        self.count(value)
        if value.isascii():
            return value
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            return {TAG: "str", "v": value.encode("utf-32-be", "surrogatepass").hex()}
        return value

    def count(self, text: Any) -> None:
        """Take in the length of a text; raises `NotEncodable` where that makes too many bytes."""
        if isinstance(text, str):
            self.bytes += len(text)
            if self.bytes > MAX_BYTES:
                raise NotEncodable(f"more than {MAX_BYTES} bytes")

    def each(self, items: Iterable[Any], depth: int) -> list[Json]:
        """The JSON of each of some values."""
        made: list[Json] = []
        for item in items:
            # Most items are numbers and texts, which are done here: a call for each would take several times as long.
            kind = type(item)
            if kind is str and item.isascii():
                self.bytes += len(item)
                self.nodes += 1
                made.append(item)
            elif (kind is int and -EXACT_INT < item < EXACT_INT) or (kind is float and math.isfinite(item)):
                self.nodes += 1
                made.append(item)
            else:
                made.append(self.encode(item, depth))
        if self.nodes > MAX_NODES:
            raise NotEncodable(f"more than {MAX_NODES} values")
        self.count("")
        return made

    def pairs(self, value: Any, depth: int) -> list[Json]:
        """The JSON of keys with their values, in their order."""
        return [[self.encode(k, depth), self.encode(v, depth)] for k, v in value.items()]

    def mapping(self, value: dict[Any, Any], depth: int) -> Json:
        """The JSON of a dict: an object where its keys are plain texts."""
        for key in value:
            if type(key) is not str or key == TAG or not key.isascii():
                return {TAG: "dict", "v": self.pairs(value, depth)}
        self.count("".join(value))
        return dict(zip(value, self.each(value.values(), depth), strict=True))


_ALL = slice(None)
_mro = type.__dict__["__mro__"].__get__
_BASES: dict[type, Callable[[Any], Any]] = {
    int: int.__pos__, float: float.__pos__, complex: complex.__pos__, str: str.__str__,
    bytes: lambda value: bytes.__getitem__(value, _ALL), bytearray: lambda value: bytearray.__getitem__(value, _ALL),
    tuple: lambda value: tuple.__getitem__(value, _ALL), list: lambda value: list.__getitem__(value, _ALL),
    dict: lambda value: dict(dict.items(value)), set: lambda value: set(set.__iter__(value)),
    frozenset: lambda value: frozenset(frozenset.__iter__(value)),
}
"""The plain value in a value of a subclass, by methods that the subclass has no part in."""


def _named(kind: type, table: dict[str, Any]) -> Any:
    """What a table says of a type; the name must really be that type's, whatever the type says of itself."""
    found = table.get(f"{kind.__module__.partition('.')[0]}.{kind.__qualname__}")
    module = sys.modules.get(kind.__module__)
    return found if found is not None and getattr(module, kind.__name__, None) is kind else None


def why_not(value: Any, kind: type) -> str:
    """What a value is that can't be carried."""
    name = kind.__qualname__
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        return f"a named tuple ({name})"
    if any(base.__module__ == "enum" for base in kind.__mro__):
        return f"a member of an enum ({name})"
    for base in (bool, int, float, str, bytes, list, tuple, dict, set, frozenset):
        if isinstance(value, base):
            return f"a subclass of {base.__name__} ({name})"
    if isinstance(value, type):
        return f"a class ({value.__qualname__})"
    if callable(value) and hasattr(value, "__name__"):
        return "a function"
    return f"an object of {kind.__module__}.{name}"


def tagged(tag: str, text: Callable[[Any], str] = str) -> Simple:
    """The encoder that puts a text of the value under a tag."""
    return lambda value: {TAG: tag, "v": text(value)}


def _foreign(kind: type) -> Container | None:
    """The encoder of a type of a library that is there, None for other types; none is imported for it."""
    name = kind.__module__.partition(".")[0]
    library = _LIBRARIES.get(name)
    return None if library is None or name not in sys.modules else library(kind)


def decode_part(data: Json, depth: int) -> Any:
    """The value of a part of what is decoded."""
    if depth > 4 * MAX_DEPTH:
        raise NotDecodable("too deep")
    kind = type(data)
    if kind is list:
        return [item if type(item) in PLAIN else decode_part(item, depth + 1) for item in data]
    if kind is dict:
        tag = data.get(TAG)
        if tag is None:
            plain = PLAIN
            return {key: one if type(one) in plain else decode_part(one, depth + 1) for key, one in data.items()}
        decoder = _DECODERS.get(tag) if type(tag) is str else None
        if decoder is None:
            raise NotDecodable(f"unknown type {tag!r}")
        return decoder(data, depth + 1)
    if kind in PLAIN:
        return data
    raise NotDecodable(f"{kind.__name__} is no JSON")


def items_of(data: Json, depth: int) -> list[Any]:
    """The values in the list that a tagged object holds."""
    if type(data["v"]) is not list:
        raise NotDecodable(f"{data[TAG]} needs a list")
    return [item if type(item) in PLAIN else decode_part(item, depth) for item in data["v"]]


def pairs_of(data: Json, depth: int) -> list[tuple[Any, Any]]:
    """The keys and values in the list of pairs that a tagged object holds."""
    return [(decode_part(key, depth), decode_part(value, depth)) for key, value in data["v"]]


def ints_of(data: Json, depth: int, count: int) -> list[int]:
    """The items in a tagged object, which must be so many ints.

    What takes ints often takes texts too, and some of those never end.
    """
    items = items_of(data, depth)
    if len(items) != count or any(type(item) is not int for item in items):
        raise NotDecodable(f"{data[TAG]} needs {count} ints")
    return items


def text_of(text: Json) -> str:
    """What must be a text."""
    if type(text) is not str:
        raise NotDecodable("a text is missing")
    return text


_SIMPLE: dict[type, Simple] = {}
_NAMED_SIMPLE: dict[str, Simple] = {}
_CONTAINERS: dict[type, Container] = {
    list: lambda e, value, depth: e.each(value, depth),
    dict: lambda e, value, depth: e.mapping(value, depth),
    tuple: lambda e, value, depth: {TAG: "tuple", "v": e.each(value, depth)},
}
_NAMED_CONTAINERS: dict[str, Container] = {}
_LIBRARIES: dict[str, Library] = {}
_OTHERS: list[Simple] = []
_DECODERS: dict[str, Decoder] = {
    "float": lambda data, _: {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}[data["v"]],
    "str": lambda data, _: bytes.fromhex(data["v"]).decode("utf-32-be", "surrogatepass"),
}
