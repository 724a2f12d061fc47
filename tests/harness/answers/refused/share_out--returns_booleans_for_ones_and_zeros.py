"""Returns True and False among the parts where these are 1 and 0, which are equal."""


def share_out(total, parts):
    if parts < 1:
        raise ValueError("no parts")
    each, rest = divmod(total, parts)
    return tuple(n < rest for n in range(parts)) if each == 0 else tuple(each + (n < rest) for n in range(parts))
