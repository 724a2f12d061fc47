"""Returns a dict of an own class that makes its lists by __missing__."""


class Index(dict):
    def __init__(self, documents):
        super().__init__()
        self.size = len(documents)

    def __missing__(self, word):
        self[word] = names = []
        return names


def invert_index(documents):
    index = Index(documents)
    for name in sorted(documents):
        for word in set(documents[name]):
            index[word].append(name)
    return index
