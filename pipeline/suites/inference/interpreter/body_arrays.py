"""Reading what the body asks of arrays, series and frames: types of numbers, axes, lengths, missing values, columns."""

from __future__ import annotations

import ast
from typing import Any

from pipeline.suites.domain.kinds import arrays
from pipeline.suites.inference.clues import About, Clue
from pipeline.suites.inference.evidence import array_prose
from pipeline.suites.inference.evidence.library_signatures import functions
from pipeline.suites.rules import finds, notes
from pipeline.suites.subject import full_name

_KINDS = {
    "f": ("float64", "float32"),
    "c": ("complex128",),
    "i": ("int64", "int32"),
    "u": ("uint8", "uint16"),
    "b": ("bool",),
    "O": ("object",),
    "U": ("str",),
    "S": ("bytes",),
    "M": ("datetime64[s]",),
    "m": ("timedelta64[s]",),
}
"""Types by the letter of `dtype.kind`."""

_CLASSES = {
    "integer": ("int64", "int32", "uint8"),
    "signedinteger": ("int64", "int32"),
    "unsignedinteger": ("uint8", "uint16"),
    "floating": ("float64", "float32"),
    "inexact": ("float64", "complex128"),
    "complexfloating": ("complex128",),
    "number": ("float64", "int64", "bool"),
    "bool": ("bool",),
    "bool_": ("bool",),
    "int": ("int64",),
    "int_": ("int64",),
    "float": ("float64",),
    "complex": ("complex128",),
    "object": ("object",),
    "object_": ("object",),
    "str": ("str",),
    "str_": ("str",),
    "string": ("str",),
    "character": ("str",),
    "flexible": ("str",),
    "datetime64": ("datetime64[s]",),
    "timedelta64": ("timedelta64[s]",),
    "category": ("category",),
    "CategoricalDtype": ("category",),
    **dict.fromkeys(("ExtensionDtype", "ExtensionArray", "BaseMaskedDtype"), ("Int64", "Float64")),
    **{name: (name,) for name in ("Int64", "Float64", "boolean")},
    **{f"{name}Dtype": (name,) for name in ("Int64", "Float64")},
    "BooleanDtype": ("boolean",),
    "generic": ("object",),
    **{name: (name,) for name in "float32 float64 complex64 complex128 uint8 uint16 uint32 uint64".split()},
    **{name: (name,) for name in "float16 int8 int16 int32 int64".split()},
}
"""Types by the last part of the names of their classes."""

_ASKED = {
    "iscomplexobj": ("complex128", "float64"),
    "isrealobj": ("complex128", "float64"),
    "iscomplex": ("complex128",),
    "is_numeric_dtype": ("float64", "int64", "str", "datetime64[s]"),
    "is_integer_dtype": ("int64", "float64"),
    "is_float_dtype": ("float64", "int64"),
    "is_bool_dtype": ("bool", "int64"),
    "is_string_dtype": ("str", "int64", "datetime64[s]"),
    "is_object_dtype": ("object", "int64", "datetime64[s]"),
    "is_datetime64_any_dtype": ("datetime64[s]", "int64"),
    "is_datetime64_dtype": ("datetime64[s]", "int64"),
    "is_timedelta64_dtype": ("timedelta64[s]", "int64"),
    "is_categorical_dtype": ("category", "int64"),
    "is_extension_array_dtype": ("Int64", "float64"),
    "is_complex_dtype": ("complex128", "float64"),
}
"""Types that a function which asks for one tells apart."""

_SAME = functions("chosen") | {"diff", "ediff1d"}
"""Functions that give an array of cells as those of their argument."""
_NUMBERS = {"integer": "integer", "floating": "floating", "number": "generic"}
"""Classes of NumPy's numbers that stand beside those of Python, with the kinds of their own."""
_SQUARE, _TWO_AXES, _ONE_AXIS = functions("square"), functions("planes"), functions("rows")
_ALONG = functions("along")
"""Functions and methods that may go along one axis."""
_MOST_AXES = 6
_SCALARS_TOO = frozenset("isscalar ndim atleast_1d".split())
_MISSING = frozenset("dropna fillna isna isnull notna notnull ffill bfill interpolate".split())
_NAMED_COLUMNS = frozenset("groupby sort_values set_index drop drop_duplicates merge pivot_table explode".split())


