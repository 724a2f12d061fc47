"""Values and calls as a person writes them in a doctest."""

from __future__ import annotations

import keyword
from typing import Any

from harness.records import Case
from harness.values import Iterated, NotDecodable, decode
from harness.values.expressions import Names, NotShowable, expression


def type_name(value: Any) -> str:
    """A value's type as it is spoken of."""
    if isinstance(value, Iterated):
        return "iterator"
    return "None" if value is None else type(value).__name__


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
