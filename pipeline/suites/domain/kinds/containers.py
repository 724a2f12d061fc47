"""Containers: lists, tuples, sets and dictionaries, with items that repeat and keys that are known."""

from __future__ import annotations

import copy
from collections import Counter, OrderedDict
from collections.abc import Sequence
from random import Random
from typing import Any

from pipeline.suites.domain.alike import near
from pipeline.suites.domain.conformity import CONTAINERS, orderable
from pipeline.suites.domain.drawing import MAX_DEPTH, Drawing
from pipeline.suites.domain.formats.words import WORDS
from pipeline.suites.domain.spec import (
    Anything,
    Boolean,
    Choice,
    Dictionary,
    Either,
    Fixed,
    Items,
    Real,
    Spec,
    Text,
    Whole,
    buildable,
    without_rare,
)
from pipeline.suites.rules import changes

CROWDED = 0.2
"""How many containers of groups get groups that share their members."""
KEYS = tuple("name id value key title type count a b x user data items status tags".split())
_FIELDS: dict[str, Spec] = {
    "name": Choice(("Ada", "Bob", "alpha", "main", "report.txt")),
    "id": Whole(0, 99),
    "title": Text(),
    "type": Choice(("text", "number", "image", "list", "user")),
    "count": Whole(0, 20),
    "x": Whole(-10, 50),
    "a": Whole(-10, 50),
    "items": Items(Whole(0, 20)),
    "status": Choice(("open", "done", "active", "error")),
    "tags": Items(Text()),
    "data": Dictionary(Text(), Whole()),
}
"""What stands under a key where nothing is known of it."""
GUESSES: tuple[Spec, ...] = (
    Whole(),
    Text(),
    Real(),
    Items(Whole()),
    Items(Text()),
    Dictionary(Text(), Whole()),
    Boolean(),
    Items(Real()),
    Dictionary(Text(), Either((Text(), Whole(), Items(Whole()), Items(Text()), Dictionary(Text(), Whole())))),
    Items(Items(Whole())),
    Fixed((Whole(), Whole())),
    Items(Dictionary(Text(), Either((Whole(), Text())))),
)


def items(sampler: Drawing, spec: Items, depth: int) -> Any:
    """A container; items repeat now and then, and lists are sorted now and then."""
    rng = sampler.rng
    count = min(_count(sampler, spec, depth), sampler.longest) if buildable(spec.item) else 0
    made: list[Any] = []
    item = _item(sampler, spec.item, depth)
    again = rng.choice((0.05, 0.12, 0.3))
    for _ in range(count):
        if made and rng.random() < again:
            one = copy.deepcopy(rng.choice(made))
            made.append(near(sampler, one, item) if rng.random() < 0.4 else one)
        else:
            made.append(sampler.value(item, depth + 1))
    if spec.kind in ("set", "frozenset"):
        made = [one for one in made if _can_be_key(one)]
        for _ in range(4 * spec.exact if count == spec.exact else 0):
            if len(set(made)) < count and _can_be_key(one := sampler.value(item, depth + 1)):
                made.append(one)
    if depth == 0 and len(made) > 1 and _alike(item) and rng.random() < CROWDED:
        made = crowded(rng, made)
    return _arranged(sampler, spec, made)


def _arranged(sampler: Drawing, spec: Items, made: list[Any]) -> Any:
    """The items as a container of the kind, in the order that is promised or that chance gives."""
    wanted = 0.95 if spec.ordered else 0.2
    if len(made) > 1 and sampler.rng.random() < wanted and orderable(made):
        made.sort()
    return made if spec.kind == "list" else CONTAINERS[spec.kind](made)


def _item(sampler: Drawing, item: Spec, depth: int) -> Spec:
    """One kind for all items of a container, mostly, where the specification leaves several."""
    if isinstance(item, Anything) and not item.nested and (sampler.profile.tidy or sampler.rng.random() < 0.97):
        return sampler.choose(item, GUESSES) if depth < 1 else sampler.usual
    if isinstance(item, Either) and sampler.rng.random() < 0.4:
        return sampler.choose(item, tuple(option for option in item.options if buildable(option)))
    return item


