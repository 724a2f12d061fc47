"""Generators of texts in common formats: numbers, dates, URLs, JSON, markup, code."""

from __future__ import annotations

import base64
import datetime
import json
import re
from collections.abc import Callable
from random import Random

from pipeline.suites.domain.formats.words import WORDS, integer, number, value, words
from pipeline.suites.domain.pool import Pool
from pipeline.suites.rules import applies, declare

_HOSTS = tuple("example.com www.example.org sub.domain.co.uk localhost test.io 192.168.0.1 api.example.net".split())
_NAMES = tuple("name id key value title count user total x a item data first color maxSize parent_id Type".split())


def moment(rng: Random) -> datetime.datetime:
    """A moment between 1970 and 2039, often at the start of a day, a month or a year, or at a full minute."""
    date = datetime.datetime(rng.randint(1970, 2039), rng.randint(1, 12), rng.randint(1, 28))
    if rng.random() < 0.15:
        date = date.replace(month=rng.choice((1, 2, 12)), day=rng.choice((1, 28)))
    if rng.random() < 0.1:
        date = datetime.datetime(rng.choice((2000, 2020, 2024)), 2, 29)
    if rng.random() < 0.7:
        date = date.replace(hour=rng.randint(0, 23), minute=rng.randint(0, 59))
        date = date.replace(second=rng.randint(0, 59)) if rng.random() < 0.6 else date
    return date


def written_as(when: datetime.datetime, pattern: str) -> str:
    """This moment in a strptime format; without a zone it is one of UTC."""
    return when.strftime(pattern.replace("%z", "+0000").replace("%Z", "UTC"))


def iso(rng: Random) -> str:
    """A date or a moment as ISO 8601 writes it."""
    when = moment(rng)
    text = when.isoformat()
    return rng.choice((text, when.date().isoformat(), when.isoformat(" "), *(text + end for end in _ENDS)))


_ENDS = ("Z", "+02:00", ".123456")


def _json(rng: Random) -> str:
    made = value(rng, 3) if rng.random() < 0.4 else {rng.choice(WORDS): value(rng) for _ in range(rng.randint(0, 4))}
    return json.dumps(made, indent=rng.choice((None, None, 2)))


_MALFORMED = 0.06
"""How many URLs have a host or a port of an odd form, most of them none that a parser takes."""


def _url(rng: Random) -> str:
    scheme = rng.choice(("http://", "https://", "https://", "ftp://", "", "//"))
    user = rng.choice(("", "", "", "", "user:pass@", "user@"))
    port = rng.choice(("", "", ":8080", ":443"))
    host = rng.choice(_HOSTS)
    if rng.random() < _MALFORMED:
        host, port = rng.choice((("[::1]", port), ("[::1", ""), (host, ":99999"), (host, ":port"), ("::1]", "")))
    path = "".join("/" + rng.choice(WORDS) for _ in range(rng.randint(0, 3)))
    tail = rng.choice(("", "/", ".html", "?" + _query(rng), "#" + rng.choice(WORDS), f"?{_query(rng)}#top"))
    return scheme + user + host + port + path + tail


def _query(rng: Random) -> str:
    parts = (rng.choice((rng.choice(WORDS), integer(rng), "", "a%20b")) for _ in range(rng.randint(1, 3)))
    return "&".join(f"{rng.choice(WORDS)}={part}" for part in parts)


_FOLDERS = ("..", ".", "src", "src", "docs", "tests", "home", "my file", ".hidden", "report", "image")


def _path(rng: Random) -> str:
    separator = "\\" if rng.random() < 0.04 else "/"
    parts = [rng.choice((*WORDS[:20], *_FOLDERS)) for _ in range(rng.randint(0, 3))]
    parts.append(rng.choice((*WORDS[:20], *_FOLDERS[2:])))
    suffix = rng.choice(("", ".txt", ".py", ".tar.gz", ".JSON", ".csv", "/", ".html"))
    lead = "C:\\" if separator == "\\" else rng.choice(("", "", "", "/", "/", "./", "../", "~/"))
    return lead + separator.join(parts) + suffix


def _version(rng: Random) -> str:
    parts = ".".join(str(rng.randint(0, 20)) for _ in range(rng.choice((1, 2, 3, 3, 3, 4))))
    tail = rng.choice(("", "", "", "a1", "b2", "rc1", ".dev0", "-alpha", "+build5", ".post1"))
    return rng.choice(("", "", "", "v")) + parts + tail


def _hex(rng: Random) -> str:
    return "".join(rng.choice("0123456789abcdef") for _ in range(2 * rng.randint(0, 8)))


def _colour(rng: Random) -> str:
    digits = "".join(rng.choice("0123456789abcdefABCDEF") for _ in range(rng.choice((3, 4, 6, 6, 6, 8))))
    return rng.choice(("#", "#", "#", "", "0x")) + digits


