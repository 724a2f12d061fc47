"""Seeded values of a specification: what a person would write first, then the pool, then the corners."""

from __future__ import annotations

import copy
from itertools import repeat
from random import Random
from typing import Any

from harness.values import FUNCTIONS
from pipeline.suites.domain.alike import near
from pipeline.suites.domain.conformity import orderable
from pipeline.suites.domain.drawing import MAX_DEPTH, OMITTED, Drawing
from pipeline.suites.domain.formats.segments import OFTEN, laid_in_bytes
from pipeline.suites.domain.formats.words import WORDS
from pipeline.suites.domain.kinds import arrays, containers, exact, numbers, texts, type_values
from pipeline.suites.domain.kinds.containers import GUESSES
from pipeline.suites.domain.kinds.type_values import palette
from pipeline.suites.domain.parameter import Parameter
from pipeline.suites.domain.pool import Pool
from pipeline.suites.domain.related import relate
from pipeline.suites.domain.scale import SCALES, Scale, extent
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
)
from pipeline.suites.subject import passable

LONG = 800
"""Characters of an input, about, beyond which nobody reads it; longer ones need a reason in the body."""


_UNWRITABLE = ({1, 2}, b"data", 1 + 2j)
"""What JSON can't hold."""


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
        self.usual: Spec = GUESSES[0]

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
        made, omitting = dict[str, Any](), False
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
        return made

    def begin(self) -> None:
        """Forget what was drawn for the last input."""
        self.drawn = []
        self.seen = []
        self.common = {}
        self.vocabulary = self.rng.sample(WORDS, 4) if self.rng.random() < 0.25 else []
        self.usual = self.rng.choices(GUESSES[:3], (4, 4, 1))[0]
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
        for usual, option in zip(_USUAL if options is GUESSES else repeat(1.0), options, strict=False):
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
                    return self.value(rng.choice(GUESSES[:3] if rng.random() < 0.85 else GUESSES[3:7]), depth + 1)
                return self.value(self.choose(spec, GUESSES), depth + 1)
            case Items():
                return containers.items(self, spec, depth)
            case Fixed(items, kind):
                made = [self.value(item, depth + 1) for item in items]
                if spec.rising and orderable(made) and rng.random() < 0.93:
                    made.sort()
                if kind == "list" and rng.random() < 0.1:
                    return made[: rng.randrange(len(made) + 1)]
                return tuple(made) if kind == "tuple" else made
            case Dictionary():
                return containers.dictionary(self, spec, depth)
            case Binary(kind):
                data = texts.octets(self, depth)
                if self.pool.octets and rng.random() < 0.4:
                    data = texts.header(rng, self.pool.octets)
                elif rng.random() < 0.25:
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
            return self.value(self.usual if self.rng.random() < 0.7 else self.rng.choice(GUESSES[:3]), MAX_DEPTH)
        if roll < 0.6:
            return [self.tree(depth + 1) for _ in range(count)]
        return {containers.key(self, Text(), depth): self.tree(depth + 1) for _ in range(count)}

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
