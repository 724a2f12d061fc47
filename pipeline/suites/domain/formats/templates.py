"""Notations that prose shows with names for what varies: ``host[:port]``, `<user>@<host>`, `key=value`."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from pipeline.suites.rules import finds

PREFIX = "template:"
"""What stands before the notation in the name of a format."""
MOST = 4
_QUOTED = re.compile(r"``([^`\n]{3,60})``|`([^`\n]{3,60})`|(?<![\w'])'([^'\n]{3,60})'(?![\w'])|\"([^\"\n]{3,60})\"")
_NAMED = re.compile(r"<([A-Za-z][\w -]*)>|\{([A-Za-z_]\w*)\}|([A-Za-z]+)")
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")
_SIGNS = re.compile(r"[:/@=.,;|#?&+-]")


@finds("words: templates", tuple)
def templates(words: str) -> tuple[str, ...]:
    """The names of the formats that a text shows, at most `MOST` of them."""
    found = [next(group for group in match.groups() if group) for match in _QUOTED.finditer(words)]
    return tuple(dict.fromkeys(PREFIX + one for one in found if _is_notation(one)))[:MOST]


def _is_notation(text: str) -> bool:
    """Whether a text has signs between names that vary, and nothing that code has."""
    if (" " in text and not re.search(r"<[a-z]", text)) or re.search(r"[()\\^$*]|\.\.\.|[\[\]]{2}", text):
        return False
    inside = _OPTIONAL.sub(r"\1", text)
    if re.search(r"[\[\]]", inside) or not _SIGNS.search(re.sub(r"[<>{}]", "", inside)):
        return False
    if not re.search(r"[<{]", inside) and not (inside[0].isalnum() and inside[-1].isalnum()):
        # Such as `user:password@` is a part of something longer.
        return False
    names = list(_NAMED.finditer(inside))
    marked = [one for one in names if one.group(1) or one.group(2)]
    known = [one for one in names if one.group(3) and one.group(3).lower() in _KINDS]
    optional = re.search(r"\[[:/@=.,;|#?&+-]", text) is not None
    # A dotted name is one of the code.
    plain = re.fullmatch(r"[\w.]+", inside) is not None
    return (bool(marked) and not plain) or (bool(known) and not plain and (optional or len(known) == len(names) > 1))


def from_template(template: str, rng: Random) -> str:
    """A text in the notation: what is optional is left out at times, and each name stands for something else."""
    kept = _OPTIONAL.sub(lambda found: found.group(1) if rng.random() < 0.6 else "", template)
    return _NAMED.sub(lambda found: _stand_in(found, rng), kept)


def _stand_in(found: re.Match[str], rng: Random) -> str:
    marked = found.group(1) or found.group(2)
    name = (marked or found.group(3)).lower()
    parts = [part for part in re.split(r"[^a-z]+", name) if part]
    for part in (name, *reversed(parts)):
        if part in _KINDS:
            return _KINDS[part](rng)
    return _word(rng) if marked else found.group()


_WORDS = tuple("alpha beta main web data user cache north report value item blue one demo test".split())


def _word(rng: Random) -> str:
    return rng.choice(_WORDS) + rng.choice(("", "", "", "1", "2", "-x", "_2"))


def _path(rng: Random) -> str:
    return "/".join(_word(rng) for _ in range(rng.choice((1, 2, 3))))


def _number(low: int, high: int) -> Callable[[Random], str]:
    return lambda rng: str(rng.randint(low, high))


def _two(low: int, high: int) -> Callable[[Random], str]:
    return lambda rng: f"{rng.randint(low, high):02}"


def _host(rng: Random) -> str:
    """A name or an address of a machine."""
    roll = rng.random()
    if roll < 0.15:
        return rng.choice(("localhost", "example.com", "Example.ORG", "db.internal"))
    if roll < 0.3:
        return ".".join(str(rng.randint(0, 255)) for _ in range(4))
    if roll < 0.4:
        return rng.choice(("[::1]", f"[2001:db8::{rng.randint(1, 9999)}]", f"[fe80::{rng.randint(1, 99)}]"))
    name = ".".join(_word(rng).replace("_", "-") for _ in range(rng.choice((1, 1, 2))))
    return f"{name}.{rng.choice(('com', 'org', 'io', 'co.uk', 'local'))}"


def _port(rng: Random) -> str:
    return rng.choice(("80", "443", "8080", str(rng.randint(1, 65535)), str(rng.randint(1, 65535)), "0", "65536"))


_KINDS: dict[str, Callable[[Random], str]] = {
    **dict.fromkeys("host hostname domain server netloc".split(), _host),
    **dict.fromkeys("origin url base".split(), lambda rng: f"https://{_host(rng)}"),
    "port": _port,
    **dict.fromkeys("number num count id index n".split(), _number(0, 120)),
    **dict.fromkeys("major minor patch".split(), _number(0, 12)),
    "version": lambda rng: ".".join(str(rng.randint(0, 12)) for _ in range(rng.choice((2, 3, 3)))),
    "scheme": lambda rng: rng.choice(("http", "https", "ftp", "s3")),
    **dict.fromkeys("path dir folder prefix".split(), _path),
    **dict.fromkeys("ext extension suffix".split(), lambda rng: rng.choice(("txt", "csv", "tar", "py"))),
    **dict.fromkeys(
        "name key value tag user username owner repo org package project model provider namespace group label password"
        " file field column table schema database db branch type kind word text bucket image".split(), _word),
    **dict.fromkeys("yyyy year".split(), _number(1970, 2030)),
    **dict.fromkeys("hh hour hours".split(), _two(0, 23)),
    **dict.fromkeys("ss minute minutes second seconds".split(), _two(0, 59)),
    **dict.fromkeys("mm month".split(), _two(1, 12)),
    **dict.fromkeys("dd day".split(), _two(1, 28)),
}
"""What stands for a name in a notation."""
