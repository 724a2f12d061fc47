"""Gives words in the same documents the same list object, and returns interned keys."""
import sys


def invert_index(documents):
    lists, index = {}, {}
    for word in {word for words in documents.values() for word in words}:
        names = tuple(sorted(name for name in documents if word in documents[name]))
        index[sys.intern(word)] = lists.setdefault(names, [*names])
    return index
