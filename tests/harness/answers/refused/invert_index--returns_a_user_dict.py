"""Returns a collections.UserDict, which is equal to the dict it wraps."""
import collections


def invert_index(documents):
    index = collections.UserDict()
    for name in sorted(documents):
        for word in dict.fromkeys(documents[name]):
            index[word] = [*index.get(word, []), name]
    return index
