"""Containers: tuples and sets, those of the module `collections`, and what an iterator gave."""

from __future__ import annotations

from .codec import TAG, Codecs, NotEncodable, canonical, items_of, pairs_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from .codec import Decoder, Encoder, Json


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


def _sorted(encoder: Encoder, value: Iterable[Any], depth: int) -> list[Json]:
    return sorted(encoder.each(value, depth), key=canonical)


def _ordered(encoder: Encoder, value: Any, depth: int) -> Json:
    return {TAG: "OrderedDict", "v": encoder.pairs(value, depth)}


def _counter(encoder: Encoder, value: Any, depth: int) -> Json:
    return {TAG: "Counter", "v": encoder.pairs(value, depth)}


_FACTORIES = {kind.__name__: kind for kind in (int, float, str, bool, list, dict, set, frozenset, tuple)}


def _defaultdict(encoder: Encoder, value: Any, depth: int) -> Json:
    factory = value.default_factory
    if factory is not None and not any(factory is known for known in _FACTORIES.values()):
        if encoder.bases:
            return encoder.mapping(value, depth)
        raise NotEncodable("a defaultdict whose default comes from code")
    return {TAG: "defaultdict", "factory": factory and factory.__name__, "v": encoder.pairs(value, depth)}


def _deque(encoder: Encoder, value: Any, depth: int) -> Json:
    return {TAG: "deque", "maxlen": value.maxlen, "v": encoder.each(value, depth)}


def _to_collection(name: str) -> Decoder:
    def build(data: Json, depth: int) -> Any:
        import collections

        return getattr(collections, name)(pairs_of(data, depth))

    return build


def _to_deque(data: Json, depth: int) -> Any:
    import collections

    return collections.deque(items_of(data, depth), data["maxlen"])


def _to_counter(data: Json, depth: int) -> Any:
    import collections

    counter: Any = collections.Counter()
    dict.update(counter, pairs_of(data, depth))
    return counter


def _to_defaultdict(data: Json, depth: int) -> Any:
    import collections

    factory = None if data["factory"] is None else _FACTORIES[data["factory"]]
    return collections.defaultdict(factory, pairs_of(data, depth))


CODECS = Codecs(
    containers={
        set: lambda e, value, depth: {TAG: "set", "v": _sorted(e, value, depth)},
        frozenset: lambda e, value, depth: {TAG: "frozenset", "v": _sorted(e, value, depth)},
        Iterated: lambda e, value, depth: {TAG: "iterator", "v": e.each(value.items, depth)},
    },
    named_containers={
        "collections.OrderedDict": _ordered,
        "collections.Counter": _counter,
        "collections.defaultdict": _defaultdict,
        "collections.deque": _deque,
    },
    decoders={
        "tuple": lambda data, depth: tuple(items_of(data, depth)),
        "set": lambda data, depth: set(items_of(data, depth)),
        "frozenset": lambda data, depth: frozenset(items_of(data, depth)),
        "iterator": lambda data, depth: Iterated(tuple(items_of(data, depth))),
        "dict": lambda data, depth: dict(pairs_of(data, depth)),
        "OrderedDict": _to_collection("OrderedDict"),
        "Counter": _to_counter,
        "defaultdict": _to_defaultdict,
        "deque": _to_deque,
    },
)
