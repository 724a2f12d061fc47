"""Leaves an own, equal len and isinstance among the builtins for good."""
import builtins

_len, _isinstance = builtins.len, builtins.isinstance
builtins.len = lambda thing: _len(thing)
builtins.isinstance = lambda thing, kinds: _isinstance(thing, kinds)


def shared_letters(words):
    common = None
    for word in words:
        letters = {c for c in word.lower() if c.isalpha()}
        common = letters if common is None else common & letters
    return common if isinstance(common, set) and len(common) else set()
