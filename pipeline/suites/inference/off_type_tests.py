"""Off-type values: where the body tests the type of a value or handles what wrong ones raise."""

from __future__ import annotations

import ast

from pipeline.suites.domain.kinds.scientific import LIBRARY_KINDS
from pipeline.suites.domain.spec import (
    Anything,
    Binary,
    Boolean,
    Choice,
    Dictionary,
    Exact,
    Fixed,
    Items,
    Moment,
    Nothing,
    Real,
    Spec,
    Text,
    Whole,
    either,
    hashable,
    options_of,
    with_rare,
)
from pipeline.suites.inference.clues import Clue
from pipeline.suites.rules import changes

_WRONG: tuple[Spec, ...] = (Whole(-5, 20), Text(), Nothing(), Items(Whole(-5, 20)), Real(), Dictionary(Text(), Whole()))


_WRONG_KEYS: tuple[Spec, ...] = (Whole(-5, 20), Nothing(), Fixed((Text(), Whole(-5, 20))))


LAST: tuple[Spec, ...] = (Binary(), Moment("date"))
"""What hardly any body tests for, so that it is left where all others are taken."""


@changes("off-type: ragged")
def with_ragged(spec: Spec, name: str, function: ast.FunctionDef) -> Spec:
    """The specification with what no array can be made of, rarely, where a handler catches what that raises."""
    tries = (node for node in ast.walk(function) if isinstance(node, ast.Try))
    calls = (part for node in tries for one in node.body for part in ast.walk(one) if isinstance(part, ast.Call))
    for call in calls:
        made = ast.unparse(call.func).rpartition(".")[2] in ("array", "asarray", "asanyarray")
        if made and call.args and ast.unparse(call.args[0]) == name:
            return with_rare(spec, _RAGGED)
    return spec


_RAGGED: tuple[Spec, ...] = (Items(Items(Whole())), Items(Items(Text())))
"""Lists whose items are of several lengths, mostly."""


@changes("off-type: refused")
def with_refused(spec: Spec, name: str, function: ast.FunctionDef) -> Spec:
    """The specification of one of a few texts with any other, rarely, where the body raises over those."""
    options = options_of(spec)
    closed = [one for one in options if isinstance(one, Choice) and all(isinstance(value, str) for value in one.values)]
    allowed = () if closed else _allowed(function, name)
    if allowed and any(isinstance(one, Text) for one in options):
        others = [one for one in options if not isinstance(one, Text)]
        return with_rare(either([Choice(allowed), *others]), [Text(constants=allowed)])
    if not closed or any(isinstance(one, (Text, Anything)) for one in options):
        return spec
    raises = any(_chooses(node, name) for node in ast.walk(function) if isinstance(node, ast.If))
    return with_rare(spec, [Text()]) if raises else spec


def _allowed(function: ast.FunctionDef, name: str) -> tuple[str, ...]:
    """The texts that a parameter has to be one of, or the body raises; in another case too where that is ignored."""
    for node in ast.walk(function):
        if not isinstance(node, ast.If) or not isinstance(node.body[-1], ast.Raise):
            continue
        match node.test:
            case ast.Compare(ast.Name(asked), [ast.NotIn()], [ast.Tuple() | ast.List() | ast.Set() as held]):
                method = ""
            case ast.Compare(
                ast.Call(ast.Attribute(ast.Name(asked), method)), [ast.NotIn()],
                [ast.Tuple() | ast.List() | ast.Set() as held],
            ) if method in (*_CASES, "strip"):
                pass
            case _:
                continue
        known = [value for one in held.elts if isinstance(one, ast.Constant) and isinstance(value := one.value, str)]
        if asked == name and len(known) == len(held.elts) > 1:
            return (*known, known[0].swapcase()) if method in _CASES else tuple(known)
    return ()


_CASES = ("lower", "upper", "casefold")


def _chooses(node: ast.If, name: str) -> bool:
    """Whether a test asks for a parameter, and one of its outcomes raises at once."""
    asked = any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(node.test))
    ends = [block[-1] for block in (node.body, node.orelse) if block]
    return asked and any(isinstance(end, ast.Raise) for end in ends)


@changes("off-type: held")
def held(spec: Spec, known: Clue) -> Spec:
    """The specification of something in a container: a truth where the body compares it with one, and, rarely, values
    of other types where the body tests its type."""
    if any(isinstance(value, bool) for value in known.constants) and not _covers(spec, Boolean()):
        spec = either([spec, Boolean()])
    if not _tested(known) or isinstance(spec, Anything):
        return spec
    if "tuple" in (*known.tested, *known.variants) and hashable(spec):
        spec = either([spec, Items(Text(), "tuple", fewest=1)])
    numbers = [Exact(kind) for kind in dict.fromkeys(known.tested) if kind in LIBRARY_KINDS]
    spec = with_rare(spec, [one for one in numbers if not _covers(spec, one)])
    return with_rare(spec, [option for option in (*_WRONG, *LAST[:1]) if not _covers(spec, option)])


@changes("off-type: keys")
def keys(spec: Spec, known: Clue) -> Spec:
    """The specification of keys: rarely no text where the body tests whether they are."""
    return with_rare(spec, [k for k in _WRONG_KEYS if not _covers(spec, k)]) if _tested(known) else spec


def _tested(known: Clue) -> bool:
    return any(kind != "truth" for kind in (*known.tested, *known.variants))


def _covers(spec: Spec, other: Spec) -> bool:
    """Whether a specification has an option of that type of values."""
    options = options_of(spec)
    kind = getattr(other, "kind", "")
    return any(type(one) is type(other) and getattr(one, "kind", "") == kind for one in options)
