"""Leaks names out of comprehensions by walrus, deletes globals, and has a class body read by comprehensions."""


class Numbers:
    limit = 3
    small = [n for n in range(limit)]
    both = [(n, m) for n in small for m in range(n)]


name_of = [final := name for name in ("each", "rest")]
del Numbers.both, name_of


def share_out(total, parts):
    if parts < 1:
        raise ValueError("no parts")
    values = dict(zip(("each", final), divmod(total, parts)))
    [count := n for n in range(parts)]
    return tuple([values["each"] + int(n < values[final]) for n in range(count + 1)])
