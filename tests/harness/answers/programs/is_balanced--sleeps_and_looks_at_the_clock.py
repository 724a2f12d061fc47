"""Sleeps some milliseconds and looks at the date and several clocks in each call."""
import datetime
import time


def is_balanced(text):
    began = datetime.datetime.now(datetime.timezone.utc)
    time.sleep(0.004)
    depth, stack = 0, ""
    for c in text:
        if c in "([{":
            stack += c
        elif c in ")]}":
            if stack[-1:] + c not in ("()", "[]", "{}"):
                return False
            stack = stack[:-1]
    assert datetime.datetime.now(datetime.timezone.utc) >= began and time.monotonic_ns() > 0
    return depth == len(stack)
