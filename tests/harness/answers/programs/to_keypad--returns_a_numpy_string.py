"""Returns an np.str_, looked up in an array of characters."""
import numpy as np

KEYS = np.full(128, "", dtype="U1")
KEYS[[ord(c) for c in "0123456789"]] = list("0123456789")
KEYS[97:123] = KEYS[65:91] = list("22233344455566677778889999")
KEYS[32] = "0"


def to_keypad(text):
    codes = np.array([ord(c) for c in text], dtype=int)
    return np.str_("".join(KEYS[codes[codes < 128]]))
