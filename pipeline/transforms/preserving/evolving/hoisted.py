"""A1 to A8: a constant of the program is made by a library, once, at the top of its module."""

from __future__ import annotations

import ast
import base64
import datetime
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from pipeline.transforms.preserving.evolving.building import built, defined, imported, shadowed
from pipeline.transforms.preserving.evolving.growing import Growing, Site, functions, gone, origin_of
from pipeline.transforms.preserving.places import Slot, within

_ELSEWHERE = (ast.JoinedStr, ast.Expr, ast.Slice, ast.UnaryOp)
LEAST = 2
"""Nobody gives smaller whole numbers a name."""
LONGEST, LONGEST_SEALED = 40, 30
"""Characters of a text that a library makes at most, so that no line gets too long, and of one that is encrypted."""


@dataclass(frozen=True)
class _Way:
    """How a library makes a constant: what is imported, by what names the lines call it, and the lines, last the value.

    `lines` gives for a constant the text of statements in which `{CONST}` is the constant's new name, or None where it
    makes no such constant.
    """

    imports: tuple[tuple[str, str], ...]
    lines: Callable[[object, Random, dict[str, str]], str | None]


_ANY = Random(0)
"""Whether a constant can be made does not depend on what is drawn."""


class Hoisting:
    """A text or a whole number of a function is computed at the top of the module in place of being written."""

    code, name = "", ""
    way: _Way

    def sites(self, program: Growing) -> list[Site]:
        """The constants that the library can make."""
        return [Site(number) for number, *_ in self._found(program)]

    def apply(self, program: Growing, site: Site) -> None:
        """Compute the constant."""
        found = next(self._found(program, site.origin), None)
        if found is None:
            raise gone()
        _, tree, function, slot = found
        assert isinstance(slot.node, ast.Constant)
        value = slot.node.value
        names = {f"{module}.{name}".strip("."): imported(program, tree, module, name)
                 for module, name in self.way.imports}
        names["CONST"] = program.fresh_of(*_names(value, function.name))
        names["OTHER"] = program.fresh_of("TABLE", "SOURCE", "BASE", "HEADERS", "SAMPLE")
        names["KEY"] = program.fresh_of("KEY", "CIPHER_KEY", "SECRET")
        names["NONCE"] = program.fresh_of("NONCE", "COUNTER_START", "INITIAL_NONCE")
        text = self.way.lines(value, program.random, names)
        assert text is not None
        defined(tree, built(text))
        slot.put(ast.Name(names["CONST"], ast.Load()))

    def _found(
        self, program: Growing, origin: int | None = None
    ) -> Iterator[tuple[int, ast.Module, ast.FunctionDef, Slot]]:
        hidden = [tree for tree in program.trees if shadowed(tree) & {"int", "min", "bytes"}]
        for tree, function in functions(program):
            for slot in () if tree in hidden else within(function):
                number, node = origin_of(slot.node), slot.node
                if origin not in (None, number):
                    continue
                if isinstance(slot.owner, ast.Subscript) and type(getattr(node, "value", "")) is int:
                    continue
                if number is not None and isinstance(node, ast.Constant) and not isinstance(slot.owner, _ELSEWHERE) \
                        and type(node.value) in (int, str, bytes) and not _is_typing(slot.owner) and self.way.lines(
                            node.value, _ANY, dict.fromkeys(_EVERY, "x")):
                    yield number, tree, function, slot


_EVERY = (
    "CONST", "OTHER", "KEY", "NONCE", "base64", "Crypto.Cipher.AES", "datetime", "dateutil.parser.parse", "http.client",
    "io", "scipy.stats", "sklearn.utils.shuffle", "time",
)


