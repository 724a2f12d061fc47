"""Counts its own calls with a profiler, for so long that a clock of the judge's could strike in between."""
import sys


def step(found, character):
    if found and found[-1][0] == character:
        found[-1] = (character, found[-1][1] + 1)
    else:
        found.append((character, 1))


def idle():
    pass


def runs(text):
    calls = []
    sys.setprofile(lambda frame, event, argument: calls.append(frame.f_code.co_name) if event == "call" else None)
    found = []
    for character in text:
        step(found, character)
    for _ in range(100_000):
        idle()
    sys.setprofile(None)
    assert set(calls) <= {"step", "idle"} and len(calls) == len(text) + 100_000
    return found
