"""Registers what is to be done at the end, and leaves threads and objects to be cleaned up."""
import atexit
import threading
import weakref
from itertools import groupby


class Resource:
    def __del__(self):
        print("closed")


resource = Resource()
weakref.finalize(resource, print, "finalized")
atexit.register(print, "the end")
stop = threading.Event()
threading.Thread(target=stop.wait, daemon=True).start()


def runs(text):
    Resource()
    return [(key, sum(1 for _ in group)) for key, group in groupby(text)]
