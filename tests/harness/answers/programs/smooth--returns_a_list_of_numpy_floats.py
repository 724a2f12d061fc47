"""Returns a list of np.float64, not of float."""
import numpy as np


def smooth(values, width):
    if width < 1:
        raise ValueError("width")
    return [np.mean(values[n:n + width]) for n in range(len(values) - width + 1)]
