"""Finds its parts among the objects of the collector; has handlers for exit and for the death of objects."""
import atexit
import gc
import weakref

_dead = []


class Part:
    def __init__(self, owner, size):
        self.owner, self.size = owner, size
        weakref.finalize(self, _dead.append, size)


@atexit.register
def _last_words():
    _dead.clear()


def share_out(total, parts):
    if parts < 1:
        raise ValueError("no parts")
    owner = object()
    each, rest = divmod(total, parts)
    keep = [Part(owner, each + (n < rest)) for n in range(parts)]
    gc.collect(0)
    found = [thing for thing in gc.get_objects() if type(thing) is Part and thing.owner is owner]
    assert len(found) == len(keep)
    return tuple(sorted((part.size for part in found), reverse=True))
