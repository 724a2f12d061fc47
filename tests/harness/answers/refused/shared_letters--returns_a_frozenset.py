"""Returns a frozenset, which is equal to the set."""


def shared_letters(words):
    letters = [frozenset(filter(str.isalpha, word.lower())) for word in words]
    return letters[0].intersection(*letters[1:]) if letters else frozenset()
