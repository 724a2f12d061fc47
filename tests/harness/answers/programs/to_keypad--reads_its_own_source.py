"""Reads its table from its own docstring, or from its source where inspect can get it."""
import inspect
import re


def to_keypad(text):
    """The table: ABC2 DEF3 GHI4 JKL5 MNO6 PQRS7 TUV8 WXYZ9."""
    try:
        source = inspect.getsource(to_keypad)
    except (OSError, TypeError):
        source = to_keypad.__doc__
    table = {c: key for group, key in re.findall(r"([A-Z]{3,4})([2-9])", source) for c in group + group.lower()}
    return "".join(c if c in set("0123456789") else table.get(c, "0" if c == " " else "") for c in text)
