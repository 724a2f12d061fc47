"""Raises an own class derived from ValueError, with fields."""
import re


class DurationError(ValueError):
    """What is no duration."""

    def __init__(self, text, *, position):
        super().__init__(text, position)
        self.text = text
        self.position = position

    def __str__(self):
        return f"{self.text!r} at {self.position}"


def parse_duration(text):
    stripped = text.strip().lower()
    seconds, position, last = 0, 0, -1
    for part in re.finditer("([0-9]+)([dhms])", stripped):
        rank = "dhms".index(part[2])
        if part.start() != position or rank <= last:
            raise DurationError(text, position=position)
        seconds += int(part[1]) * (86400, 3600, 60, 1)[rank]
        position, last = part.end(), rank
    if position != len(stripped) or not stripped:
        raise DurationError(text, position=position)
    return seconds
