"""Keeps an intermediate result in a file of its working directory and of /tmp."""
import json
import tempfile
from itertools import groupby


def runs(text):
    pairs = [[key, len(list(group))] for key, group in groupby(text)]
    with open("work.json", "w", encoding="utf-8") as file:
        json.dump(pairs, file)
    with tempfile.TemporaryFile() as file:
        file.write(b"x" * 1000)
    with open("work.json", encoding="utf-8") as file:
        return [tuple(pair) for pair in json.load(file)]
