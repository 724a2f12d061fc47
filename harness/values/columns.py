"""The arrays that columns and indexes of pandas hold, and their types."""

from __future__ import annotations

import math

from .arrays import decode_array, encode_array
from .codec import TAG, Codecs, NotDecodable, NotEncodable, decode_part, items_of, text_of
from .moments import zone_from, zone_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .codec import Encoder, Json

MASKED = {"boolean", "Float32", "Float64", *(f"{sign}Int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64))}


def encode_column(encoder: Encoder, array: Any, depth: int) -> Json:
    """The values of a Series, an Index or a column, by the kind of their array."""
    import numpy as np
    import pandas as pd

    dtype = array.dtype
    if isinstance(array, pd.arrays.NumpyExtensionArray):
        return encode_array(encoder, array.to_numpy(), depth)
    if isinstance(dtype, np.dtype):
        return encode_array(encoder, np.asarray(array), depth)
    if isinstance(dtype, pd.CategoricalDtype):
        categories = encode_index(encoder, array.categories, depth)
        codes = encode_array(encoder, plain_array(array.codes, "<i8"), depth)
        return {TAG: "Categorical", "ordered": bool(array.ordered), "categories": categories, "v": codes}
    if isinstance(dtype, pd.DatetimeTZDtype):
        moments = encode_array(encoder, array.asi8, depth)
        return {TAG: "moments", "unit": dtype.unit, "zone": zone_of(dtype.tz), "v": moments}
    if isinstance(dtype, pd.StringDtype):
        texts = [None if missing else text for text, missing in zip(array, array.isna(), strict=True)]
        return {TAG: "texts", "storage": dtype.storage, "missing": missing_of(dtype), "v": encoder.each(texts, depth)}
    if isinstance(dtype, pd.IntervalDtype):
        ends = [encoder.encode(end, depth) for end in (array.left, array.right)]
        return {TAG: "intervals", "closed": dtype.closed, "v": ends}
    if isinstance(dtype, pd.PeriodDtype):
        return {TAG: "periods", "freq": dtype._freqstr, "v": encode_array(encoder, np.asarray(array.asi8), depth)}
    if dtype.name in MASKED:
        mask = np.asarray(array.isna())
        data = array.to_numpy(dtype=dtype.numpy_dtype, na_value=0)
        parts = {"mask": encode_array(encoder, mask, depth), "v": encode_array(encoder, data, depth)}
        return {TAG: "masked", "dtype": dtype.name, **parts}
    raise NotEncodable(f"a pandas array of type {dtype}")


def one_axis(values: Any) -> None:
    """Refuse what `take` gives where it is asked for places in several rows: an index that pandas can't make again."""
    if len(values.shape) != 1:
        raise NotEncodable("an index with several axes")


def encode_index(encoder: Encoder, value: Any, depth: int) -> Json:
    """An index, by its array."""
    one_axis(value.array)
    data = {TAG: type(value).__name__, "name": encoder.encode(value.name, depth)}
    if data[TAG] != "PeriodIndex" and getattr(value, "freq", None) is not None:
        data["freq"] = value.freqstr
    return {**data, "v": encode_column(encoder, value.array, depth)}


def plain_array(values: Any, dtype: str) -> Any:
    """What holds numbers as an array of NumPy."""
    import numpy as np

    return np.asarray(values).astype(dtype)


def missing_of(dtype: Any) -> str:
    """What stands for missing texts in a type of columns."""
    import pandas as pd

    return "NA" if dtype.na_value is pd.NA else "nan"


def _to_categorical(data: Json, depth: int) -> Any:
    import pandas as pd

    kind = pd.CategoricalDtype(decode_part(data["categories"], depth), ordered=data["ordered"])
    return pd.Categorical.from_codes(decode_part(data["v"], depth), dtype=kind)


def _to_moments(data: Json, depth: int) -> Any:
    import pandas as pd

    moments = decode_part(data["v"], depth).view(f"M8[{data['unit']}]")
    return pd.DatetimeIndex(moments, tz="UTC").tz_convert(zone_from(data["zone"])).array


def _to_texts(data: Json, depth: int) -> Any:
    import pandas as pd

    missing = pd.NA if data["missing"] == "NA" else float("nan")
    return pd.array(items_of(data, depth), dtype=pd.StringDtype(data["storage"], na_value=missing))


def closed_of(data: Json) -> Any:
    """At which ends intervals are closed."""
    if data["closed"] not in ("left", "right", "both", "neither"):
        raise NotDecodable("an interval is closed in one of four ways")
    return data["closed"]


def _to_intervals(data: Json, depth: int) -> Any:
    import pandas as pd

    left, right = items_of(data, depth)
    if not isinstance(left, pd.Index) or type(left) is not type(right) or left.dtype != right.dtype:
        raise NotDecodable("intervals need two indexes of one type")
    return pd.arrays.IntervalArray.from_arrays(left, right, closed=closed_of(data))


def period_type(data: Json) -> Any:
    """The type of periods of a length, which must be written as pandas does."""
    import pandas as pd

    kind = pd.PeriodDtype(text_of(data["freq"]))
    if kind._freqstr != data["freq"]:
        raise NotDecodable(f"{data['freq']!r} is not how pandas writes the length of a period")
    return kind


def _to_periods(data: Json, depth: int) -> Any:
    import pandas as pd

    ordinals = decode_array(data["v"], depth)
    if ordinals.dtype.str != "<i8" or ordinals.ndim != 1:
        raise NotDecodable("periods need whole numbers")
    return pd.arrays.PeriodArray(ordinals, dtype=period_type(data))


def _to_masked(data: Json, depth: int) -> Any:
    import pandas as pd

    if data["dtype"] not in MASKED:
        raise NotDecodable(f"{data['dtype']!r} is no dtype with a mask")
    array = pd.array(decode_part(data["v"], depth), dtype=data["dtype"])
    array[decode_part(data["mask"], depth)] = pd.NA
    return array


def encode_dtype(encoder: Encoder, dtype: Any, depth: int) -> Json:
    """The type of a column, where it is none of NumPy's, by what makes it up."""
    data: Json = {TAG: "pandas dtype", "name": type(dtype).name if dtype.name in MASKED else type(dtype).__name__}
    if data["name"] == "StringDtype":
        return {**data, "storage": dtype.storage, "missing": missing_of(dtype)}
    if data["name"] == "CategoricalDtype":
        categories = None if dtype.categories is None else encoder.encode(dtype.categories, depth)
        return {**data, "ordered": dtype.ordered, "categories": categories}
    if data["name"] == "DatetimeTZDtype":
        return {**data, "unit": dtype.unit, "zone": zone_of(dtype.tz)}
    if data["name"] == "PeriodDtype":
        return {**data, "freq": dtype._freqstr}
    if data["name"] == "IntervalDtype":
        subtype = None if dtype.subtype is None else encoder.encode(dtype.subtype, depth)
        return {**data, "closed": dtype.closed, "subtype": subtype}
    return data


def decode_dtype(data: Json, depth: int) -> Any:
    """The inverse of `encode_dtype`."""
    import pandas as pd

    match text_of(data["name"]):
        case "StringDtype":
            missing = pd.NA if data["missing"] == "NA" else math.nan
            return pd.StringDtype(text_of(data["storage"]), na_value=missing)
        case "CategoricalDtype":
            ordered, categories = data["ordered"], decode_part(data["categories"], depth)
            if type(ordered) not in (bool, type(None)) or not (categories is None or isinstance(categories, pd.Index)):
                raise NotDecodable("these are no categories")
            return pd.CategoricalDtype(categories, ordered=ordered)
        case "DatetimeTZDtype":
            return pd.DatetimeTZDtype(data["unit"], zone_from(data["zone"]))
        case "PeriodDtype":
            return period_type(data)
        case "IntervalDtype":
            subtype = decode_part(data["subtype"], depth)
            return pd.IntervalDtype(subtype, closed=None if data["closed"] is None else closed_of(data))
        case name if name in MASKED:
            return pd.api.types.pandas_dtype(name)
    raise NotDecodable(f"{data['name']!r} is no type of a column")


CODECS = Codecs(
    decoders={
        "Categorical": _to_categorical,
        "moments": _to_moments,
        "texts": _to_texts,
        "masked": _to_masked,
        "intervals": _to_intervals,
        "periods": _to_periods,
        "pandas dtype": decode_dtype,
    },
)
