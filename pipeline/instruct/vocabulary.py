"""Words by which a description can tell a constant or an operation without writing it out."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass

from pipeline.languages.python.facts import Facts

SIGNS = {
    " ": "space whitespace word blank", "\n": "newline line", "\t": "tab whitespace", "\r": "line carriage newline",
    "-": "hyphen dash minus negative sign kebab", "_": "underscore snake", ".": "dot period decimal extension dotted",
    ",": "comma csv thousand", ":": "colon", ";": "semicolon", "/": "slash path fraction ratio", "\\": "backslash",
    "#": "hash pound hex number comment", "'": "quote apostrophe", '"': "quote", "`": "backtick",
    "*": "asterisk star wildcard glob multipl", "%": "percent", "@": "email decorator", "&": "ampersand",
    "=": "equal assign", "+": "plus add sign positive", "|": "pipe bar", "(": "parenthes bracket",
    ")": "parenthes bracket",
    "[": "bracket", "]": "bracket", "{": "brace bracket", "}": "brace bracket", "<": "angle tag less html xml",
    ">": "angle tag greater html xml", "~": "tilde", "$": "dollar", "!": "exclamation bang", "?": "question query",
    "^": "caret", "...": "ellipsis", "…": "ellipsis", "//": "slash url", "\n\n": "blank paragraph", "--": "dash option",
    "__": "underscore dunder", "0": "zero digit binary", "1": "one digit binary", "**": "asterisk star",
    "://": "scheme url",
}

NUMBERS = {
    2: "two twice double half pair even odd second square binary both", 3: "three third triple",
    4: "four fourth", 5: "five fifth", 6: "six", 7: "seven week day", 8: "eight byte bits octal", 9: "nine",
    10: "ten decimal tenth", 12: "twelve month noon hour", 16: "hex sixteen hexadecimal", 24: "hour day",
    26: "letter alphabet", 28: "february", 29: "february leap", 30: "month", 31: "month", 32: "fahrenheit",
    59: "minute second", 60: "minute second hour", 64: "base64", 90: "degree right", 97: "letter",
    100: "percent hundred century leap", 180: "degree radian half", 255: "byte rgb octet color colour", 256: "byte",
    360: "degree circle full", 365: "year day", 366: "leap year", 400: "leap gregorian", 1000: "thousand kilo milli",
    1024: "kib mib kilobyte bytes binary", 3600: "hour second", 86400: "day second", 1000000: "million micro",
    1048576: "mib megabyte mb", 0.5: "half",
}

TYPES = {
    "str": "str string text name", "int": "int integer number numeric", "float": "float number numeric real decimal",
    "bool": "bool boolean flag", "list": "list sequence iterable array", "tuple": "tuple sequence iterable pair",
    "dict": "dict dictionary mapping object json nested", "set": "set iterable collection",
    "bytes": "bytes binary byte",
    "frozenset": "set", "bytearray": "bytes bytearray binary", "complex": "complex", "Mapping": "mapping dict",
    "Sequence": "sequence list", "Iterable": "iterable list sequence", "Number": "number numeric",
    "datetime": "datetime date time timestamp", "date": "date day", "timedelta": "timedelta duration",
    "Decimal": "decimal",
    "ndarray": "array ndarray", "Series": "series column", "DataFrame": "frame dataframe table",
    "integer": "integer int",
}


@dataclass(frozen=True)
class Operation:
    """Something a body does that a reader can't guess; `words` are beginnings of words, one of which tells it."""

    name: str
    words: str
    found: Callable[[ast.AST], bool]


def _method(*names: str) -> Callable[[ast.AST], bool]:
    return lambda node: isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in names


def _function(*names: str) -> Callable[[ast.AST], bool]:
    return lambda node: isinstance(node, ast.Call) and (
        (isinstance(node.func, ast.Name) and node.func.id in names)
        or (isinstance(node.func, ast.Attribute) and ast.unparse(node.func) in names))


def _operator(*kinds: type[ast.operator]) -> Callable[[ast.AST], bool]:
    return lambda node: isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, kinds) and not (
        isinstance(node, ast.BinOp) and isinstance(node.left, (ast.Constant, ast.JoinedStr))
        and isinstance(getattr(node.left, "value", ""), str))


def _reversed_slice(node: ast.AST) -> bool:
    return isinstance(node, ast.Slice) and node.step is not None and ast.unparse(node.step) == "-1"


def _bare_method(name: str) -> Callable[[ast.AST], bool]:
    return lambda node: _method(name)(node) and isinstance(node, ast.Call) and not node.args


