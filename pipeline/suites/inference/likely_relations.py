"""Relations between parameters of the same kind that the body says nothing of."""

from __future__ import annotations

from pipeline.suites.domain.parameter import Parameter, Relation
from pipeline.suites.domain.spec import Array, Dictionary, Either, Items, Moment, Text
from pipeline.suites.rules import finds

LIKELY, UNLIKELY, LIKELY_ARRAYS = 0.4, 0.08, 0.2
"""How many of the inputs a relation holds in: those that the code tests for must fail now and then too."""


@finds("relations: alike by default", dict)
def by_default(parameters: tuple[Parameter, ...]) -> dict[str, Relation]:
    """Relations between parameters of the same kind that the body says nothing of; each relates to the first such."""
    found: dict[str, Relation] = {}
    firsts: dict[str, str] = {}
    for parameter in parameters:
        kind = _sort(parameter)
        if not kind:
            continue
        open_ = parameter.relation is None or (kind.startswith("array of") and parameter.relation.kind == "length")
        if kind in firsts and open_:
            alike = not kind.startswith(("text", "array")) or _alike(parameter.name, firsts[kind])
            share = (LIKELY_ARRAYS if kind.startswith("array of") else LIKELY) if alike else UNLIKELY
            found[parameter.name] = Relation("similar", parameter.name, firsts[kind], share)
        firsts.setdefault(kind, parameter.name)
    return found


_COUNTERPARTS = frozenset(
    "left right first second old new source target expected actual before after reference candidate original other"
    " query pattern text string word a b src dst from to this that".split()
)


def _alike(one: str, other: str) -> bool:
    """Whether two names tell of the same sort of thing: counterparts, or one name with numbers or further words."""
    words = [{part.rstrip("0123456789") for part in name.lower().split("_")} for name in (one, other)]
    return bool(words[0] & words[1]) or all(part & _COUNTERPARTS or len("".join(part)) < 3 for part in words)


def _sort(parameter: Parameter) -> str:
    """What parameters must have in common for one to be drawn like another."""
    spec = parameter.spec
    if parameter.kind not in ("positional", "keyword") or (parameter.optional and parameter.default is not None):
        return ""
    if isinstance(spec, Either):
        options = [option for option in spec.options if isinstance(option, (Items, Dictionary, Text, Array))]
        spec = options[0] if len(options) == 1 else spec
    match spec:
        case Items(item):
            return f"items {type(item).__name__}"
        case Dictionary():
            return "dictionary"
        case Text(closed=False):
            return "text" if not spec.formats else f"text {' '.join(spec.formats)}"
        case Moment(kind):
            return kind
        case Array(shape=shape) if any(isinstance(length, str) for length in shape):
            return f"array {shape}"
        case Array() as spec:
            return f"array of {spec.dims} axes"
    return ""
