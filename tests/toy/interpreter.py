"""Runs a toy program inside of the sandbox: calls come in as JSON, a line goes out for loading and one for each call.

The language is the one that `tests.toy` describes. It imports nothing of ours, since it runs in the sandbox alone.
"""

from __future__ import annotations

import json
import sys
import time
from collections import ChainMap


class Failed(Exception):
    """A failure with a name, as the language has them."""


class Returned(Exception):
    """A function that is left, with its value."""


class Function:
    """A function with its parameters, its block, and the names around it."""

    def __init__(self, parameters, block, names):
        self.parameters, self.block, self.names = parameters, block, names

    def __call__(self, stack):
        inside = self.names.new_child()
        for name in reversed(self.parameters):
            inside[name] = stack.pop()
        try:
            run(self.block, inside.new_child(), [])
            stack.append(0)
        except Returned as left:
            stack.append(left.args[0])


def _loop(stack):
    while stack[-1]:
        pass
    stack.pop()


def _divide(one, other):
    if not other:
        raise Failed("division")
    return one // other


def _two(operation):
    def call(stack):
        right, left = stack.pop(), stack.pop()
        stack.append(operation(left, right))

    return call


def _leave(stack):
    raise Returned(stack.pop())


BUILTIN = {
    "add": _two(lambda a, b: a + b), "sub": _two(lambda a, b: a - b), "mul": _two(lambda a, b: a * b),
    "div": _two(_divide), "less": _two(lambda a, b: int(a < b)), "same": _two(lambda a, b: int(a == b)),
    "loop": _loop, "return": _leave, "now": lambda stack: stack.append(int(time.time())),
    "print": lambda stack: print(stack.pop(), file=sys.stderr),
}
MODULES = {"math": {"max": _two(max), "min": _two(min)}}


def parse(text):
    """The words of a program as a list with a list for each block; raises `SyntaxError`."""
    blocks = [[]]
    spoken = [line for line in text.split("\n") if not line.lstrip().startswith("#")]
    for word in "\n".join(spoken).split():
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
    rest = list(reversed(words))
    while rest:
        word = rest.pop()
        if isinstance(word, list):
            run(word, names.new_child(), stack)
        elif word.startswith("@"):
            parameters = []
            while not isinstance(rest[-1], list):
                parameters.append(rest.pop()[:-1])
            names[word[1:]] = Function(parameters, rest.pop(), names)
        elif word == "if":
            taken, block = stack.pop(), rest.pop()
            other = [rest.pop(), rest.pop()][1] if rest and rest[-1] == "else" else []
            run(block if taken else other, names.new_child(), stack)
        elif word.endswith("="):
            kept = names.maps[-1] if "^" + word[:-1] in names else names
            kept[word[:-1]] = stack.pop()
        elif word.startswith("^"):
            names[word] = True
        elif word.startswith("*"):
            names.update(MODULES[word[1:]])
        elif word.startswith("&"):
            module, _, name = word[1:].partition(".")
            names[name] = MODULES[module][name]
        elif word.lstrip("-").isdigit():
            stack.append(int(word))
        else:
            value = names[word] if word in names else BUILTIN.get(word)
            if value is None:
                raise Failed(f"unbound {word}")
            value(stack) if callable(value) else stack.append(value)


def outcome(names, entry, args):
    """What became of a call."""
    try:
        stack = list(args)
        names[entry](stack)
        return {"status": "returned", "value": stack[-1]}
    except Failed as failure:
        return {"status": "raised", "exception": str(failure)}
    except (IndexError, KeyError, RecursionError, TypeError):
        return {"status": "raised", "exception": "stack"}


def main():
    """Load the program, make the calls."""
    task = json.load(sys.stdin)
    names = ChainMap()
    try:
        run(parse(task["program"]), names, [])
        if not callable(names.get(task["entry"])):
            raise Failed(f"there is no function {task['entry']}")
    except (SyntaxError, Failed, Returned, IndexError, KeyError) as error:
        print(json.dumps({"load_error": str(error), "is_syntax": isinstance(error, SyntaxError)}), flush=True)
        return
    print(json.dumps({"load_error": None}), flush=True)
    for args in task["calls"]:
        print(json.dumps(outcome(names, task["entry"], args)), flush=True)


if __name__ == "__main__":
    main()
