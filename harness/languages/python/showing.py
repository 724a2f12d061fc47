"""Cases and answers as Python that a person reads: calls, values, exceptions; each part is bounded in length."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from harness.records import Answer, Case, Json
from harness.telling import MAX_CHARS, TAIL_CHARS, printable, shortened
from harness.values import decode
from harness.values.encoded_text import encoded_text
from harness.values.expressions import Names, expression

_MAX_ARGUMENTS = 50


def call(name: str, case: Case, names: Names) -> str:
    """The call of a case; each argument has at most some 300 characters."""
    given = [*(value(a, names) for a in case.args), *(f"{k}={value(v, names)}" for k, v in case.kwargs.items())]
    return f"{name}({', '.join(given)})"


def answer(given: Answer, names: Names, write: Callable[[Json, Names], str] | None = None) -> str:
    """What a call gave: `-> VALUE` or `raises TYPE(TEXT)`, and the arguments where it changed them."""
    write = write or value
    text = f"-> {write(given.value, names)}"
    if given.kind == "raised":
        text = f"raises {given.exception}({shortened(repr(given.message))})"
    if given.mutated is None:
        return text
    then = given.mutated if isinstance(given.mutated, list) else [given.mutated]
    return f"{text}, arguments then ({', '.join(write(one, names) for one in then[:_MAX_ARGUMENTS])})"


def candidates_answer(given: Answer) -> str:
    """The same for an answer that nobody vouches for, of which nothing is built."""
    return printable(shortened(answer(given, Names(), lambda data, _: encoded_text(data, MAX_CHARS - TAIL_CHARS))))


def value(data: Json, names: Names) -> str:
    """A value as Python; what has no short text as its `repr`, or else as it is stored."""
    try:
        decoded = decode(data)
    except (ValueError, TypeError, ImportError):
        return shortened(str(data))
    for write in (partial(expression, names=names), repr):
        # There is no expression for it, a number has too many digits, or a moment is out of the calendar's range.
        with suppress(ValueError, NotImplementedError):
            return shortened(write(decoded))
    return shortened(str(data))
