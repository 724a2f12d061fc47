"""Traces itself while it works, and takes the trace away again."""
import sys
from itertools import groupby

lines = 0


def count(frame, event, argument):
    global lines
    lines += 1
    return count


def work(text):
    found = []
    for key, group in groupby(text):
        found.append((key, len(list(group))))
    return found


def runs(text):
    before = sys.gettrace()
    sys.settrace(count)
    try:
        return work(text)
    finally:
        sys.settrace(before)
