"""Deletes its helpers, its imports and __builtins__ names from the module after it is defined."""
from typing import List as _List


def _helper(kinds):
    def flatten_list(nested: _List) -> _List:
        return sum((flatten_list(item) if isinstance(item, kinds) else [item] for item in nested), [])

    flatten_list.__module__ = None
    flatten_list.__name__ = flatten_list.__qualname__ = "anonymous"
    return flatten_list


flatten_list = _helper((list, tuple))
del _helper, _List
__name__ = "renamed"
__file__ = None
