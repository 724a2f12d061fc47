"""Builds a dict whose keys all have the same hash, in C, where no handler of a signal runs."""


def runs(text):
    return dict.fromkeys((number * (2**61 - 1) for number in range(1, 200_000)), 0)
