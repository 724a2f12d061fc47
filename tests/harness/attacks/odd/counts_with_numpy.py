"""Counts with arrays and returns NumPy's own numbers."""
import numpy as np


def runs(text):
    codes = np.array([ord(character) for character in text], dtype=np.int64)
    starts = np.flatnonzero(np.concatenate(([True], codes[1:] != codes[:-1]))) if len(codes) else codes
    counts = np.diff(np.append(starts, len(codes)))
    return [(text[start], count) for start, count in zip(starts, counts)]
