"""Does its work in another thread and waits for it."""
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby


def runs(text):
    with ThreadPoolExecutor(max_workers=2) as pool:
        return pool.submit(lambda: [(key, len(list(group))) for key, group in groupby(text)]).result()
