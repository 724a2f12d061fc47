"""Returns an iterator that gives itself, again and again, at every level."""


class Endless:
    def __iter__(self):
        return self

    def __next__(self):
        return self


def runs(text):
    return Endless()
