"""Runs inside the sandbox: makes one call, and tells what came back."""

from __future__ import annotations

import builtins

import values

from .reports import MODULE, message_of, raised_where, written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

ITERATOR_ITEMS = 100_000
_EXCEPTIONS = {name: kind for name, kind in vars(builtins).items() if isinstance(kind, type)
               and issubclass(kind, BaseException)}
_mro, _own_name = type.__dict__["__mro__"].__get__, type.__dict__["__name__"].__get__
"""What a type is called and derived from, whatever it says of itself."""


def call(function: Callable[..., Any], raw: list[Any], watching: bool = True, lenient: bool = False) -> str:
    """Call the entry point with fresh arguments; what came back, as the fields of the line to report but the time.

    What has become of the arguments is told as well, where somebody is `watching` them. Where we are `lenient`, values
    of subclasses are told as those of their base, and of an exception what it is besides.
    """
    try:
        args, kwargs = _arguments(raw, watching)
    except values.NotDecodable as error:
        return _fields({"status": "crashed", "detail": f"its input can't be made here: {error}"})
    try:
        result = function(*args, **kwargs)
        fields = f'"status":"returned","value":{written(values.encode(result, ITERATOR_ITEMS, lenient))}'
    except values.NotEncodable as error:
        fields = _fields({"status": "unencodable", "detail": str(error)})
    except BaseException as error:
        fields = _raised(error, lenient)
    return fields + _mutated(raw, [*args, *kwargs.values()], lenient) if watching else fields


def _raised(error: BaseException, lenient: bool) -> str:
    """What is told of an exception: where it was raised, its type, its text."""
    general = {id(kind) for kind in (Exception, BaseException, object)}
    kinds = [kind for kind in _mro(type(error)) if id(kind) not in general]
    name, *bases = [_name(kind) for kind in kinds or [type(error)]]
    also = {"is": bases} if lenient and bases else {}
    return _fields({"where": raised_where(error), **also, "status": "raised", "exception": name,
                    "message": message_of(error)})


def _name(kind: type) -> str:
    """The name of a type of exceptions; one that only calls itself like a built-in one is told apart from it."""
    name = _own_name(kind)
    return name if _EXCEPTIONS.get(name, kind) is kind else f"{MODULE}.{name}"


def _fields(data: dict[str, Any]) -> str:
    """The members of an object of JSON, without its braces."""
    return written(data)[1:-1]


def _arguments(raw: list[Any], watching: bool) -> tuple[list[Any], dict[str, Any]]:
    """The arguments of a call; those in which JSON stands for itself are there already, fresh, unless some are kept."""
    args, named, plain = raw
    if plain and not watching:
        return args, dict(named)
    return [values.decode(arg) for arg in args], {name: values.decode(arg) for name, arg in named}


def _mutated(raw: list[Any], after: list[Any], lenient: bool) -> str:
    """The arguments after the call where it has changed them, as a field of the line."""
    before = [*raw[0], *(arg for _, arg in raw[1])]
    if all(type(arg) in (str, int, float, bool, type(None)) for arg in before):
        return ""
    if raw[2] and _same(before, after):
        return ""
    try:
        left = values.encode(after, bases=lenient)
    except BaseException as error:
        return "," + _fields({"detail": f"arguments after the call: {message_of(error) or type(error).__name__}"})
    text = values.canonical(left)
    if text == values.canonical(before) or text == values.canonical([values.encode(values.decode(b)) for b in before]):
        return ""
    return f',"mutated":{text}'


def _same(before: Any, after: Any) -> bool:
    """Whether two values for which JSON stands are the same to the type; False may be wrong, and then costs time."""
    kind = type(before)
    if kind is not type(after):
        return False
    if kind is list:
        return len(before) == len(after) and all(map(_same, before, after))
    if kind is dict:
        return list(before) == list(after) and all(map(_same, before.values(), after.values()))
    return repr(before) == repr(after) if kind is float else bool(before == after)
