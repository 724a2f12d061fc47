"""Returns a small object that doubles at each of its levels when it is written out."""


def runs(text):
    value = []
    for _ in range(90):
        value = [value, value]
    return value
