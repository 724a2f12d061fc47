"""Returns members of an IntEnum where the number is a known one, and plain numbers elsewhere."""
import enum
import re


class Span(enum.IntEnum):
    NOTHING = 0
    SECOND = 1
    MINUTE = 60
    HOUR = 3600
    DAY = 86400


def parse_duration(text):
    found = re.fullmatch(r"([0-9]+D)?([0-9]+H)?([0-9]+M)?([0-9]+S)?", text.strip().upper())
    if found is None or not found.group():
        raise ValueError(text)
    units = (Span.DAY, Span.HOUR, Span.MINUTE, Span.SECOND)
    seconds = sum(int(part[:-1]) * unit for part, unit in zip(found.groups(), units) if part)
    try:
        return Span(seconds)
    except ValueError:
        return seconds
