"""Closes stdin, stdout and stderr at import, as daemons do."""
import os
import sys

for _stream in (sys.stdin, sys.stdout, sys.stderr):
    try:
        _stream.close()
    except (AttributeError, OSError):
        pass
sys.stdin = open(os.devnull)
sys.stdout = sys.stderr = open(os.devnull, "w")
_KEYS = "22233344455566677778889999"


def to_keypad(text):
    print("spelling", text)
    digits = (c if "0" <= c <= "9" else "0" if c == " " else _KEYS["abcdefghijklmnopqrstuvwxyz".index(c.lower())] for c in text if c.isascii() and c.isalnum() or c == " ")
    return "".join(digits)
