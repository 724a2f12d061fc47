"""Returns lists of an own class that keep themselves sorted."""
import bisect


class Names(list):
    def add(self, name):
        place = bisect.bisect_left(self, name)
        if place == len(self) or self[place] != name:
            self.insert(place, name)


def invert_index(documents):
    index = {}
    for name, words in documents.items():
        for word in words:
            index.setdefault(word, Names()).add(name)
    return index
