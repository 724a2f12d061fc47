"""Uses the names of builtins for its own things."""


def runs(text):
    list, dict, len = [], {}, 0
    for str in text:
        if list and list[-1][0] == str:
            list[-1] = (str, list[-1][1] + 1)
        else:
            list.append((str, 1))
        len += 1
    return list


def encode(value):
    return "not yours"


def print(*args):
    raise RuntimeError("never call me")


values = None
main = load = call = None
