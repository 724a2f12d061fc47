"""Inputs that others give: the literal arguments of calls elsewhere in the project, evaluated inside the sandbox, and
what a language model's strategies have drawn.
"""

from __future__ import annotations

import ast
import collections
import datetime
import decimal
import fractions
import importlib
import inspect
import ipaddress
import pathlib
import re
import uuid
import zoneinfo
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

from harness.records import Json
from harness.values import FUNCTIONS, NotDecodable, NotEncodable, canonical, decode, encode
from pipeline.suites.domain.conformity import kind_of
from pipeline.suites.domain.drawing import OMITTED
from pipeline.suites.domain.kinds import arrays
from pipeline.suites.domain.kinds.exact import KINDS
from pipeline.suites.domain.parameter import Parameter
from pipeline.suites.domain.spec import (
    Anything,
    Binary,
    Boolean,
    Dictionary,
    Exact,
    Fixed,
    Function,
    Items,
    Moment,
    Nothing,
    Real,
    Spec,
    Text,
    Whole,
    either,
)

_MODULES = {"np": "numpy", "numpy": "numpy", "pd": "pandas", "pandas": "pandas"}
_KINDS: tuple[tuple[type, Spec], ...] = (
    (bool, Boolean()), (int, Whole()), (float, Real()), (str, Text()), (bytes, Binary()),
    (bytearray, Binary("bytearray")), (type(None), Nothing()), (datetime.datetime, Moment("datetime")),
    (datetime.date, Moment("date")), (datetime.timedelta, Moment("timedelta")),
    (decimal.Decimal, Exact("Decimal")), (fractions.Fraction, Exact("Fraction")), (pathlib.Path, Exact("Path")),
    (slice, Exact("slice")), (range, Exact("range")), (complex, Exact("complex")), (re.Pattern, Exact("Pattern")),
)


