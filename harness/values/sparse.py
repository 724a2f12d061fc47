"""Sparse matrices of SciPy."""

from __future__ import annotations

import sys

from .arrays import decode_array, encode_array
from .codec import TAG, Codecs, NotDecodable, NotEncodable, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .codec import Encoder, Json

SPARSE = tuple(f"{form}_{kind}" for form in ("csr", "csc", "coo") for kind in ("array", "matrix"))
"""The types of sparse matrices that are carried."""
_SPARSE_KINDS = "biufc"


def _is_sparse(kind: type) -> bool:
    module = sys.modules.get("scipy.sparse")
    return kind.__name__ in SPARSE and getattr(module, kind.__name__, None) is kind


def _sparse(encoder: Encoder, value: Any, depth: int) -> Json:
    """The stored numbers and where they stand: rows and columns, or for compressed ones bounds and indices."""
    if len(value.shape) != 2 or value.dtype.kind not in _SPARSE_KINDS:
        raise NotEncodable(f"a sparse {'x'.join(map(str, value.shape))} array of type {value.dtype}")
    places = value.coords if value.format == "coo" else (value.indptr, value.indices)
    parts = [encode_array(encoder, place, depth) for place in places]
    stored = encode_array(encoder, value.data, depth)
    return {TAG: "sparse", "type": type(value).__name__, "shape": list(value.shape), "places": parts, "v": stored}


def _to_sparse(data: Json, depth: int) -> Any:
    import scipy.sparse

    name = text_of(data["type"])
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
    return decode_array(data, 0)


CODECS = Codecs(
    libraries={"scipy": lambda kind: _sparse if _is_sparse(kind) else None},
    decoders={"sparse": _to_sparse},
)
