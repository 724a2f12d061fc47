"""Seeded values of a specification: what a person would write first, then the pool, then the corners."""

from __future__ import annotations

import copy
from collections import Counter, OrderedDict, defaultdict, deque
from itertools import repeat
from random import Random
from typing import Any

from harness.values import FUNCTIONS
from pipeline.suites.domain.alike import distinct
from pipeline.suites.domain.conformity import factory, fits, orderable
from pipeline.suites.domain.drawing import OMITTED, Drawing
from pipeline.suites.domain.extent import extent
from pipeline.suites.domain.formats.grammars import packed
from pipeline.suites.domain.formats.segments import OFTEN, laid_in_bytes
from pipeline.suites.domain.formats.words import WORDS
from pipeline.suites.domain.kinds import arrays, exact, numbers, texts, type_values
from pipeline.suites.domain.kinds.functions import palette
from pipeline.suites.domain.kinds.graphs import crowded
from pipeline.suites.domain.near import near
from pipeline.suites.domain.parameter import Parameter
from pipeline.suites.domain.pool import Pool
from pipeline.suites.domain.related import relate
from pipeline.suites.domain.scale import SCALES, Scale
from pipeline.suites.domain.spec import (
    SCALARS,
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
    Function,
    Items,
    Moment,
    Nothing,
    Real,
    Spec,
    Text,
    TypeValue,
    Whole,
    buildable,
    either,
    without_rare,
)
from pipeline.suites.subject import passable

MAX_DEPTH = 6
LONG = 800
"""Characters of an input, about, beyond which nobody reads it; longer ones need a reason in the body."""
CROWDED = 0.2
"""How many containers of groups get groups that share their members."""
TOGETHER = 0.2
"""How many inputs get constants that the body asks for in several parameters at once."""

