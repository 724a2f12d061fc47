"""Returns an answer that is nested deeper than anything can be written."""


def runs(text):
    value = ()
    for level in range(200_000):
        value = [value] if level % 2 else {"v": value}
    return value
