"""Returns an np.bool_, from the heights of the nesting."""
import numpy as np


def is_balanced(text):
    brackets = [c for c in text if c in "()[]{}"]
    before = None
    while brackets != before:
        before = brackets
        text = "".join(brackets)
        for pair in ("()", "[]", "{}"):
            text = text.replace(pair, "")
        brackets = list(text)
    return np.all(np.array([len(brackets)]) == 0)
