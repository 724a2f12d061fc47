"""Does its work in a forked process, whose answer comes back through a pipe."""
import json
import os
from itertools import groupby


def runs(text):
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        with os.fdopen(write, "w", encoding="utf-8") as stream:
            json.dump([[key, len(list(group))] for key, group in groupby(text)], stream)
        os._exit(0)
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as stream:
        found = json.load(stream)
    os.waitpid(child, 0)
    return [tuple(pair) for pair in found]
