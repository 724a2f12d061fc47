"""Runs bytecode that no compiler would write, which brings the interpreter down."""


def runs(text):
    return text


runs.__code__ = runs.__code__.replace(co_code=bytes([100, 255]) * 40 + bytes([83, 0]), co_stacksize=1)
