"""Runs a toy program inside of the sandbox: calls come in as JSON, a line goes out for loading and one for each call.

Words stand on a stack: a number or a text in quotes puts itself there, `a=` takes the last value and keeps it as `a`, and
`a= { ... }` keeps a function, which gives the last value of its block. Any other word is a name: of a value, of a
function, which is called, or one of `BUILTIN`.
"""

from __future__ import annotations

import json
import sys


class Failed(Exception):
    """A failure with a name, as the language has them."""


def _loop(stack):
    while stack[-1]:
        pass


def _divide(stack):
    right, left = stack.pop(), stack.pop()
    if not right:
        raise Failed("division")
    stack.append(left // right)


def _two(operation):
    def run(stack):
        right, left = stack.pop(), stack.pop()
        stack.append(operation(left, right))

    return run


def _fail(stack):
    raise Failed(str(stack.pop()))


def _choose(stack):
    other, one, condition = stack.pop(), stack.pop(), stack.pop()
    stack.append(one if condition else other)


BUILTIN = {
    "add": _two(lambda a, b: a + b), "sub": _two(lambda a, b: a - b), "mul": _two(lambda a, b: a * b), "div": _divide,
    "less": _two(lambda a, b: int(a < b)), "choose": _choose, "fail": _fail, "loop": _loop,
}


def parse(text):
    """The words of a program as a list with a list for each block; raises `SyntaxError`."""
    blocks = [[]]
    for word in text.split():
        if word == "{":
            blocks.append([])
        elif word == "}":
            if len(blocks) == 1:
                raise SyntaxError("a block is closed that was never opened")
            done = blocks.pop()
            blocks[-1].append(done)
        else:
            blocks[-1].append(word)
    if len(blocks) > 1:
        raise SyntaxError("a block is never closed")
    return blocks[0]


def run(words, names, stack):
    """Run words with the names around them."""
    place = 0
    while place < len(words):
        word = words[place]
        place += 1
        if isinstance(word, list):
            run(word, dict(names), stack)
        elif word.endswith("=") and place < len(words) and isinstance(words[place], list):
            names[word[:-1]] = words[place]
            place += 1
        elif word.endswith("="):
            names[word[:-1]] = stack.pop()
        elif word.lstrip("-").isdigit():
            stack.append(int(word))
        elif word[:1] == '"':
            stack.append(word.strip('"'))
        elif word in names:
            value = names[word]
            run(value, dict(names), stack) if isinstance(value, list) else stack.append(value)
        elif word in BUILTIN:
            BUILTIN[word](stack)
        else:
            raise Failed(f"unbound {word}")


def outcome(names, entry, args):
    """What became of a call."""
    try:
        stack = list(args)
        run(names[entry], dict(names), stack)
        return {"status": "returned", "value": stack[-1]}
    except Failed as failure:
        return {"status": "raised", "exception": str(failure)}
    except (IndexError, RecursionError, TypeError):
        return {"status": "raised", "exception": "stack"}


def main():
    """Load the program, make the calls."""
    task = json.load(sys.stdin)
    names = {}
    try:
        run(parse(task["program"]), names, [])
        if not isinstance(names.get(task["entry"]), list):
            raise Failed(f"there is no function {task['entry']}")
    except (SyntaxError, Failed, IndexError) as error:
        print(json.dumps({"load_error": str(error), "is_syntax": isinstance(error, SyntaxError)}), flush=True)
        return
    print(json.dumps({"load_error": None}), flush=True)
    for args in task["calls"]:
        print(json.dumps(outcome(names, task["entry"], args)), flush=True)


if __name__ == "__main__":
    main()
