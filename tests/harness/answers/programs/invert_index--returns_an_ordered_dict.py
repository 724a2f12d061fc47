"""Returns an OrderedDict in the order of the words."""
from collections import OrderedDict


def invert_index(documents):
    pairs = sorted({(word, name) for name, words in documents.items() for word in words})
    index = OrderedDict()
    for word, name in pairs:
        index.setdefault(word, []).append(name)
    index.move_to_end(next(iter(index))) if index else None
    return index
