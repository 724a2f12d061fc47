"""Gives the builtins another sorted and print, and takes them back after each call."""
import builtins
import contextlib


@contextlib.contextmanager
def _patched(**functions):
    before = {name: getattr(builtins, name) for name in functions}
    for name, function in functions.items():
        setattr(builtins, name, function)
    try:
        yield before
    finally:
        for name, function in before.items():
            setattr(builtins, name, function)


def invert_index(documents):
    with _patched(print=lambda *_: None, sorted=lambda items: [*items][::-1]):
        index = {}
        for name, words in documents.items():
            print(name, sorted(words))
            for word in sorted(words):
                index.setdefault(word, set()).add(name)
    return {word: sorted(names) for word, names in index.items()}
