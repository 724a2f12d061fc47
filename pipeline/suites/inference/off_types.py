"""Values of other types: where the body tests the type, or catches what operations on wrong types raise."""

from __future__ import annotations

import ast
from dataclasses import replace

from pipeline.suites.domain.kinds.exact import KINDS
from pipeline.suites.domain.parameter import Parameter
from pipeline.suites.domain.spec import (
    Anything,
    Array,
    Binary,
    Boolean,
    Choice,
    Column,
    Dictionary,
    Either,
    Exact,
    Fixed,
    Frame,
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
from pipeline.suites.inference.clues import Clue, merged
from pipeline.suites.inference.resolution.resolved_kinds import LAST, covers
from pipeline.suites.inference.resolution.specification import resolve
from pipeline.suites.rules import changes

_WRONG: tuple[Spec, ...] = (
    Whole(-5, 20),
    Text(),
    Nothing(),
    Items(Whole(-5, 20)),
    Real(),
    Dictionary(Text(), Whole()),
    Items(Whole(-5, 20), "set"),
)


_CATCH_WRONG_TYPES = frozenset(["TypeError", "AttributeError", "Exception", "BaseException", ""])


def handles_wrong_types(function: ast.FunctionDef) -> bool:
    """Whether a handler in the body catches what operations on wrong types raise."""
    for node in ast.walk(function):
        if isinstance(node, ast.ExceptHandler):
            parts = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            names = {ast.unparse(part).rsplit(".", 1)[-1] if part is not None else "" for part in parts}
            if names & _CATCH_WRONG_TYPES:
                return True
    return False


@changes("off-type: tested and caught")
def with_wrong_types(parameter: Parameter, clue: Clue, wrong: bool) -> Parameter:
    """Add values of other types, rarely, where the body tests the type or catches what other types raise."""
    known = merged(clue.related())
    tested = [kind for kind in (*known.tested, *known.variants) if kind != "truth"]
    if not (tested or wrong) or parameter.kind == "keywords":
        return parameter
    spec = parameter.spec
    if "tuple" in tested and hashable(spec):
        made = either([*options_of(spec), Items(spec, "tuple", fewest=1)])
        return replace(parameter, spec=made, evidence=(*parameter.evidence, "the body tests whether it is a tuple"))
    present = options_of(spec)
    kinds = {type(option) for option in present}
    wrongs = (*_WRONG, *LAST) if tested else _WRONG
    rare = [option for option in wrongs if not covers(present, option)]
    for kind in dict.fromkeys(tested):
        extra = resolve(known.variants.get(kind) or Clue(), _TESTED.get(kind), "", 2) if kind in _TESTED else None
        several = isinstance(extra, Exact) or getattr(extra, "kind", "dict") != "dict"
        if extra is not None and (type(extra) not in kinds or (several and not covers(present, extra))):
            if parameter.declared:
                rare.insert(0, extra)
            else:
                spec = either([*options_of(spec), extra], list(spec.rare) if isinstance(spec, Either) else [])
    if Items in kinds or Fixed in kinds or Dictionary in kinds:
        rare += [Items(option) for option in (Text(), Nothing(), Either((Text(), Whole(-5, 20), Nothing())))]
    widened = with_rare(spec, rare)
    why = "the body tests its type" if tested else "the body catches what wrong types raise"
    return replace(parameter, spec=widened, evidence=(*parameter.evidence, why))


_TESTED: dict[str, Spec] = {
    "str": Text(),
    "int": Whole(),
    "float": Real(),
    "bool": Boolean(),
    "bytes": Binary(),
    "list": Items(Anything()),
    "tuple": Items(Anything(), "tuple"),
    "dict": Dictionary(Text(), Anything()),
    "set": Items(Whole(), "set"),
    "frozenset": Items(Whole(), "frozenset"),
    "none": Nothing(),
    "number": Real(),
    "object": Choice(("object", 0)),
    "date": Moment("date"),
    "datetime": Moment("datetime"),
    "timedelta": Moment("timedelta"),
    **{kind: Exact(kind) for kind in KINDS},
    **{kind: Dictionary(Text(), Whole(0), kind=kind) for kind in ("OrderedDict", "Counter")},
    "array": Array(),
    "series": Column(),
    "frame": Frame(),
}
