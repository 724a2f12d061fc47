import numpy as np


def prefix_sums(values):
    return np.concatenate([[0.0], np.cumsum(np.asarray(values, dtype=float))])


def smooth(values: list[float], width: int) -> list[float]:
    if width < 1:
        raise ValueError("width")
    sums = prefix_sums(values)
    return list(map(float, (sums[width:] - sums[:-width]) / width))
