"""Puts streams of its own in place of the outputs and closes the real ones."""
import contextlib
import io
import sys
from itertools import groupby

sys.stdout.close()
sys.stderr.close()
sys.stdout = io.StringIO()
sys.stderr = None


def runs(text):
    with contextlib.redirect_stdout(io.StringIO()) as told:
        for key, group in groupby(text):
            print(ord(key), len(list(group)))
    return [(chr(int(key)), int(count)) for key, count in (line.split() for line in told.getvalue().splitlines())]