def _is_typing(owner: ast.AST) -> bool:
    """Whether a constant stands in what may be a type, in a pattern, or where it is asked which object it is."""
    if isinstance(owner, ast.Compare) and any(isinstance(one, (ast.Is, ast.IsNot)) for one in owner.ops):
        return True
    return isinstance(owner, (ast.pattern, ast.match_case, ast.FormattedValue)) or (
        isinstance(owner, ast.Subscript) and getattr(owner.value, "id", getattr(owner.value, "attr", "")) == "Literal")


def _names(value: object, function: str) -> tuple[str, ...]:
    about = function.strip("_").upper()
    if isinstance(value, int):
        return "LIMIT", "OFFSET", "STEP", "WIDTH", "DEFAULT_SIZE", f"{about}_LIMIT"
    if isinstance(value, str) and value.isidentifier() and len(value) < 20:
        return f"{value.strip('_').upper() or 'TEXT'}_KEY", f"{value.strip('_').upper() or 'TEXT'}_TEXT"
    return "MARKER", "SEPARATOR", "TOKEN", "DELIMITER", f"{about}_MARKER"


def _in_base64(value: object, _random: Random, names: dict[str, str]) -> str | None:
    if not _is_text(value, str, bytes):
        return None
    data = value.encode("utf-8") if isinstance(value, str) else value
    assert isinstance(data, bytes)
    behind = ".decode('utf-8')" if isinstance(value, str) else ""
    return f"{names['CONST']} = {names['base64']}.b64decode({base64.b64encode(data)!r}){behind}"


def _in_cipher(value: object, random: Random, names: dict[str, str]) -> str | None:
    if not _is_text(value, str, bytes) or len(value) > LONGEST_SEALED:  # type: ignore[arg-type]
        return None
    data = f"{value!r}.encode('utf-8')" if isinstance(value, str) else repr(value)
    behind = ".decode('utf-8')" if isinstance(value, str) else ""
    aes = names["Crypto.Cipher.AES"]
    made = f"{aes}.new({names['KEY']}, {aes}.MODE_CTR, nonce={names['NONCE']})"
    return "\n".join((
        f"{names['KEY']} = bytes.fromhex('{random.randbytes(16).hex()}')",
        f"{names['NONCE']} = bytes.fromhex('{random.randbytes(8).hex()}')",
        f"{names['OTHER']} = {made}.encrypt({data})", f"{names['CONST']} = {made}.decrypt({names['OTHER']}){behind}"))


def _by_dates(value: object, random: Random, names: dict[str, str]) -> str | None:
    if type(value) is not int or not LEAST <= value <= 20_000:
        return None
    first = datetime.date(random.randint(1960, 2020), random.randint(1, 12), random.randint(1, 28))
    last, of = first + datetime.timedelta(days=value), names["datetime"]
    ways = [
        f"({of}.date{last.year, last.month, last.day} - {of}.date{first.year, first.month, first.day}).days",
        f"{of}.timedelta(days={value}).days",
    ]
    if value % 24 == 0:
        ways.append(f"{of}.timedelta(hours={24 * value}).days")
    return f"{names['CONST']} = {random.choice(ways)}"


def _by_parsing(value: object, random: Random, names: dict[str, str]) -> str | None:
    if type(value) is not int or not LEAST <= value <= 59:
        return None
    parse = names["dateutil.parser.parse"]
    day = f"2021-{random.randint(1, 12):02d}-{random.randint(1, 28):02d}"
    ways = [f"{parse}('{day} {random.randint(0, 23):02d}:{value:02d}').minute"]
    if value < 24:
        ways.append(f"{parse}('{day}T{value:02d}:00:00').hour")
    if 1 <= value <= 28:
        ways.append(f"{parse}('2021-{random.randint(1, 12):02d}-{value:02d}').day")
    return f"{names['CONST']} = {random.choice(ways)}"


