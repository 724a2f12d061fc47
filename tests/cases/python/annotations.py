# Annotations: they are references too, quoted or not, except for what is no type in them.
import decimal
import logging
import os
import typing as t
from typing import Annotated, Any, Callable, Literal, TypeVar, Union, cast

T = TypeVar("T")
Alias = Union[int, str]


class Model:
    pass


def project_type(a: Model) -> int:
    # ^ class: PROJECT_DEPENDENT Model
    #               ^ defined: 12
    return 1


def quoted_project_type(a: "Model") -> int:
    # ^ class: PROJECT_DEPENDENT Model
    #                      ^ defined: 12
    return 1


def quoted_inside(a: t.List["Model"]) -> int:
    # ^ class: PROJECT_DEPENDENT Model
    #                       ^ defined: 12
    return 1


def quoted_expression(a: "t.Optional[Model]" = None) -> int:
    # ^ class: PROJECT_DEPENDENT Model
    return 1


def returns_project_type(a) -> "Model | None":
    # ^ class: PROJECT_DEPENDENT Model
    return None


def project_alias(a: Alias) -> int:
    # ^ class: PROJECT_DEPENDENT Alias
    return 1


def type_variable(a: T) -> T:
    # ^ class: PROJECT_DEPENDENT T
    return a


def unknown_type(a: Missing) -> int:
    # ^ class: UNSURE Missing
    #               ^ defined:
    return 1


def quoted_unknown_type(a: "Missing") -> int:
    # ^ class: UNSURE Missing
    return 1


def free_text(a: "the number of things") -> "some result":
    # ^ class: SC
    return a


def literals(a: Literal["Model", "Missing"], b: t.Literal["x"] = "x") -> int:
    # ^ class: SC
    #                   ^ nothing
    return 1


def annotated(a: Annotated[int, "some words"], b: Annotated["Model", 1]) -> int:
    # ^ class: PROJECT_DEPENDENT Model
    #                             ^ nothing
    return 1


def builtin_types(a: list[int], b: dict[str, "tuple[int, ...]"], c: int | None = None) -> bool:
    # ^ class: SC
    #                ^ builtin
    #                     ^ builtin
    #                                        ^ builtin
    #                                                               ^ builtin
    return True


def callables(a: Callable[[int, "Model"], Any]) -> int:
    # ^ class: PROJECT_DEPENDENT Model
    #            ^ library: typing.Callable
    #                                     ^ library: typing.Any
    return 1


def attribute(a: t.Sequence[t.Any], *args: t.Any, **kw: t.Any) -> "t.Dict[str, int]":
    # ^ class: SC
    # ^ imports: import typing as t
    #                       ^ library: typing.Any
    #                                      ^ library: typing.Any
    return {}


def local_annotation(a) -> int:
    # ^ class: PROJECT_DEPENDENT Model
    b: Model = a
    #  ^ defined: 12
    return b


def local_declaration(a) -> int:
    # ^ class: SC
    b: "t.List[int]"
    b = a
    return b


def cast_is_typing(a):
    # ^ class: SC
    return cast("Model", a)
    #      ^ library: typing.cast
    #           ^ nothing


def library_type(a: decimal.Decimal) -> int:
    # ^ class: WSC decimal
    return 1


def refused_type(a: logging.Logger) -> int:
    # ^ class: LIBRARY_NOT_ALLOWED logging.Logger
    return 1


def path_like(a: os.PathLike) -> int:
    # ^ class: SC
    return 1


def annotation_sees_the_outside(list) -> list:
    # ^ class: SC
    #                                    ^ builtin
    return list
    #      ^ defined: 142


def default_and_annotation(a: int = len("x")) -> int:
    # ^ class: SC
    #                               ^ builtin
    return a


def annotated_lambda_inside(a) -> int:
    def inner(b: "Model") -> "Missing":
        #        ^ defined: 12
        #                    ^ defined:
        return b
    return inner


def refused_part(a: "os.DirEntry") -> int:
    # ^ class: LIBRARY_NOT_ALLOWED os.DirEntry
    return 1


def annotated_attribute_of_a_call(a) -> int:
    # ^ class: PROJECT_DEPENDENT Model
    b: Model = len(a).real
    #  ^ defined: 12
    #          ^ builtin
    return b


def parentheses_declare_nothing(a) -> int:
    # ^ class: PROJECT_DEPENDENT Alias
    (Alias): int
    return Alias
    #      ^ defined: 9


def parentheses_with_a_value(a) -> int:
    # ^ class: SC
    (Alias): int = a
    return Alias
    #      ^ defined: 185


def annotated_attribute(a) -> int:
    # ^ class: PROJECT_DEPENDENT Alias
    Alias.x: int
    return a
