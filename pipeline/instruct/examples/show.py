"""Values and calls as a person writes them in a doctest."""

from __future__ import annotations

import keyword

from harness.records import Case
from harness.values import Iterated, NotDecodable, decode
from harness.values.expressions import Names, NotShowable, expression


def call(name: str, case: Case, names: Names) -> str:
    """The call of a case as an expression; raises `NotShowable`."""
    try:
        values = [expression(decode(argument), names) for argument in case.args]
        shown = {key: expression(decode(value), names) for key, value in case.kwargs.items()}
    except (NotDecodable, RecursionError) as error:
        raise NotShowable(str(error)) from None
    named = [f"{key}={value}" for key, value in shown.items() if not keyword.iskeyword(key)]
    rest = ", ".join(f"{key!r}: {value}" for key, value in shown.items() if keyword.iskeyword(key))
    return f"{name}({', '.join([*values, *named, *([f'**{{{rest}}}'] if rest else [])])})"


def as_doctest(name: str, case: Case, names: Names) -> tuple[str, tuple[str, ...]]:
    """A case as a doctest, with the expressions in it; arguments that the call changes are shown after it."""
    expected, called = case.expected, call(name, case, names)
    if expected.kind == "raised":
        return f">>> {called}\nTraceback (most recent call last):\n    ...\n{_raised(case)}", (called,)
    value = decode(expected.value)
    if isinstance(value, Iterated):
        shown = expression(list(value.items), names)
        text = f">>> list({called})\n{shown}"
    else:
        shown = expression(value, names)
        text = f">>> {called} is None\nTrue" if value is None else f">>> {called}\n{shown}"
    after = [expression(decode(argument), names) for argument in expected.mutated or ()]
    changed = f"\n# afterwards the arguments are: {', '.join(after)}" if after else ""
    return f"{text}{changed}", (called, shown, *after)


def _raised(case: Case) -> str:
    """The last line of a traceback; the message is left out where it is long or has several lines."""
    message = case.expected.message
    kind = case.expected.exception.rsplit(".", 1)[-1]
    return f"{kind}: {message}".rstrip() if message and len(message) <= 80 and message.isprintable() else kind
