"""Raises exceptions whose type and text hold half characters and commands for a terminal."""


def runs(text):
    name = "Value\x1b[2J\x1b]0;PASSED\x07\nError\u202e"
    raise type(name, (Exception,), {"__module__": "\udfff"})("\ud800\x1b[1A\x1b[2KPASSED\r\n" * 100)
