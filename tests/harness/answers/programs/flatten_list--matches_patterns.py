"""Uses structural pattern matching with guards, captures and a walrus."""


def flatten_list(nested):
    match nested:
        case [] | ():
            return []
        case [list() | tuple() as first, *rest]:
            return flatten_list(first) + flatten_list(rest)
        case [first, *rest] if (flat := [first]):
            return flat + flatten_list(rest)
    raise TypeError(nested)
