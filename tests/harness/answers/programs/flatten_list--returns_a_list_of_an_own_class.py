"""Returns a list of an own class, and a list of its weak references is kept."""
import weakref

_made = []


class Flat(list):
    pass


def flatten_list(nested):
    flat = Flat()
    _made.append(weakref.ref(flat))
    for item in nested:
        if isinstance(item, (list, tuple)):
            flat += flatten_list(item)
        else:
            flat.append(item)
    return flat
