"""Replaces sys.stdout for good and collects the digits that it prints there."""
import builtins
import io
import sys

sys.stdout = io.StringIO()
_KEYS = {c: key for key, group in zip("23456789", "ABC DEF GHI JKL MNO PQRS TUV WXYZ".split()) for c in group + group.lower()}
_KEYS.update(zip("0123456789 ", "01234567890"))


def to_keypad(text):
    sys.stdout.seek(0)
    sys.stdout.truncate()
    for c in text:
        builtins.print(_KEYS.get(c, ""), end="")
    return sys.stdout.getvalue()
