"""Is bound by assignment, inside a condition, out of a class."""
import sys


class Namespace:
    @staticmethod
    def solve(text, /, *, _unused=None):
        match list(text):
            case []:
                return []
            case [first, *_]:
                count = 1
                while count < len(text) and text[count] == first:
                    count += 1
                return [(first, count), *Namespace.solve(text[count:])]


if sys.version_info >= (3, 8):
    runs = Namespace.solve
else:
    raise RuntimeError("too old")
