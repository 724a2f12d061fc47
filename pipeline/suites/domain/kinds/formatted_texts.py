"""Texts in a format, with constants of the body where the format has room for them."""

from __future__ import annotations

import re
from random import Random

from pipeline.suites.domain.drawing import Drawing
from pipeline.suites.domain.formats.notations import GRAMMARS, in_format, written_as
from pipeline.suites.domain.formats.words import WORDS
from pipeline.suites.domain.kinds.numbers import moment_of

MAX_SUFFIX = 8
"""Characters of a constant that may be the suffix of a file's name."""


_ODD_NUMBERS = {
    "integer": ("1_000", " 7 ", "+5", "-0", "007", "1e3", "2.0", "0x1f"),
    "number": ("1_000", " 7.5 ", "+5", "-0.0", "007", "1e3", ".5", "5.", "inf", "-Infinity", "nan"),
}
"""Texts of numbers that are read as such, or nearly, though hardly anybody writes them."""


def formatted(name: str, sampler: Drawing) -> str:
    """A text in a format, made of the body's constants now and then."""
    rng, pool = sampler.rng, sampler.pool
    if sampler.profile.ordinary and name == "integer" and rng.random() < 0.9:
        return str(rng.randint(0, rng.choice((9, 59, 99, 2000))))
    made = in_format(name, rng, breaking=not sampler.profile.tidy)
    if sampler.near and name.startswith("date:"):
        return written_as(moment_of(sampler, "datetime"), name[5:])
    if name in GRAMMARS and rng.random() < 0.6:
        return GRAMMARS[name](rng, pool)
    if name == "path" and not sampler.profile.tidy and pool.catches("ValueError") and rng.random() < 0.04:
        return f"{made}\0"
    endless = name in ("integer", "number") and not sampler.profile.tidy and (pool.huge or pool.special)
    if endless and rng.random() < 0.08:
        whole = ("9" * 16, "-" + "9" * 16, "9" * 30)
        return rng.choice(whole if name == "integer" else ("inf", "-inf", "nan", "1e400"))
    if sampler.profile.corners and name in _ODD_NUMBERS and rng.random() < 0.06:
        return rng.choice(_ODD_NUMBERS[name])
    if name == "path" and pool.texts and rng.random() < 0.4:
        return _named_after(made, rng.choice(pool.texts), rng)
    return _url(made, sampler) if name == "url" and pool.texts and rng.random() < 0.6 else made


def _url(made: str, sampler: Drawing) -> str:
    """A URL with a scheme, a host, parts of a path or a name of the query that the body asks for."""
    rng, pool = sampler.rng, sampler.pool
    hosts = [known for known in pool.texts if "." in known.strip(".") and "/" not in known and " " not in known]
    schemes = [known for known in pool.texts if _SCHEME.fullmatch(known)] or ["https"]
    if rng.random() < 0.3:
        return f"{made.split('?')[0]}?{rng.choice(pool.keys or pool.texts)}={rng.choice(WORDS)}"
    parts = [rng.choice((rng.choice(WORDS), rng.choice(pool.texts).strip("/"), str(rng.randint(0, 20))))
             for _ in range(rng.choice((0, 1, 2, 2, 3, 4)))]
    host = rng.choice(hosts) if hosts and rng.random() < 0.8 else "example.com"
    host = rng.choice(("", "", "ada:secret@", "ada@")) + host + rng.choice(("", "", ":8080"))
    return "/".join([f"{rng.choice(('https', 'http', rng.choice(schemes)))}://{host}", *parts])


_SCHEME = re.compile(r"[a-z][a-z0-9]{0,11}([+-][a-z0-9]{1,11})?")


def _named_after(path: str, constant: str, rng: Random) -> str:
    """A path with a constant of the body as its suffix, its last part or one of its folders."""
    folder, slash, name = path.rpartition("/")
    stem = name.split(".")[0] or "a"
    plain = constant.lstrip(".")
    if plain.isalnum() and len(plain) <= MAX_SUFFIX and rng.random() < 0.7:
        return f"{folder}{slash}{stem}.{plain}"
    return f"{folder}{slash}{constant}" if rng.random() < 0.6 else f"{constant}/{name}"


def cased(made: str, rng: Random) -> str:
    """A text in another case, or between blanks."""
    mixed = "".join(rng.choice((c.upper(), c.lower())) for c in made)
    return rng.choice((made.upper(), made.title(), made.swapcase(), f" {made} ", mixed))
