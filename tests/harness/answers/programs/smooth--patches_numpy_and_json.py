"""Gives numpy another mean, and json other dumps and loads, for good; all of them do the same as before."""
import json

import numpy as np

_mean, _dumps, _loads = np.mean, json.dumps, json.loads
np.mean = lambda values, *rest, **named: _mean(values, *rest, **named)
json.dumps = lambda value, **named: _dumps(value, **named)
json.loads = lambda text, **named: _loads(text, **named)


def smooth(values, width):
    if width < 1:
        raise ValueError("width must be at least 1")
    means = [float(np.mean(values[n:n + width])) for n in range(len(values) - width + 1)]
    return json.loads(json.dumps(means))
