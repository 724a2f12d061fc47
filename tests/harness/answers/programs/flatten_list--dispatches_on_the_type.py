"""The entry point is a functools.singledispatch function whose results are unwrapped by a decorator."""
from functools import singledispatch, wraps


def as_list(function):
    @wraps(function)
    def inner(*args):
        return list(function(*args))

    inner.register = function.register
    return inner


@as_list
@singledispatch
def flatten_list(item):
    yield item


@flatten_list.register(list)
@flatten_list.register(tuple)
def _(items):
    for item in items:
        yield from flatten_list(item)
