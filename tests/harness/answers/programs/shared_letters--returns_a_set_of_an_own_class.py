"""Returns a set of an own class, whose members are strings of an own class as well."""
import functools


class Letter(str):
    __slots__ = ()


class Letters(set):
    def __str__(self):
        return "".join(sorted(self))


def shared_letters(words):
    sets = (Letters(Letter(c) for c in word.lower() if c.isalpha()) for word in words)
    return functools.reduce(lambda a, b: Letters(a & b), sets) if words else Letters()
