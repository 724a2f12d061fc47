"""What callers pass: each parameter narrowed to what its documentation, its name and its use suggest.

`infer` says what a parameter *may* be, so that no branch is missed. Most cases of a suite should be what somebody would
really pass: as many samples as there are, a probability between 0 and 1, as many columns as are read, a text in the
notation that is asked for. Nothing here is a promise, so a part of the cases never keeps to it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from pipeline.suites.domain.parameter import Parameter, Relation
from pipeline.suites.domain.spec import (
    Array,
    Dictionary,
    Either,
    Fixed,
    Items,
    Nothing,
    Real,
    Spec,
    Whole,
    either,
    options_of,
)
from pipeline.suites.inference.evidence.docstrings import Described, described
from pipeline.suites.inference.evidence.names import COUNT_NAMES
from pipeline.suites.inference.interpreter.parameter_relations import leads
from pipeline.suites.subject import Subject

KEPT = 0.96
"""The share of ordinary inputs in which a relation holds that callers keep to."""
_KEPT = frozenset(["index", "key", "above", "length", "size"])
_SHARES = frozenset(
    "confidence probability probabilities prob probs fraction fractions proportion quantile opacity accuracy recall"
    " similarity iou dropout likelihood".split()
)
_PERCENT = frozenset("percent percentage percentages pct percentile".split())
_SIGNED = frozenset(
    "delta diff difference offset shift x y z dx dy dz lat lon lng latitude longitude angle degrees radians temperature"
    " temp balance change log logit logits charge point points coordinate coordinates coords slope intercept error"
    " residual gradient bias velocity exponent skew offsets deltas axis".split()
)
_AMOUNTS = {
    **dict.fromkeys("hours days weeks".split(), 3),
    **dict.fromkeys("minutes mins tokens".split(), 4),
    **dict.fromkeys("seconds secs sec duration elapsed timeout uptime latency".split(), 5),
    **dict.fromkeys("ms millis milliseconds msec millisecond".split(), 8),
    **dict.fromkeys("us micros microseconds usec microsecond".split(), 11),
    **dict.fromkeys("ns nanos nanoseconds nsec nanosecond".split(), 14),
    **dict.fromkeys("bytes nbytes filesize".split(), 11),
}
"""Words in names of amounts, with the number of digits up to which they go."""
_MORE_COUNTS = frozenset(
    "k c m id ids indices counts sizes lengths support samples steps epochs quantity amount price prices cost".split()
)
_COUNTED = re.compile(r"\b(?:numbers?|counts?|amount|quantity) of\b|\bhow (?:many|much)\b", re.IGNORECASE)
_OF_WHAT = re.compile(r"\b(?:number|count) of\s+((?:[a-z-]+\s+){0,2}[a-z-]+)", re.IGNORECASE)
_NEGATIVE = re.compile(r"(?<!non-)(?<!non)\bnegative\b|\bsigned\b", re.IGNORECASE)
_SORTS = {
    "float": re.compile(r"\bfloat|\bdouble|\bfloating", re.IGNORECASE),
    "bool": re.compile(r"\bbool(?:ean)?_?s?\b", re.IGNORECASE),
    "int": re.compile(r"\bu?int(?:eger)?s?(?:8|16|32|64|_)?\b", re.IGNORECASE),
    "complex": re.compile(r"\bcomplex", re.IGNORECASE),
}
_LIKE = re.compile(r"\barray[-_ ]like\b|\bArrayLike\b", re.IGNORECASE)
_MAKING = frozenset(["asarray", "array", "asanyarray", "atleast_1d", "atleast_2d", "check_array"])


def ordinary(parameters: tuple[Parameter, ...], subject: Subject) -> tuple[Parameter, ...]:
    """The parameters as callers use them, in the order given."""
    function, text = subject.function, described(subject.docstring)
    signed = _signed(function)
    made = []
    for parameter in parameters:
        words = text.about(parameter.name)
        spec = _numbers(parameter.spec, parameter.name, words, parameter.name in signed)
        spec = _of_type(spec, " ".join((*parameter.evidence, words)))
        spec = _listed(spec, parameter.name, words, function)
        made.append(replace(parameter, spec=spec, relation=_kept(parameter.relation)))
    return tuple(_counting(_not_below(_of_one_length(made, function), function), text))


def _kept(relation: Relation | None) -> Relation | None:
    return replace(relation, share=KEPT) if relation is not None and relation.kind in _KEPT else relation


# numbers


_OF_SIZE = frozenset(["abs", "absolute", "fabs", "sign", "copysign"])


def _signed(function: ast.FunctionDef) -> set[str]:
    """The names of which the body takes the size, or with whose negative values it deals other than by raising."""
    found: set[str] = set()
    for node in ast.walk(function):
        match node:
            case ast.Call(called, [ast.Name(name), *_]) if ast.unparse(called).rpartition(".")[2] in _OF_SIZE:
                found.add(name)
            case ast.If(ast.Compare(ast.Name(name), [ast.Lt() | ast.LtE()], [limit]), [first, *_]):
                if _not_above_zero(limit) and not isinstance(first, ast.Raise):
                    found.add(name)
            case ast.IfExp(ast.Compare(ast.Name(name), [ast.Lt() | ast.LtE()], [limit])) if _not_above_zero(limit):
                found.add(name)
    return found


def _not_above_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) or (isinstance(node, ast.Constant) and node.value in (0, 0.0))


def _numbers(spec: Spec, name: str, words: str, signed: bool) -> Spec:
    """The numbers of a specification within the range that callers keep to, those that it holds included."""
    match spec:
        case Items(item):
            return replace(spec, item=_numbers(item, name, words, signed))
        case Fixed(items):
            return replace(spec, items=tuple(_numbers(item, name, words, signed) for item in items))
        case Dictionary(value=value, entries=entries):
            known = tuple(replace(one, value=_numbers(one.value, str(one.key), "", False)) for one in entries)
            return replace(spec, value=None if value is None else _numbers(value, name, words, signed), entries=known)
    options = [one for one in options_of(spec) if not isinstance(one, Nothing)]
    if isinstance(spec, Either) and any(isinstance(one, (Items, Fixed, Dictionary)) for one in options):
        held = (Items, Fixed, Dictionary)
        spec = either([_numbers(one, name, words, signed) if isinstance(one, held) else one for one in spec.options])
    numbers = [one for one in options if isinstance(one, (Whole, Real))]
    if not numbers:
        return spec
    bounds = _bounds(name, words, signed, any(isinstance(one, Real) for one in numbers))
    if bounds is None:
        return spec
    counted = bounds == _COUNT and len(numbers) == len(options) > 1
    made = [_within(one, bounds) if isinstance(one, (Whole, Real)) else one for one in options_of(spec)
            if not (counted and isinstance(one, Real))]
    return either(made)


Bounds = tuple[float, float | None]
_COUNT: Bounds = (0, None)


def _bounds(name: str, words: str, signed: bool, real: bool) -> Bounds | None:
    """The range that callers keep to, None where nothing suggests one."""
    parts = set(re.findall(r"[a-z]+", name.lower()))
    if signed or _NEGATIVE.search(words):
        return None
    if parts & _SHARES and real:
        return 0, 1
    if parts & _PERCENT:
        return 0, 100
    spread = max((_AMOUNTS[part] for part in parts & set(_AMOUNTS)), default=0)
    if spread:
        return 0, 10.0**spread
    if parts & (COUNT_NAMES | _MORE_COUNTS) or _COUNTED.search(words):
        return _COUNT
    # A whole number is rarely negative, whatever it is.
    return None if parts & _SIGNED or real else (0, None)


def _within(spec: Whole | Real, bounds: Bounds) -> Spec:
    low, high = bounds
    low = low if spec.low is None or (spec.soft and spec.low < low) else spec.low
    high = high if spec.high is None else spec.high
    if high is not None and low > high:
        return spec
    if isinstance(spec, Whole):
        return replace(spec, low=int(low), high=None if high is None else int(high))
    return replace(spec, low=float(low), high=None if high is None else float(high), special=False)


def _of_type(spec: Spec, told: str) -> Spec:
    """Arrays that are said to be of one sort of numbers hold no others, as far as there are such among the options."""
    sorts = [sort for sort, pattern in _SORTS.items() if pattern.search(told)]
    options = options_of(spec)
    arrays = [one for one in options if isinstance(one, Array)]
    if len(sorts) != 1 or not arrays:
        return spec
    kept = [one for one in arrays if one.dtype == sorts[0]] or [replace(arrays[0], dtype=sorts[0])]
    firm: list[Spec] = [replace(one, dtypes=(), wide=False, firm=True) for one in kept]
    return either([*firm, *(one for one in options if not isinstance(one, Array))])


def _listed(spec: Spec, name: str, words: str, function: ast.FunctionDef) -> Spec:
    """Arrays that may be lists: the documentation says `array-like`, and the body makes an array of it."""
    made = any(
        isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in _MAKING and node.args
        and ast.unparse(node.args[0]) == name for node in ast.walk(function))
    if not made or not _LIKE.search(words):
        return spec
    return either([replace(one, listed=True) if isinstance(one, Array) and not one.forms else one
                   for one in options_of(spec)])


# texts


def _of_one_length(parameters: list[Parameter], function: ast.FunctionDef) -> list[Parameter]:
    """Sequences that are read at the same place are of one length."""
    sequences = {one.name for one in parameters if _is_sequence(one)}
    places: dict[str, list[str]] = {}
    for node in ast.walk(function):
        match node:
            case ast.Subscript(ast.Name(name), ast.Name(place)) if name in sequences:
                if name not in places.setdefault(place, []):
                    places[place].append(name)
    first = {name: names[0] for names in places.values() for name in names[1:]}
    return _with_relations(parameters, "length", first, ("similar", "shared"))


def _with_relations(
    parameters: list[Parameter], kind: str, sources: Mapping[str, str], weaker: Iterable[str] = ()
) -> list[Parameter]:
    """The parameters with relations to the sources, where they have none but a weaker one, and none leads back."""
    known = {one.name: one for one in parameters}
    for name, source in sources.items():
        relation = known[name].relation
        if (relation is None or relation.kind in weaker) and not leads(known.values(), source, name):
            known[name] = replace(known[name], relation=Relation(kind, name, source, KEPT))
    return list(known.values())


def _not_below(parameters: list[Parameter], function: ast.FunctionDef) -> list[Parameter]:
    """A number from which another one is taken away is not below it, where neither is negative."""
    natural = {one.name for one in parameters if one.relation is None and any(
        isinstance(option, (Whole, Real)) and option.low is not None and option.low >= 0
        for option in options_of(one.spec))}
    above: dict[str, str] = {}
    for node in ast.walk(function):
        match node:
            case ast.BinOp(ast.Name(name), ast.Sub(), ast.Name(other)) if {name, other} <= natural and name != other:
                if above.get(other) != name:
                    above.setdefault(name, other)
    return _with_relations(parameters, "above", above)


def _is_sequence(parameter: Parameter) -> bool:
    return any(isinstance(one, Array) or (isinstance(one, Items) and one.kind in ("list", "tuple"))
               for one in options_of(parameter.spec))


def _counting(parameters: list[Parameter], text: Described) -> list[Parameter]:
    """A number that is said to count what another parameter holds is its length."""
    sources: dict[str, str] = {}
    for one in parameters:
        words = _OF_WHAT.search(text.about(one.name))
        nouns = {_stem(word) for word in re.findall(r"[a-z]+", words.group(1).lower())} if words else set()
        holders = [p.name for p in parameters if p is not one and _is_sequence(p) and nouns & _told(p, text)]
        if holders and any(isinstance(option, Whole) for option in options_of(one.spec)):
            sources[one.name] = holders[0]
    return _with_relations(parameters, "count", sources, ("size", "similar"))


def _told(parameter: Parameter, text: Described) -> set[str]:
    words = f"{parameter.name.replace('_', ' ')} {text.about(parameter.name)}"
    return {_stem(word) for word in re.findall(r"[a-z]+", words.lower()) if len(word) > 3 or word == parameter.name}


def _stem(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) > 3 else word
