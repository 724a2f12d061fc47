"""The value codec: `decode(encode(x))` is `x`, type included, or `encode` refuses with a reason.

Plain JSON stands for None, bool, small int, finite float, str, list, and dict with text keys. Everything else is an
object with the key "$", which names the type. The file needs nothing of this project, because the process that runs
an answer loads it alone, and imports next to nothing at first: a value of a library can only be there when the library
is, and decoding imports what it meets.
"""

from __future__ import annotations

import _operator
import binascii
import json
import math
import sys
from _collections_abc import Iterator, MappingView

TYPE_CHECKING = False
if TYPE_CHECKING:
    import datetime
    import re
    from collections.abc import Callable, Iterable
    from typing import Any, TypeAlias

    Json: TypeAlias = Any
    Simple: TypeAlias = Callable[[Any], Json]
    Container: TypeAlias = Callable[["_Encoder", Any, int], Json]
    Decoder: TypeAlias = Callable[[Json, int], Any]

TAG = "$"
MAX_DEPTH = 100
MAX_NODES = 2_000_000
MAX_BYTES = 32 * 1024**2
MAX_PATTERN = 1_000
"""Characters of a regular expression: some take the compiler milliseconds for each."""
PATTERN_FLAGS = 0b1_0111_1110
"""IGNORECASE, LOCALE, MULTILINE, DOTALL, UNICODE, VERBOSE and ASCII; compiling with DEBUG prints."""
_EXACT_INT = 2**53


class NotEncodable(ValueError):
    """The value can't be carried; the message says why, in words that follow "because it holds"."""


class NotDecodable(ValueError):
    """The JSON is not what `encode` gives."""


class Iterated:
    """What an iterator or a view gave, in order: the plain value that stands for it."""

    __slots__ = ("items",)

    def __init__(self, items: tuple[Any, ...]):
        self.items = items

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Iterated) and self.items == other.items

    def __hash__(self) -> int:
        return hash(self.items)

    def __repr__(self) -> str:
        return f"Iterated({self.items!r})"


_PLAIN = frozenset([bool, int, float, str, type(None)])
"""The types of JSON's values that stand for themselves, wherever they are."""


def encode(value: Any, iterators: int = 0, bases: bool = False) -> Json:
    """The JSON of a value; raises `NotEncodable`.

    `iterators` is how many items an iterator inside the value may give: it is emptied, and carried as `Iterated`.
    With 0 there may be no iterators. With `bases`, a value of a subclass of a built-in type (a named tuple, a member of
    an `IntEnum`) is carried as the plain value that it is equal to, and a defaultdict whose default comes from code as
    a dict.
    """
    kind = type(value)
    if value is None or kind is bool or (kind is int and -_EXACT_INT < value < _EXACT_INT):
        return value
    return _Encoder(iterators, bases).encode(value, 0)


def decode(data: Json) -> Any:
    """The value of what `encode` gave; raises `NotDecodable`, whatever the JSON is."""
    if type(data) in _PLAIN:
        return data
    try:
        return _decode(data, 0)
    except NotDecodable:
        raise
    except Exception as error:
        raise NotDecodable(f"{type(error).__name__}: {error}") from None


def canonical(data: Json) -> str:
    """One text per encoded value; the order of keys stays, since it is part of a value."""
    return "".join(_pieces(data, 0))


def _refused(data: Any) -> Any:
    raise TypeError(f"{type(data).__name__} is no JSON")


_pieces: Callable[[Json, int], Iterable[str]] = json.encoder.c_make_encoder(  # type: ignore[attr-defined]
    None, _refused, json.encoder.encode_basestring_ascii, None, ":", ",", False, False, False
)
"""What `json.JSONEncoder` makes anew for each value, which takes longer than to write most of them."""


FUNCTIONS: dict[str, Any] = {
    **{kind.__name__: kind for kind in (bool, bytes, dict, float, frozenset, int, list, set, str, tuple)},
    **{f.__name__: f for f in (abs, all, any, ascii, chr, len, max, min, ord, repr, reversed, round, sorted, sum)},
    **{f"str.{name}": getattr(str, name) for name in (
        "capitalize", "casefold", "isdigit", "isidentifier", "isupper", "lower", "lstrip", "split", "strip", "swapcase",
        "title", "upper",
    )},
    **{f"operator.{name}": getattr(_operator, name) for name in (
        "add", "concat", "eq", "ge", "gt", "le", "lt", "mul", "ne", "neg", "not_", "sub", "truth",
    )},
}
"""The functions that a value may be, by the names under which they are carried: pure ones, which do nothing else."""
_FUNCTION_NAMES = {id(function): name for name, function in FUNCTIONS.items()}

NUMBER_TYPES = (
    *(f"float{bits}" for bits in (16, 32, 64)), *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)),
    "complex64", "complex128", "bool", "str_", "bytes_", "object_", "datetime64", "timedelta64",
)  # fmt: skip
"""The types of NumPy's numbers that are carried by name, as pure functions are."""


def _number_type(value: Any) -> str:
    """The name under which a type of NumPy's numbers is carried, "" for everything else."""
    numpy = sys.modules.get("numpy")
    known = isinstance(value, type) and numpy is not None
    return next((f"numpy.{name}" for name in NUMBER_TYPES if known and getattr(numpy, name, None) is value), "")


def _to_function(data: Json, depth: int) -> Any:
    module, _, name = _expect_text(data["v"]).rpartition(".")
    if module == "numpy" and name in NUMBER_TYPES:
        import numpy as np

        return getattr(np, name)
    return FUNCTIONS[data["v"]]


