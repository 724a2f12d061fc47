"""Uses most of what typing has, evaluates its annotations and checks them when it is called."""
from __future__ import annotations

import typing
from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, ParamSpec, Protocol, TypeAlias, TypedDict, TypeVar

T = TypeVar("T")
P = ParamSpec("P")
Pair: TypeAlias = "tuple[str, int]"


class Sized(Protocol):
    def __len__(self) -> int: ...


class Options(TypedDict, total=False):
    start: int


class Run(NamedTuple):
    character: str
    count: int


class Box(Generic[T]):
    def __init__(self, value: T) -> None:
        self.value = value


def checked(function: Callable[P, T]) -> Callable[P, T]:
    hints = typing.get_type_hints(function)
    assert hints["text"] is str, hints

    def inner(*args: P.args, **kwargs: P.kwargs) -> T:
        return function(*args, **kwargs)

    return inner


@checked
def runs(text: str, options: Options | None = None) -> list[Pair]:
    box: Box[list[Run]] = Box([])
    for character in typing.cast(Sequence[str], text):
        last = box.value[-1] if box.value else Run("", 0)
        if last.character == character:
            box.value[-1] = last._replace(count=last.count + 1)
        else:
            box.value.append(Run(character, 1))
    return [tuple(run) for run in box.value]
