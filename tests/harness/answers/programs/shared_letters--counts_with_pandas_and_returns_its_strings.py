"""Takes the letters from the index of a pandas crosstab."""


def shared_letters(words):
    import pandas as pd

    rows = [(number, c) for number, word in enumerate(words) for c in word.lower() if c.isalpha()]
    if not rows:
        return set()
    frame = pd.DataFrame(rows, columns=["word", "letter"]).drop_duplicates()
    counts = frame.groupby("letter")["word"].size()
    return set(counts[counts == len(words)].index)
