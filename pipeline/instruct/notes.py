"""What analysis knows and the author left out: types of parameters and answers, keys, exceptions, changes in place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Any

from harness.records import Case
from harness.values import NotDecodable, decode
from pipeline.instruct.conditions import SpecialCase
from pipeline.instruct.decisions import atoms, tests
from pipeline.instruct.kinds import types_in_words
from pipeline.instruct.phrases import FORMS, Phrases
from pipeline.instruct.vocabulary import operations_found, untold_operations
from pipeline.languages.python.facts import Facts
from pipeline.records import Suite

GAP = "…"
MAX_MESSAGE = 120
MIN_SPACED = 10
"""How many texts in the arguments must have whitespace around them before answers without any say something."""


def type_notes(suite: Suite, facts: Facts) -> tuple[str, ...]:
    """Sentences on the types of parameters and answers, as the cases have them."""
    return (*_parameter_types(suite, facts), *_returned_type(suite, facts))


def behaviour_notes(suite: Suite, facts: Facts, special: tuple[SpecialCase, ...]) -> tuple[str, ...]:
    """Sentences on what happens: keys that are read, special cases, ties, exceptions, changes in place."""
    sentences = [case.sentence for case in special]
    found = (*_keys(facts), *split_notes(facts), *sentences, *tie_notes(facts),
             *_exceptions(suite, facts, " ".join(sentences)), *_changes(suite, facts))
    return tuple(dict.fromkeys(found))


def step_notes(suite: Suite, facts: Facts, outline: str) -> tuple[str, ...]:
    """What an outline of the body does not say: exceptions that come of themselves, arguments that are changed."""
    seen = {case.expected.exception.rsplit(".", 1)[-1] for case in suite.cases if case.expected.kind == "raised"}
    silent = [kind for kind in sorted(seen) if f"aise {kind}" not in outline and not _mentions(facts, kind)]
    return (*(f"Raises {kind} (see the examples)." for kind in silent), *_changes(suite, facts))


def _parameter_types(suite: Suite, facts: Facts) -> Iterator[str]:
    """The types of the parameters that have no annotation, or one that says nothing, as the cases have them."""
    named = [parameter for parameter in facts.parameters if parameter.kind not in ("all positional", "all keyword")]
    for position, parameter in enumerate(named):
        described = facts.description.parameters.get(parameter.name, ("", "")) if facts.description else ("", "")
        if _is_vague(parameter.annotation) and _is_vague(described[0]):
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


def _keys(facts: Facts) -> Iterator[str]:
    """The keys that are read from each parameter, from its elements, and from what words can tell of them."""
    phrases = Phrases(facts)
    found: dict[str, dict[str, str]] = {}
    for node in facts.nodes:
        owner, key, default = _key_read(node)
        spoken = phrases.of(owner) if owner is not None else ""
        if spoken:
            keys = found.setdefault(spoken, {})
            keys[key] = default or keys.get(key, "")
    for spoken, keys in found.items():
        untold = [key for key in keys if facts.description is None or not facts.description.mentions(key)]
        if untold:
            yield f"Keys read from {spoken}: {', '.join(f'{key!r}{keys[key]}' for key in keys)}."


def _key_read(node: ast.AST) -> tuple[ast.expr | None, str, str]:
    """Whose key a node reads or asks for, the key, and what is said of a missing one."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            return node.value, node.slice.value, ""
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("get", "pop"):
        key = node.args[0] if node.args else None
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            return node.func.value, key.value, _default(node)
    return None, "", ""


def _default(node: ast.Call) -> str:
    if len(node.args) < 2:
        return " (None where it is missing)"
    shown = ast.unparse(node.args[1])
    plain = isinstance(node.args[1], ast.Constant) or shown in ("[]", "{}", "()", "set()")
    return f" ({shown} where it is missing)" if plain else " (optional)"


def _exceptions(suite: Suite, facts: Facts, guarded: str) -> Iterator[str]:
    """The exceptions that it raises itself with their messages, and the others that the cases show.

    One that no case shows is caught again: all statements run in some case.
    """
    seen = {case.expected.exception.rsplit(".", 1)[-1] for case in suite.cases if case.expected.kind == "raised"}
    described = " ".join(f"{kind} {text}" for kind, text in (facts.description.raises if facts.description else ()))
    told: set[str] = set()
    for node in facts.nodes:
        if isinstance(node, ast.Raise) and node.exc is not None:
            kind, message = raised(facts, node.exc)
            if kind and kind[:1].isupper() and kind.rsplit(".", 1)[-1] not in seen:
                continue
            told.add(kind.rsplit(".", 1)[-1])
            if kind and message:
                yield f"Raises {kind}: {message if len(message) <= MAX_MESSAGE else message[:MAX_MESSAGE] + GAP}"
            elif kind and kind not in described and not _mentions(facts, kind) and kind not in guarded:
                yield f"Raises {kind}."
    for kind in sorted(seen - told):
        if not _mentions(facts, kind):
            yield f"Raises {kind} (see the examples)."