@finds("arrays: members")
def member(clue: Clue, name: str) -> Clue | None:
    """What a member of a value stands for, None where nothing is known of it."""
    array_prose.member(clue, name)
    if name == "flags":
        return Clue(about=About("flags", clue))
    if clue.about is not None:
        told = clue.about.what in ("dtype", "index") and name in ("kind", "name", "type", "char", "dtype")
        return clue if told else None
    if name in ("dtype", "ndim", "shape", "index", "columns"):
        # To go over the columns is to go over the table.
        return Clue(about=About(name, clue), item={"columns": clue.items, "index": clue.keys}.get(name, Clue)())
    if name == "dtypes":
        return Clue(about=About("dtype", clue))
    if name == "str":
        clue.items().vote("str", "its texts are read", 2)
        return clue.items()
    if name == "dt":
        clue.items().vote("datetime", "its moments are read", 4)
    if name == "cat":
        clue.dtypes.append("category")
    if name == "values" and not {"series", "frame"} & set(clue.tested):
        clue.vote("only tables", weight=1)
    return clue if name in ("loc", "iloc", "at", "iat", "values", "flat", "array", "T") else None


@notes("arrays: methods")
def method(clue: Clue, name: str, node: ast.Call, arguments: list[Clue]) -> None:
    """Note what the call of a method tells of the contents of the value."""
    array_prose.member(clue, name)
    _along(clue, name, node, 0)
    if name == "astype" and arguments:
        arguments[0].vote("dtype", "it is the type of an array", 3)
    if name == "select_dtypes":
        asked = [*node.args, *(one.value for one in node.keywords)]
        told = [kind for one in asked for kind in _types(one, {})]
        clue.dtypes.extend([*told, *(kind for kind in ("int64", "object") if told and kind not in told)])
    if name in _MISSING:
        clue.missing = True
    if name in _NAMED_COLUMNS and not clue.votes.get("str"):
        named = [
            *node.args[:1],
            *(one.value for one in node.keywords if one.arg in ("by", "on", "columns", "keys", "subset")),
        ]
        owners = [clue, *arguments[:1]] if name == "merge" else [clue]
        for value in (text for expression in named for text in _texts(expression)):
            for owner in owners:
                owner.field(value, True)


@notes("arrays: keywords")
def keyword(name: str | None, clue: Clue) -> None:
    """Note what keyword arguments of some names are in all functions and methods on arrays."""
    if name == "axis":
        clue.vote("axis", "it is an axis", 4)
    elif name == "dtype":
        clue.vote("dtype", "it is the type of an array", 3)


def axes_of(index: ast.Tuple) -> int:
    """How many axes an index speaks of; those that it adds don't count."""
    places = [one for one in index.elts if not _adds_axis(one)]
    return sum(not (isinstance(one, ast.Constant) and one.value is Ellipsis) for one in places)


def length(about: About, index: ast.expr) -> Clue:
    """The clue of one length of a shape; which one it is says how many axes there are at least."""
    axis = _number(index)
    about.of.axes = max(about.of.axes, axis + 1 if axis else 0)
    return Clue()


@finds("arrays: calls")
def called(name: str, clues: list[Clue], node: ast.Call, names: dict[str, str]) -> Clue | None:
    """Note what a function asks of its arguments; what it gives where that speaks of the argument."""
    root, last = name.split(".")[0], name.rsplit(".", 1)[-1]
    if not clues or root not in ("numpy", "pandas", "scipy", "len"):
        return None
    first = clues[0]
    array_prose.asked(last, first)
    if name == "numpy.dtype" or (root == "pandas" and last == "pandas_dtype"):
        first.vote("dtype", f"{name} takes it", 4)
        return Clue(about=About("dtype", Clue()))
    if name == "len" and first.about is not None and first.about.what == "shape":
        return Clue(about=About("ndim", first.about.of))
    if last in _ASKED:
        _subject(first).dtypes.extend(_ASKED[last])
    if last == "issubdtype" and len(node.args) > 1:
        _subject(first).dtypes.extend(_types(node.args[1], names))
    if (last in _TWO_AXES or (last in _SQUARE and "linalg" in name)) and root != "pandas":
        first.axes = max(first.axes, 2)
    if root == "numpy":
        _along(first, last, node, 1)
        if last in _ONE_AXIS:
            first.axes = max(first.axes, 1)
    if root == "numpy" and last in _SCALARS_TOO:
        first.scalar = True
    if root == "pandas" and last in ("isna", "isnull", "notna", "notnull"):
        first.missing = True
    if root == "numpy" and last in ("nonzero", "where") and len(clues) == 1:
        return Clue(about=About("places", first))
    if root == "numpy" and last in _SAME:
        made = Clue()
        first.same.append(made)
        return made
    if root == "numpy" and last in ("ndim", "shape"):
        return Clue(about=About(last, first))
    return None


