"""Sends objects of its own classes through pickle and deepcopy, which look its module up by name."""
import copy
import pickle
from itertools import groupby


class Run:
    def __init__(self, character, count):
        self.character, self.count = character, count

    def __reduce__(self):
        return Run, (self.character, self.count)


def runs(text):
    made = [Run(key, len(list(group))) for key, group in groupby(text)]
    again = copy.deepcopy(pickle.loads(pickle.dumps(made)))
    return [(run.character, run.count) for run in again]