def _count(sampler: Drawing, spec: Items, depth: int) -> int:
    rng = sampler.rng
    if spec.exact and (sampler.profile.tidy or rng.random() < 0.97):
        return spec.exact
    fewest = spec.fewest if sampler.profile.tidy or rng.random() < 0.94 else 0
    if spec.lengths and rng.random() < 0.4:
        return max(fewest, rng.choice(spec.lengths) + rng.choice((-1, 0, 0, 1)))
    if rng.random() < (0.15 if spec.long else 0.04):
        return max(fewest, rng.randint(8, (30 if spec.long else 20) if depth < 2 else 8))
    common = (0, 1, 2, 2, 3, 3, 4, 5, 6, 8) if depth == 0 else (0, 1, 2, 2, 3, 4) if depth == 1 else (0, 1, 2, 3)
    return max(fewest, rng.choice(common)) if depth < MAX_DEPTH else fewest


def dictionary(sampler: Drawing, spec: Dictionary, depth: int) -> Any:
    """A dictionary: its known keys, and others where the specification says of which kind."""
    rng = sampler.rng
    made: dict[Any, Any] = {}
    usual = rng.choice((0.3, 0.6, 0.8, 0.95))
    for entry in spec.entries:
        missing = rng.random() < (0.03 if entry.required else 1 - usual)
        if not missing and buildable(entry.value):
            made[entry.key] = sampler.value(entry.value, depth + 1)
    if spec.key is not None and depth < MAX_DEPTH:
        few = (0, 0, 0, 1) if spec.entries else (0, 1, 2, 2, 3, 4)
        value = spec.value if spec.value is not None and buildable(spec.value) else Text()
        keys = without_rare(spec.key)
        if isinstance(keys, Text):
            for one in sampler.pool.asked:
                if rng.random() < 0.6:
                    made.setdefault(one, sampler.value(value, depth + 1))
        if isinstance(keys, Text) and not spec.entries and rng.random() < 0.6:
            for one in sampler.vocabulary:
                made.setdefault(one, sampler.value(value, depth + 1))
        for _ in range(rng.choice(few)):
            odd = spec.key.rare if isinstance(spec.key, Either) and rng.random() < sampler.profile.rare else ()
            kind = rng.choice(odd) if odd else keys
            one = (
                rng.choice(sampler.pool.keys)
                if sampler.pool.keys and isinstance(kind, Text) and rng.random() < 0.3
                else key(sampler, kind, depth)
            )
            if not _can_be_key(one):
                continue
            sampler.seen.append(one)
            known = _FIELDS.get(one, value) if value == Anything() and rng.random() < 0.6 else value
            made.setdefault(one, sampler.value(known, depth + 1))
    return {"dict": dict, "OrderedDict": OrderedDict, "Counter": Counter}[spec.kind](made)


def key(sampler: Drawing, spec: Spec, depth: int) -> Any:
    """A key of a dictionary."""
    if isinstance(spec, Text):
        if any(isinstance(made, str) for made in sampler.seen) and sampler.rng.random() < 0.2:
            return sampler.rng.choice([made for made in sampler.seen if isinstance(made, str)])
        if not spec.formats and sampler.rng.random() < 0.6:
            return sampler.rng.choice(KEYS) if sampler.rng.random() < 0.7 else sampler.rng.choice(WORDS).lower()
    return sampler.value(spec, depth + 1)


def _can_be_key(value: Any) -> bool:
    """Whether it can be a key, or in a set: what is known of these may be wrong, or too little, as of a tuple of lists.
    """
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _alike(spec: Spec) -> bool:
    """Whether all members of a group are of one specification."""
    return isinstance(spec, Items) or (isinstance(spec, Fixed) and all(one == spec.items[0] for one in spec.items))


_GROUPS = (list, tuple, set, frozenset)


@changes("drawing: crowds", 1)
def crowded(rng: Random, groups: Sequence[Any]) -> list[Any]:
    """The groups with members taken from a few of all members; pairs become a chain or a ring now and then.

    Groups that hold anything but texts and whole numbers come back as they are.
    """
    members = list(dict.fromkeys(member for group in groups if isinstance(group, _GROUPS) for member in _plain(group)))
    if len(members) < 2 or not all(isinstance(group, _GROUPS) and len(_plain(group)) == len(group) for group in groups):
        return list(groups)
    few = members[: rng.choice((2, 3, 3, 4, 5))]
    if all(len(group) == 2 for group in groups) and rng.random() < 0.5:
        ring = zip(few, few[1:] + few[:1], strict=True)
        pairs = [type(groups[0])(pair) for pair in ring]
        return pairs if rng.random() < 0.6 else pairs[:-1]
    return [type(group)(rng.choice(few) for _ in group) for group in groups]


def _plain(group: Any) -> list[Any]:
    return [member for member in group if isinstance(member, (str, int)) and not isinstance(member, bool)]
