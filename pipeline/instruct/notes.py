"""What analysis knows and the author left out: types of parameters and answers, keys, exceptions, changes in place."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from harness.values import NotDecodable, decode
from pipeline.instruct.conditions import special_cases
from pipeline.instruct.constants import Texts, untold_constants
from pipeline.instruct.show import type_name
from pipeline.instruct.vocabulary import untold_operations
from pipeline.languages.python_facts import Facts
from pipeline.languages.python_names import parameter_names, root
from pipeline.records import Suite

MAX_ALTERNATIVES = 4
CONSTANTS = "Constants that matter: "
OPERATIONS_NOTE = "Among other things, it "


def notes(suite: Suite, facts: Facts) -> tuple[str, ...]:
    """Sentences that complete the author's text."""
    return (
        *_parameter_types(suite, facts), *_returned_type(suite, facts), *_keys(facts), *special_cases(facts),
        *_exceptions(suite, facts), *_changes(suite, facts),
    )


def _parameter_types(suite: Suite, facts: Facts) -> Iterator[str]:
    """The types of the parameters that have no annotation, or one that says nothing, as the cases have them."""
    named = [parameter for parameter in facts.parameters if parameter.kind not in ("all positional", "all keyword")]
    for position, parameter in enumerate(named):
        if _is_vague(parameter.annotation):
            values = list(arguments(suite, position, parameter.name))
            spoken = types_in_words(values)
            if spoken:
                yield f"`{parameter.name}`: {spoken}."


def _is_vague(annotation: str) -> bool:
    return annotation in ("", "Any", "object", "dict", "list", "tuple", "set", "Sequence", "Iterable", "Mapping") or (
        "Any" in annotation)


def arguments(suite: Suite, position: int, name: str) -> Iterator[Any]:
    """The values that the cases pass for a parameter."""
    for case in suite.cases:
        encoded = case.args[position] if position < len(case.args) else case.kwargs.get(name, _MISSING)
        if encoded is not _MISSING:
            try:
                yield decode(encoded)
            except (NotDecodable, RecursionError):
                continue


_MISSING = object()


def _returned_type(suite: Suite, facts: Facts) -> Iterator[str]:
    annotation = ast.unparse(facts.function.returns) if facts.function.returns else ""
    if not _is_vague(annotation):
        return
    values = [decode(case.expected.value) for case in suite.cases if case.expected.kind == "returned"]
    spoken = types_in_words(values)
    if spoken:
        yield f"Returns: {spoken}."


def types_in_words(values: Iterable[Any]) -> str:
    """The types of values, the most frequent first, "" where they are too many to say anything."""
    counts = Counter(type_in_words(value) for value in values)
    kinds = [name for name, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]
    for empty in ("list", "dict", "tuple", "set"):
        if empty in kinds and any(name.startswith((f"{empty} of", f"{empty} from")) for name in kinds):
            kinds.remove(empty)
    return "" if len(kinds) > MAX_ALTERNATIVES else " or ".join(kinds)


def type_in_words(value: Any, depth: int = 2) -> str:
    """A value's type, with those of its elements as long as they are of one or two kinds."""
    name = type_name(value)
    if depth == 0 or not isinstance(value, (list, set, frozenset, tuple, dict)) or not value:
        return name
    if isinstance(value, dict):
        keys, items = _common(value.keys(), depth - 1), _common(value.values(), depth - 1)
        return f"{name} from {keys} to {items}" if keys and items else name
    if isinstance(value, tuple) and len(value) <= 4:
        return f"tuple ({', '.join(type_in_words(item, depth - 1) for item in value)})"
    inner = _common(value, depth - 1)
    return f"{name} of {inner}" if inner else name


def _common(values: Iterable[Any], depth: int) -> str:
    kinds = sorted({type_in_words(value, depth) for value in values})
    if len(kinds) > 2:
        return "mixed values"
    return " and ".join(kinds)


def _keys(facts: Facts) -> Iterator[str]:
    """The keys that are read from each parameter and from its elements, with their defaults."""
    for name, spoken in _owners(facts).items():
        found = dict(_keys_read(facts, name))
        untold = [key for key in found if facts.description is None or not facts.description.mentions(key)]
        if untold:
            listed = ", ".join(f"{key!r}{found[key]}" for key in found)
            yield f"Keys read from {spoken}: {listed}."


