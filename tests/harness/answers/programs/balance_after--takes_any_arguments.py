"""Takes *args and **kwargs, under other names, and sorts them out by a positional-only function."""


def _balance(start, interest, /, *years_and_extra):
    match years_and_extra:
        case (years,):
            extra = 0.0
        case (years, extra):
            pass
    while years > 0:
        start, years = start + start * interest + extra, years - 1
    return start * 1.0


def balance_after(*args, **kwargs):
    return _balance(*args, *kwargs.values())
