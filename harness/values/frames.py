"""Series, frames and indexes of pandas, and its moments, intervals and periods."""

from __future__ import annotations

from .arrays import encode_array
from .codec import TAG, Codecs, NotEncodable, decode_part, items_of, text_of
from .columns import (
    MASKED,
    closed_of,
    encode_column,
    encode_dtype,
    encode_index,
    one_axis,
    period_type,
    plain_array,
)
from .moments import zone_from, zone_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .codec import Container, Decoder, Encoder, Json


_KNOWN: dict[type, Container] = {}
"""The types of pandas, once one was asked for: to ask for its dtypes takes longer than to encode a small series."""


def _pandas_types() -> dict[type, Container]:
    import pandas as pd

    found: dict[type, Container] = {
        pd.Series: _series, pd.DataFrame: _frame, pd.Timestamp: _timestamp, pd.Timedelta: _timedelta,
        pd.MultiIndex: _multi_index, pd.RangeIndex: _range_index,
        type(pd.NaT): lambda *_: {TAG: "NaT"}, type(pd.NA): lambda *_: {TAG: "NA"},
    }
    found |= {pd.Interval: _interval, pd.Period: _period}
    indexes = pd.Index, pd.DatetimeIndex, pd.TimedeltaIndex, pd.CategoricalIndex, pd.IntervalIndex, pd.PeriodIndex
    found |= dict.fromkeys(indexes, encode_index)
    arrays = pd.Categorical, pd.arrays.IntervalArray, pd.arrays.PeriodArray
    found |= dict.fromkeys(arrays, encode_column)
    dtypes = pd.StringDtype, pd.CategoricalDtype, pd.DatetimeTZDtype, pd.IntervalDtype, pd.PeriodDtype
    found |= dict.fromkeys((*dtypes, *(type(pd.api.types.pandas_dtype(name)) for name in MASKED)), encode_dtype)
    return found


def _timestamp(encoder: Encoder, value: Any, depth: int) -> Json:
    # `asm8` holds the moment in UTC, `unit` its resolution; together with the zone they make it again.
    data = {TAG: "Timestamp", "unit": value.unit, "v": str(value.asm8.view("i8")), "zone": zone_of(value.tzinfo)}
    return {**data, "fold": value.fold} if value.fold else data


def _to_timestamp(data: Json, depth: int) -> Any:
    import numpy as np
    import pandas as pd

    moment = pd.Timestamp(np.datetime64(int(data["v"]), data["unit"]))
    zone = zone_from(data["zone"])
    if zone is None:
        return moment.replace(fold=data.get("fold", 0))
    return moment.tz_localize("UTC").tz_convert(zone)


def _timedelta(encoder: Encoder, value: Any, depth: int) -> Json:
    return {TAG: "Timedelta", "unit": value.unit, "v": str(value.asm8.view("i8"))}


def _to_timedelta(data: Json, depth: int) -> Any:
    import numpy as np
    import pandas as pd

    return pd.Timedelta(np.timedelta64(int(data["v"]), data["unit"]))


def _interval(encoder: Encoder, value: Any, depth: int) -> Json:
    return {TAG: "Interval", "closed": value.closed, "v": encoder.each((value.left, value.right), depth)}


def _to_interval(data: Json, depth: int) -> Any:
    import pandas as pd

    left, right = items_of(data, depth)
    return pd.Interval(left, right, closed=closed_of(data))


def _period(encoder: Encoder, value: Any, depth: int) -> Json:
    return {TAG: "Period", "freq": value.freqstr, "v": str(value.ordinal)}


def _to_period(data: Json, depth: int) -> Any:
    import pandas as pd

    return pd.Period(ordinal=int(text_of(data["v"])), freq=period_type(data).freq)


def _series(encoder: Encoder, value: Any, depth: int) -> Json:
    if value.attrs:
        raise NotEncodable("a pandas object with attrs")
    name, index = encoder.encode(value.name, depth), encoder.encode(value.index, depth)
    return {TAG: "Series", "name": name, "index": index, "v": encode_column(encoder, value.array, depth)}


def _to_series(data: Json, depth: int) -> Any:
    import pandas as pd

    index, name = decode_part(data["index"], depth), decode_part(data["name"], depth)
    array = decode_part(data["v"], depth)
    return pd.Series(array, index=index, name=name, dtype=array.dtype)


def _frame(encoder: Encoder, value: Any, depth: int) -> Json:
    if value.attrs:
        raise NotEncodable("a pandas object with attrs")
    columns, index = encoder.encode(value.columns, depth), encoder.encode(value.index, depth)
    data = [encode_column(encoder, value.iloc[:, i].array, depth) for i in range(value.shape[1])]
    return {TAG: "DataFrame", "columns": columns, "index": index, "v": data}


def _to_frame(data: Json, depth: int) -> Any:
    import pandas as pd

    columns, index = decode_part(data["columns"], depth), decode_part(data["index"], depth)
    arrays = items_of(data, depth)
    parts = {i: pd.Series(array, index=index, dtype=array.dtype) for i, array in enumerate(arrays)}
    frame = pd.DataFrame(parts, index=index)
    frame.columns = columns
    return frame


def _to_index(kind: str) -> Decoder:
    def build(data: Json, depth: int) -> Any:
        import pandas as pd

        array, name = decode_part(data["v"], depth), decode_part(data["name"], depth)
        if kind == "Index":
            return pd.Index(array, dtype=array.dtype, name=name)
        index = getattr(pd, kind)(array, name=name)
        if "freq" in data:
            index.freq = data["freq"]
        return index

    return build


def _range_index(encoder: Encoder, value: Any, depth: int) -> Json:
    bounds = [value.start, value.stop, value.step]
    return {TAG: "RangeIndex", "name": encoder.encode(value.name, depth), "v": bounds}


def _to_range_index(data: Json, depth: int) -> Any:
    import pandas as pd

    return pd.RangeIndex(*data["v"], name=decode_part(data["name"], depth))


def _multi_index(encoder: Encoder, value: Any, depth: int) -> Json:
    for code in value.codes:
        one_axis(code)
    levels = [encoder.encode(level.rename(None), depth) for level in value.levels]
    codes = [encode_array(encoder, plain_array(code, "<i8"), depth) for code in value.codes]
    return {TAG: "MultiIndex", "names": encoder.each(value.names, depth), "levels": levels, "codes": codes}


def _to_multi_index(data: Json, depth: int) -> Any:
    import pandas as pd

    levels, codes, names = ([decode_part(part, depth) for part in data[key]] for key in ("levels", "codes", "names"))
    return pd.MultiIndex(levels=levels, codes=codes, names=names)


def _to_pandas(name: str) -> Decoder:
    def build(data: Json, depth: int) -> Any:
        import pandas as pd

        return getattr(pd, name)

    return build


def _encoder_of(kind: type) -> Container | None:
    if not _KNOWN:
        _KNOWN.update(_pandas_types())
    return next((container for base, container in _KNOWN.items() if kind is base), None)


CODECS = Codecs(
    libraries={"pandas": _encoder_of},
    decoders={
        "Timestamp": _to_timestamp,
        "Timedelta": _to_timedelta,
        "Series": _to_series,
        "DataFrame": _to_frame,
        **{name: _to_index(name) for name in (
            "Index", "DatetimeIndex", "TimedeltaIndex", "CategoricalIndex", "IntervalIndex", "PeriodIndex",
        )},
        "RangeIndex": _to_range_index,
        "MultiIndex": _to_multi_index,
        "Interval": _to_interval,
        "Period": _to_period,
        "NaT": _to_pandas("NaT"),
        "NA": _to_pandas("NA"),
    },
)
