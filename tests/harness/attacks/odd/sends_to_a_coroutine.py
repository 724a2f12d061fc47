"""Feeds a generator by hand and lets it return its answer through an exception."""


def counting():
    found = []
    while True:
        character = yield
        if character is None:
            return found
        found[-1:] = [(character, found[-1][1] + 1)] if found and found[-1][0] == character else found[-1:] + [(character, 1)]


def runs(text):
    machine = counting()
    next(machine)
    for character in [*text, None]:
        try:
            machine.send(character)
        except StopIteration as end:
            return end.value
