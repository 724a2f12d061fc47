"""The registry of rules: what inference, drawing and search know beyond the language has a name and can be left out.

A rule is a function with a neutral answer: nothing found, or its argument unchanged. `leave_out` makes rules give that,
and `fired` tells which ones gave anything else, so that an ablation need only try again where a rule has.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_RULES: dict[str, list[str]] = {}
_LEFT_OUT: set[str] = set()
_FIRED: set[str] = set()


def finds(name: str, nothing: Callable[[], Any] = lambda: None) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """A rule that finds something; left out, it gives `nothing()`. Several functions may be one rule."""
    return _registered(name, lambda _: nothing())


def notes(name: str) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """A rule that writes down what it finds; left out, it is not called, and it has fired whenever it was."""

    def decorate(function: Callable[P, None]) -> Callable[P, None]:
        declare(name, f"{function.__module__}.{function.__qualname__}")

        @wraps(function)
        def applied(*args: P.args, **kwargs: P.kwargs) -> None:
            if applies(name):
                function(*args, **kwargs)

        return applied

    return decorate


def applies(name: str) -> bool:
    """Whether a rule that stands inside a function is not left out; it counts as fired."""
    if name in _LEFT_OUT:
        return False
    _FIRED.add(name)
    return True


def declare(name: str, where: str) -> None:
    """Name a rule, or one more place of it."""
    _RULES.setdefault(name, []).append(where)


def changes(name: str, place: int = 0) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """A rule that gives one of its arguments back, changed where it applies; left out, it gives that as it is."""
    return _registered(name, lambda args: args[place])


def _registered(name: str, neutral: Callable[[tuple[Any, ...]], Any]) -> Callable[[Callable[P, T]], Callable[P, T]]:
    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        declare(name, f"{function.__module__}.{function.__qualname__}")

        @wraps(function)
        def applied(*args: P.args, **kwargs: P.kwargs) -> T:
            if name in _LEFT_OUT:
                return neutral(args)  # type: ignore[no-any-return]
            made = function(*args, **kwargs)
            if name not in _FIRED and made is not (without := neutral(args)) and not _same(made, without):
                _FIRED.add(name)
            return made

        return applied

    return decorate


def _same(made: Any, without: Any) -> bool:
    """Whether an answer is the neutral one; what can't be compared is another."""
    try:
        return bool(made == without)
    except Exception:
        return False


def rules() -> dict[str, tuple[str, ...]]:
    """The names of all rules whose modules are loaded, with the functions of each."""
    return {name: tuple(functions) for name, functions in sorted(_RULES.items())}


def leave_out(names: Collection[str]) -> None:
    """Leave rules out from now on in this process; raises ValueError on a name that no rule has."""
    unknown = sorted(set(names) - set(_RULES))
    if unknown:
        raise ValueError(f"No rule is called {unknown[0]!r}; there are {', '.join(sorted(_RULES))}.")
    _LEFT_OUT.clear()
    _LEFT_OUT.update(names)


def fired() -> tuple[str, ...]:
    """The rules that have given anything in this process."""
    return tuple(sorted(_FIRED))
