"""Sends the judge lines that are hard to read: deep, huge and of impossible numbers."""
import os


def runs(text):
    for line in (b"[" * 100_000, b'{"status":"returned","value":' + b"9" * 100_000 + b"}", b"\xff\xfe", b'{"a":' * 50_000):
        for number in range(3, 256):
            try:
                os.write(number, line + b"\n")
            except OSError:
                pass
    os._exit(0)
