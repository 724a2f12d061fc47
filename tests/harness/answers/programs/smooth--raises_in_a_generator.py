"""Raises within a generator that is started by list, behind a finally."""


def _windows(values, width):
    steps = []
    try:
        if width < 1:
            raise ValueError("width must be at least 1")
        for first, _ in enumerate(values[width - 1:]):
            steps.append(first)
            yield values[first:first + width]
    finally:
        steps.clear()


def smooth(values, width):
    return [sum(window) / len(window) for window in _windows(values, width)]
