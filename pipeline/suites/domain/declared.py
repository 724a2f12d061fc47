"""Declared contracts: the preconditions that the annotations of a function's parameters say, as conditions in Python.

Only what plain values show is said: an annotation that names anything else, or whose values a look would use up, says
nothing, and so does the annotation of a parameter that the body asks for other types.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from pipeline.suites.subject import Subject

DEEPEST = 2
"""How many containers deep a condition looks, so that it can be read."""
_SCALARS = {
    "str": "isinstance({0}, str)", "bytes": "isinstance({0}, bytes)", "bool": "isinstance({0}, bool)",
    "int": "isinstance({0}, int) and not isinstance({0}, bool)",
    "float": "isinstance({0}, (int, float)) and not isinstance({0}, bool)", "None": "{0} is None",
}
_CONTAINERS = {
    "list": "list", "List": "list", "set": "set", "Set": "set", "frozenset": "frozenset", "FrozenSet": "frozenset",
    "dict": "dict", "Dict": "dict", "Mapping": "dict", "MutableMapping": "dict", "tuple": "tuple", "Tuple": "tuple",
    "Sequence": "(list, tuple)",
}
_ASKING = frozenset({"isinstance", "issubclass", "type", "callable", "hasattr"})


def declared_contract(subject: Subject) -> tuple[str, ...]:
    """One condition for each parameter whose annotation says one, in the order of the parameters."""
    args = subject.function.args
    named = [*args.posonlyargs, *args.args]
    defaults = dict(zip((one.arg for one in reversed(named)), reversed(args.defaults), strict=False))
    defaults |= {one.arg: value for one, value in zip(args.kwonlyargs, args.kw_defaults, strict=True) if value}
    asked = set(_asked_for_types(subject.function))
    found = []
    for one in (*named, *args.kwonlyargs):
        said = _condition(one.arg, one.annotation, 0) if one.annotation is not None and one.arg not in asked else ""
        if said and one.arg in defaults:
            said = _or_default(one.arg, said, defaults[one.arg])
        if said:
            found.append(said)
    return tuple(found)


def _asked_for_types(function: ast.FunctionDef) -> Iterator[str]:
    """The parameters whose types the body asks for."""
    for node in ast.walk(function):
        match node:
            case ast.Call(ast.Name(asking), [ast.Name(name), *_]) if asking in _ASKING:
                yield name
            case ast.Match(ast.Name(name)):
                yield name


def _or_default(name: str, said: str, default: ast.expr) -> str:
    """The condition with the default allowed, whatever its type; "" where the default is no constant."""
    if not isinstance(default, ast.Constant):
        return ""
    if default.value is None:
        return said if f"{name} is None" in said else f"{name} is None or ({said})"
    return said


def _condition(value: str, annotation: ast.expr, depth: int) -> str:
    """What an annotation says of a value, "" where it says nothing that can be asked."""
    match annotation:
        case ast.Constant(None):
            return _SCALARS["None"].format(value)
        case ast.Constant(str(text)):
            return _quoted(value, text, depth)
        case ast.BinOp(left, ast.BitOr(), right):
            return _any_of(value, (left, right), depth)
        case ast.Name(word) | ast.Attribute(_, word):
            return _of_word(value, word)
        case ast.Subscript(ast.Name(word) | ast.Attribute(_, word), inside):
            return _subscripted(value, word, inside, depth)
    return ""


def _quoted(value: str, text: str, depth: int) -> str:
    try:
        return _condition(value, ast.parse(text, mode="eval").body, depth)
    except (SyntaxError, ValueError):
        return ""


def _of_word(value: str, word: str) -> str:
    if word in _CONTAINERS:
        return f"isinstance({value}, {_CONTAINERS[word]})"
    return _SCALARS[word].format(value) if word in _SCALARS else ""


def _any_of(value: str, annotations: Sequence[ast.expr], depth: int) -> str:
    """One of several; nothing where one of them says nothing."""
    said = [_condition(value, one, depth) for one in annotations]
    if not all(said):
        return ""
    return " or ".join(f"({one})" if " and " in one or " or " in one else one for one in dict.fromkeys(said))


def _subscripted(value: str, word: str, inside: ast.expr, depth: int) -> str:
    parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
    match word:
        case "Optional":
            return _any_of(value, (inside, ast.Constant(None)), depth)
        case "Union":
            return _any_of(value, parts, depth)
        case "Annotated":
            return _condition(value, parts[0], depth)
        case "Literal" if all(isinstance(part, ast.Constant) for part in parts):
            return f"{value} in ({', '.join(map(ast.unparse, parts))}{',' * (len(parts) == 1)})"
    return _container(value, word, parts, depth) if word in _CONTAINERS else ""


def _container(value: str, word: str, parts: Sequence[ast.expr], depth: int) -> str:
    """The container's own type, and what its items are as far as `DEEPEST` allows."""
    kind, name = _CONTAINERS[word], f"v{depth or ''}"
    said = [f"isinstance({value}, {kind})"]
    if depth >= DEEPEST:
        return said[0]
    if kind == "dict" and len(parts) == 2:
        for part, many in zip(parts, (value, f"{value}.values()"), strict=True):
            said += _each(many, _condition(name, part, depth + 1), name)
    elif kind == "tuple" and not (len(parts) == 2 and isinstance(parts[1], ast.Constant)):
        said.append(f"len({value}) == {len(parts)}")
        said += filter(None, (_grouped(_condition(f"{value}[{n}]", part, depth + 1)) for n, part in enumerate(parts)))
    elif kind != "dict":
        said += _each(value, _condition(name, parts[0], depth + 1), name)
    return " and ".join(said)


def _each(many: str, said: str, name: str) -> list[str]:
    return [f"all({said} for {name} in {many})"] if said else []


def _grouped(said: str) -> str:
    return f"({said})" if " or " in said else said
