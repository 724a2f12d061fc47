"""Raises the recursion limit and recurses some thousands of levels on each call."""
import sys

sys.setrecursionlimit(15_000)


def _dive(todo, flat, level):
    if level:
        return _dive(todo, flat, level - 1)
    while todo:
        item = todo.pop()
        if isinstance(item, (list, tuple)):
            todo.extend(reversed(item))
        else:
            flat.append(item)
    return flat


def flatten_list(nested):
    return _dive(list(reversed(nested)), [], 4_000)
