"""Returns 1 or 0, which are equal to True and False."""
import re


def is_balanced(text):
    text, count = re.sub(r"[^][(){}]", "", text), 1
    while count:
        text, count = re.subn(r"\(\)|\[\]|\{\}", "", text)
    return 1 if not text else 0
