"""Values and calls as a person writes them in a doctest."""

from __future__ import annotations

import re
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Sequence
from typing import Any

from harness.records import Case
from harness.values import Iterated, NotDecodable, decode

MAX_BITS = 256
PLAIN = (str, bytes, bytearray, int, float, complex, bool, type(None), range)


class NotShowable(ValueError):
    """The value has no short text from which a reader could make it again."""


def show(value: Any) -> str:
    """A value as an expression; raises `NotShowable`. Sets are sorted, floats that are no numbers go by `float`."""
    if isinstance(value, float) and type(value) is float and (value != value or value in (float("inf"), -float("inf"))):
        return f"float({str(value)!r})"
    if type(value) is int and value.bit_length() > MAX_BITS:
        raise NotShowable("a huge number")
    if type(value) in PLAIN:
        return repr(value)
    if type(value) in _CONTAINERS:
        text: str = _CONTAINERS[type(value)](value)
        return text
    if type(value).__module__ in ("datetime", "decimal", "fractions", "uuid", "pathlib"):
        return _qualified(value)
    return _library_value(value)


def type_name(value: Any) -> str:
    """A value's type as it is spoken of."""
    if isinstance(value, Iterated):
        return "iterator"
    return "None" if value is None else type(value).__name__


def call(name: str, case: Case) -> str:
    """The call of a case as an expression; raises `NotShowable`."""
    try:
        values = [show(decode(argument)) for argument in case.args]
        named = [f"{key}={show(decode(value))}" for key, value in case.kwargs.items()]
    except (NotDecodable, RecursionError) as error:
        raise NotShowable(str(error)) from None
    return f"{name}({', '.join([*values, *named])})"


def _items(values: Sequence[Any]) -> str:
    return ", ".join(show(value) for value in values)


def _pairs(value: dict[Any, Any]) -> str:
    return "{" + ", ".join(f"{show(key)}: {show(item)}" for key, item in value.items()) + "}"


def _tuple(value: tuple[Any, ...]) -> str:
    return f"({_items(value)}{',' if len(value) == 1 else ''})"


def _set(value: set[Any] | frozenset[Any]) -> str:
    shown = ", ".join(sorted(map(show, value)))
    return f"{{{shown}}}" if shown else "set()"


def _default_dict(value: defaultdict[Any, Any]) -> str:
    factory = value.default_factory
    return f"defaultdict({getattr(factory, '__name__', 'None')}, {_pairs(value)})"


_CONTAINERS: dict[type, Any] = {
    list: lambda value: f"[{_items(value)}]",
    tuple: _tuple,
    dict: _pairs,
    set: _set,
    frozenset: lambda value: f"frozenset({_set(value) if value else ''})",
    deque: lambda value: f"deque([{_items(value)}])",
    Counter: lambda value: f"Counter({_pairs(value) if value else ''})",
    OrderedDict: lambda value: f"OrderedDict([{', '.join(_tuple(pair) for pair in value.items())}])",
    defaultdict: _default_dict,
}


def _qualified(value: Any) -> str:
    text = repr(value)
    if text.startswith("<"):
        raise NotShowable(type(value).__name__)
    module = type(value).__module__
    return text if text.startswith(f"{module}.") else f"{module}.{text}" if module == "pathlib" else text


def _library_value(value: Any) -> str:
    """NumPy and pandas values by their constructors, as long as those give the value back."""
    module, name = type(value).__module__.split(".")[0], type(value).__name__
    if module == "numpy" and name == "ndarray" and value.dtype.kind in "biufU":
        odd = "" if str(value.dtype) in ("int64", "float64", "bool") or value.dtype.kind == "U" else \
            f", dtype={str(value.dtype)!r}"
        return f"np.array({show(value.tolist())}{odd})" if value.size or odd else f"np.empty({value.shape})"
    if module == "numpy" and hasattr(value, "item") and not hasattr(value, "__len__"):
        return f"np.{name}({show(value.item())})"
    if module == "pandas" and name == "Series":
        named = f", name={value.name!r}" if value.name is not None else ""
        return f"pd.Series({show(value.tolist())}{_index(value)}{named})"
    if module == "pandas" and name == "DataFrame" and value.columns.is_unique:
        columns = {key: value[key].tolist() for key in value.columns}
        return f"pd.DataFrame({show(columns)}{_index(value)})"
    if module == "pandas" and name in ("Timestamp", "Timedelta"):
        return f"pd.{name}({str(value)!r})"
    if re.fullmatch(r"[\w.]+\(.*\)", repr(value), re.DOTALL):
        return repr(value)
    raise NotShowable(type(value).__name__)


def _index(value: Any) -> str:
    index = value.index
    return "" if type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1 else \
        f", index={show(index.tolist())}"
