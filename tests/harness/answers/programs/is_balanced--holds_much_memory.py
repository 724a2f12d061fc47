"""Holds a table of some 150 MB that is made at import, and looks codes up there."""
import array

_TABLE = array.array("b", bytes(150_000_000))
for _number, _pair in enumerate(("()", "[]", "{}"), 1):
    _TABLE[ord(_pair[0])], _TABLE[ord(_pair[1])] = _number, -_number


def is_balanced(text):
    stack = [0]
    for c in text:
        code = _TABLE[ord(c)]
        if code > 0:
            stack.append(code)
        elif code < 0 and stack.pop() != -code:
            return False
    return len(stack) == 1
