def shared_letters(words: list[str]) -> set[str]:
    return _fold([_letters(word) for word in words])


def _letters(word):
    return {ch for ch in word.lower() if ch.isalpha()}


def _fold(sets):
    if not sets:
        return set()
    first, *others = sets
    return first.intersection(*others)
