"""The pool: constants of the body, their neighbours, and what was seen at run time, for the samplers to draw from."""

from __future__ import annotations

import ast
import re
from typing import Any

from harness.values import TYPES
from pipeline.suites.domain.pool import HUGE, MAX_STRING, Pool, _add
from pipeline.suites.inference.interpreter.body_operators import constant
from pipeline.suites.rules import notes
from pipeline.suites.subject import Subject, full_name


def pool_of(subject: Subject) -> Pool:
    """The pool of a subject; the assignments of its module, classes and members count, too, docstrings don't."""
    tree, names = subject.tree, subject.names
    functions = [subject.function, *(member.node for member in subject.members)]
    everything = [node for function in functions for node in ast.walk(function)]
    pool = Pool()
    assigned = _assigned_texts(tree)
    for node in _nodes(subject):
        if isinstance(node, ast.Constant):
            _constant(pool, node.value)
        elif isinstance(node, ast.Name) and node.id in TYPES:
            _add(pool.classes, node.id)
        elif isinstance(node, ast.Call):
            _call(pool, node, full_name(node.func, names), assigned)
        elif isinstance(node, ast.Compare):
            _codes(pool, node)
            _octets(pool, [node.left, *node.comparators])
            sides = (node.left, *node.comparators)
            pool.none |= any(isinstance(side, ast.Constant) and side.value is None for side in sides)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr)):
            _octets(pool, [node.left, node.right])
        elif isinstance(node, (ast.BinOp, ast.Attribute)) and isinstance(value := constant(node), float):
            pool.learn(value)
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            if isinstance(node.slice.value, str):
                _add(pool.keys, node.slice.value)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            operand = node.operand
            if isinstance(operand, ast.Constant) and type(operand.value) in (int, float):
                _constant(pool, -operand.value)  # type: ignore[operator]
    # Patterns make texts that match them; as texts of their own they are nothing that a person would pass.
    pool.texts = [text for text in pool.texts if text not in pool.patterns or re.escape(text) == text]
    words = {word for node in everything for word in _words_of(node)}
    pool.foreign = bool(words & _FOREIGN) or any(not text.isascii() for text in pool.texts)
    pool.special = bool(words & _SPECIAL)
    caught = {name for node in everything if isinstance(node, ast.ExceptHandler) and node.type is not None
              for name in re.findall(r"\w+", ast.unparse(node.type))}
    if any(isinstance(node, ast.ExceptHandler) and node.type is None for node in everything):
        caught.add("BaseException")
    pool.caught = frozenset(caught)
    _from_words(pool, words, subject.program)
    return pool


def _nodes(subject: Subject) -> list[ast.AST]:
    """The nodes that hold values: those of the function, of what its module assigns, then of classes and members."""
    nodes = _of_values(subject.function)
    for statement in subject.tree.body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            nodes.extend(ast.walk(statement))
    for statement in subject.tree.body:
        for inner in statement.body if isinstance(statement, ast.ClassDef) else ():
            if isinstance(inner, (ast.Assign, ast.AnnAssign)) and inner.value is not None:
                nodes.extend(ast.walk(inner.value))
    for member in subject.members:
        nodes += _of_values(member.node)
    return nodes


def _of_values(function: ast.FunctionDef) -> list[ast.AST]:
    skipped = _not_values(function)
    return [node for node in ast.walk(function) if id(node) not in skipped]


@notes("constants: from spelled words")
def _from_words(pool: Pool, words: set[str], program: str) -> None:
    """Add what the names and exceptions that a body spells ask for: what no type holds or no notation."""
    if "OverflowError" in pool.caught:
        pool.whole.append(HUGE)
        pool.huge = True
    pool.unwritable = bool(pool.caught & {"TypeError", "Exception"}) and "dumps" in words
    # An exponent in the text of a number is that of a very large or a very small one.
    written = bool(words & {"str", "repr"}) and not {"e", "E"}.isdisjoint(pool.texts)
    pool.magnitudes = written or bool(words & {"log10", "frexp", "ldexp", "finfo"})
    if words & {"iinfo", "finfo"}:
        pool.whole += [number for bits in _bits(words) for number in (2**bits, 2**bits - 1, -(2**bits) - 1)]
        pool.real += [2.0**63, 2.0**65] if words & {"int64", "uint64"} else []
    if words & {"float32", "single", "float16", "half", "dtype"} and words & _OVERFLOWING:
        # Finite here, endless there.
        pool.real += [1e39, -1e39] if words & {"float32", "single", "dtype"} else []
        pool.real += [1e6, -1e6] if words & {"float16", "half", "dtype"} else []
    if words & {"isclose", "allclose"} and not re.search(r"\b[ar](?:bs_|el_)?tol\b", program):
        # What these functions call nearly equal where nothing else is said.
        pool.real.append(1e-8)


def _bits(words: set[str]) -> list[int]:
    """The bits of the greatest numbers of the integer types that are spelled, else of the usual ones."""
    found = [re.fullmatch(r"(u?)int(8|16|32)", word) for word in sorted(words)]
    return [int(one.group(2)) - (not one.group(1)) for one in found if one] or [7, 31]


