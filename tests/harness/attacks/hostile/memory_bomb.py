"""Takes memory without end, and goes on when there is none."""


def runs(text):
    held = []
    while True:
        try:
            held.append(bytearray(1 << 26))
        except MemoryError:
            return held