TYPES: dict[str, Any] = {
    kind.__name__: kind for kind in (
        bool, bytearray, bytes, complex, dict, float, frozenset, int, list, object, set, str, tuple, type, type(None),
        Exception, IndexError, KeyError, LookupError, OSError, RuntimeError, TypeError, ValueError,
    )
}
"""The classes that a value may be, by name; those that are among `FUNCTIONS` too are carried as these."""
LIBRARY_TYPES = (
    "datetime.date", "datetime.datetime", "datetime.timedelta", "decimal.Decimal", "fractions.Fraction",
    "collections.OrderedDict", "typing.Any",
)  # fmt: skip
GENERICS = (
    "dict", "frozenset", "list", "set", "tuple", "type", "typing.Dict", "typing.FrozenSet", "typing.Iterable",
    "typing.List", "typing.Mapping", "typing.Sequence", "typing.Set", "typing.Tuple", "typing.Type",
)  # fmt: skip
"""What takes types in brackets; `|`, `typing.Union`, `typing.Literal` and `typing.Annotated` do besides."""
MAX_TYPE_DEPTH, MAX_TYPE_PARTS = 4, 8
_TYPE_NAMES = {id(kind): name for name, kind in TYPES.items()}
_ALIAS, _UNION = type(list[int]), type(int | None)
_SCALARS = (str, int, bool, type(None))


def type_tree(value: Any, depth: int = 0) -> Json:
    """A class or a type with types in brackets as a name or a list that begins with one; None for all else."""
    if id(value) in _TYPE_NAMES:
        return _TYPE_NAMES[id(value)]
    if value is Ellipsis:
        return "..." if depth else None
    typing = sys.modules.get("typing")
    for name in LIBRARY_TYPES:
        module, _, own = name.rpartition(".")
        if getattr(sys.modules.get(module), own, type_tree) is value:
            return name
    kind = type(value)
    if depth >= MAX_TYPE_DEPTH or kind.__module__ not in ("types", "typing"):
        return None
    special = {f"_{name}GenericAlias": f"typing.{name}" for name in ("Union", "Literal")}
    if kind is _ALIAS:
        head = _TYPE_NAMES.get(id(value.__origin__), "")
    elif kind is _UNION:
        head = "|"
    elif kind is getattr(typing, "_AnnotatedAlias", None):
        inner = type_tree(value.__origin__, depth + 1)
        plain = all(type(one) in _SCALARS for one in value.__metadata__)
        return ["typing.Annotated", inner, *value.__metadata__] if inner is not None and plain else None
    elif kind is getattr(typing, kind.__name__, None):
        head = special.get(kind.__name__, f"typing.{getattr(value, '_name', '')}")
    else:
        return None
    if head == "typing.Literal":
        return [head, *value.__args__] if all(type(one) in _SCALARS for one in value.__args__) else None
    inside = getattr(value, "__args__", ())
    if head not in (*GENERICS, *special.values(), "|") or not 0 < len(inside) <= MAX_TYPE_PARTS:
        return None
    parts = [type_tree(one, depth + 1) for one in inside]
    return None if None in parts else [head, *parts]


def _to_type(data: Json, depth: int) -> Any:
    return _type_of(data["v"], 0)


def _type_of(tree: Json, depth: int) -> Any:
    if type(tree) is str:
        if tree == "..." and depth:
            return ...
        module, _, own = tree.rpartition(".")
        return getattr(__import__(module, fromlist=[own]), own) if tree in LIBRARY_TYPES else TYPES[tree]
    if type(tree) is not list or depth >= MAX_TYPE_DEPTH or not 1 < len(tree) <= MAX_TYPE_PARTS + 1:
        raise NotDecodable("a type is a name or a list of a few types")
    head, *rest = tree
    if head in ("typing.Literal", "typing.Annotated"):
        import typing

        scalars = rest if head == "typing.Literal" else rest[1:]
        if not all(type(one) in _SCALARS for one in scalars):
            raise NotDecodable(f"{head} holds texts and numbers")
        if head == "typing.Literal":
            return typing.Literal[tuple(rest)]
        return typing.Annotated[(_type_of(rest[0], depth + 1), *scalars)]
    parts = [_type_of(one, depth + 1) for one in rest]
    if head == "|":
        made = parts[0]
        for one in parts[1:]:
            made = made | one
        return made
    if head not in (*GENERICS, "typing.Union"):
        raise NotDecodable(f"unknown type {head!r}")
    name = head.removeprefix("typing.")
    owner = TYPES[name] if name == head else getattr(__import__("typing"), name)
    return owner[tuple(parts) if len(parts) > 1 else parts[0]]


# Encoding


class _Encoder:
    """One walk over a value: how many nodes and bytes it has had, and which containers it is inside of."""

    __slots__ = ("bases", "bytes", "iterators", "nodes", "open")

    def __init__(self, iterators: int, bases: bool):
        self.iterators = iterators
        self.bases = bases
        self.nodes = 0
        self.bytes = 0
        self.open: set[int] = set()

    def encode(self, value: Any, depth: int) -> Json:
        kind = type(value)
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise NotEncodable(f"more than {MAX_NODES} values")
        if kind is str:
            return self.text(value)
        if value is None or kind is bool or (kind is int and -_EXACT_INT < value < _EXACT_INT):
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
        if isinstance(value, (Iterator, MappingView)):
            if not self.iterators:
                raise NotEncodable(f"an iterator ({kind.__name__})")
            items: list[Json] = []
            for item in iter(value):  # type: ignore[arg-type]
                if len(items) >= self.iterators:
                    raise NotEncodable(f"an iterator ({kind.__name__}) that gives more than {self.iterators} items")
                items.append(self.encode(item, depth + 1))
            return {TAG: "iterator", "v": items}
        name = _FUNCTION_NAMES.get(id(value)) or _number_type(value)
        if name:
            return {TAG: "function", "v": name}
        tree = type_tree(value)
        if tree is not None:
            return {TAG: "type", "v": tree}
        for base, plain in _BASES.items() if self.bases else ():
            if any(one is base for one in _mro(kind)):
                return self.encode(plain(value), depth)
        raise NotEncodable(_why_not(value, kind))

    def text(self, value: str) -> Json:
        self.count(value)
        if value.isascii():
            return value
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            return {TAG: "str", "v": value.encode("utf-32-be", "surrogatepass").hex()}
        return value

    def count(self, text: Any) -> None:
        if isinstance(text, str):
            self.bytes += len(text)
            if self.bytes > MAX_BYTES:
                raise NotEncodable(f"more than {MAX_BYTES} bytes")

    def each(self, items: Iterable[Any], depth: int) -> list[Json]:
        made: list[Json] = []
        for item in items:
            # Most items are numbers and texts, which are done here: a call for each would take several times as long.
            kind = type(item)
            if kind is str and item.isascii():
                self.bytes += len(item)
                self.nodes += 1
                made.append(item)
            elif (kind is int and -_EXACT_INT < item < _EXACT_INT) or (kind is float and math.isfinite(item)):
                self.nodes += 1
                made.append(item)
            else:
                made.append(self.encode(item, depth))
        if self.nodes > MAX_NODES:
            raise NotEncodable(f"more than {MAX_NODES} values")
        self.count("")
        return made

    def pairs(self, value: Any, depth: int) -> list[Json]:
        return [[self.encode(k, depth), self.encode(v, depth)] for k, v in value.items()]

    def mapping(self, value: dict[Any, Any], depth: int) -> Json:
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


