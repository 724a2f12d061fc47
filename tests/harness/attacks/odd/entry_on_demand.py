"""The module makes the entry point only when somebody asks for it."""
from itertools import groupby


def __getattr__(name):
    if name == "runs":
        return lambda text: [(key, len([*group])) for key, group in groupby(text)]
    raise AttributeError(name)


def __dir__():
    return ["runs"]
