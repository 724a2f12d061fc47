"""Sums up in a trace function that looks at the locals of each call."""
import re
import sys


def _part(number, factor):
    return number * factor


def parse_duration(text):
    found = re.fullmatch(r"(?:([0-9]+)d)?(?:([0-9]+)h)?(?:([0-9]+)m)?(?:([0-9]+)s)?", text.strip().lower())
    if not found or not found.group():
        raise ValueError(text)
    seen = []

    def trace(frame, event, argument):
        if event == "call" and frame.f_code is _part.__code__:
            seen.append(frame.f_locals["number"] * frame.f_locals["factor"])
        return None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        for number, factor in zip(found.groups("0"), (86400, 3600, 60, 1)):
            _part(int(number), factor)
    finally:
        sys.settrace(before)
    return sum(seen)
