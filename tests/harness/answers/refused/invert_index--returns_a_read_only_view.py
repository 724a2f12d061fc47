"""Returns a types.MappingProxyType, which is equal to the dict below it."""
from types import MappingProxyType


def invert_index(documents):
    every = set().union(*documents.values())
    return MappingProxyType({word: sorted(name for name, words in documents.items() if word in words) for word in every})
