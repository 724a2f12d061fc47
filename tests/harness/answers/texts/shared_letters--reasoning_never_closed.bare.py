def shared_letters(words: list[str]) -> set[str]:
    if not words:
        return set()
    common = set(filter(str.isalpha, words[0].lower()))
    for word in words[1:]:
        common &= set(word.lower())
    return common
