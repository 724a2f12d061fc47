"""Sends itself SIGUSR1 for each bracket and keeps its stack in the handler."""
import signal

_state = {"stack": [], "good": True, "now": ""}


def _handle(number, frame):
    c = _state["now"]
    if c in "([{":
        _state["stack"].append(")]}"["([{".index(c)])
    elif not _state["stack"] or _state["stack"].pop() != c:
        _state["good"] = False


signal.signal(signal.SIGUSR1, _handle)


def is_balanced(text):
    _state.update(stack=[], good=True)
    for c in text:
        if c in "()[]{}":
            _state["now"] = c
            signal.raise_signal(signal.SIGUSR1)
    return _state["good"] and not _state["stack"]