_ATTRIBUTES = tuple("real imag numerator denominator year month day start stop name missing".split())
"""Names of attributes, most of which plain values have."""


_PATTERNS = (r"\d+", "a|b", "^foo.*$", "[a-z]+", "(x)(y)?", r"\w+@\w+", "plain", "a.c", "(", "*")


def _percent(rng: Random) -> str:
    """A text with percent signs for some of its characters, several times over now and then."""
    made = words(rng).replace(" ", rng.choice(("%20", "+", "%2F", "%zz", "%C3%A9")))
    for _ in range(rng.choice((0, 0, 0, 1, 2, 3, 4))):
        made = made.replace("%", "%25")
    return made


ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Asia/Tokyo")


def _expression(rng: Random) -> str:
    text = rng.choice((str(rng.randint(0, 20)), "x", "2.5"))
    for _ in range(rng.randint(0, 4)):
        text = rng.choice((f"{text} {rng.choice('+-*/^%')} {rng.randint(0, 9)}", f"({text})", f"-{text}", f"{text}*x"))
    return text


def lines(rng: Random) -> str:
    """A few lines, some blank, some indented, some with a key and a value, some that are headings or lists."""
    made = []
    for _ in range(rng.randint(1, 5)):
        text, word = words(rng), rng.choice(WORDS)
        made.append(rng.choice((
            text, text, "", f"  {text}", f"{word}: {text}", f"- {text}", f"# {text}", f"{word}={integer(rng)}",
            f"\t{text}", f"{rng.randint(1, 9)}. {text}", f"{text} ",
        )))  # fmt: skip
    return "\n".join(made) + rng.choice(("", "", "\n", "\n\n"))


FORMATS: dict[str, Callable[[Random], str]] = {
    "integer": integer, "number": number, "datetime-iso": iso, "json": _json, "url": _url, "path": _path,
    "version": _version, "hex": _hex, "hex-colour": _colour, "percent": _percent, "expression": _expression,
    "xml": lambda rng: xml(rng, Pool()), "code": lambda rng: code(rng, Pool()),
    "regex": lambda rng: rng.choice(_PATTERNS),
    "base64": lambda rng: base64.b64encode(words(rng).encode()).decode(),
    "codec": lambda rng: rng.choice(("utf-8", "utf-8", "ascii", "latin-1", "utf-16", "cp1252", "no-such-codec")),
    "attribute": lambda rng: rng.choice(_ATTRIBUTES),
    "identifier": lambda rng: rng.choice(_NAMES) + rng.choice(("", "", "", "_id", "_1", "2", ".name")),
}  # fmt: skip
"""Each format by the name that specifications use."""
for _format in (*FORMATS, "date"):
    declare(f"format: {_format}", f"{__name__}.in_format")


def in_format(name: str, rng: Random, breaking: bool = True) -> str:
    """A text in the format of that name; `date:` is followed by a strptime format. Now and then slightly broken."""
    if not applies(f"format: {name.partition(':')[0]}"):
        return words(rng)
    made = written_as(moment(rng), name[5:]) if name.startswith("date:") else FORMATS[name](rng)
    if rng.random() < (0.08 if breaking else 0.02) and made:
        place = rng.randrange(len(made))
        # A sign more in a date makes it one of another age.
        signs = "x!. " if name.startswith("date:") else "x-!. "
        made = rng.choice((made[:place], made[:place] + rng.choice(signs) + made[place:], made + " ", " " + made))
    return made


def notation(example: str) -> str:
    """A regular expression of the texts that look like an example: other digits and letters, the same signs."""
    runs = re.findall(r"[0-9]+|[a-z]+|[A-Z]+|[^0-9a-zA-Z]", example)
    return "".join(_run(run) for run in runs)


def _run(run: str) -> str:
    if not (run.isascii() and run.isalnum()):
        return re.escape(run)
    name = "[0-9]" if run.isdigit() else "[a-z]" if run.islower() else "[A-Z]"
    return name if len(run) == 1 else f"{name}{{{len(run)}}}"


def like(example: str, rng: Random) -> str:
    """A text in the notation of an example: numbers become other numbers, some of the words become other words."""

    def other(match: re.Match[str]) -> str:
        run = match.group()
        if run.isdigit() and run[0] != "0":
            return str(rng.randint(10 ** (len(run) - 1) if len(run) > 1 else 0, 10 ** len(run) - 1))
        if run.isdigit():
            return "".join(rng.choice("0123456789") for _ in run)
        if rng.random() < 0.5:
            return run
        word = rng.choice(WORDS) if len(run) > 1 else rng.choice("abcxyz")
        return word.upper() if run.isupper() else word.capitalize() if run[0].isupper() else word.lower()

    return re.sub(r"[0-9]+|[a-zA-Z]+", other, example)