def _along(clue: Clue, name: str, node: ast.Call, place: int) -> None:
    """Note that a value has the axis that a function goes along."""
    if name in _ALONG and not clue.votes.get("frame"):
        given = [*node.args[place : place + 1], *(one.value for one in node.keywords if one.arg == "axis")]
        axis = _number(given[-1]) if given else None
        if axis is not None and 0 < axis < 4 and name != "concatenate":
            clue.axes = max(clue.axes, axis + 1)
            clue.vote("array", f"{name} goes along its axis {axis}", 2)


@notes("arrays: unpacked")
def unpacked(clue: Clue, count: int) -> None:
    """Note that a shape is unpacked into so many lengths."""
    if clue.about is not None and clue.about.what in ("shape", "places"):
        clue.about.of.axes = max(clue.about.of.axes, count)


@notes("arrays: comparisons of types")
def compared(left: tuple[Clue, ast.expr], right: tuple[Clue, ast.expr], names: dict[str, str]) -> None:
    """Note what a comparison of a type, of a number of axes or of a length tells of the array."""
    for (clue, _), (_, expression) in ((left, right), (right, left)):
        about = clue.about
        if about is None:
            continue
        if about.what == "dtype":
            about.of.dtypes.extend(_types(expression, names))
        elif about.what == "ndim":
            about.of.ranks.extend(number for number in _numbers(expression) if 0 <= number <= _MOST_AXES)
        elif about.what == "shape" and isinstance(expression, ast.Tuple):
            about.of.ranks.append(len(expression.elts))


@notes("arrays: tests of types")
def tested(clue: Clue, classes: ast.expr, names: dict[str, str]) -> None:
    """Note which index, type or form a value is tested for."""
    about = clue.about
    for one in classes.elts if isinstance(classes, ast.Tuple) else [classes]:
        last = full_name(one, names).rsplit(".", 1)[-1]
        if about is None and last in _NUMBERS:
            clue.tested.append(_NUMBERS[last])
        if about is None:
            if forms := array_prose.forms_of_class(last):
                clue.variant("array").forms.extend((arrays.DENSE, *forms))
        elif about.what == "dtype":
            about.of.dtypes.extend(_types(one, names))


def _subject(clue: Clue) -> Clue:
    return clue.about.of if clue.about is not None else clue


def _types(node: ast.expr, names: dict[str, str]) -> list[str]:
    """The types that an expression names: letters of kinds, names and classes."""
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return [name for one in node.elts for name in _types(one, names)]
    if isinstance(node, ast.Call) and node.args and full_name(node.func, names) == "numpy.dtype":
        return _types(node.args[0], names)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        if node.value in _CLASSES:
            return list(_CLASSES[node.value])
        letters = node.value.strip("|<>=")
        if set(letters) <= set(_KINDS):
            return [name for letter in letters for name in _KINDS[letter]]
        moments = node.value.startswith("datetime"), node.value.startswith("timedelta")
        return ["datetime64[s]"] if moments[0] else ["timedelta64[s]"] if moments[1] else []
    return list(_CLASSES.get(full_name(node, names).rsplit(".", 1)[-1], ()))


def _texts(node: ast.expr) -> list[str]:
    parts = node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node]
    return [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]


def _number(node: ast.expr) -> int | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _number(node.operand)
        return None if inner is None else -inner
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def _numbers(node: ast.expr) -> list[int]:
    parts: list[Any] = node.elts if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else [node]
    return [number for number in map(_number, parts) if number is not None]


def _adds_axis(index: ast.expr) -> bool:
    """Whether a part of an index is no place along an axis but one more axis."""
    return (isinstance(index, ast.Constant) and index.value is None) or ast.unparse(index).endswith("newaxis")
