"""Seeded texts: readable ones first, then what the body's constants, separators, formats and patterns make of them."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from pipeline.suites.domain.drawing import Drawing
from pipeline.suites.domain.formats.notations import like, lines
from pipeline.suites.domain.formats.patterns import LONG_REPEAT, MAX_REPEAT, group_texts, matching
from pipeline.suites.domain.formats.segments import OFTEN, bracketed, laid, opened
from pipeline.suites.domain.formats.words import WORDS, integer, words
from pipeline.suites.domain.kinds.formatted_texts import cased, formatted
from pipeline.suites.domain.spec import CARRIERS, Spec, Text

UNICODE = (*"café naïve Ünïcödé 日本語 Ω ß İ 😀 é ﬁ １２ ٣ Привет".split(), "\u00a0", "\u200b")
PUNCTUATION = " ,.;:-_/\\'\"()[]{}<>=+*&%$#@!?|~^`\n\t"
MAX_LENGTH = 200
REPEATED = 0.06
"""How many texts have one of their signs several times in a row."""
_STRUCTURED = (0.25, 0.4, 0.6)
"""How often a text is written exactly as the body takes it apart: at large, tidily, and as callers do."""


def text(sampler: Drawing, spec: Text, depth: int = 0) -> str:
    """A text of the specification."""
    rng = sampler.rng
    roll = rng.random()
    plain = not (spec.closed or spec.formats or spec.separators or spec.searched)
    if sampler.vocabulary and plain and rng.random() < 0.85:
        return rng.choice(sampler.vocabulary)
    if spec.keyed and roll < 0.35:
        known = [made for made in sampler.seen if isinstance(made, str)]
        if known:
            return rng.choice(known)
    if spec.closed and roll < 0.8:
        return rng.choice(spec.constants)
    if spec.constants and roll > 0.96:
        return cased(rng.choice(spec.constants), rng)
    if spec.lengths and roll < (0.12 if min(spec.lengths) <= MAX_LENGTH else 0.02):
        return _of_length(sampler, rng.choice(spec.lengths) + rng.choice((-1, 0, 1)))
    if roll < 0.04:
        return ""
    apart = spec.places or (spec.counts and spec.separators)
    if apart and rng.random() < _STRUCTURED[sampler.profile.tidy + sampler.profile.ordinary]:
        return structured(sampler, spec)[:MAX_LENGTH]
    made = _one(sampler, spec, depth)
    if spec.segments and rng.random() < OFTEN / 2:
        made = laid(made, spec.segments, rng)
    if not sampler.profile.tidy and rng.random() < 0.06:
        made = _vary(made, sampler)
    elif sampler.profile.ordinary and rng.random() < REPEATED:
        made = _with_repeats(made, rng)
    return made[: MAX_LENGTH if spec.content is None else 4 * MAX_LENGTH]


def _one(sampler: Drawing, spec: Text, depth: int) -> str:
    rng, pool = sampler.rng, sampler.pool
    # Where the notation is known, what a person writes is in it.
    known = bool(spec.places) or (bool(spec.formats) and sampler.profile.tidy)
    strict = sampler.profile.ordinary and bool(set(spec.formats) - {"identifier"} or spec.examples)
    ways: list[tuple[Callable[[Random], str], float]] = [(words, 0.3 if strict else 0.6 if known else 3.0)]
    if spec.constants:
        ways.append((lambda _: rng.choice(spec.constants), 8.0 if sampler.profile.ordinary else 4.0))
    if spec.formats:
        weight = 16.0 if strict else 3.0 if spec.separators else 6.0
        ways.append((lambda r: formatted(r.choice(spec.formats), sampler), weight))
    carriers = [name for name in spec.formats if name in CARRIERS] if depth < 3 else []
    if carriers and spec.content is not None:
        ways.append((lambda r: carried(sampler, r.choice(carriers), spec, depth), 40.0))
    if spec.examples:
        ways.append((lambda r: r.choice(spec.examples), 3.0 if strict else 0.6))
        ways.append((lambda r: like(r.choice(spec.examples), r), 10.0 if strict else 1.5))
    between = [sign for sign in spec.separators if sign not in spec.starts and sign not in spec.ends]
    if between or (spec.separators and not sampler.profile.tidy):
        weight = (8.0 if sampler.profile.tidy else 4.0) * (2 if spec.places else 1)
        ways.append((lambda _: _joined(sampler, spec, depth), weight))
    if spec.starts or spec.ends:
        ways.append((lambda _: _with_ends(sampler, spec, depth), 6.0))
    if pool.patterns:
        ways.append((lambda _: _matching(sampler), 6.0 if spec.searched else 1.0))
    if pool.texts or pool.alphabet:
        weight = 0.3 if strict else 0.5 if known else 2.0 if sampler.profile.tidy else 4.0
        ways.append((lambda _: _assembled(sampler, spec), weight))
        ways.append((lambda r: r.choice(pool.texts or pool.alphabet), 0.3 if known else 1.0))
    if sampler.seen:
        ways.append((lambda _: _related(sampler), 0.3 if known else 1.5))
    brackets = opened(tuple(pool.alphabet)) if sampler.profile.tidy and not pool.patterns else ()
    if brackets:
        ways.append((lambda r: bracketed(r, brackets, pool.alphabet), 8.0))
    if sampler.profile.tidy:
        if pool.foreign:
            ways.append((_foreign, 3.0 if sampler.profile.ordinary else 0.5))
        ways += [(integer, 0.1), (lines, 4.0 if "\n" in spec.separators else 0.05)]
        return rng.choices([way for way, _ in ways], [weight for _, weight in ways])[0](rng)
    ways += [
        (_soup, 0.5),
        (integer, 0.5),
        (lambda r: r.choice(UNICODE if pool.foreign else UNICODE[:4]), 0.4 if pool.foreign else 0.08),
        (lambda r: r.choice("aZ0 _-.\n"), 0.4),
        (lines, 0.5 if "\n" not in spec.separators else 3.0),
    ]
    way = rng.choices([way for way, _ in ways], [weight for _, weight in ways])[0]
    return way(rng)


def _foreign(rng: Random) -> str:
    """Letters beyond ASCII, alone or beside words."""
    letters = rng.choice(UNICODE)
    return rng.choice((letters, f"{letters} {words(rng)}", f"{words(rng)} {letters}", letters + rng.choice(UNICODE)))


def _of_length(sampler: Drawing, length: int) -> str:
    style = sampler.rng.randrange(6)
    if style < 3:
        signs = ("0123456789", "ABCDEFGHJKLMNPRSTUVWXYZ0123456789", "abcdef0123456789")[style]
        return "".join(sampler.rng.choice(signs) for _ in range(max(0, length)))
    made = words(sampler.rng)
    while 0 < len(made) < min(length, MAX_LENGTH):
        made += sampler.rng.choice(("", " ")) + words(sampler.rng)
    made *= 1 + max(0, length) // max(1, len(made))
    return made[: max(0, length)]


def _matching(sampler: Drawing) -> str:
    rng, pool = sampler.rng, sampler.pool
    pattern = rng.choice(pool.patterns)
    try:
        made = matching(pattern, rng, pool.texts, [n for n in pool.whole if MAX_REPEAT < n <= LONG_REPEAT])
    except ValueError:
        return words(rng)
    roll = rng.random()
    if roll < 0.15:
        made = words(rng) + rng.choice(("", " ")) + made
    elif roll < 0.3:
        made = made + rng.choice(("", " ", "\n")) + words(rng)
    elif roll < 0.4:
        made = made + rng.choice(("", " ", ",", "\n")) + _matching(sampler)
    elif roll < 0.47:
        groups = group_texts(pattern, rng)
        made = rng.choice(groups) if groups else made
    return made


def _joined(sampler: Drawing, spec: Text, depth: int) -> str:
    """Pieces between separators that the body splits by."""
    rng = sampler.rng
    separator = rng.choice(spec.separators)
    pieces: list[str] = []
    count = rng.choice((1, 2, 2, 2, 3, 3, 4, 5))
    if spec.counts and rng.random() < 0.65:
        count = rng.choice(spec.counts)
    places = dict(spec.places).get(separator, ()) if rng.random() < 0.8 else ()
    if places and rng.random() < 0.7:
        count = max(len(places), min(spec.counts, default=2))
    for place in range(count):
        again = bool(pieces) and not places and rng.random() < 0.15
        known, usual = (places[place], 0.92) if place < len(places) else (spec.piece, 0.75)
        piece = rng.choice(pieces) if again else _piece(sampler, spec, known, depth, usual)
        # A piece that holds the separator is none; such texts come from elsewhere.
        pieces.append(rng.choice(WORDS) if sampler.profile.tidy and separator in piece else piece)
    made = separator.join(pieces)
    roll = rng.random() * (3 if sampler.profile.tidy or places else 1)
    if roll < 0.1:
        made = separator + made
    elif roll < 0.2:
        made += separator
    elif roll < 0.3:
        made += rng.choice(spec.separators) + rng.choice(WORDS)
    return made


def structured(sampler: Drawing, spec: Spec | None, taken: tuple[str, ...] = ()) -> str:
    """A text exactly as the body takes it apart: so many pieces, each of its kind, without the signs between them."""
    rng = sampler.rng
    if not isinstance(spec, Text):
        return str(sampler.value(spec, 3)) if spec is not None else rng.choice(WORDS)
    places = dict(spec.places)
    between = [sign for sign in places or spec.separators if sign not in taken]
    if between and (places or spec.counts or rng.random() < 0.5):
        sign = rng.choice(between)
        known = places.get(sign, ())
        count = max(len(known), rng.choice(spec.counts or (1, 2, 3)))
        parts = [*known, *[spec.piece] * (count - len(known))]
        return sign.join(structured(sampler, part, (*taken, sign)) for part in parts)
    for _ in range(4):
        made = _plain(sampler, spec)
        if not any(sign in made for sign in taken):
            return made
    return rng.choice(WORDS)


def _plain(sampler: Drawing, spec: Text) -> str:
    rng = sampler.rng
    if spec.constants and (spec.closed or rng.random() < 0.4):
        return rng.choice(spec.constants)
    return formatted(rng.choice(spec.formats), sampler) if spec.formats else rng.choice(WORDS)


def _with_ends(sampler: Drawing, spec: Text, depth: int) -> str:
    """A text with something before or after it that the body tests for."""
    rng = sampler.rng
    made = _one(sampler, replace(spec, starts=(), ends=(), separators=()), depth) if depth < 3 else words(rng)
    if spec.starts and (not spec.ends or rng.random() < 0.6):
        start = rng.choice(spec.starts)
        made = (_part_of(start, rng, first=False) if sampler.profile.ordinary else start) + made
    elif spec.ends:
        end = rng.choice(spec.ends)
        made += _part_of(end, rng, first=True) if sampler.profile.ordinary else end
    return made


def _part_of(constant: str, rng: Random, first: bool) -> str:
    """The constant, or now and then its first or last part, up to a sign inside it: `/a` of `/a/b`."""
    inside = range(1, len(constant))
    cuts = [place for place in inside if not constant[place].isalnum() and constant[place - 1].isalnum()]
    if not cuts or rng.random() > 0.2:
        return constant
    return constant[: rng.choice(cuts)] if first else constant[rng.choice(cuts) :]


def _piece(sampler: Drawing, spec: Text, piece: Spec | None, depth: int, usual: float) -> str:
    rng = sampler.rng
    if isinstance(piece, Text) and depth < 4 and rng.random() < usual:
        return text(sampler, piece, depth + 1)
    if piece is not None and depth < 4 and rng.random() < 0.6:
        return str(sampler.value(piece, depth + 2))
    roll = rng.random()
    if roll < 0.15:
        return str(rng.randint(0, 99)) if sampler.profile.tidy else integer(rng)
    if roll < 0.4 and spec.constants:
        return rng.choice(spec.constants)
    if roll < 0.6 and sampler.pool.texts:
        return rng.choice(sampler.pool.texts)
    return "" if roll > 0.95 else rng.choice(WORDS)


def _assembled(sampler: Drawing, spec: Text) -> str:
    """Constants, characters that matter, words and numbers, one after the other."""
    rng, pool = sampler.rng, sampler.pool
    made: list[str] = []
    alphabet = pool.alphabet or list(" _-")
    for _ in range(rng.choice((2, 2, 3, 3, 4) if sampler.profile.tidy else (1, 2, 2, 3, 3, 4, 5, 7))):
        roll = rng.random()
        if sampler.profile.tidy and made and not made[-1][-1:].isalnum():
            # Signs stand between words.
            roll = 0.7 + 0.25 * roll
        if roll < 0.25 and spec.constants:
            made.append(rng.choice(spec.constants))
        elif roll < 0.5 and pool.texts:
            made.append(rng.choice(pool.texts))
        elif roll < 0.7:
            made.append(rng.choice(alphabet))
        elif roll < 0.9:
            made.append(rng.choice(WORDS))
        elif roll < 0.96:
            made.append(str(rng.randint(0, 99)))
        else:
            made.append(rng.choice(PUNCTUATION))
    return "".join(made)


def _related(sampler: Drawing) -> str:
    """Something of what was drawn before for the same input: the same, a part of it, or it in another case."""
    rng = sampler.rng
    made = str(rng.choice(sampler.seen))
    if not made:
        return made
    start = rng.randrange(len(made))
    return rng.choice(
        (made, made, made[start:], made[:start], made[start : start + 2], made.upper(), made.swapcase(), made + "s")
    )


def octets(sampler: Drawing, depth: int) -> bytes:
    """Bytes of a text; those that the body holds as constants come out as they are."""
    made = text(sampler, Text(), depth)
    while sampler.rng.random() < 0.3 and sampler.pool.texts:
        made += sampler.rng.choice(sampler.pool.texts)
    if sampler.rng.random() < 0.3 and sampler.pool.texts:
        made = "\0" * sampler.rng.choice((0, 1, 2, 4, 6, 8)) + sampler.rng.choice(sampler.pool.texts) + made
    return made.encode("utf-8" if any(ord(c) > 255 for c in made) else "latin-1", "replace")


def header(rng: Random, octets: list[int]) -> bytes:
    """Bytes that begin as the body asks for, or with any of the numbers that it takes bytes for."""
    usual = (0, 0, 0, 1, 255, *octets, *octets)
    count = rng.choice((1, 2, 4, 8, 12))
    made = [rng.choice(usual) if rng.random() < 0.85 else rng.randrange(256) for _ in range(count)]
    return bytes(made) + bytes(rng.choice((0, 0, 2, 8)))


def carried(sampler: Drawing, form: str, spec: Text, depth: int) -> str:
    """What the body reads out of a text, written as it reads it."""
    assert spec.content is not None, "there is something to write"
    return written(sampler, form, sampler.value(spec.content, depth + 1))


def written(sampler: Drawing, form: str, made: Any) -> str:
    """A value, or bytes, in one of the formats that hold some; what JSON can't hold is written as a text."""
    if form == "base64":
        data = made if isinstance(made, (bytes, bytearray)) else str(made).encode("utf-8", "replace")
        code = base64.urlsafe_b64encode(data) if sampler.rng.random() < 0.5 else base64.b64encode(data)
        return code.decode("ascii").rstrip("=" if sampler.rng.random() < 0.3 else "\n")
    try:
        return json.dumps(made)
    except (TypeError, ValueError):
        return json.dumps(str(made))


def _soup(rng: Random) -> str:
    """Words, numbers and signs in any order."""
    count = rng.randint(1, 8)
    return "".join(rng.choice((rng.choice(WORDS), rng.choice(PUNCTUATION), integer(rng))) for _ in range(count))


def _with_repeats(made: str, rng: Random) -> str:
    """The text with one of its signs several times in a row."""
    signs = [place for place, sign in enumerate(made) if not sign.isalnum() and not sign.isspace()]
    if not signs:
        return made
    place = rng.choice(signs)
    return made[:place] + made[place] * rng.choice((1, 2, 2, 3, 4, 6)) + made[place + 1 :]


def _vary(made: str, sampler: Drawing) -> str:
    rng = sampler.rng
    place = rng.randrange(len(made) + 1)
    letter = rng.choice(UNICODE) if sampler.pool.foreign else " "
    return rng.choice((
        made + " ", " " + made, made.upper(), made.lower(), made + "\n", made * 2, made[::-1], f'"{made}"', f"({made})",
        made[:place] + letter + made[place:], made[:place] + rng.choice(PUNCTUATION) + made[place:],
    ))  # fmt: skip