_GUESSES: tuple[Spec, ...] = (
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


_UNWRITABLE = ({1, 2}, b"data", 1 + 2j)
"""What JSON can't hold."""

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

_USUAL = (4.0, 4.0, 2.0, 2.0, 2.0, 1.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5)
"""How often each guess is made at first."""
_UNTRIED = (0.0, 0.0)
ENOUGH_TRIES = 5
"""After how many calls an option is judged by what has come of them."""
OF_ONE_KIND = 0.6
"""How often an argument that may be an array or a number is what the one before it was."""

Specs = tuple[Spec, ...]


class Sampler(Drawing):
    """Draws values; remembers which options of unions led to calls that made sense, and prefers them."""

    def __init__(self, rng: Random, pool: Pool, scale: Scale = SCALES[0]) -> None:
        super().__init__(rng, pool, scale)
        self.scores: dict[tuple[int, int], list[float]] = {}
        self.owners: dict[int, Spec] = {}
        self.unions: dict[tuple[int, bool], tuple[Specs, bool, Specs]] = {}
        self.drawn: list[tuple[int, int]] = []
        self.usual: Spec = _GUESSES[0]

    # a whole input

    def inputs(self, parameters: tuple[Parameter, ...]) -> dict[str, Any]:
        """A value for each parameter, or `OMITTED` for some that have a default; long ones are drawn again."""
        made = self._inputs(parameters)
        for _ in range(3):
            if extent(made) <= LONG or self.pool.large:
                break
            made = self._inputs(parameters)
        return made

    def _inputs(self, parameters: tuple[Parameter, ...]) -> dict[str, Any]:
        self.begin()
        rng, made, omitting = self.rng, dict[str, Any](), False
        for parameter in parameters:
            if parameter.kind == "variadic" and omitting:
                made[parameter.name] = ()
                continue
            value = self.argument(parameter)
            if parameter.kind == "positional":
                # Positional parameters can only be left out from the end.
                omitting = omitting or value is OMITTED
                value = OMITTED if omitting else value
            made[parameter.name] = value
        relate(self, parameters, made)
        if self.pool.rows and rng.random() < TOGETHER:
            row = rng.choice(self.pool.rows)
            known = {one.name: one.spec for one in parameters if made.get(one.name, OMITTED) is not OMITTED}
            if all(name in known and fits(known[name], value) for name, value in row.items()):
                made.update(copy.deepcopy(row))
        return made

    def begin(self) -> None:
        """Forget what was drawn for the last input."""
        self.drawn = []
        self.seen = []
        self.common = {}
        self.vocabulary = self.rng.sample(WORDS, 4) if self.rng.random() < 0.25 else []
        self.usual = self.rng.choices(_GUESSES[:3], (4, 4, 1))[0]
        self.zoned = self.rng.random() < 0.12
        rows = self.rng.choice((0, 1, 2, 2, 3, 3, 3, 4, 4, 5, 6, 8))
        if rows == 8 and not self.profile.tidy:
            rows = self.rng.choice((8, 12, 16, 24))
        self.axes = (rows, self.rng.choice((1, 2, 3, 3, 4)))

    def argument(self, parameter: Parameter) -> Any:
        """A value for one parameter."""
        rng = self.rng
        if parameter.kind == "variadic":
            return tuple(self.value(parameter.spec) for _ in range(rng.choice((0, 1, 2, 2, 3, 4))))
        if parameter.kind == "keywords":
            return self._keywords(parameter.spec)
        if parameter.optional:
            if rng.random() < 0.2 or not buildable(parameter.spec):
                return OMITTED
            if rng.random() < 0.06 and parameter.default is not None:
                return parameter.default
        if parameter.examples and rng.random() < 0.12:
            shown = copy.deepcopy(rng.choice(parameter.examples))
            return near(self, shown, parameter.spec) if rng.random() < 0.4 else shown
        return self.value(parameter.spec)

    def _keywords(self, spec: Spec) -> dict[str, Any]:
        made = self.value(spec)
        if not isinstance(made, dict):
            return {}
        return {key: value for key, value in made.items() if passable(key)}

    def feedback(self, sensible: bool) -> None:
        """Say whether the last input led to a call that made sense."""
        for choice in self.drawn:
            score = self.scores.setdefault(choice, [0.0, 0.0])
            score[0] += sensible
            score[1] += 1

    def proved(self, spec: Spec) -> Spec:
        """The specification without the options of a union after which calls hardly ever made sense."""
        if not isinstance(spec, Either):
            return spec
        tried = [self.scores.get((id(spec), id(option)), _UNTRIED) for option in spec.options]
        rates = [sensible / tries if tries >= ENOUGH_TRIES else 1.0 for sensible, tries in tried]
        kept = [one for one, rate in zip(spec.options, rates, strict=True) if rate >= 0.3 * max(rates)]
        return either(kept, list(spec.rare))

    def choose(self, owner: Spec, options: tuple[Spec, ...]) -> Spec:
        """One of the options: those after which calls made sense more often than the others."""
        # Kept, so that no other specification can get the same identity later.
        self.owners.setdefault(id(owner), owner)
        whose, scores, weights = id(owner), self.scores, []
        for usual, option in zip(_USUAL if options is _GUESSES else repeat(1.0), options, strict=False):
            # Some options are left out now and then, so a place among them says nothing.
            sensible, tries = scores.get((whose, id(option)), _UNTRIED)
            rate = (sensible + 1) / (tries + 1)
            weights.append(max(rate * rate * usual, 0.004))
        option = self.rng.choices(options, weights)[0]
        self.drawn.append((whose, id(option)))
        return option

    # values

    def value(self, spec: Spec, depth: int = 0) -> Any:
        """A value of the specification."""
        made = self._value(spec, depth)
        if type(made) in (str, int, float, bool) and len(self.seen) < 60:
            self.seen.append(made)
        return made

    def _value(self, spec: Spec, depth: int) -> Any:
        rng = self.rng
        match spec:
            case Text():
                return texts.text(self, spec, depth)
            case Whole():
                return numbers.whole(self, spec)
            case Real():
                return numbers.real(self, spec)
            case Boolean():
                return rng.random() < 0.5
            case Nothing():
                return None
            case Choice(values):
                return rng.choice(values)
            case Either(options, rare):
                return self._either(spec, options, rare, depth)
            case Anything() if self.pool.unwritable and rng.random() < 0.06 and not self.profile.tidy:
                return copy.copy(rng.choice(_UNWRITABLE))
            case Anything() if self.pool.none and not self.profile.tidy and rng.random() < 0.03:
                return None
            case Anything(nested=True):
                return self.tree(depth)
            case Anything():
                if depth >= 2:
                    return self.value(rng.choice(_GUESSES[:3] if rng.random() < 0.85 else _GUESSES[3:7]), depth + 1)
                return self.value(self.choose(spec, _GUESSES), depth + 1)
            case Items():
                return self.items(spec, depth)
            case Fixed(items, kind):
                made = [self.value(item, depth + 1) for item in items]
                if spec.rising and orderable(made) and rng.random() < 0.93:
                    made.sort()
                if kind == "list" and rng.random() < 0.1:
                    return made[: rng.randrange(len(made) + 1)]
                return tuple(made) if kind == "tuple" else made
            case Dictionary():
                return self.dictionary(spec, depth)
            case Binary(kind, inner):
                data = texts.octets(self, depth) if inner is None else texts.encoded(self, inner, depth)
                if spec.form:
                    data = packed(spec.form, data, rng, self.pool)
                if self.pool.octets and inner is None and not spec.form and rng.random() < 0.4:
                    data = texts.header(rng, self.pool.octets)
                elif rng.random() < (0.25 if inner is None and not spec.form else 0.03):
                    data = bytes(rng.randrange(256) for _ in range(rng.randint(0, 12)))
                if spec.segments and rng.random() < OFTEN:
                    data = laid_in_bytes(data, spec.segments, rng)
                return data if kind == "bytes" else bytearray(data)
            case Moment(kind):
                return numbers.moment_of(self, kind)
            case Exact(kind):
                return exact.KINDS[kind].draw(self)
            case Function():
                return FUNCTIONS[rng.choice(palette(spec))]
            case TypeValue(kind):
                return type_values.drawn(self, kind)
            case Array() | Column() | Frame():
                return arrays.value(self, spec)
        raise ValueError(f"No value can be made of {spec!r}.")

    def tree(self, depth: int) -> Any:
        """A list or a dictionary of such trees, several levels deep at times, or a plain value at its leaves."""
        roll, count = self.rng.random(), self.rng.choice((0, 1, 2, 2, 3, 3, 4))
        if roll < 0.05:
            return self.rng.choice((True, False, None))
        if roll < min(0.9, 0.2 + 0.2 * depth):
            return self.value(self.usual if self.rng.random() < 0.7 else self.rng.choice(_GUESSES[:3]), MAX_DEPTH)
        if roll < 0.6:
            return [self.tree(depth + 1) for _ in range(count)]
        return {self._key(Text(), depth): self.tree(depth + 1) for _ in range(count)}

    def _either(self, spec: Spec, options: tuple[Spec, ...], rare: tuple[Spec, ...], depth: int) -> Any:
        if rare and not self.profile.tidy and self.rng.random() < self.profile.rare / (1 + depth):
            return self.value(self.rng.choice(rare), depth + 1)
        known, absent, plain = self._known(spec, options, depth > MAX_DEPTH)
        if absent and self.rng.random() < 0.12:
            return None
        if depth > 1 and self.rng.random() < 0.5:
            # Deep down stand plain values, mostly, or nobody can read it.
            known = plain
        return self.value(self._option(spec, known, depth) if len(known) > 1 else known[0], depth)

    def _option(self, owner: Spec, known: tuple[Spec, ...], depth: int) -> Spec:
        """One of the options; of arguments that may be arrays or else, all are of one kind, mostly."""
        if depth or not any(isinstance(option, Array) for option in known):
            return self.choose(owner, known)
        before = next((option for option in known if type(option) is self.common.get("option")), None)
        if before is not None and self.rng.random() < OF_ONE_KIND:
            self.drawn.append((id(owner), id(before)))
            return before
        option = self.choose(owner, known)
        self.common["option"] = type(option)
        return option

    def _known(self, owner: Spec, options: tuple[Spec, ...], flat: bool) -> tuple[Specs, bool, Specs]:
        """The options that can be built, None apart: whether it is one beside others; and the plain ones of them.

        Where it has to be flat, containers are left out. What is left out leaves something, always.
        """
        found = self.unions.get((id(owner), flat))
        if found is None:
            self.owners.setdefault(id(owner), owner)
            known = tuple(option for option in options if buildable(option))
            if flat:
                known = tuple(o for o in known if not isinstance(o, (Items, Dictionary, Fixed))) or known
            absent = Nothing() in known and len(known) > 1
            if absent:
                known = tuple(option for option in known if not isinstance(option, Nothing))
            found = known, absent, tuple(option for option in known if isinstance(option, SCALARS)) or known
            self.unions[id(owner), flat] = found
        return found

    def items(self, spec: Items, depth: int) -> Any:
        """A container; items repeat now and then, and lists are sorted now and then."""
        rng = self.rng
        count = min(self._count(spec, depth), self.longest) if buildable(spec.item) else 0
        made: list[Any] = []
        item = self._like(spec.item, depth)
        again = rng.choice((0.05, 0.12, 0.3))
        for _ in range(count):
            if made and not spec.distinct and rng.random() < again:
                one = copy.deepcopy(rng.choice(made))
                made.append(near(self, one, item) if rng.random() < 0.4 else one)
            else:
                made.append(self.value(item, depth + 1))
        for _ in range(4 * spec.exact if spec.kind in ("set", "frozenset") and count == spec.exact else 0):
            if len(set(made)) < count:
                made.append(self.value(item, depth + 1))
        if depth == 0 and len(made) > 1 and _alike(item) and rng.random() < CROWDED:
            made = crowded(rng, made)
        return self._arranged(spec, made)

    def _arranged(self, spec: Items, made: list[Any]) -> Any:
        """The items as a container of the kind, in the order that is promised or that chance gives."""
        if spec.distinct and self.rng.random() < 0.95:
            made = distinct(made)
        wanted = 0.95 if spec.ordered else 0.2
        if len(made) > 1 and self.rng.random() < wanted and orderable(made):
            made.sort()
        if spec.kind == "list":
            return made
        return {"tuple": tuple, "set": set, "frozenset": frozenset, "deque": deque}[spec.kind](made)

    def _like(self, item: Spec, depth: int) -> Spec:
        """One kind for all items of a container, mostly, where the specification leaves several."""
        if isinstance(item, Anything) and not item.nested and (self.profile.tidy or self.rng.random() < 0.97):
            return self.choose(item, _GUESSES) if depth < 1 else self.usual
        if isinstance(item, Either) and self.rng.random() < 0.4:
            return self.choose(item, tuple(option for option in item.options if buildable(option)))
        return item

    def _count(self, spec: Items, depth: int) -> int:
        rng = self.rng
        if spec.exact and (self.profile.tidy or rng.random() < 0.97):
            return spec.exact
        fewest = spec.fewest if self.profile.tidy or rng.random() < 0.94 else 0
        if spec.lengths and rng.random() < 0.4:
            return max(fewest, rng.choice(spec.lengths) + rng.choice((-1, 0, 0, 1)))
        if rng.random() < (0.15 if spec.long else 0.04):
            return max(fewest, rng.randint(8, (30 if spec.long else 20) if depth < 2 else 8))
        common = (0, 1, 2, 2, 3, 3, 4, 5, 6, 8) if depth == 0 else (0, 1, 2, 2, 3, 4) if depth == 1 else (0, 1, 2, 3)
        return max(fewest, rng.choice(common)) if depth < MAX_DEPTH else fewest

    def dictionary(self, spec: Dictionary, depth: int) -> Any:
        """A dictionary: its known keys, and others where the specification says of which kind."""
        rng = self.rng
        made: dict[Any, Any] = {}
        usual = rng.choice((0.3, 0.6, 0.8, 0.95))
        for entry in spec.entries:
            missing = rng.random() < (0.03 if entry.required else 1 - usual)
            if not missing and buildable(entry.value):
                made[entry.key] = self.value(entry.value, depth + 1)
        if spec.key is not None and depth < MAX_DEPTH:
            few = (0, 0, 0, 1) if spec.entries else (0, 1, 2, 2, 3, 4)
            value = spec.value if spec.value is not None and buildable(spec.value) else Text()
            keys = without_rare(spec.key)
            if isinstance(keys, Text):
                for key in self.pool.asked:
                    if rng.random() < 0.6:
                        made.setdefault(key, self.value(value, depth + 1))
            if isinstance(keys, Text) and not spec.entries and rng.random() < 0.6:
                for key in self.vocabulary:
                    made.setdefault(key, self.value(value, depth + 1))
            for _ in range(rng.choice(few)):
                odd = spec.key.rare if isinstance(spec.key, Either) and rng.random() < self.profile.rare else ()
                kind = rng.choice(odd) if odd else keys
                key = (
                    rng.choice(self.pool.keys)
                    if self.pool.keys and isinstance(kind, Text) and rng.random() < 0.3
                    else self._key(kind, depth)
                )
                self.seen.append(key)
                known = _FIELDS.get(key, value) if value == Anything() and rng.random() < 0.6 else value
                made.setdefault(key, self.value(known, depth + 1))
        if spec.kind == "OrderedDict":
            return OrderedDict(made)
        if spec.kind == "defaultdict":
            return defaultdict(factory(spec), made)
        return Counter(made) if spec.kind == "Counter" else made

    def _key(self, spec: Spec, depth: int) -> Any:
        if isinstance(spec, Text):
            if any(isinstance(made, str) for made in self.seen) and self.rng.random() < 0.2:
                return self.rng.choice([made for made in self.seen if isinstance(made, str)])
            if not spec.formats and self.rng.random() < 0.6:
                return self.rng.choice(KEYS) if self.rng.random() < 0.7 else self.rng.choice(WORDS).lower()
        return self.value(spec, depth + 1)


def _alike(spec: Spec) -> bool:
    """Whether all members of a group are of one specification."""
    return isinstance(spec, Items) or (isinstance(spec, Fixed) and all(one == spec.items[0] for one in spec.items))
