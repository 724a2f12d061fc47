"""Seeded values of a specification: what a person would write first, then the pool, then the corners."""

from __future__ import annotations

import datetime
from collections import Counter, OrderedDict, deque
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

from pipeline.suites import libraries, texts
from pipeline.suites.constants import Pool
from pipeline.suites.formats import WORDS, moment
from pipeline.suites.types import (
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
    Parameter,
    Real,
    Spec,
    Text,
    Whole,
    buildable,
)


class Omitted:
    """Stands for a parameter that a call leaves to its default."""

    def __repr__(self) -> str:
        return "OMITTED"


OMITTED = Omitted()
MAX_DEPTH = 6
RARE = 0.04

_GUESSES: tuple[Spec, ...] = (
    Whole(), Text(), Real(), Items(Whole()), Items(Text()), Dictionary(Text(), Whole()), Boolean(),
    Items(Either((Whole(), Text()))), Dictionary(Text(), Either((Text(), Items(Whole()), Dictionary(Text(), Whole())))),
    Items(Items(Whole())), Fixed((Whole(), Whole())), Items(Dictionary(Text(), Either((Whole(), Text())))),
)


class Sampler:
    """Draws values; remembers which options of unions led to calls that made sense, and prefers them."""

    def __init__(self, rng: Random, pool: Pool) -> None:
        self.rng = rng
        self.pool = pool
        self.scores: dict[tuple[int, int], list[float]] = {}
        self.drawn: list[tuple[int, int]] = []
        self.seen: list[Any] = []
        self.wild = 0.2
        self.rare = RARE
        self.axes = (3, 3)
        self.limit = 10**9 * 4
        self.longest = 40

    # a whole input

    def inputs(self, parameters: tuple[Parameter, ...]) -> dict[str, Any]:
        """A value for each parameter, or `OMITTED` for some that have a default."""
        self.begin()
        made: dict[str, Any] = {}
        omitting = False
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
        return made

    def begin(self) -> None:
        """Forget what was drawn for the last input."""
        self.drawn = []
        self.seen = []
        self.axes = (self.rng.choice((0, 1, 2, 3, 3, 4, 5, 8)), self.rng.choice((1, 2, 3, 3, 4)))

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
        return self.value(parameter.spec)

    def _keywords(self, spec: Spec) -> dict[str, Any]:
        made = self.value(spec)
        if not isinstance(made, dict):
            return {}
        return {key: value for key, value in made.items() if isinstance(key, str) and key.isidentifier()}

    def shrink(self) -> None:
        """Draw smaller numbers and shorter containers from now on, because a call had too much work."""
        self.limit = max(6, min(self.limit, 4000) // 4)
        self.longest = max(3, self.longest // 2)

    def feedback(self, sensible: bool) -> None:
        """Say whether the last input led to a call that made sense."""
        for choice in self.drawn:
            score = self.scores.setdefault(choice, [0.0, 0.0])
            score[0] += sensible
            score[1] += 1

    def choose(self, owner: Spec, options: tuple[Spec, ...]) -> Spec:
        """One of the options: those after which calls made sense more often than the others."""
        weights = []
        for index in range(len(options)):
            sensible, tries = self.scores.get((id(owner), index), (0.0, 0.0))
            rate = (sensible + 1) / (tries + 1)
            weights.append(max(rate * rate, 0.004))
        index = self.rng.choices(range(len(options)), weights)[0]
        self.drawn.append((id(owner), index))
        return options[index]

    # values

    def value(self, spec: Spec, depth: int = 0) -> Any:
        """A value of the specification."""
        made = self._value(spec, depth)
        if isinstance(made, (str, int, float)) and len(self.seen) < 60:
            self.seen.append(made)
        return made

    def _value(self, spec: Spec, depth: int) -> Any:
        rng = self.rng
        match spec:
            case Text():
                return texts.text(self, spec, depth)
            case Whole():
                return self.whole(spec)
            case Real():
                return self.real(spec)
            case Boolean():
                return rng.random() < 0.5
            case Nothing():
                return None
            case Choice(values):
                return rng.choice(values)
            case Either(options, rare):
                return self._either(spec, options, rare, depth)
            case Anything():
                if depth >= 2:
                    return self.value(rng.choice(_GUESSES[:3] if rng.random() < 0.85 else _GUESSES[3:7]), depth + 1)
                return self.value(self.choose(spec, _GUESSES), depth + 1)
            case Items():
                return self.items(spec, depth)
            case Fixed(items, kind):
                made = [self.value(item, depth + 1) for item in items]
                if kind == "list" and rng.random() < 0.1:
                    return made[: rng.randrange(len(made) + 1)]
                return tuple(made) if kind == "tuple" else made
            case Dictionary():
                return self.dictionary(spec, depth)
            case Binary(kind):
                data = texts.text(self, Text(), depth).encode("utf-8")
                if rng.random() < 0.3:
                    data = bytes(rng.randrange(256) for _ in range(rng.randint(0, 12)))
                return data if kind == "bytes" else bytearray(data)
            case Moment(kind):
                return self.moment(kind)
            case Exact(kind):
                return self.exact(kind)
            case Array() | Column() | Frame():
                return libraries.value(self, spec)
        raise ValueError(f"No value can be made of {spec!r}.")

    def _either(self, spec: Spec, options: tuple[Spec, ...], rare: tuple[Spec, ...], depth: int) -> Any:
        if rare and self.rng.random() < self.rare / (1 + depth):
            return self.value(self.rng.choice(rare), depth + 1)
        known = tuple(option for option in options if buildable(option))
        if depth > MAX_DEPTH:
            known = tuple(o for o in known if not isinstance(o, (Items, Dictionary, Fixed))) or known
        if Nothing() in known and len(known) > 1:
            if self.rng.random() < 0.12:
                return None
            known = tuple(option for option in known if not isinstance(option, Nothing))
        return self.value(self.choose(spec, known) if len(known) > 1 else known[0], depth)

    def whole(self, spec: Whole) -> int:
        """An integer: small, or a constant of the body or near one, or moderate."""
        rng, roll = self.rng, self.rng.random()
        if spec.constants and roll < 0.3:
            made = rng.choice(spec.constants) + rng.choice((-1, 0, 0, 1))
        elif roll < 0.45 and self.pool.whole:
            made = rng.choice(self.pool.whole) + rng.choice((-1, 0, 0, 0, 1))
        elif roll < 0.5 and self.seen:
            made = self._related_number()
        elif roll < 0.8:
            made = rng.randint(0, 12)
        elif roll < 0.92:
            made = rng.randint(-20, 120)
        elif roll < 0.98:
            made = rng.randint(-1000, 1000)
        else:
            made = rng.choice((-1, 0, 1, 2, 255, 256, 1023, 1024, 10**6, -(10**6), 65535, 2**31 - 1))
        if abs(made) > self.limit:
            made = rng.randint(-self.limit if made < 0 else 0, self.limit)
        return int(self._bounded(made, spec.low, spec.high))

    def _bounded(self, made: Any, low: Any, high: Any) -> Any:
        if low is not None and made < low:
            made = low + (abs(made) % 10 if self.rng.random() < 0.8 else 0)
        if high is not None and made > high:
            made = self.rng.randint(int(low if low is not None else 0), int(high))
        return made

    def _related_number(self) -> int:
        made = self.rng.choice(self.seen)
        if not isinstance(made, (int, float)) or made != made:
            return len(str(made))
        return int(made) + self.rng.choice((-1, 0, 1)) if abs(made) < 10**9 else 0

    def real(self, spec: Real) -> float:
        """A float: a short decimal, a constant of the body or near one, now and then a corner."""
        rng, roll = self.rng, self.rng.random()
        if spec.special and roll < 0.12:
            return rng.choice((float("nan"), float("inf"), float("-inf")))
        if spec.constants and roll < 0.3:
            made = rng.choice(spec.constants) + rng.choice((0.0, 0.0, 0.5, -0.5, 0.001))
        elif roll < 0.4 and self.pool.real:
            made = rng.choice(self.pool.real)
        elif roll < 0.6:
            made = round(rng.uniform(0, 1), rng.choice((1, 2, 3)))
        elif roll < 0.8:
            made = float(rng.randint(-5, 20))
        elif roll < 0.97:
            made = round(rng.uniform(-100, 100), rng.choice((0, 1, 2)))
        else:
            made = rng.choice((0.0, -0.0, 1e-9, 1e6, -1e6, 0.1 + 0.2, 1e15))
        return float(self._bounded(made, spec.low, spec.high))

    def items(self, spec: Items, depth: int) -> Any:
        """A container; items repeat now and then, and lists are sorted now and then."""
        rng = self.rng
        count = min(self._count(spec, depth), self.longest) if buildable(spec.item) else 0
        made: list[Any] = []
        item = self._like(spec.item, depth)
        for _ in range(count):
            if made and rng.random() < 0.12:
                made.append(rng.choice(made))
            else:
                made.append(self.value(item, depth + 1))
        if len(made) > 1 and rng.random() < 0.2 and all(type(v) is type(made[0]) and isinstance(v, (int, float, str)) for v in made):
            made.sort()
        if spec.kind == "list":
            return made
        return {"tuple": tuple, "set": set, "frozenset": frozenset, "deque": deque}[spec.kind](made)

    def _like(self, item: Spec, depth: int) -> Spec:
        """One kind for all items of a container, mostly, where the specification leaves several."""
        if isinstance(item, Anything) and self.rng.random() < 0.85:
            return self.choose(item, _GUESSES) if depth < 2 else self.rng.choice(_GUESSES[:3])
        if isinstance(item, Either) and self.rng.random() < 0.4:
            return self.choose(item, tuple(option for option in item.options if buildable(option)))
        return item

    def _count(self, spec: Items, depth: int) -> int:
        rng = self.rng
        if spec.lengths and rng.random() < 0.4:
            return max(spec.fewest, rng.choice(spec.lengths) + rng.choice((-1, 0, 0, 1)))
        if rng.random() < 0.04:
            return max(spec.fewest, rng.randint(8, 20 if depth < 2 else 8))
        common = (0, 1, 2, 2, 3, 3, 4, 5, 6, 8) if depth == 0 else (0, 1, 2, 2, 3, 4) if depth == 1 else (0, 1, 2, 3)
        return max(spec.fewest, rng.choice(common)) if depth < MAX_DEPTH else spec.fewest

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
            for _ in range(rng.choice(few)):
                key = rng.choice(self.pool.keys) if self.pool.keys and isinstance(spec.key, Text) and rng.random() < 0.3 \
                    else self._key(spec.key, depth)
                self.seen.append(key)
                made.setdefault(key, self.value(value, depth + 1))
        if spec.kind == "OrderedDict":
            return OrderedDict(made)
        return Counter(made) if spec.kind == "Counter" else made

    def _key(self, spec: Spec, depth: int) -> Any:
        if isinstance(spec, Text) and not spec.formats and self.rng.random() < 0.6:
            return self.rng.choice(WORDS).lower()
        return self.value(spec, depth + 1)

    def moment(self, kind: str) -> Any:
        """A date, a time of day, a moment (without a zone, mostly) or a span of time."""
        rng, when = self.rng, moment(self.rng)
        if kind == "timedelta":
            return datetime.timedelta(rng.choice((0, 0, 1, -1, 7, 30, 365, rng.randint(0, 800))), rng.choice((0, 1, 59, 60, 3600, rng.randint(0, 86399))))
        if kind == "date":
            return when.date()
        if kind == "time":
            return when.time()
        return when.replace(tzinfo=datetime.UTC) if rng.random() < 0.15 else when

    def exact(self, kind: str) -> Any:
        """A `Decimal`, a `Fraction` or a `complex`."""
        rng = self.rng
        if kind == "Decimal" and rng.random() < 0.05:
            return Decimal(rng.choice(("NaN", "Infinity", "-Infinity", "0", "-0", "1E+5")))
        if kind == "Decimal":
            return Decimal(rng.randint(-10000, 10000)).scaleb(-rng.choice((0, 1, 2, 2, 3)))
        if kind == "Fraction":
            return Fraction(rng.randint(-20, 20), rng.randint(1, 12))
        return complex(rng.randint(-5, 5), rng.choice((0, 1, -2, 0.5)))
