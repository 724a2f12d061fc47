"""Computes each window in a pool of threads that is kept for all calls."""
from concurrent.futures import ThreadPoolExecutor

POOL = ThreadPoolExecutor(max_workers=3)


def _mean(window):
    return sum(window) / len(window)


def smooth(values, width):
    if width < 1:
        raise ValueError("width must be at least 1")
    return list(POOL.map(_mean, (values[n:n + width] for n in range(len(values) - width + 1))))