OPERATIONS = (
    Operation("strips", "strip trim whitespace blank space",
              _method("strip", "lstrip", "rstrip")),
    Operation("changes case", "case lower upper capital insensitiv title camel pascal snake kebab slug",
              _method("lower", "upper", "casefold", "title", "capitalize", "swapcase")),
    Operation("rounds", "round decimal precision nearest digit places", _function("round", "np.round", "numpy.round")),
    Operation("floors or ceils", "floor ceil integer whole round truncat down up", _function(
        "math.floor", "math.ceil", "floor", "ceil", "math.trunc", "trunc", "np.floor", "np.ceil")),
    Operation("divides whole numbers",
              "floor integer whole div half halv middle mid truncat round binary quotient number "
              "minute hour second bit per", _operator(ast.FloorDiv)),
    Operation("takes remainders", "mod remainder even odd every wrap cycl divis leap rotat circular left multiple gcd "
              "parity checksum luhn minute second alternat angle degree", _operator(ast.Mod)),
    Operation("works on bits", "bit shift mask xor binary byte flag power hex rgb colo",
              _operator(ast.LShift, ast.RShift, ast.BitXor)),
    Operation("sorts", "sort order rank ascend descend alphabet top largest smallest highest lowest median quantile "
              "percentile lexic priorit canonical "
              "longest shortest oldest newest", lambda node: _function("sorted")(node) or _method("sort")(node)),
    Operation("takes absolute values",
              "absolute abs distance magnitude differ deviat sign positive norm error negative "
              "close toleran", _function("abs", "math.fabs", "np.abs", "fabs")),
    Operation("reverses",
              "revers backward last end right opposite inver bottom descend suffix latest trailing palindrom "
              "tail", lambda node: _function("reversed")(node) or _method("reverse")(node) or _reversed_slice(node)),
    Operation("splits at whitespace", "word whitespace token space split", _bare_method("split")),
    Operation("splits lines", "line newline multiline", _method("splitlines")),
    Operation("tests characters", "digit number numeric alpha letter upper lower alnum character identifier word space "
              "whitespace integer capital case", _method(
                  "isdigit", "isalpha", "isalnum", "isupper", "islower", "isspace", "isnumeric", "isdecimal",
                  "isidentifier", "istitle")),
    Operation("normalises Unicode", "unicode accent diacrit ascii nfc nfd nfkc nfkd", _function(
        "unicodedata.normalize", "normalize")),
    Operation("pads",
              "pad align width fill justif center zero fixed column", _method("zfill", "ljust", "rjust", "center")),
    Operation("limits", "max min clip clamp cap limit least most bound larg small between range floor ceil never "
              "negativ high low long short best close up tight overlap greater less end start first last",
              lambda node: (
                  _function("min", "max")(node) and isinstance(node, ast.Call) and len(node.args) > 1)),
    Operation("takes logarithms or roots", "log root sqrt exp norm distance euclid entropy decibel geometric deviation "
              "std power magnitude perplex radius length", _function(
                  "math.log", "math.sqrt", "math.exp", "math.log2", "math.log10", "np.log", "np.sqrt", "np.exp",
                  "sqrt")),
    Operation("counts",
              "count frequen number occur common histogram most repeat mode distribut how many duplic multiset "
              "unique tally", _function("Counter", "collections.Counter")),
    Operation("removes duplicates",
              "uniq duplic distinct set common shared overlap intersect union differ member jaccard "
              "once repeat disjoint missing extra", lambda node: _is_set_of_something(node)),
    Operation("copies deeply", "copy copies deep new original without modif mutat unchanged", _function(
        "copy.deepcopy", "deepcopy")),
    Operation("escapes", "escap quot html xml entit encod url safe sanit", _function(
        "html.escape", "html.unescape", "quote", "unquote", "urllib.parse.quote")),
    Operation("hashes", "hash digest sha md5 fingerprint checksum", _function(
        "hashlib.sha256", "hashlib.md5", "hashlib.sha1", "sha256", "md5", "sha1")),
    Operation("writes JSON", "json serial dump encod pretty", _function("json.dumps", "dumps")),
)


def _is_set_of_something(node: ast.AST) -> bool:
    return isinstance(node, ast.SetComp) or (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("set", "frozenset")
        and bool(node.args))


def tells(text: str, beginnings: str) -> bool:
    """Whether a text, in lower case, has a word that begins with one of the beginnings."""
    return re.search(rf"(?<![a-z])(?:{'|'.join(map(re.escape, beginnings.split()))})", text) is not None


def operations_found(facts: Facts) -> list[tuple[Operation, list[ast.AST]]]:
    """The operations of a body, each with its places."""
    found = [(operation, [node for node in facts.nodes if operation.found(node) and not _only_tested(node, facts)])
             for operation in OPERATIONS]
    return [(operation, places) for operation, places in found if places]


def untold_operations(facts: Facts, intent: str, told: frozenset[str] = frozenset()) -> list[str]:
    """The names of the operations of a body that a text, in lower case, tells by none of their words.

    What is done for conditions that are told (their sources are in `told`) needs no further word.
    """
    within = {id(child) for node in facts.nodes if isinstance(node, ast.expr) and ast.unparse(node) in told
              for child in ast.walk(node)} if told else set()
    return [operation.name for operation, places in operations_found(facts)
            if not tells(intent, operation.words) and any(id(place) not in within for place in places)]


def _only_tested(node: ast.AST, facts: Facts) -> bool:
    """Whether a call stands inside an error message, or a set is only counted or asked for its elements."""
    for other in facts.nodes:
        if isinstance(other, ast.Raise) and any(child is node for child in ast.walk(other)):
            return True
        if isinstance(other, ast.Compare) and any(isinstance(op, (ast.In, ast.NotIn)) for op in other.ops) and any(
                child is node for child in other.comparators):
            return True
        if isinstance(other, ast.Compare) and any(
                isinstance(side, ast.Call) and ast.unparse(side.func) == "len" and side.args[0] is node
                for side in (other.left, *other.comparators) if _is_set_of_something(node)):
            return True
        if isinstance(other, ast.Assign) and other.value is node and isinstance(other.targets[0], ast.Name):
            return _only_asked(other.targets[0].id, facts)
    return False


def _only_asked(name: str, facts: Facts) -> bool:
    """Whether a local name serves for membership tests alone, and gets elements at most."""
    reads = {id(node) for node in facts.nodes if isinstance(node, ast.Name) and node.id == name and isinstance(
        node.ctx, ast.Load)}
    asked = {id(side) for node in facts.nodes if isinstance(node, ast.Compare) and any(
        isinstance(op, (ast.In, ast.NotIn)) for op in node.ops) for side in node.comparators}
    filled = {id(node.func.value) for node in facts.nodes if isinstance(node, ast.Call) and isinstance(
        node.func, ast.Attribute) and node.func.attr in ("add", "update")}
    return bool(reads & asked) and reads <= asked | filled
