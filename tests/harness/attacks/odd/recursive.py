"""Calls itself."""


def runs(text):
    if not text:
        return []
    rest = text.lstrip(text[0])
    return [(text[0], len(text) - len(rest))] + runs(rest)
