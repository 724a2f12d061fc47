"""Has a hundred files open at once, in a folder of its own that is its working directory for a while."""
import os
import tempfile
from itertools import groupby


def runs(text):
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            files = [open(f"{number}.txt", "w+") for number in range(100)]
            for file in files:
                file.write("x")
                file.close()
            assert len(os.listdir()) == 100
        finally:
            os.chdir(before)
    return [(key, len(list(group))) for key, group in groupby(text)]
