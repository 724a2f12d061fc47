"""Returns the keys of a Counter, a view that is equal to the set."""
from collections import Counter


def shared_letters(words):
    counts = Counter(letter for word in words for letter in {c for c in word.lower() if c.isalpha()})
    return Counter({letter: n for letter, n in counts.items() if n == len(words)}).keys()