def _why_not(value: Any, kind: type) -> str:
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


def _int(value: int) -> Json:
    text = hex(value) if value.bit_length() > 3000 else str(value)
    return {TAG: "int", "v": text}


def _complex(value: complex) -> Json:
    return {TAG: "complex", "v": [_number(value.real), _number(value.imag)]}


def _number(value: float) -> Json:
    return value if math.isfinite(value) else {TAG: "float", "v": repr(value)}


def _base64(data: bytes) -> str:
    return binascii.b2a_base64(data, newline=False).decode("ascii")


def _zone(zone: datetime.tzinfo | None) -> Json:
    """A time zone: seconds from UTC with the name that it was given, or the key of the zone database."""
    if zone is None:
        return None
    kind = type(zone)
    if (kind.__module__, kind.__name__) == ("datetime", "timezone"):
        offset, *name = zone.__getinitargs__()  # type: ignore[attr-defined]
        return {"offset": _delta(offset), "name": name[0] if name else None}
    key = getattr(zone, "key", None)
    if (kind.__module__, kind.__name__) == ("zoneinfo", "ZoneInfo") and key:
        return {"key": key}
    raise NotEncodable(f"a time zone of {kind.__module__}.{kind.__qualname__}")


def _delta(value: datetime.timedelta) -> list[int]:
    return [value.days, value.seconds, value.microseconds]


def _moment(value: datetime.datetime | datetime.time) -> Json:
    data: Json = {TAG: type(value).__name__, "v": value.isoformat()}
    if value.tzinfo is not None:
        data["zone"] = _zone(value.tzinfo)
    if value.fold:
        data["fold"] = value.fold
    return data


def _tagged(tag: str, text: Callable[[Any], str] = str) -> Callable[[Any], Json]:
    return lambda value: {TAG: tag, "v": text(value)}


def _read_back(tag: str) -> Callable[[Any], Json]:
    """A value as its text, where that text is read as the same value: some paths of Windows have others."""
    def encoder(value: Any) -> Json:
        if str(type(value)(str(value))) != str(value):
            raise NotEncodable(f"a {tag} whose text stands for another one")
        return {TAG: tag, "v": str(value)}

    return encoder


def _range(value: range) -> Json:
    return {TAG: "range", "v": [encode(n) for n in (value.start, value.stop, value.step)]}


def _flags(value: int) -> Json:
    if not -_EXACT_INT < value < _EXACT_INT:
        raise NotEncodable("flags of regular expressions with huge bits")
    return {TAG: "RegexFlag", "v": int(value)}


_TEXTUAL = {
    "Decimal": "decimal", "UUID": "uuid",
    **dict.fromkeys(("PurePosixPath", "PureWindowsPath", "PosixPath", "WindowsPath"), "pathlib"),
    **{f"IPv{v}{kind}": "ipaddress" for v in (4, 6) for kind in ("Address", "Network", "Interface")},
}
"""Types whose values are a text and back, by name, and the module of each."""

_SIMPLE: dict[type, Simple] = {
    int: _int,
    complex: _complex,
    bytes: _tagged("bytes", _base64),
    bytearray: _tagged("bytearray", _base64),
    range: _range,
    type(...): lambda _: {TAG: "ellipsis"},
}

_NAMED_SIMPLE: dict[str, Simple] = {
    "datetime.date": _tagged("date", lambda value: str(value.isoformat())),
    "datetime.time": _moment,
    "datetime.datetime": _moment,
    "datetime.timedelta": lambda value: {TAG: "timedelta", "v": _delta(value)},
    "datetime.timezone": lambda value: {TAG: "timezone", "v": _zone(value)},
    "zoneinfo.ZoneInfo": lambda value: {TAG: "timezone", "v": _zone(value)},
    "fractions.Fraction": lambda value: {TAG: "Fraction", "v": [encode(value.numerator), encode(value.denominator)]},
    "re.RegexFlag": _flags,
    **{f"{module}.{name}": _tagged(name) for name, module in _TEXTUAL.items()},
    "pathlib.PureWindowsPath": _read_back("PureWindowsPath"),
}


def _sorted(encoder: _Encoder, value: Iterable[Any], depth: int) -> list[Json]:
    return sorted(encoder.each(value, depth), key=canonical)


def _ordered(encoder: _Encoder, value: Any, depth: int) -> Json:
    return {TAG: "OrderedDict", "v": encoder.pairs(value, depth)}


def _counter(encoder: _Encoder, value: Any, depth: int) -> Json:
    return {TAG: "Counter", "v": encoder.pairs(value, depth)}


_FACTORIES = {kind.__name__: kind for kind in (int, float, str, bool, list, dict, set, frozenset, tuple)}


def _defaultdict(encoder: _Encoder, value: Any, depth: int) -> Json:
    factory = value.default_factory
    if factory is not None and not any(factory is known for known in _FACTORIES.values()):
        if encoder.bases:
            return encoder.mapping(value, depth)
        raise NotEncodable("a defaultdict whose default comes from code")
    return {TAG: "defaultdict", "factory": factory and factory.__name__, "v": encoder.pairs(value, depth)}


def _deque(encoder: _Encoder, value: Any, depth: int) -> Json:
    return {TAG: "deque", "maxlen": value.maxlen, "v": encoder.each(value, depth)}


def _slice(encoder: _Encoder, value: slice, depth: int) -> Json:
    return {TAG: "slice", "v": encoder.each((value.start, value.stop, value.step), depth)}


