"""Forks a child that counts and then ends as a script does, by `sys.exit`."""
import os
import sys
from itertools import groupby


def runs(text):
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        os.write(write, bytes(len(list(group)) for _, group in groupby(text)))
        sys.exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as stream:
        counts = stream.read()
    assert os.waitpid(child, 0)[1] == 0
    return list(zip((key for key, _ in groupby(text)), counts))
