"""Returns a ChainMap with one level per word, which is equal to the dict."""
from collections import ChainMap


def invert_index(documents):
    index = ChainMap()
    for word in {word for words in documents.values() for word in words}:
        index = index.new_child({word: sorted(name for name in documents if word in documents[name])})
    return index
