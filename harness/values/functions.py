"""Functions: pure ones, which are carried by their names."""

from __future__ import annotations

import _operator
import sys

from .codec import TAG, Codecs, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .codec import Json

FUNCTIONS: dict[str, Any] = {
    **{kind.__name__: kind for kind in (bool, bytes, dict, float, frozenset, int, list, set, str, tuple)},
    **{f.__name__: f for f in (abs, all, any, ascii, chr, len, max, min, ord, repr, reversed, round, sorted, sum)},
    **{f"str.{name}": getattr(str, name) for name in (
        "capitalize", "casefold", "isdigit", "isidentifier", "isupper", "lower", "lstrip", "split", "strip", "swapcase",
        "title", "upper",
    )},
    **{f"operator.{name}": getattr(_operator, name) for name in (
        "add", "concat", "eq", "ge", "gt", "le", "lt", "mul", "ne", "neg", "not_", "sub", "truth",
    )},
}
"""The functions that a value may be, by the names under which they are carried: pure ones, which do nothing else."""
_FUNCTION_NAMES = {id(function): name for name, function in FUNCTIONS.items()}
NUMBER_TYPES = (
    *(f"float{bits}" for bits in (16, 32, 64)), *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)),
    "complex64", "complex128", "bool", "str_", "bytes_", "object_", "datetime64", "timedelta64",
)  # fmt: skip
"""The types of NumPy's numbers that are carried by name, as pure functions are."""


def _number_type(value: Any) -> str:
    """The name under which a type of NumPy's numbers is carried, "" for everything else."""
    numpy = sys.modules.get("numpy")
    known = isinstance(value, type) and numpy is not None
    return next((f"numpy.{name}" for name in NUMBER_TYPES if known and getattr(numpy, name, None) is value), "")


def _to_function(data: Json, depth: int) -> Any:
    module, _, name = text_of(data["v"]).rpartition(".")
    if module == "numpy" and name in NUMBER_TYPES:
        import numpy as np

        return getattr(np, name)
    return FUNCTIONS[data["v"]]


def _function(value: Any) -> Json:
    name = _FUNCTION_NAMES.get(id(value)) or _number_type(value)
    return {TAG: "function", "v": name} if name else None


CODECS = Codecs(
    others=_function,
    decoders={"function": _to_function},
)
