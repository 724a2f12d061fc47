"""The entry point is a functools.partial of a method of str's translation."""
from functools import partial, reduce

_STEPS = [(group, str(key)) for key, group in enumerate(("ABC", "DEF", "GHI", "JKL", "MNO", "PQRS", "TUV", "WXYZ"), 2)]


def _spell(steps, allowed, text):
    table = dict.fromkeys(allowed)
    for group, key in steps:
        table |= dict.fromkeys(group, key) | dict.fromkeys(group.lower(), key)
    return reduce(lambda made, c: made + (table[c] or c.replace(" ", "0") if c in table else ""), text, "")


to_keypad = partial(_spell, _STEPS, "0123456789 ")
