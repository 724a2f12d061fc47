"""Returns answers that are far too large."""


def runs(text):
    return ["x" * 10**6] * 10**4