def raised(facts: Facts, node: ast.expr) -> tuple[str, str]:
    """The type and the message of what is raised, "" for what is not written out; values in it are left out."""
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
        text = re.sub(r"%[-+ #0-9.]*[a-z]|\{[^{}]*\}", GAP, message.value)
    elif isinstance(message, ast.JoinedStr):
        text = "".join(
            str(part.value) if isinstance(part, ast.Constant) else GAP
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


def operation_notes(facts: Facts, intent: str, cases: Sequence[Case] = ()) -> dict[str, tuple[str, ...]]:
    """For each operation that nothing else tells the sentences on what it is done to, none where words don't reach.

    Stripping and changing case are told wherever words reach: a text that speaks of them seldom says of what. Where
    words don't reach, what all cases show of the answers is told.
    """
    phrases = Phrases(facts)
    places = {operation.name: found for operation, found in operations_found(facts)}
    untold = untold_operations(facts, intent)
    told = {}
    for name in places:
        sentences = [_operation(place, phrases, facts) for place in places[name]]
        if all(sentences) and (name in untold or name in _ALWAYS):
            told[name] = tuple(dict.fromkeys(sentences))
        elif name == "strips" and answers_are_stripped(cases):
            told[name] = ("No text in the answer begins or ends with whitespace.",)
    return told


def answers_are_stripped(cases: Sequence[Case]) -> bool:
    """Whether texts in the answers have no whitespace around them, though there is much of it in the arguments."""
    given = [t for case in cases for v in (*case.args, *case.kwargs.values()) for t in texts_in(decode(v))]
    answers = [t for case in cases if case.expected.kind == "returned" for t in texts_in(decode(case.expected.value))]
    spaced = sum(text != text.strip() for text in given)
    return spaced >= MIN_SPACED and bool(answers) and all(text == text.strip() for text in answers)


def texts_in(value: Any) -> Iterator[str]:
    """A text, or those in a container; the keys of dictionaries are left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list, tuple, set)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from texts_in(item)


def split_notes(facts: Facts) -> Iterator[str]:
    """Where texts are always split, as far as words reach: at each, the first or the last of a constant."""
    phrases = Phrases(facts)
    sometimes = _sometimes(facts) | _after_other_ways(facts)
    for node in facts.nodes:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        if id(node) in sometimes:
            continue
        method, sign = node.func.attr, node.args[0]
        limit = [ast.unparse(value) for value in (*node.args[1:], *(word.value for word in node.keywords))]
        where = _PLACES.get(method, "") if not limit else _LIMITED.get(method, "") if limit == ["1"] else ""
        operand = phrases.of(node.func.value)
        if where and operand and isinstance(sign, ast.Constant) and isinstance(sign.value, (str, bytes)):
            yield f"{_capital(operand)} is split at {where} {sign.value!r}."


_PLACES = {"split": "each", "rsplit": "each", "partition": "the first", "rpartition": "the last"}
_LIMITED = {"split": "the first", "rsplit": "the last"}


def _sometimes(facts: Facts) -> frozenset[int]:
    """The ids of the nodes that run under a condition only; what follows a guard that returns counts as always."""
    found: set[int] = set()
    for node in facts.nodes:
        parts: list[ast.AST] = []
        if isinstance(node, ast.If):
            parts = [*node.body, *node.orelse]
        elif isinstance(node, ast.IfExp):
            parts = [node.body, node.orelse]
        elif isinstance(node, (ast.ExceptHandler, ast.match_case)):
            parts = [*node.body]
        found.update(id(inner) for part in parts for inner in ast.walk(part))
    return frozenset(found)


def _after_other_ways(facts: Facts) -> frozenset[int]:
    """The ids of the nodes behind a condition under which an answer is computed in another way."""
    found: set[int] = set()
    for node in (facts.function, *facts.nodes):
        for block in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")):
            if isinstance(block, list):
                other = next((place for place, one in enumerate(block) if _computes_an_answer(one)), len(block))
                found.update(id(inner) for later in block[other + 1 :] for inner in ast.walk(later))
    return frozenset(found)


def _computes_an_answer(node: ast.stmt) -> bool:
    """Whether a statement is a condition under which something is returned that is no constant and no mere name."""
    if not isinstance(node, ast.If):
        return False
    inside = [one for part in node.body for one in ast.walk(part)]
    given = [one.value for one in inside if isinstance(one, ast.Return) and one.value is not None]
    return any(isinstance(one, (ast.Call, ast.Subscript)) for value in given for one in ast.walk(value))


def _operation(node: ast.AST, phrases: Phrases, facts: Facts) -> str:
    """One operation with its operand: "Each line of `text` is used without whitespace around it."."""
    if not isinstance(node, ast.Call) or id(node) in _sometimes(facts):
        return ""
    if any(atom is node for other in facts.nodes for test in tests(other) for atom in atoms(test)):
        return ""
    tested = any(isinstance(other, ast.Compare) and node in ast.walk(other) for other in facts.nodes)
    decides = any(node in ast.walk(test) for other in facts.nodes for test in tests(other))
    verb = "is compared" if tested else "is looked at, for a condition alone," if decides else "is used"
    if isinstance(node.func, ast.Name) and node.func.id == "sorted" and len(node.args) == 1 and not node.keywords:
        operand = phrases.of(node.args[0])
        several = operand if operand.startswith("the ") else f"the elements of {operand}" if operand else ""
        return f"{_capital(several)} are taken in ascending order." if several else ""
    if not isinstance(node.func, ast.Attribute) or node.keywords:
        return ""
    operand, method = phrases.of(node.func.value), node.func.attr
    form = FORMS.get(method, "") if not node.args else ""
    if method in ("strip", "lstrip", "rstrip") and len(node.args) == 1 and isinstance(node.args[0], ast.Constant):
        form = f"without any of the characters {node.args[0].value!r} {_SIDES[method]}"
    return f"{_capital(operand)} {verb} {form}." if operand and form else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


_ALWAYS = ("strips", "changes case")
_SIDES = {"strip": "around it", "lstrip": "at its beginning", "rstrip": "at its end"}


def tie_notes(facts: Facts) -> Iterator[str]:
    """Which of several wins where a measure finds them equal."""
    for node in facts.nodes:
        name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        if isinstance(node, ast.Call) and name in ("max", "min") and any(word.arg == "key" for word in node.keywords):
            size = "largest" if name == "max" else "smallest"
            yield f"Of several that are equally the {size}, the first one is taken."


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
