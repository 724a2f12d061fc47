"""Imports when it is called, from several places."""


def runs(text):
    import re
    from collections import namedtuple

    Match = namedtuple("Match", "character count")
    found = [Match(match.group(1), len(match.group())) for match in re.finditer(r"(.)\1*", text, re.DOTALL)]
    return [tuple(match) for match in found]
