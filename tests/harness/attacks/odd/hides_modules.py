"""Gives its own things the names of modules that others need."""
import sys
from itertools import groupby


class json:
    @staticmethod
    def dumps(value):
        raise RuntimeError("this is no module")


class os:
    _exit = write = None


time = signal = select = resource = values = builtins = math = 0


def runs(text):
    math = [key for key, _ in groupby(text)]
    time = [len(list(group)) for _, group in groupby(text)]
    return list(zip(math, time, strict=True)) if "sys" in sys.modules else json
