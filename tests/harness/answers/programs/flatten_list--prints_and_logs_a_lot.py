"""Prints some hundred lines on each call, logs to stderr and writes to the file descriptors."""
import logging
import os
import sys

logging.basicConfig(level=logging.DEBUG, stream=sys.stderr, format="%(asctime)s %(message)s")


def flatten_list(nested):
    logging.debug("called with %r", nested)
    for line in range(100):
        print("flattening", line, nested, flush=line % 50 == 0)
    os.write(1, b"to one\n")
    os.write(2, b"to two\n")
    flat = []
    for item in nested:
        print("item:", item, file=sys.stderr)
        flat.extend(flatten_list(item)) if isinstance(item, (list, tuple)) else flat.append(item)
    return flat


if __name__ == "__main__":
    print(flatten_list([1, [2]]))
