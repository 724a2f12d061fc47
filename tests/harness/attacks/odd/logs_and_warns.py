"""Logs to everywhere and warns all the time."""
import logging
import sys
import warnings

logging.basicConfig(level=logging.DEBUG, stream=sys.stderr, force=True)
warnings.simplefilter("always")


def runs(text):
    found = []
    for character in text:
        logging.getLogger(__name__).debug("at %r of %r", character, text)
        warnings.warn(f"still counting {character}", DeprecationWarning, stacklevel=2)
        if found and found[-1][0] == character:
            found[-1] = (character, found[-1][1] + 1)
        else:
            found.append((character, 1))
    logging.shutdown()
    return found