def _pattern(encoder: _Encoder, value: re.Pattern[Any], depth: int) -> Json:
    if type(value.pattern) not in (str, bytes) or len(value.pattern) > MAX_PATTERN:
        raise NotEncodable(f"a regular expression that is no text of at most {MAX_PATTERN} characters")
    if value.flags & ~PATTERN_FLAGS:
        raise NotEncodable(f"a regular expression with the flags {value.flags}")
    return {TAG: "Pattern", "flags": value.flags, "v": encoder.encode(value.pattern, depth)}


_CONTAINERS: dict[type, Container] = {
    list: lambda e, value, depth: e.each(value, depth),
    dict: lambda e, value, depth: e.mapping(value, depth),
    tuple: lambda e, value, depth: {TAG: "tuple", "v": e.each(value, depth)},
    set: lambda e, value, depth: {TAG: "set", "v": _sorted(e, value, depth)},
    frozenset: lambda e, value, depth: {TAG: "frozenset", "v": _sorted(e, value, depth)},
    Iterated: lambda e, value, depth: {TAG: "iterator", "v": e.each(value.items, depth)},
    slice: _slice,
}

_NAMED_CONTAINERS: dict[str, Container] = {
    "collections.OrderedDict": _ordered,
    "collections.Counter": _counter,
    "collections.defaultdict": _defaultdict,
    "collections.deque": _deque,
    "re.Pattern": _pattern,
}


# NumPy

_PLAIN_KINDS = "biufcmMUS"


def _foreign(kind: type) -> Container | None:
    """The encoder of a type of NumPy, pandas or SciPy, None for other types; none is imported for it."""
    library = kind.__module__.partition(".")[0]
    if library not in ("numpy", "pandas", "scipy") or library not in sys.modules:
        return None
    if library == "scipy":
        return _sparse if _is_sparse(kind) else None
    known = _numpy_types() if library == "numpy" else _pandas_types()
    for base, container in known.items():
        if kind is base:
            return container
    if library == "numpy" and issubclass(kind, sys.modules["numpy"].generic):
        return _numpy_scalar
    return _dtype if library == "numpy" and issubclass(kind, sys.modules["numpy"].dtype) else None


def _numpy_types() -> dict[type, Container]:
    import numpy as np

    masked = sys.modules.get("numpy.ma")
    if masked is None:
        return {np.ndarray: _array}
    hidden = {type(masked.masked): lambda *_: {TAG: "masked value"}}
    return {np.ndarray: _array, masked.MaskedArray: _masked_array, **hidden}


def _masked_array(encoder: _Encoder, value: Any, depth: int) -> Json:
    """The numbers, those that are hidden included, and where they are hidden; None where there is no mask."""
    import numpy as np

    if value.dtype.kind == "O" or value.hardmask:
        raise NotEncodable("a masked array of objects, or with a hard mask")
    mask = None if value.mask is np.ma.nomask else _array(encoder, np.asarray(value.mask), depth)
    fill = value.fill_value if value._fill_value is not None else None
    parts = {"fill": encoder.encode(fill, depth), "mask": mask, "v": _array(encoder, np.asarray(value.data), depth)}
    return {TAG: "MaskedArray", **parts}


def _dtype(encoder: _Encoder, value: Any, depth: int) -> Json:
    return {TAG: "dtype", "v": _dtype_text(value)}


def _dtype_text(dtype: Any) -> str:
    """The text of a dtype that has one on every machine."""
    text: str = dtype.str
    if dtype.names or dtype.subdtype or dtype.kind not in _PLAIN_KINDS + "O" or text[1:] in ("f16", "c32"):
        raise NotEncodable(f"a NumPy value of type {dtype}")
    return text


def _array(encoder: _Encoder, value: Any, depth: int) -> Json:
    data = {TAG: "ndarray", "dtype": _dtype_text(value.dtype), "shape": list(value.shape)}
    if value.dtype.kind == "O":
        return {**data, "v": encoder.each(value.ravel(order="C").tolist(), depth)}
    if value.nbytes > MAX_BYTES:
        raise NotEncodable(f"an array of more than {MAX_BYTES} bytes")
    text = _base64(value.tobytes(order="C"))
    encoder.count(text)
    return {**data, "v": text}


def _numpy_scalar(encoder: _Encoder, value: Any, depth: int) -> Json:
    if type(value) is not value.dtype.type:
        raise NotEncodable(_why_not(value, type(value)))
    text = _dtype_text(value.dtype)
    item = str(value.view("i8")) if value.dtype.kind in "mM" else encoder.encode(value.item(), depth)
    return {TAG: "numpy", "dtype": text, "v": item}


# pandas


def _pandas_types() -> dict[type, Container]:
    import pandas as pd

    found: dict[type, Container] = {
        pd.Series: _series, pd.DataFrame: _frame, pd.Timestamp: _timestamp, pd.Timedelta: _timedelta,
        pd.MultiIndex: _multi_index, pd.RangeIndex: _range_index,
        type(pd.NaT): lambda *_: {TAG: "NaT"}, type(pd.NA): lambda *_: {TAG: "NA"},
    }
    found |= {pd.Interval: _interval, pd.Period: _period}
    indexes = pd.Index, pd.DatetimeIndex, pd.TimedeltaIndex, pd.CategoricalIndex, pd.IntervalIndex, pd.PeriodIndex
    found |= dict.fromkeys(indexes, _index)
    arrays = pd.Categorical, pd.arrays.IntervalArray, pd.arrays.PeriodArray
    found |= dict.fromkeys(arrays, _column)
    dtypes = pd.StringDtype, pd.CategoricalDtype, pd.DatetimeTZDtype, pd.IntervalDtype, pd.PeriodDtype
    found |= dict.fromkeys((*dtypes, *(type(pd.api.types.pandas_dtype(name)) for name in _MASKED)), _column_type)
    return found


def _interval(encoder: _Encoder, value: Any, depth: int) -> Json:
    return {TAG: "Interval", "closed": value.closed, "v": encoder.each((value.left, value.right), depth)}


def _period(encoder: _Encoder, value: Any, depth: int) -> Json:
    return {TAG: "Period", "freq": value.freqstr, "v": str(value.ordinal)}


