"""Returns a set of np.str_, since the letters went through np.intersect1d."""
from functools import reduce

import numpy as np


def shared_letters(words):
    letters = [[c for c in word.lower() if c.isalpha()] for word in words]
    if not letters or not all(letters):
        return set()
    return set(reduce(np.intersect1d, letters, letters[0]))
