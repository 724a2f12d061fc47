"""Hypothesis strategies of specifications, as expressions that a person can read."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any

from harness.values.expressions import NotShowable, expression
from pipeline.suites.domain.formats.notations import in_format, notation
from pipeline.suites.domain.kinds import type_values
from pipeline.suites.domain.kinds.exact import KINDS
from pipeline.suites.domain.kinds.type_values import palette
from pipeline.suites.domain.parameter import Parameter
from pipeline.suites.domain.pool import Pool
from pipeline.suites.domain.related import in_order
from pipeline.suites.domain.spec import (
    CARRIERS,
    Anything,
    Array,
    Binary,
    Boolean,
    Choice,
    Column,
    Dictionary,
    Either,
    Exact,
    Fixed,
    Frame,
    Function,
    Items,
    Moment,
    Nothing,
    Real,
    Spec,
    Text,
    TypeValue,
    Whole,
    buildable,
)
from pipeline.suites.property_relations import held_by, related_strategy

EXAMPLES = 8
MAX_VALUES = 24
_ANYTHING = (
    "st.one_of(st.integers(-1000, 1000), st.text(max_size=12), st.booleans(), st.floats(-1e6, 1e6),\n"
    "    st.lists(st.integers(-20, 20), max_size=6), st.lists(st.text(max_size=6), max_size=5),\n"
    "    st.dictionaries(st.text(max_size=6), st.integers(-20, 20), max_size=4))"
)
_TREES = (
    "st.recursive(st.one_of(st.integers(-20, 120), st.text(max_size=8), st.booleans(), st.none()),\n"
    "    lambda inner: st.one_of(st.lists(inner, max_size=4),\n"
    "        st.dictionaries(st.text(max_size=6), inner, max_size=4)), max_leaves=12)"
)


def sampled(values: Iterable[Any]) -> str:
    """The strategy of some values, "" where none of them has a short text."""
    shown = []
    for value in values:
        try:
            shown.append(repr(value) if type(value) is int else expression(value))
        except NotShowable:
            continue
    return f"st.sampled_from([{', '.join(dict.fromkeys(shown))}])" if shown else ""


def strategies(parameters: Sequence[Parameter], pool: Pool, seed: int) -> Iterator[str]:
    """A line for each parameter, after that which it relates to; `pool` has constants of the body."""
    writer, names = _Writer(pool, Random(seed)), {one.name for one in parameters}
    ordered = in_order(tuple(parameters))
    sources = {parameter.relation.source for parameter in ordered if parameter.relation is not None}
    for parameter in ordered:
        made = writer.related(parameter, names)
        made = f"st.shared({made}, key={parameter.name!r})" if parameter.name in sources else made
        yield f"{parameter.name}_values = {made}"


class _Writer:

    def __init__(self, pool: Pool, rng: Random) -> None:
        self.pool = pool
        self.rng = rng

    def related(self, parameter: Parameter, known: set[str]) -> str:
        """The strategy of a parameter, with values that relate to another one's where they do."""
        made = self.parameter(parameter)
        if parameter.relation is None or parameter.relation.source not in known:
            return made
        item = held_by(parameter.spec)
        further = related_strategy(parameter, "" if item is None else self.write(item, 1))
        return f"st.one_of({made}, {further})"

    def parameter(self, parameter: Parameter) -> str:
        """The strategy of a parameter for itself, with the values that documentation and default show."""
        made = self.write(parameter.spec)
        if parameter.kind == "variadic":
            return f"st.lists({made}, max_size=4)"
        default = [parameter.default] if isinstance(parameter.default, (int, str, float, bool)) else []
        known = sampled([*parameter.examples, *(default if parameter.optional else [])])
        return f"st.one_of({known}, {made})" if known else made

    def write(self, spec: Spec, depth: int = 0) -> str:
        """The strategy of a specification as an expression."""
        match spec:
            case Text():
                return self.text(spec)
            case Whole():
                return self.numbers(spec, "integers", self.pool.whole, (-1000, 1000))
            case Real():
                return self.numbers(spec, "floats", self.pool.real, (-1e6, 1e6))
            case Anything(nested=True):
                return _TREES
            case Choice(values):
                return sampled(values) or "st.nothing()"
            case Either(options):
                known = [self.write(option, depth) for option in options if buildable(option)]
                return f"st.one_of({', '.join(dict.fromkeys(known))})"
            case Items():
                return self.items(spec, depth)
            case Fixed(items, kind):
                made = f"st.tuples({', '.join(self.write(item, depth + 1) for item in items)})"
                if spec.rising and all(isinstance(item, (Whole, Real, Moment)) for item in items):
                    made = f"{made}.map(sorted).map(tuple)"
                return made if kind == "tuple" else f"{made}.map(list)"
            case Dictionary():
                return self.dictionary(spec, depth)
            case Moment(kind):
                return f"st.{kind}s()"
            case Exact(kind):
                return self.exact(kind)
            case Binary(kind):
                return "st.binary(max_size=20)" + ("" if kind == "bytes" else ".map(bytearray)")
            case Function():
                return f"st.sampled_from([{', '.join(palette(spec))}])"
            case TypeValue(kind):
                return type_values.strategy(self.pool, self.rng, kind)
            case Array() | Column() | Frame():
                return self.library(spec)
        return {Anything: _ANYTHING, Boolean: "st.booleans()", Nothing: "st.none()"}[type(spec)]

    def text(self, spec: Text) -> str:
        further = [] if spec.closed else self.pool.texts
        constants = list(dict.fromkeys([*spec.examples, *spec.constants, *further]))[:MAX_VALUES]
        parts = [f"st.sampled_from({constants!r})"] if constants else []
        if not spec.closed:
            parts += [self.form(name) for name in spec.formats]
            parts += [self.carried(name, spec.content) for name in spec.formats if name in CARRIERS and spec.content]
            parts += self.patterns(spec)
            parts += [f"st.from_regex({notation(shown)!r}, fullmatch=True)" for shown in spec.examples[:4]]
            for separator, places in spec.places:
                pieces = ", ".join(self.write(one, 1) for one in places)
                parts.append(f"st.tuples({pieces}).map(lambda pieces: {separator!r}.join(map(str, pieces)))")
            for separator in spec.separators[:3]:
                piece = "st.text(max_size=8)" if spec.piece is None else f"{self.write(spec.piece)}.map(str)"
                parts.append(f"st.lists({piece}, max_size=5).map({separator!r}.join)")
            parts += [f"st.text(max_size=12).map({start!r}.__add__)" for start in spec.starts[:4]]
            parts += [f"st.text(max_size=12).map(lambda text: text + {end!r})" for end in spec.ends[:4]]
            alphabet = "".join(self.pool.alphabet)[:40]
            if alphabet:
                parts.append(f"st.text({alphabet + ' abcXYZ019'!r}, max_size=20)")
        parts.append("st.text(max_size=20)")
        parts = list(dict.fromkeys(parts))
        return parts[0] if len(parts) == 1 else f"st.one_of({', '.join(parts)})"

    def patterns(self, spec: Text) -> list[str]:
        made = []
        for pattern in self.pool.patterns if spec.searched else []:
            try:
                re.compile(pattern)
            except (re.error, OverflowError):
                continue
            made.append(f"st.from_regex({pattern!r})")
        return made[:6]

    def carried(self, name: str, content: Spec) -> str:
        """Texts that hold a value of another specification."""
        inner = self.write(content)
        if name == "base64":
            data = inner if isinstance(content, Binary) else f"{inner}.map(str).map(str.encode)"
            return f"{data}.map(base64.b64encode).map(bytes.decode)"
        return f"{inner}.map(lambda value: json.dumps(value, default=str))"

    def form(self, name: str) -> str:
        if name == "integer":
            return "st.integers(-5000, 5000).map(str)"
        if name == "number":
            return "st.floats(-1e3, 1e3).map(lambda number: f'{number:.2f}')"
        if name.startswith("date:"):
            first = "min_value=datetime.datetime(1970, 1, 1)"
            return f"st.datetimes({first}).map(lambda moment: moment.strftime({name[5:]!r}))"
        examples = list(dict.fromkeys(in_format(name, self.rng) for _ in range(EXAMPLES)))
        return f"st.sampled_from({examples!r})"

    def numbers(self, spec: Whole | Real, name: str, pool: Sequence[float], usual: tuple[float, float]) -> str:
        low = spec.low if spec.low is not None else min(usual[0], spec.high if spec.high is not None else usual[0])
        high = spec.high if spec.high is not None else max(usual[1], low)
        made = f"st.{name}({low!r}, {high!r})"
        if isinstance(spec, Real) and (spec.special or self.pool.special):
            made = "st.floats()"
        constants = [
            value for value in dict.fromkeys([*spec.constants, *pool])
            if low <= value <= high and abs(value) <= sys.float_info.max
        ]
        return f"st.one_of({sampled(constants[:MAX_VALUES])}, {made})" if constants else made

    def items(self, spec: Items, depth: int) -> str:
        if not buildable(spec.item):
            return "st.just([])"
        item = self.write(spec.item, depth + 1)
        size = f"min_size={spec.exact or spec.fewest}, max_size={spec.exact or (8 if depth == 0 else 4)}"
        if spec.kind in ("set", "frozenset"):
            return f"st.{spec.kind}s({item}, {size})"
        made = f"st.lists({item}, {size})"
        if spec.ordered and isinstance(spec.item, (Whole, Real, Text, Moment)):
            made = f"{made}.map(sorted)"
        return made if spec.kind == "list" else f"{made}.map({spec.kind})"

    def dictionary(self, spec: Dictionary, depth: int) -> str:
        entries = [entry for entry in spec.entries if buildable(entry.value)]
        required = {entry.key: self.write(entry.value, depth + 1) for entry in entries if entry.required}
        optional = {entry.key: self.write(entry.value, depth + 1) for entry in entries if not entry.required}
        fixed = ", ".join(f"{key!r}: {value}" for key, value in required.items())
        made = f"st.fixed_dictionaries({{{fixed}}}"
        if optional:
            made += ", optional={" + ", ".join(f"{key!r}: {value}" for key, value in optional.items()) + "}"
        made += ")"
        if spec.key is not None:
            value = spec.value if spec.value is not None and buildable(spec.value) else Text()
            further = f"st.dictionaries({self.write(spec.key, depth + 1)}, {self.write(value, depth + 1)}, max_size=4)"
            made = f"st.builds(lambda known, more: {{**more, **known}}, {made}, {further})" if entries else further
        return made if spec.kind == "dict" else f"{made}.map({spec.kind})"

    def exact(self, kind: str) -> str:
        return KINDS[kind].strategy(self.pool, self.rng)

    def library(self, spec: Any) -> str:
        if isinstance(spec, Array):
            return self.array(spec)
        if isinstance(spec, Column):
            return self.column(spec)
        columns = list(spec.columns) or ["a", "b"]
        known = dict(zip(spec.columns, spec.cells, strict=False))
        items = {name: cell.item for name, cell in known.items() if cell is not None}
        usual = spec.cell.item if spec.cell is not None else Whole(-20, 100)
        cells = ", ".join(f"{name!r}: {self.write(items.get(name, usual), 2)}" for name in columns)
        rows = f"st.lists(st.fixed_dictionaries({{{cells}}}), max_size=6)"
        return f"{rows}.map(lambda rows: pandas.DataFrame(rows, columns={columns!r}))"

    def array(self, spec: Array) -> str:
        dtype = {"float": "float64", "int": "int64", "bool": "bool", "complex": "complex128", "str": "U8"}[spec.dtype]
        elements = {"float64": "st.floats(-100, 100)", "int64": "st.integers(-20, 100)"}.get(dtype)
        lengths = "".join(f"{_length(one)}, " for one in spec.shape)
        low, high = (spec.dims,) * 2 if spec.dims else (min(spec.ranks, default=1), max(spec.ranks, default=2))
        shape = f"hnp.array_shapes(min_dims={low}, max_dims={high}, min_side=0, max_side=6)"
        shape = f"st.tuples({lengths.removesuffix(', ')})" if spec.shape else shape
        plain = f"hnp.arrays({dtype!r}, {shape}" + (f", elements={elements})" if elements else ")")
        others = [name for name in spec.dtypes if name not in ("object", "moments", dtype)]
        names = [{"str": "U8", "bytes": "S4"}.get(name, name) for name in others]
        made = f"st.one_of({plain}, hnp.arrays(st.sampled_from({names!r}), {shape}))" if names else plain
        forms = [f"{made}.map({f'sparse.{form}' if form else 'np.asarray'})" for form in spec.forms]
        return f"st.one_of({', '.join(forms)})" if forms else made

    def column(self, spec: Column) -> str:
        if spec.record is not None:
            return f"{self.write(spec.record)}.map(lambda row: pandas.Series(row, dtype='object'))"
        item = f"st.one_of(st.none(), {self.write(spec.item)})" if spec.missing else self.write(spec.item)
        made = f"st.lists({item}, max_size=8).map(pandas.Series)"
        if "category" in spec.dtypes:
            made = f"st.one_of({made}, {made}.map(lambda values: values.astype('category')))"
        return made


def _length(wanted: int | str) -> str:
    """The length of an axis: as declared, the same wherever its name stands, or free."""
    if isinstance(wanted, str):
        return f"st.shared(st.integers(0, 6), key={'length ' + wanted!r})"
    return f"st.just({wanted})" if wanted else "st.integers(0, 6)"
