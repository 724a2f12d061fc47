"""A class that is context manager, iterator and container does the work; __exit__ swallows its StopIteration."""
import collections


class Window:
    def __init__(self, values, width):
        if width < 1:
            raise ValueError("width must be at least 1")
        self.values, self.last = iter(values), collections.deque(maxlen=width)

    def __enter__(self):
        for _ in range(self.last.maxlen - 1):
            self.last.append(next(self.values, None))
        return self

    def __exit__(self, kind, error, traceback):
        return kind is not None and issubclass(kind, StopIteration)

    def __iter__(self):
        return self

    def __next__(self):
        self.last.append(next(self.values))
        return sum(self.last) / len(self.last)


def smooth(values, width):
    means = []
    with Window(values, width) as window:
        while True:
            means.append(next(window))
    return means
