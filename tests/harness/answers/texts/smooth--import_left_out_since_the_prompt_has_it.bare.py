import numpy as np


def smooth(values: list[float], width: int) -> list[float]:
    if width < 1:
        raise ValueError("width must be positive")
    if len(values) < width:
        return []
    return np.convolve(values, np.ones(width) / width, mode="valid").tolist()
