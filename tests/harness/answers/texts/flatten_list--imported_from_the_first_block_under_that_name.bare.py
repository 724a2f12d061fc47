def _flatten(nested):
    for item in nested:
        if isinstance(item, (list, tuple)):
            yield from _flatten(item)
        else:
            yield item


def flatten_all(nested: list) -> list:
    return list(_flatten(nested))


flatten_list = flatten_all
