import functools
import logging


def logged(level=logging.DEBUG):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            logging.getLogger(__name__).log(level, "%s%r", function.__name__, args)
            return function(*args, **kwargs)
        return wrapper
    return decorate


@logged()
def invert_index(documents: dict[str, list[str]]) -> dict[str, list[str]]:
    words = sorted({w for ws in documents.values() for w in ws})
    return {w: sorted(n for n, ws in documents.items() if w in ws) for w in words}
