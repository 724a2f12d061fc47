"""A judge that is weak on purpose: the control that shows that each hostile answer is one.

It makes every mistake that the real one must not make. The answer runs in its process, beside the expected values;
these lie in its variables, in a file and on a port as well; answers are compared by their own `==` and written by their
own `repr`; and success is the word PASSED with the exit code 0, which any code can produce. It is made to be run inside
a sandbox, by its text: with one JSON document on standard input, `{"solution": ..., "cases": [[text, pairs], ...]}`.
"""

import json
import socket
import sys
import threading
from collections.abc import Iterator
from types import ModuleType


def serve(server, cases):
    """Hand the cases to whoever asks."""
    while True:
        with server.accept()[0] as connection:
            connection.sendall(json.dumps(cases).encode())


def same(answer, expected):
    """Whether the answer is the expected one; an iterator is as good as a list."""
    if isinstance(answer, Iterator):
        answer = list(answer)
    return answer == expected


def judged(runs, text, expected):
    """Whether one case passes."""
    try:
        answer = runs(text)
    except Exception as error:
        print(f"FAILED: {type(error).__name__}: {error}")
        return False
    if same(answer, expected):
        return True
    from pprint import pformat

    print(f"FAILED: expected {pformat(expected)}, got {answer!r}")
    return False


def main():
    """Judge what comes in."""
    task = json.load(sys.stdin)
    CASES.extend((text, [tuple(pair) for pair in pairs]) for text, pairs in task["cases"])
    with open("cases.json", "w", encoding="utf-8") as file:
        json.dump(task["cases"], file)
    server = socket.create_server(("127.0.0.1", 8000))
    threading.Thread(target=serve, args=(server, task["cases"]), daemon=True).start()
    module = sys.modules["solution"] = ModuleType("solution")
    exec(compile(task["solution"], "solution.py", "exec"), module.__dict__)
    if not all(judged(module.runs, text, expected) for text, expected in CASES):
        sys.exit(1)
    print("PASSED")


CASES = []
if __name__ == "__main__":
    main()