def _column_type(encoder: _Encoder, dtype: Any, depth: int) -> Json:
    """The type of a column, where it is none of NumPy's, by what makes it up."""
    data: Json = {TAG: "pandas dtype", "name": type(dtype).name if dtype.name in _MASKED else type(dtype).__name__}
    if data["name"] == "StringDtype":
        return {**data, "storage": dtype.storage, "missing": _missing(dtype)}
    if data["name"] == "CategoricalDtype":
        categories = None if dtype.categories is None else encoder.encode(dtype.categories, depth)
        return {**data, "ordered": dtype.ordered, "categories": categories}
    if data["name"] == "DatetimeTZDtype":
        return {**data, "unit": dtype.unit, "zone": _zone(dtype.tz)}
    if data["name"] == "PeriodDtype":
        return {**data, "freq": dtype._freqstr}
    if data["name"] == "IntervalDtype":
        subtype = None if dtype.subtype is None else encoder.encode(dtype.subtype, depth)
        return {**data, "closed": dtype.closed, "subtype": subtype}
    return data


def _missing(dtype: Any) -> str:
    import pandas as pd

    return "NA" if dtype.na_value is pd.NA else "nan"


def _timestamp(encoder: _Encoder, value: Any, depth: int) -> Json:
    # `asm8` holds the moment in UTC, `unit` its resolution; together with the zone they make it again.
    data = {TAG: "Timestamp", "unit": value.unit, "v": str(value.asm8.view("i8")), "zone": _zone(value.tzinfo)}
    return {**data, "fold": value.fold} if value.fold else data


def _timedelta(encoder: _Encoder, value: Any, depth: int) -> Json:
    return {TAG: "Timedelta", "unit": value.unit, "v": str(value.asm8.view("i8"))}


def _series(encoder: _Encoder, value: Any, depth: int) -> Json:
    if value.attrs:
        raise NotEncodable("a pandas object with attrs")
    name, index = encoder.encode(value.name, depth), encoder.encode(value.index, depth)
    return {TAG: "Series", "name": name, "index": index, "v": _column(encoder, value.array, depth)}


def _frame(encoder: _Encoder, value: Any, depth: int) -> Json:
    if value.attrs:
        raise NotEncodable("a pandas object with attrs")
    columns, index = encoder.encode(value.columns, depth), encoder.encode(value.index, depth)
    data = [_column(encoder, value.iloc[:, i].array, depth) for i in range(value.shape[1])]
    return {TAG: "DataFrame", "columns": columns, "index": index, "v": data}


def _one_axis(values: Any) -> None:
    """Refuse what `take` gives where it is asked for places in several rows: an index that pandas can't make again."""
    if len(values.shape) != 1:
        raise NotEncodable("an index with several axes")


def _index(encoder: _Encoder, value: Any, depth: int) -> Json:
    _one_axis(value.array)
    data = {TAG: type(value).__name__, "name": encoder.encode(value.name, depth)}
    if data[TAG] != "PeriodIndex" and getattr(value, "freq", None) is not None:
        data["freq"] = value.freqstr
    return {**data, "v": _column(encoder, value.array, depth)}


def _range_index(encoder: _Encoder, value: Any, depth: int) -> Json:
    bounds = [value.start, value.stop, value.step]
    return {TAG: "RangeIndex", "name": encoder.encode(value.name, depth), "v": bounds}


def _multi_index(encoder: _Encoder, value: Any, depth: int) -> Json:
    for code in value.codes:
        _one_axis(code)
    levels = [encoder.encode(level.rename(None), depth) for level in value.levels]
    codes = [_array(encoder, _plain(code, "<i8"), depth) for code in value.codes]
    return {TAG: "MultiIndex", "names": encoder.each(value.names, depth), "levels": levels, "codes": codes}


def _plain(values: Any, dtype: str) -> Any:
    import numpy as np

    return np.asarray(values).astype(dtype)


def _column(encoder: _Encoder, array: Any, depth: int) -> Json:
    """The values of a Series, an Index or a column, by the kind of their array."""
    import numpy as np
    import pandas as pd

    dtype = array.dtype
    if isinstance(array, pd.arrays.NumpyExtensionArray):
        return _array(encoder, array.to_numpy(), depth)
    if isinstance(dtype, np.dtype):
        return _array(encoder, np.asarray(array), depth)
    if isinstance(dtype, pd.CategoricalDtype):
        categories = _index(encoder, array.categories, depth)
        codes = _array(encoder, _plain(array.codes, "<i8"), depth)
        return {TAG: "Categorical", "ordered": bool(array.ordered), "categories": categories, "v": codes}
    if isinstance(dtype, pd.DatetimeTZDtype):
        moments = _array(encoder, array.asi8, depth)
        return {TAG: "moments", "unit": dtype.unit, "zone": _zone(dtype.tz), "v": moments}
    if isinstance(dtype, pd.StringDtype):
        texts = [None if missing else text for text, missing in zip(array, array.isna(), strict=True)]
        return {TAG: "texts", "storage": dtype.storage, "missing": _missing(dtype), "v": encoder.each(texts, depth)}
    if isinstance(dtype, pd.IntervalDtype):
        ends = [encoder.encode(end, depth) for end in (array.left, array.right)]
        return {TAG: "intervals", "closed": dtype.closed, "v": ends}
    if isinstance(dtype, pd.PeriodDtype):
        return {TAG: "periods", "freq": dtype._freqstr, "v": _array(encoder, np.asarray(array.asi8), depth)}
    if dtype.name in _MASKED:
        mask = np.asarray(array.isna())
        data = array.to_numpy(dtype=dtype.numpy_dtype, na_value=0)
        parts = {"mask": _array(encoder, mask, depth), "v": _array(encoder, data, depth)}
        return {TAG: "masked", "dtype": dtype.name, **parts}
    raise NotEncodable(f"a pandas array of type {dtype}")


