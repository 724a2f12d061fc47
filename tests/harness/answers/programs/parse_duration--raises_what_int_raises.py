"""Lets int and tuple unpacking raise their own ValueError."""
import re


def parse_duration(text):
    rest, total = text.strip().lower(), 0
    for unit, factor in zip("dhms", (86400, 3600, 60, 1)):
        if unit in rest:
            number, rest = rest.split(unit)
            total += int(re.sub("[^0-9]", "x", number)) * factor
    if rest or not text.strip():
        total += int("none" + rest)
    return total
