"""Empties the list that it is given, as nothing says that it must not."""


def flatten_list(nested):
    flat = []
    while nested:
        item = nested.pop(0)
        if isinstance(item, (list, tuple)):
            nested[:0] = item
        else:
            flat.append(item)
    return flat