def seeds(calls: Sequence[str], parameters: tuple[Parameter, ...], function: Any) -> list[dict[str, Any]]:
    """The inputs that the calls stand for, in the form that the samplers give; those that fit badly are passed over.

    They may use the names under which the function's module has imported others. Only for use inside the sandbox: the
    texts are evaluated.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return []
    made = []
    for text in calls:
        try:
            args, kwargs = _evaluated(text, getattr(function, "__globals__", {}))
            made.append(_input(parameters, signature.bind(*args, **kwargs).arguments, signature))
        except (NotEncodable, RecursionError, TypeError, ValueError, NameError, AttributeError, ArithmeticError):
            # Evidence is welcome, not needed.
            continue
        except Exception:
            # What a library raises on arguments that it does not take is of any kind.
            continue
    return made


def proposed(
    inputs: Sequence[dict[str, Json]], parameters: tuple[Parameter, ...], function: Any
) -> list[dict[str, Any]]:
    """The inputs with encoded values, in the form that the samplers give; what is none of them is passed over.

    A default at the end is left out, as callers leave it.
    """
    made = []
    for encoded in inputs:
        try:
            signature = inspect.signature(function)
            given = {name: decode(value) for name, value in encoded.items()}
            if all(_fits(parameter, given) for parameter in parameters):
                for name in _at_default(parameters, encoded, signature):
                    del given[name]
                made.append(_input(parameters, given, signature))
        except (NotEncodable, NotDecodable, RecursionError, TypeError, ValueError):
            continue
    return made


def _at_default(
    parameters: tuple[Parameter, ...], encoded: dict[str, Json], signature: inspect.Signature
) -> Iterator[str]:
    """The parameters from the last back to the first one, by position, that is not given its default."""
    for parameter in reversed(parameters):
        value = encoded.get(parameter.name)
        if parameter.kind == "variadic" and value:
            return
        if parameter.kind not in ("positional", "keyword") or parameter.name not in encoded:
            continue
        if parameter.optional and _encodes_to(signature.parameters[parameter.name].default, value):
            yield parameter.name
        elif parameter.kind == "positional":
            return


def _encodes_to(default: Any, encoded: Json) -> bool:
    try:
        return canonical(encode(default)) == canonical(encoded)
    except (NotEncodable, RecursionError):
        return False


def _fits(parameter: Parameter, given: dict[str, Any]) -> bool:
    """Whether a parameter has the value that it needs, if any, in a form that can be passed."""
    if parameter.name not in given:
        return parameter.optional or parameter.kind in ("variadic", "keywords")
    value = given[parameter.name]
    if parameter.kind == "keywords":
        named = isinstance(value, dict) and all(isinstance(key, str) for key in value)
        return named and not value.keys() & given.keys()
    return parameter.kind != "variadic" or isinstance(value, (list, tuple))


def observed(
    parameters: tuple[Parameter, ...], inputs: Sequence[dict[str, Any]], how: str = "called with"
) -> tuple[Parameter, ...]:
    """The parameters, those without a declared type as what the inputs hold besides what was inferred."""
    return tuple(_with_evidence(p, [i[p.name] for i in inputs if i[p.name] is not OMITTED], how) for p in parameters)


def _with_evidence(parameter: Parameter, values: list[Any], how: str) -> Parameter:
    if not values or parameter.declared or parameter.kind in ("variadic", "keywords"):
        return parameter
    found = either([specification(value) for value in values])
    if isinstance(found, Anything):
        return parameter
    vague = isinstance(parameter.spec, Anything)
    shown = ", ".join(dict.fromkeys(repr(value)[:40] for value in values[:3]))
    evidence = (*parameter.evidence, f"{how} {shown}")
    return replace(parameter, spec=found if vague else either([parameter.spec, found]), evidence=evidence)


def specification(value: Any, depth: int = 0, side: int = 0) -> Spec:
    """What kind of value this is one of; axes of the length `side` share a length that they need not have."""
    if depth > 4:
        return Anything()
    for kind, spec in _KINDS:
        if type(value) is kind or (isinstance(value, kind) and isinstance(value, pathlib.Path)):
            return spec
    if type(value).__module__.startswith(("numpy", "pandas")) and kind_of(value) in KINDS:
        return Exact(kind_of(value))
    if type(value).__name__ in arrays.KNOWN:
        return arrays.specification(value, side)
    if callable(value) and getattr(value, "__name__", "") in FUNCTIONS:
        return Function()
    match value:
        case list() | set() | frozenset():
            kinds = [specification(item, depth + 1, side) for item in value]
            return Items(either(kinds) if kinds else Anything(), type(value).__name__)
        case tuple():
            return Fixed(tuple(specification(item, depth + 1, side) for item in value))
        case dict() if value and type(value) in (dict, collections.OrderedDict, collections.Counter):
            keys = either([specification(key, depth + 1, side) for key in value])
            items = either([specification(item, depth + 1, side) for item in value.values()])
            return Dictionary(keys, items, kind=type(value).__name__)
    return Anything()


def _input(parameters: tuple[Parameter, ...], given: dict[str, Any], signature: inspect.Signature) -> dict[str, Any]:
    """The arguments by parameter; a positional one that is left out before one that is not gets its default."""
    positional = [p.name for p in parameters if p.kind == "positional"]
    last = max((place for place, name in enumerate(positional) if name in given), default=-1)
    made: dict[str, Any] = {}
    for parameter in parameters:
        name = parameter.name
        if name in given:
            made[name] = decode(encode(given[name]))
        elif name in positional[:last]:
            made[name] = decode(encode(signature.parameters[name].default))
        else:
            made[name] = {"variadic": (), "keywords": {}}.get(parameter.kind, OMITTED)
    return made


def _evaluated(text: str, own: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The positional and the keyword arguments; `datetime` may be the module or the class, as the text uses it.

    Of the function's `own` names those of modules are known.
    """
    tree = ast.parse(f"_call({text})", mode="eval")
    held = {n.value.id for n in ast.walk(tree) if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)}
    names: dict[str, Any] = {"_call": lambda *args, **kwargs: (args, kwargs)}
    for module in (re, collections, decimal, fractions, ipaddress, pathlib, uuid, zoneinfo, datetime):
        names[module.__name__] = module
        names.update({name: getattr(module, name) for name in dir(module) if name[:1] != "_"})
    if "datetime" in held:
        names["datetime"] = datetime
    for alias in held & set(_MODULES):
        names[alias] = importlib.import_module(_MODULES[alias])
    names.update({alias: own[alias] for alias in held if isinstance(own.get(alias), ModuleType)})
    result: tuple[tuple[Any, ...], dict[str, Any]] = eval(compile(tree, "<call>", "eval"), names)
    return result
