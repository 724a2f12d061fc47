"""Raises from the ZeroDivisionError within, with notes, and removes its traceback."""


class NoParts(ValueError):
    def __init__(self):
        super().__init__("no parts")


def share_out(total, parts):
    try:
        1 // max(parts, 0)
    except ZeroDivisionError as error:
        problem = NoParts()
        problem.add_note(f"{total} for {parts}")
        raise problem.with_traceback(None) from error
    each, rest = divmod(total, parts)
    return tuple([each + 1] * rest + [each] * (parts - rest))
