"""Is wrapped by a decorator of its own."""
import functools


def checked(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


@checked
@functools.lru_cache(maxsize=None)
def runs(text):
    found = []
    for character in text:
        if found and found[-1][0] == character:
            found[-1] = (character, found[-1][1] + 1)
        else:
            found.append((character, 1))
    return found
