"""Is a generic function with a variant for each type, partially applied."""
from functools import partial, reduce, singledispatch


@singledispatch
def solve(given, step):
    raise TypeError(type(given).__name__)


@solve.register
def _(given: str, step):
    return reduce(step, given, [])


@solve.register(bytes)
def _(given, step):
    return solve(given.decode(), step)


def step(found, character):
    if found and found[-1][0] == character:
        return [*found[:-1], (character, found[-1][1] + 1)]
    return [*found, (character, 1)]


runs = partial(solve, step=step)
