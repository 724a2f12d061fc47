"""Specifications of values: what a parameter may be, small enough to sample from and to print as a strategy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

CARRIERS = ("json", "base64")
"""Formats that hold a value, or bytes, of another specification."""


@dataclass(frozen=True)
class Spec:
    """Any of the kinds below."""


@dataclass(frozen=True)
class Anything(Spec):
    """Nothing is known: scalars, texts and small containers of them; deep trees of them where it is `nested`."""

    nested: bool = False


@dataclass(frozen=True)
class Nothing(Spec):
    """None alone."""


@dataclass(frozen=True)
class Boolean(Spec):
    """True or False."""


@dataclass(frozen=True)
class Whole(Spec):
    """Integers; bounds are those of the domain, both included, None where nothing bounds it.

    Bounds are `soft` where only words promise them: the body may test for what lies outside.
    """

    low: int | None = None
    high: int | None = None
    constants: tuple[int, ...] = ()
    soft: bool = False


@dataclass(frozen=True)
class Real(Spec):
    """Floats, finite ones unless `special`; bounds are `soft` as those of integers."""

    low: float | None = None
    high: float | None = None
    constants: tuple[float, ...] = ()
    special: bool = False
    soft: bool = False


@dataclass(frozen=True)
class Text(Spec):
    """Strings. `formats` name generators of `formats.FORMATS`, or `date:` with a strptime format.

    `separators` split it into pieces of the specification `piece`; `constants` are texts that the body compares it
    with; `lengths` are lengths that it tests for; `character` says that it is a single one; `closed` that the
    constants are all that is asked for; `searched` that regular expressions of the body are matched against it;
    `keyed` that it is looked up somewhere, so that it should be there now and then; `counts` are numbers of pieces;
    `examples` are texts that the documentation shows, whose notation others share; `starts` and `ends` are what the
    body tests for at the two ends; `content` is what the body reads out of it, in one of `CARRIERS`;
    `places` are, for a separator, the pieces by their place, where they differ; `segments` are parts at fixed places
    with the constants that they are compared with.
    """

    formats: tuple[str, ...] = ()
    separators: tuple[str, ...] = ()
    piece: Spec | None = None
    constants: tuple[str, ...] = ()
    lengths: tuple[int, ...] = ()
    closed: bool = False
    searched: bool = False
    keyed: bool = False
    counts: tuple[int, ...] = ()
    examples: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    content: Spec | None = None
    places: tuple[tuple[str, tuple[Spec, ...]], ...] = ()
    segments: tuple[tuple[int, int, str | bytes], ...] = ()


@dataclass(frozen=True)
class Binary(Spec):
    """Bytes; `kind` is `bytes` or `bytearray`; `segments` are parts at fixed places with what these are told from."""

    kind: str = "bytes"
    segments: tuple[tuple[int, int, str | bytes], ...] = ()


@dataclass(frozen=True)
class Choice(Spec):
    """One of a few values."""

    values: tuple[Any, ...]


@dataclass(frozen=True)
class Items(Spec):
    """A container of like items; `kind` is `list`, `tuple`, `set` or `frozenset`.

    `ordered` and `distinct` say what is promised of the items; `long` that the body cuts it into parts; `exact` is
    the one number of items that it can be unpacked into, 0 where there is none.
    """

    item: Spec
    kind: str = "list"
    lengths: tuple[int, ...] = ()
    fewest: int = 0
    ordered: bool = False
    long: bool = False
    exact: int = 0


@dataclass(frozen=True)
class Fixed(Spec):
    """A tuple (or, for `kind` `list`, a list) with a specification for each place, `rising` if it is a range."""

    items: tuple[Spec, ...]
    kind: str = "tuple"
    rising: bool = False


@dataclass(frozen=True)
class Entry:
    """A key that a dictionary is asked for."""

    key: Any
    value: Spec
    required: bool


@dataclass(frozen=True)
class Dictionary(Spec):
    """A dictionary: known keys with their values, and any number of further ones if `key` says of what kind.

    `kind` is `dict`, `OrderedDict` or `Counter`.
    """

    key: Spec | None = None
    value: Spec | None = None
    entries: tuple[Entry, ...] = ()
    kind: str = "dict"


@dataclass(frozen=True)
class Either(Spec):
    """One of several; `rare` ones are wrong types that the body tests for."""

    options: tuple[Spec, ...]
    rare: tuple[Spec, ...] = ()


@dataclass(frozen=True)
class Moment(Spec):
    """A `date`, `datetime` or `timedelta`."""

    kind: str = "datetime"


@dataclass(frozen=True)
class Exact(Spec):
    """A value of a type of its own, as those that `exact.KINDS` names: a `Decimal`, a `Path`, a `slice`."""

    kind: str = "Decimal"


@dataclass(frozen=True)
class Array(Spec):
    """A NumPy array; `dims` is the number of its axes, 0 where it is not known.

    `shape` are lengths of its axes: 0 where one is free, a name where arrays share it. `wide` says that other types of
    numbers are dealt with. `dtypes` and `ranks` (numbers of axes) are those that the body tells from others, `forms`
    those that sparse matrices take, with `sparse.DENSE` among them where a dense one will do. What is `firm` has no
    other type of numbers than the one that is declared; what may be `listed` is a list of as many levels now and then.
    """

    dtype: str = "float"
    dims: int = 0
    shape: tuple[int | str, ...] = ()
    wide: bool = False
    dtypes: tuple[str, ...] = ()
    ranks: tuple[int, ...] = ()
    forms: tuple[str, ...] = ()
    firm: bool = False
    listed: bool = False


@dataclass(frozen=True)
class Column(Spec):
    """A pandas Series.

    `missing` says that missing values are dealt with, `dtypes` which types the body tells from others, `groups` that
    cells repeat; `record` says what stands at which label where the body reads it as it would read a dictionary, as it
    does with a row of a table.
    """

    item: Spec = field(default_factory=Real)
    missing: bool = False
    dtypes: tuple[str, ...] = ()
    groups: bool = False
    record: Dictionary | None = None


@dataclass(frozen=True)
class Frame(Spec):
    """A pandas DataFrame: the columns that the body names, and what each holds, None where that is not known.

    `cell` and `label` are what columns hold that the body does not name, and how they are called, None where that is
    not known.
    """

    columns: tuple[Any, ...] = ()
    cells: tuple[Column | None, ...] = ()
    missing: bool = False
    cell: Column | None = None
    label: Spec | None = None


@dataclass(frozen=True)
class Function(Spec):
    """A pure function of the codec's palette: its number of arguments, 0 where that is not known, and their types.

    `takes` and `gives` are names of types as annotations write them, "" where nothing is known.
    """

    arity: int = 0
    takes: str = ""
    gives: str = ""


@dataclass(frozen=True)
class TypeValue(Spec):
    """A type as a value; `kind` is `class`, `exception`, `number` of NumPy, or `type` for what an annotation may be."""

    kind: str = "class"


@dataclass(frozen=True)
class Unbuildable(Spec):
    """Something that no plain value stands for: an open file, a class, an object of a project."""

    what: str


SCALARS: tuple[type[Spec], ...] = (Nothing, Boolean, Whole, Real, Text, Binary, Choice, Moment, Exact, TypeValue)


def either(options: list[Spec], rare: list[Spec] | None = None) -> Spec:
    """The union of the options, flattened, without repetition, in the order given."""
    flat: dict[Spec, None] = {}
    rarely: dict[Spec, None] = dict.fromkeys(rare or [])
    for option in options:
        if isinstance(option, Either):
            flat.update(dict.fromkeys(option.options))
            rarely.update(dict.fromkeys(option.rare))
        else:
            flat[option] = None
    rarely = {spec: None for spec in rarely if spec not in flat}
    if len(flat) == 1 and not rarely:
        return next(iter(flat))
    return Either(tuple(flat), tuple(rarely)) if flat else Anything()


def options_of(spec: Spec) -> tuple[Spec, ...]:
    """What a value may be: the usual options of a choice, else the specification alone."""
    return spec.options if isinstance(spec, Either) else (spec,)


def with_rare(spec: Spec, more: Iterable[Spec]) -> Spec:
    """The specification with further options, which are drawn rarely."""
    return either(list(options_of(spec)), [*(spec.rare if isinstance(spec, Either) else ()), *more])


def buildable(spec: Spec) -> bool:
    """Whether any value of the specification can be made at all."""
    match spec:
        case Unbuildable():
            return False
        case Either(options):
            return any(buildable(option) for option in options)
        case Fixed(items):
            return all(buildable(item) for item in items)
        case Items(item, _, _, fewest):
            return fewest == 0 or buildable(item)
        case Dictionary(_, _, entries):
            return all(buildable(entry.value) for entry in entries if entry.required)
    return True


def without_unbuildable(spec: Spec) -> Spec:
    """The same specification without the options of unions that cannot be built."""
    if isinstance(spec, Either):
        options = [without_unbuildable(option) for option in spec.options if buildable(option)]
        return either(options, [option for option in spec.rare if buildable(option)])
    return spec


def hashable(spec: Spec) -> bool:
    """Whether it is what may be a key, where nothing else is known."""
    return isinstance(spec, Either) and {type(option) for option in spec.options} == {Text, Whole}


def without_rare(spec: Spec) -> Spec:
    """The specification without what is rare."""
    return either(list(spec.options)) if isinstance(spec, Either) else spec


def as_key(spec: Spec) -> Spec:
    """The specification as that of keys: tuples in place of lists, and what can be no key is a text or a number."""
    match spec:
        case Items(item, kind):
            kind = "frozenset" if kind in ("set", "frozenset") else "tuple"
            return replace(spec, item=as_key(item), kind=kind, lengths=())
        case Fixed(items):
            return Fixed(tuple(as_key(item) for item in items))
        case Either(options):
            return either([as_key(option) for option in options])
        case Anything() | Dictionary() | Array() | Frame() | Column() | Exact("slice"):
            return Either((Text(), Whole()))
    return spec


def is_row(spec: Spec) -> bool:
    """Whether it is a group with a place for each part, or one of numbers."""
    numbers = isinstance(spec, Items) and isinstance(options_of(spec.item)[0], (Whole, Real))
    return isinstance(spec, Fixed) or numbers
