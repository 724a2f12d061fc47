"""Turns all warnings into errors, and numpy's floating point ones too, for the whole process."""
import warnings

import numpy as np

warnings.simplefilter("error")
np.seterr(all="raise", under="ignore")


def smooth(values, width):
    if width < 1:
        raise ValueError("width must be at least 1")
    if not values[width - 1:]:
        return []
    try:
        warnings.warn("now or never", DeprecationWarning, stacklevel=1)
    except DeprecationWarning:
        pass
    return [float(np.mean(values[first:first + width])) for first in range(len(values) - width + 1)]