_MASKED = {"boolean", "Float32", "Float64", *(f"{sign}Int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64))}


# SciPy

SPARSE = tuple(f"{form}_{kind}" for form in ("csr", "csc", "coo") for kind in ("array", "matrix"))
"""The types of sparse matrices that are carried."""
_SPARSE_KINDS = "biufc"


def _is_sparse(kind: type) -> bool:
    module = sys.modules.get("scipy.sparse")
    return kind.__name__ in SPARSE and getattr(module, kind.__name__, None) is kind


def _sparse(encoder: _Encoder, value: Any, depth: int) -> Json:
    """The stored numbers and where they stand: rows and columns, or for compressed ones bounds and indices."""
    if len(value.shape) != 2 or value.dtype.kind not in _SPARSE_KINDS:
        raise NotEncodable(f"a sparse {'x'.join(map(str, value.shape))} array of type {value.dtype}")
    places = value.coords if value.format == "coo" else (value.indptr, value.indices)
    parts = [_array(encoder, place, depth) for place in places]
    stored = _array(encoder, value.data, depth)
    return {TAG: "sparse", "type": type(value).__name__, "shape": list(value.shape), "places": parts, "v": stored}


# Decoding


def _decode(data: Json, depth: int) -> Any:
    if depth > 4 * MAX_DEPTH:
        raise NotDecodable("too deep")
    kind = type(data)
    if kind is list:
        return [item if type(item) in _PLAIN else _decode(item, depth + 1) for item in data]
    if kind is dict:
        tag = data.get(TAG)
        if tag is None:
            plain = _PLAIN
            return {key: one if type(one) in plain else _decode(one, depth + 1) for key, one in data.items()}
        decoder = _DECODERS.get(tag) if type(tag) is str else None
        if decoder is None:
            raise NotDecodable(f"unknown type {tag!r}")
        return decoder(data, depth + 1)
    if kind in _PLAIN:
        return data
    raise NotDecodable(f"{kind.__name__} is no JSON")


def _items(data: Json, depth: int) -> list[Any]:
    if type(data["v"]) is not list:
        raise NotDecodable(f"{data[TAG]} needs a list")
    return [item if type(item) in _PLAIN else _decode(item, depth) for item in data["v"]]


def _pairs(data: Json, depth: int) -> list[tuple[Any, Any]]:
    return [(_decode(key, depth), _decode(value, depth)) for key, value in data["v"]]


def _whole(data: Json, depth: int, count: int) -> list[int]:
    """The items, which must be so many ints; what takes ints often takes texts too, and some of those never end."""
    items = _items(data, depth)
    if len(items) != count or any(type(item) is not int for item in items):
        raise NotDecodable(f"{data[TAG]} needs {count} ints")
    return items


def _bytes(data: Json) -> bytes:
    try:
        return binascii.a2b_base64(data["v"], strict_mode=True)
    except binascii.Error as error:
        raise NotDecodable(str(error)) from None


def _to_zone(data: Json) -> datetime.tzinfo | None:
    if data is None:
        return None
    import datetime
    import zoneinfo

    if "key" in data:
        return zoneinfo.ZoneInfo(data["key"])
    offset = datetime.timedelta(*data["offset"])
    name = data["name"]
    return datetime.timezone(offset) if name is None else datetime.timezone(offset, name)


def _to_moment(kind: str) -> Decoder:
    def build(data: Json, depth: int) -> Any:
        import datetime

        moment = getattr(datetime, kind).fromisoformat(data["v"])
        return moment.replace(tzinfo=_to_zone(data.get("zone")), fold=data.get("fold", 0))

    return build


def _to_collection(name: str) -> Decoder:
    def build(data: Json, depth: int) -> Any:
        import collections

        return getattr(collections, name)(_pairs(data, depth))

    return build


def _to_date(data: Json, depth: int) -> Any:
    import datetime

    return datetime.date.fromisoformat(_expect_text(data["v"]))


def _to_delta(data: Json, depth: int) -> Any:
    import datetime

    return datetime.timedelta(*_whole(data, depth, 3))


def _to_fraction(data: Json, depth: int) -> Any:
    import fractions

    return fractions.Fraction(*_whole(data, depth, 2))


def _to_deque(data: Json, depth: int) -> Any:
    import collections

    return collections.deque(_items(data, depth), data["maxlen"])


def _to_counter(data: Json, depth: int) -> Any:
    import collections

    counter: Any = collections.Counter()
    dict.update(counter, _pairs(data, depth))
    return counter


def _to_defaultdict(data: Json, depth: int) -> Any:
    import collections

    factory = None if data["factory"] is None else _FACTORIES[data["factory"]]
    return collections.defaultdict(factory, _pairs(data, depth))


def _to_pattern(data: Json, depth: int) -> Any:
    import re

    pattern = _decode(data["v"], depth)
    if type(pattern) not in (str, bytes) or len(pattern) > MAX_PATTERN:
        raise NotDecodable("this is no regular expression")
    flags = data["flags"]
    if type(flags) is not int or flags & ~PATTERN_FLAGS:
        raise NotDecodable("these are no flags of a regular expression")
    made = re.compile(pattern, flags)
    if made.flags != flags:
        raise NotDecodable("the flags do not fit the regular expression")
    return made


def _to_flags(data: Json, depth: int) -> Any:
    import re

    if type(data["v"]) is not int or not -_EXACT_INT < data["v"] < _EXACT_INT:
        raise NotDecodable("flags need an int")
    return re.RegexFlag(data["v"])


def _to_slice(data: Json, depth: int) -> slice:
    start, stop, step = _items(data, depth)
    return slice(start, stop, step)


def _to_dtype(text: Json) -> Any:
    import re

    import numpy as np

    if type(text) is not str or not re.fullmatch(r"[<>|][biufcmMUSO]\d*(\[\d*[A-Za-zμ]+\])?", text):
        raise NotDecodable(f"{text!r} is no dtype")
    return np.dtype(text)


def _to_array(data: Json, depth: int) -> Any:
    import numpy as np

    dtype, shape = _to_dtype(data["dtype"]), tuple(data["shape"])
    if dtype.kind == "O":
        flat = np.empty(len(data["v"]), dtype=object)
        flat[:] = _items(data, depth)
        return flat.reshape(shape)
    raw = _bytes(data)
    if math.prod(shape) * dtype.itemsize != len(raw) or (not raw and math.prod(shape)):
        raise NotDecodable("the array's shape does not fit its data")
    return np.frombuffer(raw, dtype=dtype).reshape(shape).copy() if raw else np.zeros(shape, dtype)


def _to_numpy(data: Json, depth: int) -> Any:
    import numpy as np

    dtype, value = _to_dtype(data["dtype"]), _decode(data["v"], depth)
    if dtype.kind in "mM":
        return np.array(int(value), dtype="i8").view(dtype)[()]
    return dtype.type(value)


def _to_timestamp(data: Json, depth: int) -> Any:
    import numpy as np
    import pandas as pd

    moment = pd.Timestamp(np.datetime64(int(data["v"]), data["unit"]))
    zone = _to_zone(data["zone"])
    if zone is None:
        return moment.replace(fold=data.get("fold", 0))
    return moment.tz_localize("UTC").tz_convert(zone)


def _to_timedelta(data: Json, depth: int) -> Any:
    import numpy as np
    import pandas as pd

    return pd.Timedelta(np.timedelta64(int(data["v"]), data["unit"]))


def _to_column(data: Json, depth: int) -> Any:
    import pandas as pd

    array = _decode(data, depth)
    return pd.array(array, dtype=array.dtype) if type(array).__module__.startswith("numpy") else array


def _to_series(data: Json, depth: int) -> Any:
    import pandas as pd

    index, name = _decode(data["index"], depth), _decode(data["name"], depth)
    array = _decode(data["v"], depth)
    return pd.Series(array, index=index, name=name, dtype=array.dtype)


def _to_frame(data: Json, depth: int) -> Any:
    import pandas as pd

    columns, index = _decode(data["columns"], depth), _decode(data["index"], depth)
    arrays = _items(data, depth)
    parts = {i: pd.Series(array, index=index, dtype=array.dtype) for i, array in enumerate(arrays)}
    frame = pd.DataFrame(parts, index=index)
    frame.columns = columns
    return frame


def _to_index(kind: str) -> Decoder:
    def build(data: Json, depth: int) -> Any:
        import pandas as pd

        array, name = _decode(data["v"], depth), _decode(data["name"], depth)
        if kind == "Index":
            return pd.Index(array, dtype=array.dtype, name=name)
        index = getattr(pd, kind)(array, name=name)
        if "freq" in data:
            index.freq = data["freq"]
        return index

    return build


def _to_range_index(data: Json, depth: int) -> Any:
    import pandas as pd

    return pd.RangeIndex(*data["v"], name=_decode(data["name"], depth))


def _to_multi_index(data: Json, depth: int) -> Any:
    import pandas as pd

    levels, names = [_decode(level, depth) for level in data["levels"]], [_decode(n, depth) for n in data["names"]]
    return pd.MultiIndex(levels=levels, codes=[_decode(code, depth) for code in data["codes"]], names=names)


def _to_categorical(data: Json, depth: int) -> Any:
    import pandas as pd

    kind = pd.CategoricalDtype(_decode(data["categories"], depth), ordered=data["ordered"])
    return pd.Categorical.from_codes(_decode(data["v"], depth), dtype=kind)


def _to_moments(data: Json, depth: int) -> Any:
    import pandas as pd

    moments = _decode(data["v"], depth).view(f"M8[{data['unit']}]")
    return pd.DatetimeIndex(moments, tz="UTC").tz_convert(_to_zone(data["zone"])).array


def _to_texts(data: Json, depth: int) -> Any:
    import pandas as pd

    missing = pd.NA if data["missing"] == "NA" else float("nan")
    return pd.array(_items(data, depth), dtype=pd.StringDtype(data["storage"], na_value=missing))


def _to_interval(data: Json, depth: int) -> Any:
    import pandas as pd

    left, right = _items(data, depth)
    return pd.Interval(left, right, closed=_closed(data))


def _closed(data: Json) -> Any:
    if data["closed"] not in ("left", "right", "both", "neither"):
        raise NotDecodable("an interval is closed in one of four ways")
    return data["closed"]


def _to_intervals(data: Json, depth: int) -> Any:
    import pandas as pd

    left, right = _items(data, depth)
    if not isinstance(left, pd.Index) or type(left) is not type(right) or left.dtype != right.dtype:
        raise NotDecodable("intervals need two indexes of one type")
    return pd.arrays.IntervalArray.from_arrays(left, right, closed=_closed(data))


def _freq(data: Json) -> Any:
    """The type of periods of a length, which must be written as pandas does."""
    import pandas as pd

    kind = pd.PeriodDtype(_expect_text(data["freq"]))
    if kind._freqstr != data["freq"]:
        raise NotDecodable(f"{data['freq']!r} is not how pandas writes the length of a period")
    return kind


def _to_period(data: Json, depth: int) -> Any:
    import pandas as pd

    return pd.Period(ordinal=int(_expect_text(data["v"])), freq=_freq(data).freq)


def _to_periods(data: Json, depth: int) -> Any:
    import pandas as pd

    ordinals = _to_array(data["v"], depth)
    if ordinals.dtype.str != "<i8" or ordinals.ndim != 1:
        raise NotDecodable("periods need whole numbers")
    return pd.arrays.PeriodArray(ordinals, dtype=_freq(data))


def _to_column_type(data: Json, depth: int) -> Any:
    import pandas as pd

    match _expect_text(data["name"]):
        case "StringDtype":
            missing = pd.NA if data["missing"] == "NA" else math.nan
            return pd.StringDtype(_expect_text(data["storage"]), na_value=missing)
        case "CategoricalDtype":
            ordered, categories = data["ordered"], _decode(data["categories"], depth)
            if type(ordered) not in (bool, type(None)) or not (categories is None or isinstance(categories, pd.Index)):
                raise NotDecodable("these are no categories")
            return pd.CategoricalDtype(categories, ordered=ordered)
        case "DatetimeTZDtype":
            return pd.DatetimeTZDtype(data["unit"], _to_zone(data["zone"]))
        case "PeriodDtype":
            return _freq(data)
        case "IntervalDtype":
            subtype = _decode(data["subtype"], depth)
            return pd.IntervalDtype(subtype, closed=None if data["closed"] is None else _closed(data))
        case name if name in _MASKED:
            return pd.api.types.pandas_dtype(name)
    raise NotDecodable(f"{data['name']!r} is no type of a column")


def _to_masked_array(data: Json, depth: int) -> Any:
    import numpy as np

    array = _to_array(data["v"], depth)
    mask = np.ma.nomask if data["mask"] is None else _to_array(data["mask"], depth)
    if array.dtype.kind == "O" or (data["mask"] is not None and (mask.dtype != bool or mask.shape != array.shape)):
        raise NotDecodable("the mask does not fit the array")
    return np.ma.MaskedArray(array, mask=mask, fill_value=_decode(data["fill"], depth))


def _to_masked_value(data: Json, depth: int) -> Any:
    import numpy as np

    return np.ma.masked


def _to_masked(data: Json, depth: int) -> Any:
    import pandas as pd

    if data["dtype"] not in _MASKED:
        raise NotDecodable(f"{data['dtype']!r} is no dtype with a mask")
    array = pd.array(_decode(data["v"], depth), dtype=data["dtype"])
    array[_decode(data["mask"], depth)] = pd.NA
    return array


def _to_sparse(data: Json, depth: int) -> Any:
    import scipy.sparse

    name = _expect_text(data["type"])
    if name not in SPARSE:
        raise NotDecodable(f"{name!r} is no type of sparse matrices")
    shape, parts, stored = sparse_parts(data)
    if name.startswith("coo"):
        made = getattr(scipy.sparse, name)((stored, parts), shape=shape)
        made.coords = parts
    else:
        made = getattr(scipy.sparse, name)((stored, parts[1], parts[0]), shape=shape)
        made.indptr, made.indices = parts
    return made


def sparse_parts(data: Json) -> tuple[tuple[int, int], tuple[Any, Any], Any]:
    """The shape, the places and the stored numbers of an encoded sparse matrix, all of which must fit together."""
    import numpy as np

    shape, (first, second), stored = data["shape"], (_part(part) for part in data["places"]), _part(data["v"])
    if len(shape) != 2 or any(type(side) is not int or not 0 <= side < 2**31 for side in shape):
        raise NotDecodable("a sparse matrix needs two lengths")
    if any(part.dtype.str not in ("<i4", "<i8") for part in (first, second)) or stored.dtype.kind not in _SPARSE_KINDS:
        raise NotDecodable("the types of the parts of a sparse matrix are wrong")
    major, minor = reversed(shape) if data["type"].startswith("csc") else shape
    inner = len(second) == len(stored) and bool(np.all((second >= 0) & (second < minor)))
    if data["type"].startswith("coo"):
        outer = len(first) == len(stored) and bool(np.all((first >= 0) & (first < major)))
    else:
        outer = len(first) == major + 1 and first[0] == 0 and first[-1] == len(stored) and bool(
            np.all(first[1:] >= first[:-1]))
    if not (inner and outer):
        raise NotDecodable("the places of a sparse matrix do not fit its shape")
    return (shape[0], shape[1]), (first, second), stored


def _part(data: Json) -> Any:
    if data[TAG] != "ndarray" or data["dtype"][1] not in _SPARSE_KINDS or len(data["shape"]) != 1:
        raise NotDecodable("a sparse matrix has parts with one axis each")
    return _to_array(data, 0)


def _to_pandas(name: str) -> Decoder:
    def build(data: Json, depth: int) -> Any:
        import pandas as pd

        return getattr(pd, name)

    return build


def _textual(name: str, module: str) -> Decoder:
    def build(data: Json, depth: int) -> Any:
        from importlib import import_module

        text = _expect_text(data["v"])
        made = getattr(import_module(module), name)(text)
        if str(made) != text:
            raise NotDecodable(f"{text!r} is not how {name} is written")
        return made

    return build


def _expect_text(text: Json) -> str:
    if type(text) is not str:
        raise NotDecodable("a text is missing")
    return text


_DECODERS: dict[str, Decoder] = {
    "int": lambda data, _: int(_expect_text(data["v"]), 0),
    "float": lambda data, _: {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}[data["v"]],
    "str": lambda data, _: bytes.fromhex(data["v"]).decode("utf-32-be", "surrogatepass"),
    "complex": lambda data, depth: complex(*_items(data, depth)),
    "bytes": lambda data, _: _bytes(data),
    "bytearray": lambda data, _: bytearray(_bytes(data)),
    "range": lambda data, depth: range(*_whole(data, depth, 3)),
    "slice": _to_slice,
    "ellipsis": lambda data, _: ...,
    "tuple": lambda data, depth: tuple(_items(data, depth)),
    "set": lambda data, depth: set(_items(data, depth)),
    "frozenset": lambda data, depth: frozenset(_items(data, depth)),
    "iterator": lambda data, depth: Iterated(tuple(_items(data, depth))),
    "dict": lambda data, depth: dict(_pairs(data, depth)),
    "OrderedDict": _to_collection("OrderedDict"),
    "Counter": _to_counter,
    "defaultdict": _to_defaultdict,
    "deque": _to_deque,
    "date": _to_date,
    "time": _to_moment("time"),
    "datetime": _to_moment("datetime"),
    "timedelta": _to_delta,
    "timezone": lambda data, _: _to_zone(data["v"]),
    "Fraction": _to_fraction,
    "Pattern": _to_pattern,
    "RegexFlag": _to_flags,
    "function": _to_function,
    "type": _to_type,
    **{name: _textual(name, module) for name, module in _TEXTUAL.items()},
    "ndarray": _to_array,
    "numpy": _to_numpy,
    "dtype": lambda data, _: _to_dtype(data["v"]),
    "Timestamp": _to_timestamp,
    "Timedelta": _to_timedelta,
    "Series": _to_series,
    "DataFrame": _to_frame,
    **{name: _to_index(name) for name in (
        "Index", "DatetimeIndex", "TimedeltaIndex", "CategoricalIndex", "IntervalIndex", "PeriodIndex",
    )},
    "RangeIndex": _to_range_index,
    "MultiIndex": _to_multi_index,
    "Categorical": _to_categorical,
    "moments": _to_moments,
    "texts": _to_texts,
    "masked": _to_masked,
    "MaskedArray": _to_masked_array,
    "masked value": _to_masked_value,
    "Interval": _to_interval,
    "intervals": _to_intervals,
    "Period": _to_period,
    "periods": _to_periods,
    "pandas dtype": _to_column_type,
    "sparse": _to_sparse,
    "NaT": _to_pandas("NaT"),
    "NA": _to_pandas("NA"),
}
