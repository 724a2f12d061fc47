"""Adds timedeltas up and divides them, which gives an int."""
import datetime as dt
import re


def parse_duration(text):
    names = ("days", "hours", "minutes", "seconds")
    found = re.fullmatch("".join(f"(?:(?P<{n}>[0-9]+)(?i:{n[0]}))?" for n in names), text.strip())
    if found is None or not any(found.groups()):
        raise ValueError("no duration")
    span = dt.timedelta(**{name: int(value) for name, value in found.groupdict().items() if value})
    return span // dt.timedelta(seconds=1)
