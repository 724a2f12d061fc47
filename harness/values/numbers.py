"""Numbers: ints of any size, complex numbers, fractions; ranges and slices of them, and the ellipsis."""

from __future__ import annotations

import math

from .codec import TAG, Codecs, encode, ints_of, items_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .codec import Encoder, Json


def _int(value: int) -> Json:
    text = hex(value) if value.bit_length() > 3000 else str(value)
    return {TAG: "int", "v": text}


def _complex(value: complex) -> Json:
    return {TAG: "complex", "v": [_number(value.real), _number(value.imag)]}


def _number(value: float) -> Json:
    return value if math.isfinite(value) else {TAG: "float", "v": repr(value)}


def _range(value: range) -> Json:
    return {TAG: "range", "v": [encode(n) for n in (value.start, value.stop, value.step)]}


def _slice(encoder: Encoder, value: slice, depth: int) -> Json:
    return {TAG: "slice", "v": encoder.each((value.start, value.stop, value.step), depth)}


def _to_slice(data: Json, depth: int) -> slice:
    start, stop, step = items_of(data, depth)
    return slice(start, stop, step)


def _fraction(value: Any) -> Json:
    return {TAG: "Fraction", "v": [encode(value.numerator), encode(value.denominator)]}


def _to_fraction(data: Json, depth: int) -> Any:
    import fractions

    return fractions.Fraction(*ints_of(data, depth, 2))


CODECS = Codecs(
    simple={
        int: _int,
        complex: _complex,
        range: _range,
        type(...): lambda _: {TAG: "ellipsis"},
    },
    named_simple={"fractions.Fraction": _fraction},
    containers={slice: _slice},
    decoders={
        "int": lambda data, _: int(text_of(data["v"]), 0),
        "complex": lambda data, depth: complex(*items_of(data, depth)),
        "range": lambda data, depth: range(*ints_of(data, depth, 3)),
        "slice": _to_slice,
        "ellipsis": lambda data, _: ...,
        "Fraction": _to_fraction,
    },
)
