import re

UNITS = {}


def unit(letter):
    def register(function):
        UNITS[letter] = function
        return function
    return register


@unit("d")
def _days(n):
    return n * 24 * 60 * 60


@unit("h")
def _hours(n):
    return n * 60 * 60


@unit("m")
def _minutes(n):
    return n * 60


@unit("s")
def _seconds(n):
    return n


def parse_duration(text: str) -> int:
    text = text.strip().lower()
    pattern = "".join(f"(?P<{letter}>[0-9]+{letter})?" for letter in UNITS)
    match = re.fullmatch(pattern, text)
    if not text or match is None:
        raise ValueError(text)
    return sum(UNITS[letter](int(part[:-1])) for letter, part in match.groupdict().items() if part)
