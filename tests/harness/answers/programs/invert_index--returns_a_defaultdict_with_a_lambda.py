"""Returns a defaultdict whose factory is a lambda."""
from collections import defaultdict


def invert_index(documents):
    index = defaultdict(lambda: [])
    for name in sorted(documents):
        for word in documents[name]:
            if name not in index[word]:
                index[word].append(name)
    return index
