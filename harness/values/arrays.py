"""Arrays of NumPy, masked ones too, its scalars and dtypes."""

from __future__ import annotations

import math
import sys

from .binary import base64_of, bytes_of
from .codec import MAX_BYTES, TAG, Codecs, NotDecodable, NotEncodable, decode_part, items_of, why_not

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .codec import Container, Encoder, Json

_PLAIN_KINDS = "biufcmMUS"


def _numpy_types() -> dict[type, Container]:
    import numpy as np

    masked = sys.modules.get("numpy.ma")
    if masked is None:
        return {np.ndarray: encode_array}
    hidden = {type(masked.masked): lambda *_: {TAG: "masked value"}}
    return {np.ndarray: encode_array, masked.MaskedArray: _masked_array, **hidden}


def _dtype(encoder: Encoder, value: Any, depth: int) -> Json:
    return {TAG: "dtype", "v": dtype_text(value)}


def dtype_text(dtype: Any) -> str:
    """The text of a dtype that has one on every machine."""
    text: str = dtype.str
    if dtype.names or dtype.subdtype or dtype.kind not in _PLAIN_KINDS + "O" or text[1:] in ("f16", "c32"):
        raise NotEncodable(f"a NumPy value of type {dtype}")
    return text


def dtype_from(text: Json) -> Any:
    """The dtype of a text, the inverse of `dtype_text`."""
    import re

    import numpy as np

    if type(text) is not str or not re.fullmatch(r"[<>|][biufcmMUSO]\d*(\[\d*[A-Za-zμ]+\])?", text):
        raise NotDecodable(f"{text!r} is no dtype")
    return np.dtype(text)


def encode_array(encoder: Encoder, value: Any, depth: int) -> Json:
    """An array: its numbers as bytes, objects one by one."""
    data = {TAG: "ndarray", "dtype": dtype_text(value.dtype), "shape": list(value.shape)}
    if value.dtype.kind == "O":
        return {**data, "v": encoder.each(value.ravel(order="C").tolist(), depth)}
    if value.nbytes > MAX_BYTES:
        raise NotEncodable(f"an array of more than {MAX_BYTES} bytes")
    text = base64_of(value.tobytes(order="C"))
    encoder.count(text)
    return {**data, "v": text}


def decode_array(data: Json, depth: int) -> Any:
    """The inverse of `encode_array`."""
    import numpy as np

    dtype, shape = dtype_from(data["dtype"]), tuple(data["shape"])
    if dtype.kind == "O":
        flat = np.empty(len(data["v"]), dtype=object)
        flat[:] = items_of(data, depth)
        return flat.reshape(shape)
    raw = bytes_of(data)
    if math.prod(shape) * dtype.itemsize != len(raw) or (not raw and math.prod(shape)):
        raise NotDecodable("the array's shape does not fit its data")
    return np.frombuffer(raw, dtype=dtype).reshape(shape).copy() if raw else np.zeros(shape, dtype)


def _numpy_scalar(encoder: Encoder, value: Any, depth: int) -> Json:
    if type(value) is not value.dtype.type:
        raise NotEncodable(why_not(value, type(value)))
    text = dtype_text(value.dtype)
    item = str(value.view("i8")) if value.dtype.kind in "mM" else encoder.encode(value.item(), depth)
    return {TAG: "numpy", "dtype": text, "v": item}


def _to_numpy(data: Json, depth: int) -> Any:
    import numpy as np

    dtype, value = dtype_from(data["dtype"]), decode_part(data["v"], depth)
    if dtype.kind in "mM":
        return np.array(int(value), dtype="i8").view(dtype)[()]
    return dtype.type(value)


def _masked_array(encoder: Encoder, value: Any, depth: int) -> Json:
    """The numbers, those that are hidden included, and where they are hidden; None where there is no mask."""
    import numpy as np

    if value.dtype.kind == "O" or value.hardmask:
        raise NotEncodable("a masked array of objects, or with a hard mask")
    mask = None if value.mask is np.ma.nomask else encode_array(encoder, np.asarray(value.mask), depth)
    filled = encoder.encode(value.fill_value if value._fill_value is not None else None, depth)
    shown = encode_array(encoder, np.asarray(value.data), depth)
    return {TAG: "MaskedArray", "fill": filled, "mask": mask, "v": shown}


def _to_masked_array(data: Json, depth: int) -> Any:
    import numpy as np

    array = decode_array(data["v"], depth)
    mask = np.ma.nomask if data["mask"] is None else decode_array(data["mask"], depth)
    if array.dtype.kind == "O" or (data["mask"] is not None and (mask.dtype != bool or mask.shape != array.shape)):
        raise NotDecodable("the mask does not fit the array")
    return np.ma.MaskedArray(array, mask=mask, fill_value=decode_part(data["fill"], depth))


def _to_masked_value(data: Json, depth: int) -> Any:
    import numpy as np

    return np.ma.masked


def _encoder_of(kind: type) -> Container | None:
    for base, container in _numpy_types().items():
        if kind is base:
            return container
    if issubclass(kind, sys.modules["numpy"].generic):
        return _numpy_scalar
    return _dtype if issubclass(kind, sys.modules["numpy"].dtype) else None


CODECS = Codecs(
    libraries={"numpy": _encoder_of},
    decoders={
        "ndarray": decode_array,
        "numpy": _to_numpy,
        "dtype": lambda data, _: dtype_from(data["v"]),
        "MaskedArray": _to_masked_array,
        "masked value": _to_masked_value,
    },
)