def _names(pool: Pool) -> list[str]:
    known = [text for text in (*pool.keys, *pool.texts) if text.replace("-", "_").replace(":", "_").isidentifier()]
    return list(dict.fromkeys(known)) or ["item", "name", "p", "div", "a"]


def _value(rng: Random, pool: Pool) -> str:
    known = pool.texts or list(WORDS)
    return rng.choice((rng.choice(known), rng.choice(known), rng.choice(WORDS), str(rng.randint(0, 99)), "1.5", ""))


def xml(rng: Random, pool: Pool) -> str:
    """Elements in each other, their tags and attributes among the names that the body asks for."""
    names = _names(pool)
    attributes = [name for name in names if name in pool.keys]
    tags = [name for name in names if name not in pool.keys]
    return _element(rng, pool, (tags or names, attributes or names), 0)


def _element(rng: Random, pool: Pool, names: tuple[list[str], list[str]], depth: int) -> str:
    tag = rng.choice(names[0]) if depth or rng.random() < 0.5 else "root"
    tag = tag.replace(":", "_")
    attributes = "".join(
        f' {name.replace(":", "_")}="{_escaped(_value(rng, pool))}"'
        for name in rng.sample(names[1], min(len(names[1]), rng.choice((0, 0, 1, 1, 2)))))
    if depth < 3 and rng.random() < (0.97, 0.6, 0.3)[depth]:
        inner = "".join(_element(rng, pool, names, depth + 1) for _ in range(rng.choice((1, 2, 2, 3))))
    else:
        inner = _escaped(_value(rng, pool))
    return f"<{tag}{attributes}>{inner}</{tag}>" if inner or rng.random() < 0.5 else f"<{tag}{attributes}/>"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def code(rng: Random, pool: Pool) -> str:
    """Statements of Python with names and texts that the body asks for."""
    names = [*(word for word in _names(pool) if word.isidentifier()), "x", "main", "data"]
    return "".join(_statement(rng, names, "", 0) for _ in range(rng.choice((1, 1, 2, 3))))


_LEAVES = (
    "{a} = {n}", "{a}: int = {n}", "{a}, {b} = {n}, {m}", "{a} += {n}", "{a}({b}, key={n})", "{a}.{b}({n})",
    "import {a}", "from {a} import {b} as {c}", "from . import {a}", "assert {a}",
    "raise {a}({b!r})", "del {a}", "pass", "{a!r}", "# {a} {b}",
    "{a} = {b!r}", "{a} = [{n}, {m}]", "{a} = {{{b!r}: {n}}}", "{a} = {b}.{c}", "{a}[{b!r}] = {n}",
    "print(f'{{{a}}}')",
    "{a} = {b} if {c} else None",
    "{a} = [{b} for {b} in {c} if {b} > {n}]",
    "{a} = lambda {b}: {b}", "{a} = ({b}, {c})",
    "__all__ = [{a!r}, {b!r}]", "{a} = {b}({c!r})", "{a} = {n} + {m}", "type({a}) == {b}", "{a} = not {b} or {c}",
)  # fmt: skip
_BLOCKS = (
    "if {a}:", "if {a} == {b!r}:", "for {a} in {b}:", "while {a}:", "with {a}({b!r}) as {c}:", "try:", "class {A}:",
    "class {A}({B}):", "def {a}({b}, {c}={n}):", "def {a}(self) -> {b}:", "async def {a}():", "@{a}\n{i}def {b}():",
    "def {a}(*args, **kwargs):", "def {a}_{b}():", 'if __name__ == "__main__":', "@{a}({b!r})\n{i}class {A}:",
)  # fmt: skip


def _statement(rng: Random, names: list[str], indent: str, depth: int) -> str:
    a, b, c = (rng.choice(names) for _ in range(3))
    words = {"a": a, "b": b, "c": c, "A": a.title(), "B": b.title(), "n": rng.randint(0, 9), "m": rng.randint(0, 99),
             "i": indent}
    if depth > 2 or rng.random() < 0.3 + 0.2 * depth:
        return f"{indent}{rng.choice(_LEAVES).format(**words)}\n"
    head = rng.choice(_BLOCKS)
    inner = "".join(_statement(rng, names, indent + "    ", depth + 1) for _ in range(rng.choice((1, 1, 2))))
    if "def " in head and rng.random() < 0.5:
        inner = f'{indent}    """{a} {b}."""\n' * rng.choice((0, 1)) + inner + f"{indent}    return {b}\n"
    made = f"{indent}{head.format(**words)}\n{inner}"
    if head == "try:":
        made += f"{indent}except {rng.choice((b.title(), 'ValueError', 'Exception as error'))}:\n{indent}    pass\n"
    elif head.startswith("if ") and rng.random() < 0.4:
        made += f"{indent}else:\n{_statement(rng, names, indent + '    ', 3)}"
    return made


GRAMMARS: dict[str, Callable[[Random, Pool], str]] = {"xml": xml, "code": code}
"""Each notation by the name of its format."""
