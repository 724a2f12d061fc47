"""Functions as arguments: the pure ones that the value codec carries by name, by what they take and give."""

from __future__ import annotations

from harness.values import FUNCTIONS
from pipeline.suites.domain.spec import Function

_KINDS: dict[str, tuple[int, str, str]] = {
    **dict.fromkeys(
        ("str.upper", "str.lower", "str.title", "str.strip", "str.swapcase", "str.capitalize"), (1, "str", "str")
    ),
    **dict.fromkeys(("str.isdigit", "str.isupper", "str.isidentifier"), (1, "str", "bool")),
    "str.split": (1, "str", "list"), "len": (1, "sized", "int"), "abs": (1, "number", "number"),
    "operator.neg": (1, "number", "number"), "str": (1, "", "str"), "repr": (1, "", "str"), "bool": (1, "", "bool"),
    "operator.not_": (1, "", "bool"), "int": (1, "number", "int"), "float": (1, "number", "float"),
    "sum": (1, "items", "number"), "sorted": (1, "items", "list"), "list": (1, "items", "list"),
    "tuple": (1, "items", "tuple"), "max": (1, "items", ""), "min": (1, "items", ""),
    **dict.fromkeys(("operator.add", "operator.sub", "operator.mul"), (2, "number", "number")),
    **dict.fromkeys(("operator.lt", "operator.gt", "operator.eq", "operator.ge"), (2, "", "bool")),
    "operator.concat": (2, "str", "str"),
}
_FAMILIES = {
    "number": {"number", "int", "float"}, "int": {"number", "int", "bool"}, "float": {"number", "float"},
    "str": {"str", "sized"}, "list": {"items", "sized", "list"}, "tuple": {"items", "sized", "tuple"},
    "Sequence": {"items", "sized", "list"}, "Iterable": {"items", "list"}, "dict": {"sized"}, "bool": {"bool"},
}
"""For the name of a type in an annotation, the kinds above that go with it."""


def palette(spec: Function) -> list[str]:
    """The names of the functions that fit: by the number of arguments, and by their types as far as they are known."""
    fitting = [
        name for name, (arity, takes, gives) in _KINDS.items()
        if arity == (spec.arity or arity) and _fits(spec.takes, takes) and _fits(spec.gives, gives)
    ]
    return fitting or [name for name, (arity, _, _) in _KINDS.items() if arity == (spec.arity or 1)]


def _fits(wanted: str, has: str) -> bool:
    return not wanted or not has or wanted not in _FAMILIES or has in _FAMILIES[wanted]


if _KINDS.keys() - FUNCTIONS.keys():
    raise ImportError(f"the codec does not carry {sorted(_KINDS.keys() - FUNCTIONS.keys())}")
