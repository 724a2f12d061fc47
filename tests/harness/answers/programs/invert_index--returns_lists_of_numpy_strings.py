"""Returns lists of np.str_, since the names went through np.unique."""
import numpy as np


def invert_index(documents):
    index = {}
    for name, words in documents.items():
        for word in words:
            index.setdefault(word, []).append(name)
    return {word: list(np.unique(names)) for word, names in index.items()}
