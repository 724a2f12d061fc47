"""Returns an int of an own class whose text has a unit."""
import re


class Seconds(int):
    __slots__ = ()

    def __str__(self):
        return f"{int(self)} s"

    __repr__ = __str__


def parse_duration(text):
    found = re.fullmatch(r"\s*(?=[0-9])(?:([0-9]+)[dD])?(?:([0-9]+)[hH])?(?:([0-9]+)[mM])?(?:([0-9]+)[sS])?\s*", text)
    if not found:
        raise ValueError(f"no duration in {text!r}")
    return Seconds(_total(found.groups("0")))


def _total(parts):
    days, hours, minutes, seconds = map(int, parts)
    return days * 86400 + hours * 3600 + minutes * 60 + seconds
