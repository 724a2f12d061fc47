"""Specifications in words: in the notation of annotations, as people read it."""

from __future__ import annotations

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
    Unbuildable,
    Whole,
)

_TYPE_VALUES = {"class": "a class", "exception": "a class of exceptions", "number": "a type of NumPy's numbers",
                "type": "a type"}


def describe(spec: Spec) -> str:
    """The specification in the notation of annotations, as people read it."""
    match spec:
        case Items(item, kind):
            return f"{kind}[{describe(item)}]" + (", ..." if kind == "tuple" else "")
        case Fixed(items, kind):
            return f"{kind}[{', '.join(describe(item) for item in items)}]"
        case Dictionary():
            return _describe_dictionary(spec)
        case Either(options, rare):
            text = " | ".join(describe(option) for option in options)
            return text + (f" (rarely {' | '.join(describe(option) for option in rare)})" if rare else "")
        case Text():
            return _describe_text(spec)
        case Whole(low, high) | Real(low, high):
            name = "int" if isinstance(spec, Whole) else "float"
            return name if low is None and high is None else f"{name} in [{_bound(low)}, {_bound(high)}]"
        case Choice(values):
            return f"one of {', '.join(repr(value) for value in values)}"
        case Array():
            return _describe_array(spec)
        case Column(record=Dictionary() as row):
            return f"Series of {describe(row)}"
        case Column(item):
            kinds = f" (or {', '.join(spec.dtypes)})" if spec.dtypes else ""
            return f"Series of {describe(item)}{kinds}"
        case Frame(columns, cells, cell=others) if columns or others is not None:
            held = [describe(cell.item) if cell else "?" for cell in cells] or ["?"] * len(columns)
            parts = [f"{name!r}: {one}" for name, one in zip(columns, held, strict=True)]
            return f"DataFrame of {', '.join([*parts, *([f'others: {describe(others.item)}'] if others else [])])}"
        case Unbuildable(what):
            return what
        case TypeValue(kind):
            return _TYPE_VALUES[kind]
        case Function(arity, takes, gives):
            told = f" of {arity} arguments" if arity > 1 else ""
            return f"a pure function{told}" + (f" ({takes or 'any'} -> {gives or 'any'})" if takes or gives else "")
        case Binary(kind) | Moment(kind) | Exact(kind):
            return kind
    return {Anything: "anything", Nothing: "None", Boolean: "bool", Frame: "DataFrame"}[type(spec)]


def _describe_array(spec: Array) -> str:
    kinds = ", ".join(dict.fromkeys((spec.dtype, *spec.dtypes)))
    axes = spec.dims or " or ".join(map(str, spec.ranks))
    sparse = "sparse " if spec.forms and all(spec.forms) else "array or sparse " if spec.forms else ""
    name = f"{sparse}{'matrix' if sparse else 'array'}"
    return f"{name} of {kinds}" + (f", {axes} axes" if axes else "")


def _describe_dictionary(spec: Dictionary) -> str:
    shown = [f"{e.key!r}{'' if e.required else '?'}: {describe(e.value)}" for e in spec.entries]
    if spec.key is not None:
        shown.append(f"{describe(spec.key)}: {describe(spec.value or Anything())}")
    return ("" if spec.kind == "dict" else f"{spec.kind} ") + "{" + ", ".join(shown) + "}"


def _describe_text(spec: Text) -> str:
    notes = list(spec.formats)
    if spec.content is not None:
        notes = [f"{name} of {describe(spec.content)}" if name in CARRIERS else name for name in notes]
    if spec.separators:
        pieces = f" into {describe(spec.piece)}" if spec.piece is not None else ""
        told = [f" by {sign!r} into ({', '.join(map(describe, parts))})" for sign, parts in spec.places]
        other = [sign for sign in spec.separators if sign not in dict(spec.places)]
        told += [f" by {', '.join(map(repr, other))}{pieces}"] if other else []
        notes.append(f"split{','.join(told)}")
    if spec.closed:
        notes.append(f"as {', '.join(map(repr, spec.constants[:6]))}")
    if spec.searched:
        notes.append("matched against a pattern")
    return f"str ({'; '.join(notes)})" if notes else "str"


def _bound(value: float | None) -> str:
    return "..." if value is None else str(value)
