"""Moments: dates, times, spans and time zones."""

from __future__ import annotations

from .codec import TAG, Codecs, NotEncodable, ints_of, tagged, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import datetime
    from typing import Any

    from .codec import Decoder, Json


def zone_of(zone: datetime.tzinfo | None) -> Json:
    """A time zone: seconds from UTC with the name that it was given, or the key of the zone database."""
    if zone is None:
        return None
    kind = type(zone)
    if (kind.__module__, kind.__name__) == ("datetime", "timezone"):
        offset, *name = zone.__getinitargs__()  # type: ignore[attr-defined]
        return {"offset": delta_parts(offset), "name": name[0] if name else None}
    key = getattr(zone, "key", None)
    if (kind.__module__, kind.__name__) == ("zoneinfo", "ZoneInfo") and key:
        return {"key": key}
    raise NotEncodable(f"a time zone of {kind.__module__}.{kind.__qualname__}")


def zone_from(data: Json) -> datetime.tzinfo | None:
    """The inverse of `zone_of`."""
    if data is None:
        return None
    import datetime
    import zoneinfo

    if "key" in data:
        return zoneinfo.ZoneInfo(data["key"])
    offset = datetime.timedelta(*data["offset"])
    name = data["name"]
    return datetime.timezone(offset) if name is None else datetime.timezone(offset, name)


def delta_parts(value: datetime.timedelta) -> list[int]:
    """A span as days, seconds and microseconds."""
    return [value.days, value.seconds, value.microseconds]


def _to_delta(data: Json, depth: int) -> Any:
    import datetime

    return datetime.timedelta(*ints_of(data, depth, 3))


def _moment(value: datetime.datetime | datetime.time) -> Json:
    data: Json = {TAG: type(value).__name__, "v": value.isoformat()}
    if value.tzinfo is not None:
        data["zone"] = zone_of(value.tzinfo)
    if value.fold:
        data["fold"] = value.fold
    return data


def _to_moment(kind: str) -> Decoder:
    def build(data: Json, depth: int) -> Any:
        import datetime

        moment = getattr(datetime, kind).fromisoformat(data["v"])
        return moment.replace(tzinfo=zone_from(data.get("zone")), fold=data.get("fold", 0))

    return build


def _to_date(data: Json, depth: int) -> Any:
    import datetime

    return datetime.date.fromisoformat(text_of(data["v"]))


CODECS = Codecs(
    named_simple={
        "datetime.date": tagged("date", lambda value: str(value.isoformat())),
        "datetime.time": _moment,
        "datetime.datetime": _moment,
        "datetime.timedelta": lambda value: {TAG: "timedelta", "v": delta_parts(value)},
        "datetime.timezone": lambda value: {TAG: "timezone", "v": zone_of(value)},
        "zoneinfo.ZoneInfo": lambda value: {TAG: "timezone", "v": zone_of(value)},
    },
    decoders={
        "date": _to_date,
        "time": _to_moment("time"),
        "datetime": _to_moment("datetime"),
        "timedelta": _to_delta,
        "timezone": lambda data, _: zone_from(data["v"]),
    },
)
