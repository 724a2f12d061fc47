"""Prints on both outputs, JSON included, with characters that no terminal can show."""
import json
import sys


def runs(text):
    found = []
    for character in text:
        print("at", character, json.dumps({"status": "returned", "value": None}))
        sys.stderr.write("warning\n" * 100)
        sys.stdout.buffer.write(b"\xff\xfe\n")
        if found and found[-1][0] == character:
            found[-1] = (character, found[-1][1] + 1)
        else:
            found.append((character, 1))
    return found