_SPECIAL = frozenset(
    "nan isnan inf isinf isfinite infinity finite isposinf isneginf isna isnat hasnans NaT NaN notna notnull"
    " isnull".split()
)
_OVERFLOWING = frozenset("isfinite isinf inf finfo errstate OverflowError FloatingPointError nan_to_num".split())
_FOREIGN = frozenset(
    "encode decode ord chr unicodedata normalize category combining isascii isalpha isalnum isdecimal isnumeric isdigit"
    " casefold isprintable isidentifier east_asian_width bytes bytearray unidecode wcwidth ascii".split()
)


def _words_of(node: ast.AST) -> list[str]:
    """The names that a node of the tree spells."""
    match node:
        case ast.Name(name) | ast.Attribute(attr=name) | ast.Constant(str() as name):
            return [name] if len(name) < 20 else []
    return []


def _not_values(function: ast.FunctionDef) -> set[int]:
    """Docstrings, annotations, messages, pieces of formatted texts and names of codecs: no input needs to hold them."""
    skipped: set[int] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))
        for part in _words_for_people(node):
            skipped.update(id(inner) for inner in ast.walk(part))
    return skipped


def _words_for_people(node: ast.AST) -> list[ast.AST]:
    match node:
        case ast.arg(annotation=ast.expr() as part) | ast.AnnAssign(annotation=ast.expr() as part):
            return [part]
        case ast.FunctionDef(returns=ast.expr() as part) | ast.Raise(exc=ast.expr() as part):
            return [part]
        case ast.JoinedStr():
            return [node]
        case ast.BinOp(ast.Constant(str()) as part, ast.Mod()):
            return [part]
        case ast.Call(func=ast.Name("cast") | ast.Attribute(attr="cast"), args=[part, *_]):
            return [part]
        case ast.Call(func=ast.Attribute(attr=name), args=args) if name in _CODECS:
            return list(args)
    return []


_CODECS = frozenset(["encode", "decode"])


def _constant(pool: Pool, value: Any) -> None:
    if isinstance(value, bool) or value is None or value is Ellipsis:
        return
    if isinstance(value, int) and abs(value) < 10**12:
        for near in (value, value - 1, value + 1):
            _add(pool.whole, near)
        _add(pool.real, float(value))
    elif isinstance(value, float) and value == value and abs(value) < 1e12:
        for close in (value, value * 1.5, value / 2, value + 1e-3, value - 1e-3, -value):
            _add(pool.real, close)
        if value == int(value):
            _add(pool.whole, int(value))
    elif isinstance(value, bytes):
        _constant(pool, value.decode("latin-1"))
    elif isinstance(value, str) and value:
        _string(pool, value)


def _string(pool: Pool, value: str) -> None:
    if len(value) <= MAX_STRING and len(value.split()) <= 4:
        _add(pool.texts, value)
    if len(value) <= 70:
        for character in value:
            if not character.isalpha() or len(value) <= 3:
                _add(pool.alphabet, character)
    if len(value) > 3 and " " not in value and _looks_like_pattern(value):
        _add(pool.patterns, value)


@notes("constants: code points")
def _codes(pool: Pool, node: ast.Compare) -> None:
    """The characters whose code points `ord(...)` is compared with, and their neighbours."""
    sides = [node.left, *node.comparators]
    if not any(isinstance(side, ast.Call) and isinstance(side.func, ast.Name) and side.func.id == "ord"
               for side in sides):
        return
    for side in sides:
        if isinstance(side, ast.Constant) and isinstance(side.value, int):
            for code in (side.value // 2, side.value - 1, side.value, side.value + 1):
                if 0 <= code < 0xD800:
                    _add(pool.alphabet, chr(code))


@notes("constants: octets")
def _octets(pool: Pool, sides: list[ast.expr]) -> None:
    """The numbers up to 255 that an item is compared or combined with."""
    if not any(isinstance(inner, ast.Subscript) for side in sides for inner in ast.walk(side)):
        return
    for side in sides:
        if isinstance(side, ast.Constant) and type(side.value) is int and 0 <= side.value <= 255:
            _add(pool.octets, side.value)


def _looks_like_pattern(value: str) -> bool:
    if not re.search(r"\\[dwsbDWSB.]|\[.+\][*+{?]|\(\?|\.\*|\.\+|\w\|\w|^\^.+|.+\$$", value):
        return False
    try:
        re.compile(value)
    except (re.error, OverflowError, RecursionError):
        return False
    return True


def _assigned_texts(tree: ast.AST) -> dict[str, list[str]]:
    """Names that texts are assigned to."""
    found: dict[str, list[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).extend(_texts(node.value))
    return found


def _call(pool: Pool, node: ast.Call, name: str, assigned: dict[str, list[str]]) -> None:
    if name.startswith(("re.", "regex.")) and node.args:
        pattern = node.args[0]
        for text in assigned.get(pattern.id, []) if isinstance(pattern, ast.Name) else _texts(pattern):
            _add(pool.patterns, text)
    if isinstance(node.func, ast.Attribute) and node.func.attr in ("get", "pop", "setdefault") and node.args:
        for text in _texts(node.args[0]):
            _add(pool.keys, text)


def _texts(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.JoinedStr):
        parts = [str(v.value) if isinstance(v, ast.Constant) else "a" for v in node.values]
        return ["".join(parts)]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return ["".join([*_texts(node.left), *_texts(node.right)])]
    return []
