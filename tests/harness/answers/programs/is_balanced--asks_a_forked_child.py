"""Forks for each call; the child tells by its exit status, the parent waits."""
import os


def _check(text):
    waiting = []
    for c in text:
        if c in "([{":
            waiting.append({"(": ")", "[": "]", "{": "}"}[c])
        elif c in ")]}" and (not waiting or waiting.pop() != c):
            return False
    return not waiting


def is_balanced(text):
    child = os.fork()
    if child == 0:
        os._exit(0 if _check(text) else 7)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
