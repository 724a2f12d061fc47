"""What the body of a function tells about one value: a bag of votes and parts, filled by `usage`, read by `resolve`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

MAX_EVIDENCE = 6
_LISTS = (
    "arities",
    "tested",
    "lengths",
    "separators",
    "starts",
    "ends",
    "formats",
    "counts",
    "peers",
    "evidence",
    "dtypes",
    "ranks",
    "forms",
    "segments",
)


@dataclass(frozen=True)
class About:
    """What a value says of an array, series or frame: its `dtype`, `ndim`, `shape`, `index` or one `side` of it."""

    what: str
    of: Clue


@dataclass(eq=False)
class Clue:
    """What is known of a value.

    `votes` weigh kinds; `item` (what iteration gives), `at` (what a computed subscript gives), `key`, `value`,
    `fields`, `positions` and `trailing` (places from the end) are its parts; `places` are pieces of a text by separator
    and place; `variants` is what is known of it where `isinstance` has said its type; `content` is what reading it
    gives (JSON, base64, encoded text); `same` are values that it may become, whose clues count for it too;
    `peers` are values that it is compared or combined with, which count only where nothing else is known. Of arrays,
    series and frames, `dtypes`, `ranks` and `forms` (of sparse matrices) are what the body asks for, `members` are
    attributes that may be columns.
    `segments` are parts of texts and bytes at fixed places with constants that they are compared with.
    `like` is a value from whose cells its own are reckoned one by one, so that it is a table where that is one.
    `scalar` says that plain numbers are dealt with, `missing` that missing ones are, `groups` that values repeat.
    `local` is `list` or `dict` for a container that the body itself makes, where all ways to its items give the same,
    and `part` for what is in one; `parameter` says that it is a parameter of the function or of one inside it,
    `resolving` that its specification is being made, so that a part that is the same goes round in a circle.
    """

    votes: dict[str, int] = field(default_factory=dict)
    item: Clue | None = None
    at: Clue | None = None
    key: Clue | None = None
    value: Clue | None = None
    fields: dict[Any, tuple[Clue, bool]] = field(default_factory=dict)
    positions: dict[int, Clue] = field(default_factory=dict)
    trailing: dict[int, Clue] = field(default_factory=dict)
    places: dict[tuple[str, int], Clue] = field(default_factory=dict)
    arities: list[int] = field(default_factory=list)
    variants: dict[str, Clue] = field(default_factory=dict)
    tested: list[str] = field(default_factory=list)
    none: bool = False
    constants: list[Any] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    separators: list[str] = field(default_factory=list)
    starts: list[str] = field(default_factory=list)
    ends: list[str] = field(default_factory=list)
    formats: list[str] = field(default_factory=list)
    high: int | None = None
    rising: bool = False
    axes: int = 0
    counts: list[int] = field(default_factory=list)
    count_of: Clue | None = None
    content: Clue | None = None
    same: list[Clue] = field(default_factory=list)
    peers: list[Clue] = field(default_factory=list)
    evidence: list[str] = field(default_factory=list)
    length_of: Clue | None = None
    about: About | None = None
    dtypes: list[str] = field(default_factory=list)
    ranks: list[int] = field(default_factory=list)
    forms: list[str] = field(default_factory=list)
    segments: list[tuple[int, int, str | bytes]] = field(default_factory=list)
    members: dict[str, Clue] = field(default_factory=dict)
    like: Clue | None = None
    scalar: bool = False
    missing: bool = False
    groups: bool = False
    local: str = ""
    parameter: bool = False
    resolving: bool = False

    def vote(self, kind: str, why: str = "", weight: int = 3) -> None:
        """Count `weight` for a kind, and keep the reason."""
        self.votes[kind] = self.votes.get(kind, 0) + weight
        if why and why not in self.evidence and len(self.evidence) < MAX_EVIDENCE:
            self.evidence.append(why)

    def items(self) -> Clue:
        """The clue of its items, made when first asked for."""
        if self.item is None:
            self.item = self._part()
        return self.item

    def elements(self) -> Clue:
        """The clue of what a computed subscript gives: items of sequences, values of dictionaries."""
        if self.local in ("list", "dict"):
            return self.items() if self.local == "list" else self.values()
        if self.at is None:
            self.at = Clue()
        return self.at

    def keys(self) -> Clue:
        """The clue of its keys."""
        if self.key is None:
            self.key = Clue()
        return self.key

    def values(self) -> Clue:
        """The clue of its values."""
        if self.value is None:
            self.value = self._part()
        return self.value

    def field(self, key: Any, required: bool) -> Clue:
        """The clue of the value under a constant key; required only where nothing treats it as optional."""
        clue, before = self.fields.get(key, (Clue(), True))
        self.fields[key] = (clue, before and required)
        return clue

    def reading(self) -> Clue:
        """The clue of what is read out of it."""
        if self.content is None:
            self.content = Clue()
        return self.content

    def position(self, index: int) -> Clue:
        """The clue of the item at a constant index."""
        if self.local == "list":
            return self.items()
        return self.positions.setdefault(index, Clue())

    def from_end(self, place: int) -> Clue:
        """The clue of the item at a constant place from the end, from 1; what it tells counts for all items too."""
        if self.local == "list":
            return self.items()
        if place not in self.trailing:
            self.trailing[place] = Clue()
            self.items().same.append(self.trailing[place])
        return self.trailing[place]

    def place(self, separator: str, index: int) -> Clue:
        """The clue of one piece of a text that is split; what it tells counts for all pieces too."""
        if (separator, index) not in self.places:
            self.places[separator, index] = Clue()
            self.values().same.append(self.places[separator, index])
        return self.places[separator, index]

    def filled(self, item: Clue) -> None:
        """Note that the body puts a value into it: what is done to its items is done to that value."""
        if self.local == "part":
            self.local = "list"
        if self.local == "list":
            item.same.append(self.items())

    def _part(self) -> Clue:
        return Clue(local="part" if self.local else "")

    def variant(self, kind: str) -> Clue:
        """The clue of the value where its type is known to be `kind`."""
        return self.variants.setdefault(kind, Clue())

    def constant(self, value: Any) -> None:
        """Note a constant that it is compared with."""
        if value is None:
            self.none = True
        elif not any(known is value or (type(known) is type(value) and known == value) for known in self.constants):
            self.constants.append(value)

    def count(self, number: int) -> None:
        """Note how many items it should have; a text that it was split from should have as many pieces."""
        self.lengths.append(number)
        source = self.count_of
        while source is not None:
            source.counts.append(number)
            source = source.count_of

    @property
    def holds(self) -> bool:
        """Whether the body reads anything out of it."""
        return bool(self.item or self.at or self.key or self.value or self.positions or self.variants)

    def related(self) -> Iterator[Clue]:
        """Itself and all that it may become, each once."""
        seen: set[int] = set()
        queue = [self]
        while queue:
            clue = queue.pop(0)
            if id(clue) not in seen:
                seen.add(id(clue))
                yield clue
                queue.extend(clue.same)


def merged(clues: Iterable[Clue]) -> Clue:
    """One clue that says what all of them say; parts stay shared through `same`."""
    result = Clue()
    for clue in clues:
        for kind, weight in clue.votes.items():
            result.votes[kind] = result.votes.get(kind, 0) + weight
        _merge_parts(result, clue)
        for value in clue.constants:
            result.constant(value)
        result.none = result.none or clue.none
        for name in ("rising", "scalar", "missing", "groups"):
            setattr(result, name, getattr(result, name) or getattr(clue, name))
        result.axes = max(result.axes, clue.axes)
        for name in _LISTS:
            mine = getattr(result, name)
            mine.extend(entry for entry in getattr(clue, name) if entry not in mine)
        if clue.high is not None:
            result.high = clue.high if result.high is None else min(result.high, clue.high)
    return result


def _merge_parts(result: Clue, clue: Clue) -> None:
    if clue.item is not None:
        result.items().same.append(clue.item)
    if clue.at is not None:
        result.elements().same.append(clue.at)
    if clue.key is not None:
        result.keys().same.append(clue.key)
    if clue.value is not None:
        result.values().same.append(clue.value)
    if clue.content is not None:
        result.reading().same.append(clue.content)
    for key, (part, required) in clue.fields.items():
        result.field(key, required).same.append(part)
    for index, part in clue.positions.items():
        result.position(index).same.append(part)
    for index, part in clue.trailing.items():
        result.trailing.setdefault(index, Clue()).same.append(part)
    for place, part in clue.places.items():
        result.places.setdefault(place, Clue()).same.append(part)
    for kind, part in clue.variants.items():
        result.variant(kind).same.append(part)
    for name, part in clue.members.items():
        result.members.setdefault(name, Clue()).same.append(part)
