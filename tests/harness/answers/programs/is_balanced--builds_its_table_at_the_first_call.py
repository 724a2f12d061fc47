"""Builds a table of transitions lazily, on the first call."""
_table = None


def _transitions():
    global _table
    if _table is None:
        _table = {}
        for opening, closing in zip("([{", ")]}"):
            _table[opening] = lambda stack, c=closing: stack + (c,)
            _table[closing] = lambda stack, c=closing: stack[:-1] if stack and stack[-1] == c else ("never",) + stack
    return _table


def is_balanced(text):
    state = ()
    for c in text:
        state = _transitions().get(c, lambda stack: stack)(state)
        if state and state[0] == "never":
            return False
    return state == ()
