"""Moves to a new folder, empties the environment and never goes back."""
import os
import tempfile

_folder = tempfile.mkdtemp(prefix="brackets")
os.chdir(_folder)
os.environ.clear()
os.environ["OPENING"], os.environ["CLOSING"] = "([{", ")]}"


def is_balanced(text):
    pairs = dict(zip(os.environ["CLOSING"], os.environ["OPENING"]))
    os.makedirs(os.path.join(os.getcwd(), "x"), exist_ok=True)
    os.chdir("x")
    stack = []
    for c in text:
        if c in os.environ["OPENING"]:
            stack.append(c)
        elif c in pairs:
            if stack[-1:] != [pairs[c]]:
                return False
            del stack[-1]
    return not stack
