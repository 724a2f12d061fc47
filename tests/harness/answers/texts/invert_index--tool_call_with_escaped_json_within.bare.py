from collections import defaultdict


def invert_index(documents: dict[str, list[str]]) -> dict[str, list[str]]:
    index = defaultdict(set)
    for name, words in documents.items():
        for word in words:
            index[word].add(name)
    return {word: sorted(names) for word, names in index.items()}