def _by_headers(value: object, random: Random, names: dict[str, str]) -> str | None:
    fields = ["X-Limit", "Max-Forwards", "X-Depth"]
    if isinstance(value, str):
        fields = ["Separator", "X-Default", "X-Marker"]
    if isinstance(value, str):
        if not _is_text(value, str) or not value.isascii() or not value.isprintable() or value != value.strip():
            return None
    elif type(value) is not int or not LEAST <= value <= 10**6:
        return None
    field = random.choice(fields)
    told = f"{field}: {value}\r\n\r\n".encode()
    read = f"{names['OTHER']}[{field!r}]"
    given = read if isinstance(value, str) else f"int({read})"
    return f"{names['OTHER']} = {names['http.client']}.parse_headers({names['io']}.BytesIO({told!r}))\n" \
        f"{names['CONST']} = {given}"


def _by_statistics(value: object, random: Random, names: dict[str, str]) -> str | None:
    if type(value) is not int or not LEAST <= value <= 10_000:
        return None
    step = random.randint(1, 5)
    sample = [value - step, value, value + step]
    call = random.choice(["tmean", "scoreatpercentile"])
    further = ", 50" if call == "scoreatpercentile" else ""
    return f"{names['CONST']} = int({names['scipy.stats']}.{call}({sample}{further}))"


def _by_shuffling(value: object, random: Random, names: dict[str, str]) -> str | None:
    if type(value) is not int or not LEAST <= value <= 10_000:
        return None
    sample = sorted({value, *(value + random.randint(1, 9) for _ in range(3))})
    shuffle = names["sklearn.utils.shuffle"]
    return f"{names['OTHER']} = {shuffle}({sample}, random_state={random.randint(0, 99)})\n" \
        f"{names['CONST']} = min({names['OTHER']})"


def _by_clock(value: object, random: Random, names: dict[str, str]) -> str | None:
    if type(value) is not int or not LEAST <= value <= 59:
        return None
    ways = [f"{names['time']}.strptime('{random.randint(0, 23):02d}:{value:02d}', '%H:%M').tm_min",
            f"{names['time']}.gmtime({value + 60 * random.randint(1, 50)}).tm_sec"]
    return f"{names['CONST']} = {random.choice(ways)}"


def _is_text(value: object, *kinds: type) -> bool:
    if not isinstance(value, kinds) or not value or len(value) > LONGEST:  # type: ignore[arg-type]
        return False
    return not isinstance(value, str) or not any(0xD800 <= ord(letter) < 0xE000 for letter in value)


class AddBase64(Hoisting):
    """A text comes out of base64."""

    code, name = "A1", "AddBase64"
    way = _Way((("base64", ""),), _in_base64)


class AddCrypto(Hoisting):
    """A text is encrypted and decrypted again, by AES of pycryptodome, which the runtime has."""

    code, name = "A2", "AddCrypto"
    way = _Way((("Crypto.Cipher", "AES"),), _in_cipher)


class AddDatetime(Hoisting):
    """A whole number is the difference of two dates, or a duration in other units."""

    code, name = "A3", "AddDatetime"
    way = _Way((("datetime", ""),), _by_dates)


class AddDateutil(Hoisting):
    """A small whole number is parsed from a date."""

    code, name = "A4", "AddDateutil"
    way = _Way((("dateutil.parser", "parse"),), _by_parsing)


class AddHttp(Hoisting):
    """A text or a whole number is read from the headers of a message; nothing is ever connected."""

    code, name = "A5", "AddHttp"
    way = _Way((("http.client", ""), ("io", "")), _by_headers)


class AddScipy(Hoisting):
    """A whole number is the mean or the median of a sample around it."""

    code, name = "A6", "AddScipy"
    way = _Way((("scipy.stats", ""),), _by_statistics)


class AddSklearn(Hoisting):
    """A whole number is the least of a shuffled sample, whatever its order."""

    code, name = "A7", "AddSklearn"
    way = _Way((("sklearn.utils", "shuffle"),), _by_shuffling)


class AddTime(Hoisting):
    """A small whole number is a part of a time of day; the clock is not read."""

    code, name = "A8", "AddTime"
    way = _Way((("time", ""),), _by_clock)
