"""What sentences about guards claim, checked against all frozen cases; what some case contradicts is left out."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from harness.records import Case, Json
from harness.values import NotDecodable, NotEncodable, canonical, decode, encode
from pipeline.instruct.conditions import SpecialCase
from pipeline.instruct.phrases import Phrases
from pipeline.languages.python.facts import Facts


class Unknown(Exception):
    """What a condition gives can't be said without running the function."""


def confirmed(special: tuple[SpecialCase, ...], facts: Facts, cases: tuple[Case, ...]) -> tuple[SpecialCase, ...]:
    """The special cases that no case contradicts; one that an earlier one overrides is said to come after it."""
    earlier: list[SpecialCase] = []
    kept = []
    local = {name: node for name, (kind, node) in Phrases(facts).sources.items() if kind == "value"}
    bound = [({**local, **_arguments(facts, case)}, case) for case in cases]
    for case in special:
        if case.test is None or case.outcome is None:
            kept.append(case)
            continue
        verdict = _verdict(case, earlier, bound)
        earlier.append(case)
        if verdict == "later":
            kept.append(_after(case))
        elif verdict == "true":
            kept.append(case)
    return tuple(kept)


def _after(case: SpecialCase) -> SpecialCase:
    return SpecialCase(f"Otherwise, i{case.sentence[1:]}", case.sources, case.test, case.outcome)


def _verdict(special: SpecialCase, earlier: list[SpecialCase], bound: list[tuple[dict[str, Any], Case]]) -> str:
    """`true`, `later` (true where no earlier guard holds, and not else) or `false`."""
    later = False
    for values, case in bound:
        try:
            if not _value(special.test, values):
                continue
            overridden = any(_value(other.test, values) for other in earlier)
        except Unknown:
            continue
        if not _happens(special.outcome, values, case):
            if not overridden:
                return "false"
            later = True
    return "later" if later else "true"


def _arguments(facts: Facts, case: Case) -> dict[str, Any]:
    """The values of the parameters in a case; what can't be decoded is left out."""
    names = [parameter.name for parameter in facts.parameters if parameter.kind in ("positional", "positional only")]
    encoded: dict[str, Json] = {**dict(zip(names, case.args, strict=False)), **case.kwargs}
    found: dict[str, Any] = {}
    for parameter in facts.parameters:
        try:
            if parameter.name in encoded:
                found[parameter.name] = decode(encoded[parameter.name])
            elif parameter.default:
                found[parameter.name] = ast.literal_eval(parameter.default)
        except (NotDecodable, RecursionError, ValueError, SyntaxError, TypeError):
            continue
    return found


def _happens(outcome: ast.stmt | None, values: dict[str, Any], case: Case) -> bool:
    """Whether a case ends as a guard's statement says."""
    if isinstance(outcome, ast.Raise) and outcome.exc is not None:
        target = outcome.exc.func if isinstance(outcome.exc, ast.Call) else outcome.exc
        raised = case.expected.exception.rsplit(".", 1)[-1]
        return case.expected.kind == "raised" and raised == ast.unparse(target).rsplit(".", 1)[-1]
    if not isinstance(outcome, ast.Return) or case.expected.kind != "returned":
        return False
    try:
        given = _value(outcome.value, values) if outcome.value is not None else None
        return canonical(encode(given, iterators=1000)) == canonical(case.expected.value)
    except (Unknown, NotEncodable):
        return False


def _value(node: ast.expr | None, values: dict[str, Any]) -> Any:
    """What a condition gives, for the few kinds of expressions that sentences are made from; raises `Unknown`."""
    reader = _READERS.get(type(node))
    if reader is None or node is None:
        raise Unknown
    try:
        return reader(node, values)
    except Unknown:
        raise
    except Exception as error:
        raise Unknown from error


def _boolean(node: Any, values: dict[str, Any]) -> Any:
    found: Any = None
    for part in node.values:
        found = _value(part, values)
        if bool(found) == isinstance(node.op, ast.Or):
            break
    return found


def _unary(node: Any, values: dict[str, Any]) -> Any:
    inner = _value(node.operand, values)
    if isinstance(node.op, ast.Not):
        return not inner
    if isinstance(node.op, ast.USub):
        return -inner
    raise Unknown


def _compared(node: Any, values: dict[str, Any]) -> Any:
    if len(node.ops) != 1 or type(node.ops[0]) not in _COMPARISONS:
        raise Unknown
    return _COMPARISONS[type(node.ops[0])](_value(node.left, values), _value(node.comparators[0], values))


def _called(node: Any, values: dict[str, Any]) -> Any:
    name = ast.unparse(node.func)
    if node.keywords:
        raise Unknown
    if name == "len":
        return len(_value(node.args[0], values))
    if name == "isinstance":
        return isinstance(_value(node.args[0], values), _types(node.args[1]))
    if isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS:
        target = _value(node.func.value, values)
        if isinstance(target, (str, bytes)):
            return getattr(target, node.func.attr)(*(_value(argument, values) for argument in node.args))
    raise Unknown


def _types(node: ast.expr) -> tuple[type, ...]:
    names = [ast.unparse(part) for part in (node.elts if isinstance(node, ast.Tuple) else [node])]
    if not all(name in _TYPES for name in names):
        raise Unknown
    return tuple(_TYPES[name] for name in names)


def _name(node: Any, values: dict[str, Any]) -> Any:
    if node.id not in values:
        raise Unknown
    found = values[node.id]
    return _value(found, values) if isinstance(found, ast.expr) else found


_TYPES: dict[str, type] = {
    kind.__name__: kind for kind in (str, bytes, int, float, bool, list, tuple, dict, set, frozenset, complex)}
_METHODS = frozenset("""strip lstrip rstrip lower upper casefold startswith endswith isdigit isalpha isalnum isspace
    isupper islower isidentifier isnumeric isdecimal split rsplit splitlines""".split())
_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.In: lambda left, right: left in right, ast.NotIn: lambda left, right: left not in right,
}
_READERS: dict[type, Callable[[Any, dict[str, Any]], Any]] = {
    ast.BoolOp: _boolean, ast.UnaryOp: _unary, ast.Compare: _compared, ast.Call: _called, ast.Name: _name,
    ast.Constant: lambda node, _: node.value,
    ast.Tuple: lambda node, values: tuple(_value(part, values) for part in node.elts),
    ast.List: lambda node, values: [_value(part, values) for part in node.elts],
    ast.Set: lambda node, values: {_value(part, values) for part in node.elts},
    ast.Dict: lambda node, values: {
        _value(key, values): _value(item, values) for key, item in zip(node.keys, node.values, strict=True)},
    ast.Subscript: lambda node, values: _value(node.value, values)[_value(node.slice, values)],
}
