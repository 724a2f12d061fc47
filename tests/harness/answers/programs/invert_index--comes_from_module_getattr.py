"""The function it calls is made by the module's own __getattr__ when it is first asked for."""
import sys
import types

_module = types.ModuleType("lazy_index")


def _getattr(name):
    if name != "collect":
        raise AttributeError(name)

    def collect(documents):
        return {(word, place) for place, words in documents.items() for word in words}

    setattr(_module, name, collect)
    return collect


_module.__getattr__ = _getattr
sys.modules["lazy_index"] = _module


def invert_index(documents):
    from lazy_index import collect

    index = {}
    for word, place in sorted(collect(documents)):
        index.setdefault(word, []).append(place)
    return index


def __getattr__(name):
    raise AttributeError(f"nothing is called {name}")
