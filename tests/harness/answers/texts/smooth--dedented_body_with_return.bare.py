import numpy as np


def smooth(values: list[float], width: int) -> list[float]:
    if width < 1:
        raise ValueError("width must be positive")
    total = np.concatenate(([0.0], np.cumsum(values)))
    return ((total[width:] - total[:-width]) / width).tolist()
