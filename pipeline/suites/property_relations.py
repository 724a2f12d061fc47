"""Hypothesis source for values that relate to another parameter's: the printed side of `siblings`."""

from __future__ import annotations

from pipeline.suites.domain.parameter import Parameter
from pipeline.suites.domain.spec import Items, Spec, Text, buildable, options_of

HELPERS = {
    "members_of": '''
def members_of(value):
    """What a value holds: words of a text, keys of a dictionary, items of anything else."""
    if isinstance(value, str):
        return value.split() or list(value)
    return sorted(value, key=repr) if hasattr(value, "__iter__") else []
''',
    "length_of": '''
def length_of(value):
    """The length of a value, 0 where it has none."""
    return len(value) if hasattr(value, "__len__") and getattr(value, "shape", None) != () else 0
''',
    "place_in": '''
def place_in(value):
    """A strategy of indexes or keys of a value."""
    if isinstance(value, dict):
        return st.sampled_from(list(value)) if value else st.nothing()
    return st.integers(0, max(length_of(value) - 1, 0))
''',
    "key_of": '''
def key_of(value):
    """A strategy of keys of a dictionary, or of what the items of a list hold."""
    known = members_of(value)
    if not isinstance(value, dict):
        known = [part for one in known for part in (one if isinstance(one, (dict, list, tuple)) else [one])]
    return st.sampled_from(known) if known else st.nothing()
''',
    "part_of": '''
def part_of(value):
    """A strategy of slices of a text, or of what a container holds."""
    if isinstance(value, (str, bytes)):
        ends = st.tuples(st.integers(0, len(value)), st.integers(0, len(value)))
        return ends.map(lambda pair: value[min(pair) : max(pair)])
    known = members_of(value)
    return st.sampled_from(known) if known else st.nothing()
''',
    "not_below": '''
def not_below(value):
    """A strategy of numbers or moments from the value on."""
    if isinstance(value, (int, float)):
        return st.integers(0, 20).map(lambda step: value + step)
    return st.just(value)
''',
    "variants_of": '''
def variants_of(value):
    """A strategy of values like this one: the same, a part of it, or one that differs a little."""
    if isinstance(value, str):
        return st.sampled_from([value, value.upper(), value.lower(), value[: len(value) // 2], value + value[-1:]])
    if isinstance(value, dict):
        return st.fixed_dictionaries({}, optional={key: variants_of(inner) for key, inner in value.items()})
    if isinstance(value, (list, tuple)):
        kept = st.lists(st.sampled_from(range(len(value))), max_size=len(value)) if value else st.just([])
        return kept.map(lambda places: type(value)(value[place] for place in places))
    if isinstance(value, (set, frozenset)):
        return st.sets(st.sampled_from(sorted(value, key=repr))).map(type(value)) if value else st.just(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return st.sampled_from([value, value - 1, value + 1])
    return st.just(value)
''',
}
"""Functions that a printed module may need, by their names; each uses only those above it."""

_SIMPLE = {"index": "place_in", "key": "key_of", "part": "part_of", "above": "not_below", "similar": "variants_of"}


def related_strategy(parameter: Parameter, item: str) -> str:
    """The strategy of values that relate as the parameter says; `item` is that of its items where it is a container."""
    relation = parameter.relation
    assert relation is not None
    source, holder = f"{relation.source}_values", _holder(parameter.spec)
    if relation.kind in _SIMPLE:
        return f"{source}.flatmap({_SIMPLE[relation.kind]})"
    if relation.kind == "size":
        return f"{source}.flatmap(lambda value: st.integers(0, length_of(value) + 3))"
    if holder is None:
        helper = "part_of" if relation.kind == "members" and _is_text(parameter.spec) else "variants_of"
        return f"{source}.flatmap({helper})"
    kind = "" if holder.kind == "list" else f".map({holder.kind})"
    if relation.kind == "length":
        size = "min_size=length_of(value), max_size=length_of(value)"
        return f"{source}.flatmap(lambda value: st.lists({item}, {size}){kind})"
    held = "members_of(value)"
    mixed = f"st.lists(st.one_of(st.sampled_from({held}), {item}) if {held} else {item}, max_size=8){kind}"
    return f"{source}.flatmap(lambda value: {mixed})"


def _holder(spec: Spec) -> Items | None:
    options = options_of(spec)
    return next((one for one in options if isinstance(one, Items) and buildable(one.item)), None)


def _is_text(spec: Spec) -> bool:
    return any(isinstance(option, Text) for option in options_of(spec))


def held_by(spec: Spec) -> Spec | None:
    """The specification of the items of a container, None where it is none."""
    holder = _holder(spec)
    return None if holder is None else holder.item
