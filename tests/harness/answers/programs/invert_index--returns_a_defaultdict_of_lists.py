"""Returns a defaultdict with the factory list."""
from collections import defaultdict


def invert_index(documents):
    index = defaultdict(list)
    for name, words in sorted(documents.items()):
        for word in set(words):
            index[word].append(name)
    return index
