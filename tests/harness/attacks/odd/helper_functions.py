"""Does its work in helpers that are defined after it."""


def runs(text):
    return list(_pairs(text))


def _pairs(text):
    start = 0
    while start < len(text):
        end = _end(text, start)
        yield text[start], end - start
        start = end


def _end(text, start):
    end = start
    while end < len(text) and text[end] == text[start]:
        end += 1
    return end
