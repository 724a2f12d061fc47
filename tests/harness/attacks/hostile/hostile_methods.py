"""Returns an object whose every special method does harm."""
import os


class Hostile:
    def __getattribute__(self, name):
        os._exit(0)

    def __reduce__(self):
        return (os.system, ("touch /tmp/harmed",))

    def __repr__(self):
        os._exit(0)

    __iter__ = __len__ = __bool__ = __str__ = __hash__ = __repr__


def runs(text):
    return Hostile()
