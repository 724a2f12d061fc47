def shared_letters(words: list[str]) -> set[str]:
    """Letters common to all words.

    >>> shared_letters(["level", "lever"])
    {'l', 'e', 'v'}
    >>> shared_letters([])
    {}
    """
    if not words:
        return set()
    sets = [{c for c in w.lower() if c.isalpha()} for w in words]
    return set.intersection(*sets)
