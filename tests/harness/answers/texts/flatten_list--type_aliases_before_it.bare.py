from typing import TypeAlias, TypeVar, Union

T = TypeVar("T")
Nested: TypeAlias = "list[Union[T, Nested[T]]]"
Flat = list[T]


def flatten_list(nested: "Nested[T]") -> Flat:
    todo = [iter(nested)]
    flat: Flat = []
    while todo:
        for item in todo[-1]:
            if isinstance(item, (list, tuple)):
                todo.append(iter(item))
                break
            flat.append(item)
        else:
            todo.pop()
    return flat
