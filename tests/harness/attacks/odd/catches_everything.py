"""Uses exceptions for control flow, SystemExit among them."""
import sys


def runs(text):
    found = []
    position = 0
    while True:
        try:
            character = text[position]
        except IndexError:
            try:
                sys.exit("done")
            except SystemExit:
                return found
        try:
            assert found[-1][0] == character
            found[-1] = (character, found[-1][1] + 1)
        except (IndexError, AssertionError):
            found.append((character, 1))
        finally:
            position += 1
