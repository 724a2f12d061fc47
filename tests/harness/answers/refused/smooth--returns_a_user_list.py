"""Returns a collections.UserList, which is equal to the list it wraps."""
from collections import UserList


def smooth(values, width):
    if width <= 0:
        raise ValueError(f"{width} is no width")
    found = UserList()
    for end in range(width, len(values) + 1):
        found.append(sum(values[end - width:end]) / width)
    return found
