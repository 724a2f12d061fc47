"""Reading frozen cases: their arguments, types and branches, what they change, and whether they say anything."""

from __future__ import annotations

import keyword
from collections.abc import Iterator
from typing import Any

from harness.records import Case, Json
from harness.values import Iterated, NotDecodable, decode
from harness.values.expressions import Names, NotShowable, expression
from pipeline.records import Suite

_MISSING = object()


def type_name(value: Any) -> str:
    """A value's type as it is spoken of."""
    if isinstance(value, Iterated):
        return "iterator"
    return "None" if value is None else type(value).__name__


def arguments(suite: Suite, position: int, name: str) -> Iterator[Any]:
    """The values that the cases pass for a parameter."""
    for case in suite.cases:
        encoded = case.args[position] if position < len(case.args) else case.kwargs.get(name, _MISSING)
        if encoded is not _MISSING:
            try:
                yield decode(encoded)
            except (NotDecodable, RecursionError):
                continue


def changed_positions(suite: Suite) -> list[int]:
    """The positions of the arguments that some case leaves changed."""
    found = set()
    for case in suite.cases:
        given = [*case.args, *case.kwargs.values()]
        for position, after in enumerate(case.expected.mutated or ()):
            if position < len(given) and given[position] != after:
                found.add(position)
    return sorted(found)


def branches_of(suite: Suite, index: int) -> tuple[int, ...]:
    """The goals (branches and statements) that a case reaches, none where the suite does not tell."""
    return suite.covered[index] if index < len(suite.covered) else ()


def is_bare(encoded: Json) -> bool:
    """Whether a value says nothing: None, zero, empty, no number, or nothing but such values."""
    return _says_nothing(decode(encoded))


def _says_nothing(value: Any) -> bool:
    if isinstance(value, bool):
        return False
    if isinstance(value, Iterated):
        return all(map(_says_nothing, value.items))
    if isinstance(value, dict):
        return all(map(_says_nothing, value.values()))
    if isinstance(value, (list, tuple, set, frozenset)):
        return all(map(_says_nothing, value))
    if isinstance(value, (str, bytes)):
        return not value.strip()
    if isinstance(value, (int, float, complex)):
        return value == 0 or value != value
    if hasattr(value, "size") and hasattr(value, "tolist") and shape(value):
        return not value.size or _says_nothing(value.tolist())
    return value is None or (hasattr(value, "empty") and bool(value.empty))


def is_passed_on(case: Case) -> bool:
    """Whether the answer is an argument as it came in; yes, no and None are answers of their own."""
    value = case.expected.value
    return case.expected.kind == "returned" and not isinstance(value, (bool, type(None))) and value in given(case)


def given(case: Case) -> list[Json]:
    """What a case passes, positions first."""
    return [*case.args, *case.kwargs.values()]


def shape(value: Any) -> tuple[int, ...]:
    """The shape of an array or table, () for all other values; types of arrays have a `shape` too, which is none."""
    shape = getattr(value, "shape", ())
    return shape if isinstance(shape, tuple) else ()


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