def _owners(facts: Facts) -> dict[str, str]:
    """Parameters, and variables of loops over one, as they are spoken of."""
    owners = {name: f"`{name}`" for name in parameter_names(facts.function)}
    for node in facts.nodes:
        if isinstance(node, (ast.For, ast.comprehension)) and isinstance(node.target, ast.Name):
            over = root(node.iter)
            if over in owners and isinstance(node.iter, ast.Name):
                owners.setdefault(node.target.id, f"each element of `{over}`")
    return owners


def _keys_read(facts: Facts, name: str) -> Iterator[tuple[str, str]]:
    for node in facts.nodes:
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and root(node.value) == name:
            if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
                yield node.slice.value, ""
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("get", "pop"):
            key = node.args[0] if node.args else None
            if root(node.func) == name and isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value, _default(node)


def _default(node: ast.Call) -> str:
    if len(node.args) < 2:
        return " (optional)"
    return f" (default {ast.unparse(node.args[1])})" if isinstance(node.args[1], ast.Constant) else " (optional)"


def _exceptions(suite: Suite, facts: Facts) -> Iterator[str]:
    """The exceptions that it raises itself with their messages, and the others that the cases show."""
    described = " ".join(f"{kind} {text}" for kind, text in (facts.description.raises if facts.description else ()))
    guarded = " ".join(special_cases(facts))
    told: set[str] = set()
    for node in facts.nodes:
        if isinstance(node, ast.Raise) and node.exc is not None:
            kind, message = raised(facts, node.exc)
            told.add(kind.rsplit(".", 1)[-1])
            if kind and message:
                yield f"Raises {kind}: {message}"
            elif kind and kind not in described and not _mentions(facts, kind) and kind not in guarded:
                yield f"Raises {kind}."
    seen = {case.expected.exception.rsplit(".", 1)[-1] for case in suite.cases if case.expected.kind == "raised"}
    for kind in sorted(seen - told):
        if not _mentions(facts, kind):
            yield f"Raises {kind} (see the examples)."


def raised(facts: Facts, node: ast.expr) -> tuple[str, str]:
    """The type and the message of what is raised, "" for what is not written out."""
    if not isinstance(node, ast.Call):
        return (ast.unparse(node), "") if isinstance(node, (ast.Name, ast.Attribute)) else ("", "")
    message: ast.expr | None = node.args[0] if node.args else None
    if isinstance(message, ast.Name):
        message = _last_value(facts, message)
    text = ""
    while isinstance(message, ast.BinOp) and isinstance(message.op, ast.Mod):
        message = message.left
    if isinstance(message, ast.Call) and isinstance(message.func, ast.Attribute) and message.func.attr == "format":
        message = message.func.value
    if isinstance(message, ast.Constant) and isinstance(message.value, str):
        text = message.value
    elif isinstance(message, ast.JoinedStr):
        text = "".join(
            str(part.value) if isinstance(part, ast.Constant) else f"{{{ast.unparse(part.value)}}}"
            for part in message.values if isinstance(part, (ast.Constant, ast.FormattedValue)))
    return ast.unparse(node.func), " ".join(text.split())


def _last_value(facts: Facts, name: ast.Name) -> ast.expr | None:
    """What was assigned to a name last above its use, in the order of the text."""
    values = [
        node.value for node in facts.nodes
        if isinstance(node, ast.Assign) and node.lineno < name.lineno and ast.unparse(node.targets[0]) == name.id]
    return values[-1] if values else None


def _mentions(facts: Facts, name: str) -> bool:
    return facts.description is not None and facts.description.mentions(name.rsplit(".", 1)[-1])


def constant_notes(facts: Facts, texts: Texts) -> tuple[str, ...]:
    """The texts and numbers that matter and that nothing else tells."""
    untold = [constant.value for constant in untold_constants(facts, texts)]
    return (f"{CONSTANTS}{', '.join(map(repr, untold))}.",) if untold else ()


def operation_notes(facts: Facts, intent: str) -> tuple[str, ...]:
    """What is done to values and that nothing else says, by the operations' names."""
    untold = untold_operations(facts, intent)
    return (f"{OPERATIONS_NOTE}{', '.join(untold)}.",) if untold else ()


def _changes(suite: Suite, facts: Facts) -> Iterator[str]:
    """Which arguments are changed in place."""
    names = [parameter.name for parameter in facts.parameters]
    for position in changed_positions(suite):
        if position < len(names):
            yield f"`{names[position]}` is changed in place."


def changed_positions(suite: Suite) -> list[int]:
    """The positions of the arguments that some case leaves changed."""
    found = set()
    for case in suite.cases:
        given = [*case.args, *case.kwargs.values()]
        for position, after in enumerate(case.expected.mutated or ()):
            if position < len(given) and given[position] != after:
                found.add(position)
    return sorted(found)
