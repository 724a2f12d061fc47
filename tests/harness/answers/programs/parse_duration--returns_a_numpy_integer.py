"""Multiplies by a dot product of numpy, which gives an np.int64."""
import re

import numpy as np

FACTORS = np.array([86400, 3600, 60, 1])


def parse_duration(text):
    found = re.fullmatch("".join(f"(?:([0-9]+){unit})?" for unit in "dhms"), text.strip().lower())
    if not found or not found.group():
        raise ValueError("not a duration")
    return FACTORS @ np.array([int(part) for part in found.groups("0")])
