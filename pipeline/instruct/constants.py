"""The constants of a body that can influence the answer, and whether a text tells of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pipeline.instruct.vocabulary import NUMBERS, SIGNS, tells
from pipeline.languages.python.facts import Facts

_FREE_NUMBERS = (0, 1, -1)
_FREE_TEXTS = frozenset({"", "utf-8", "utf8", "UTF-8", "strict"})
_REGEX = frozenset({"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer", "compile"})
_COMPARES = frozenset("startswith endswith split rsplit partition rpartition replace find rfind index count strip "
                      "lstrip rstrip removeprefix removesuffix".split())
_PLAIN_PATTERNS = {
    r"\s+": "whitespace space", r"\s": "whitespace space", r"\s*": "whitespace space", r"\d+": "digit number integer",
    r"\d": "digit number", r"\W+": "word alphanum punct", r"\w+": "word", r"[^\w]": "word alphanum punct",
    r"[^a-z0-9]+": "alphanum", r"[^a-zA-Z0-9]+": "alphanum", r"[^a-zA-Z0-9]": "alphanum", r"[^a-z0-9]": "alphanum",
    r"[^A-Za-z0-9]+": "alphanum", r"\n+": "newline", r"\n{3,}": "newline blank", r"-+": "hyphen dash",
    r"_+": "underscore",
    r" +": "space", r"\b\w+\b": "word", r"\n\s*\n": "paragraph blank",
}


MAX_PATTERN_PARTS = 4
_CLASSES = {
    "CATEGORY_DIGIT": "digit number integer", "CATEGORY_SPACE": "whitespace space blank",
    "CATEGORY_WORD": "word alphanum",
    "RANGE": "letter digit alphanum number lowercase uppercase", "NEGATE": "other except non- not", "?": "\0",
    "CATEGORY_NOT_SPACE": "\0", "CATEGORY_NOT_WORD": "punct non-word", "CATEGORY_NOT_DIGIT": "non-digit",
}


@dataclass(frozen=True)
class Texts:
    """What is said in words, and what examples show."""

    said: str
    shown: str

    @cached_property
    def lower(self) -> str:
        """What is said in lower case, names of the signature as words."""
        return f"{self.said}\n{self.said.replace('_', ' ')}".lower()

    @cached_property
    def results(self) -> str:
        """What the examples give, without the calls."""
        return "\n".join(line for line in self.shown.splitlines() if not line.lstrip().startswith((">>>", "...")))


@dataclass(frozen=True)
class Constant:
    """A constant of the body, and what it is for.

    `role` is `value`, `arithmetic`, `piece` (of a text), `compared`, `key`, `pattern` or `format`.
    """

    value: object
    role: str
    node: ast.Constant


def untold_constants(facts: Facts, texts: Texts) -> list[Constant]:
    """The constants that neither the words nor the examples tell, each once, in the order of the body."""
    found: dict[str, Constant] = {}
    for constant in constants(facts):
        if not _is_told(constant, texts):
            found.setdefault(repr(constant.value), constant)
    return list(found.values())


def constants(facts: Facts) -> Iterator[Constant]:
    """The constants of the body that matter: not those of error messages, small indices and harmless values."""
    texts = [node.value for node in facts.nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    prefixes = {len(text) for text in texts}
    messages = _message_names(facts)
    told_in_raise = {
        child for node in facts.nodes if isinstance(node, ast.Assign) and _targets(node) & messages
        for child in ast.walk(node)}
    for statement in facts.body:
        for constant in _constants(statement, "value"):
            if not (constant.role == "key" and constant.value in prefixes) and constant.node not in told_in_raise:
                yield constant


def _targets(node: ast.Assign) -> set[str]:
    return {ast.unparse(target) for target in node.targets}


def _message_names(facts: Facts) -> set[str]:
    """Names that are read by `raise` alone."""
    raises = {id(child) for node in facts.nodes if isinstance(node, ast.Raise) for child in ast.walk(node)}
    names = [node for node in facts.nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    return {node.id for node in names if id(node) in raises} - {node.id for node in names if id(node) not in raises}


def _constants(node: ast.AST, role: str) -> Iterator[Constant]:
    if isinstance(node, (ast.Raise, ast.Assert)):
        return
    if isinstance(node, ast.Constant):
        if _matters(node.value, role):
            yield Constant(node.value, role, node)
        return
    for child, inner in _children(node, role):
        yield from _constants(child, inner)


def _children(node: ast.AST, role: str) -> Iterator[tuple[ast.AST, str]]:
    """The parts of a node with what a constant in them would be for."""
    if isinstance(node, ast.Call) and ast.unparse(node.func).rsplit(".", 1)[-1] == "cast" and len(node.args) == 2:
        yield node.args[1], role
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        regex = node.func.attr in _REGEX and ast.unparse(node.func.value) == "re"
        yield node.func.value, "piece" if node.func.attr == "join" else "value"
        text = "compared" if node.func.attr in _COMPARES else "value"
        first = "pattern" if regex else "key" if node.func.attr in ("get", "pop", "setdefault") else text
        for position, argument in enumerate(node.args):
            yield argument, first if position == 0 else text
        yield from ((keyword.value, "value") for keyword in node.keywords)
    elif isinstance(node, ast.Call) and ast.unparse(node.func) == "round" and len(node.args) == 2:
        yield node.args[0], "value"
        yield node.args[1], "arithmetic"
    elif isinstance(node, ast.Subscript):
        yield node.value, "value"
        yield node.slice, "key"
    elif isinstance(node, ast.Slice):
        yield from ((part, "key") for part in (node.lower, node.upper, node.step) if part is not None)
    elif isinstance(node, ast.Dict):
        yield from ((key, "key") for key in node.keys if key is not None)
        yield from ((value, "value") for value in node.values)
    elif isinstance(node, (ast.BinOp, ast.AugAssign)):
        yield from ((part, "arithmetic") for part in ast.iter_child_nodes(node))
    elif isinstance(node, (ast.For, ast.comprehension)) and isinstance(node.iter, ast.Constant):
        yield node.iter, "compared"
        yield from ((part, "value") for part in ast.iter_child_nodes(node) if part is not node.iter)
    elif isinstance(node, (ast.Compare, ast.MatchValue)):
        yield from ((part, "compared") for part in ast.iter_child_nodes(node))
    elif isinstance(node, ast.JoinedStr):
        yield from ((value, "piece") for value in node.values)
    elif isinstance(node, ast.FormattedValue):
        yield node.value, "value"
        if node.format_spec is not None:
            yield node.format_spec, "format"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        yield node.operand, role
    else:
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns"):
                continue
            parts = value if isinstance(value, list) else [value]
            yield from ((part, role if role in ("key", "pattern", "format", "compared") else "value") for part in parts
                        if isinstance(part, ast.AST))


def _matters(value: object, role: str) -> bool:
    if isinstance(value, (bool, type(None), type(Ellipsis))):
        return False
    if isinstance(value, (int, float)):
        return value not in _FREE_NUMBERS and not (role == "key" and value == 2)
    return not isinstance(value, str) or value not in _FREE_TEXTS


def _is_told(constant: Constant, texts: Texts) -> bool:
    value = constant.value
    if isinstance(value, (int, float, complex)):
        return _number_is_told(value, texts) or (constant.role == "value" and _is_result(value, texts))
    if isinstance(value, bytes):
        return repr(value)[2:-1] in texts.said + texts.shown
    text = str(value)
    if constant.role == "pattern":
        return text in texts.said or tells(texts.lower, _PLAIN_PATTERNS.get(text, "\0")) or pattern_is_told(text, texts)
    if constant.role == "format":
        return tells(texts.lower, "decimal digit place precision round pad width hex binary percent comma") or (
            bool(re.search(r"\d", texts.results)))
    return _text_is_told(text, constant.role, texts)


def pattern_is_told(pattern: str, texts: Texts) -> bool:
    """Whether words tell each part of a short regular expression, and an example shows what becomes of a match."""
    try:
        parts = list(_parts(re._parser.parse(pattern)))  # type: ignore[attr-defined]
    except re.error:
        return False
    return bool(texts.results) and len(parts) <= MAX_PATTERN_PARTS and all(
        tells(texts.lower, _CLASSES[part]) if part in _CLASSES else _stands_in(part, texts.said)
        or tells(texts.lower, SIGNS.get(part, "\0")) for part in parts)


def _parts(parsed: Any) -> Iterator[str]:
    """The classes of characters and the runs of plain ones in a parsed regular expression; `?` stands for the rest."""
    run = ""
    for code, argument in parsed:
        name = str(code)
        if name == "LITERAL":
            run += chr(argument)
            continue
        if run:
            yield run
        run = ""
        if name == "IN":
            for kind, inner in argument:
                yield str(inner) if str(kind) == "CATEGORY" else chr(inner) if str(kind) == "LITERAL" else str(kind)
        elif name in ("MAX_REPEAT", "MIN_REPEAT"):
            yield from _parts(argument[2])
        elif name == "SUBPATTERN":
            yield from _parts(argument[3])
        elif name != "AT":
            yield "?"
    if run:
        yield run


def _text_is_told(text: str, role: str, texts: Texts) -> bool:
    """Longer texts stand somewhere literally; signs may be told by their names."""
    if text in SIGNS and tells(texts.lower, SIGNS[text]):
        return True
    if _stands_in(text, texts.said):
        return True
    escaped = repr(text)[1:-1]
    if role in ("compared", "key"):
        return _sign_is_told(text, texts)
    visible = texts.results
    if f"'{escaped}'" in visible or f'"{escaped}"' in visible:
        return True
    stripped = escaped.strip()
    if role in ("piece", "arithmetic"):
        return all((len(piece) >= 2 and (piece in visible or piece in texts.said)) or _sign_is_told(piece, texts)
                   for piece in re.split(r"%[-+ #0-9.]*[a-z]", escaped) if piece)
    if len(stripped) >= 3 and _stands_in(stripped, visible):
        return True
    return _sign_is_told(text, texts)


def _sign_is_told(text: str, texts: Texts) -> bool:
    """Whether each sign of a text without letters is told by its name."""
    return not text.isalnum() and all(sign in SIGNS and tells(texts.lower, SIGNS[sign]) for sign in text)


def _stands_in(text: str, said: str) -> bool:
    """Whether a text stands there as itself: ordinary punctuation only in quotes, words only as whole words."""
    if text.isspace():
        return False
    if all(sign in _PUNCTUATION for sign in text) and len(text) == 1:
        return any(f"{quote}{text}{quote}" in said for quote in ("'", '"', "`"))
    if not any(sign.isalnum() for sign in text):
        return text in said
    return re.search(rf"(?<![A-Za-z0-9_]){re.escape(text)}(?![A-Za-z0-9_])", said) is not None


_PUNCTUATION = frozenset(".,:;-'\"()/!?")


def _is_result(value: float | complex, texts: Texts) -> bool:
    """Whether a number is an answer, or a part of one, in some example."""
    return re.search(rf"(?<![\w.-]){re.escape(repr(value))}(?![\w.])", texts.results) is not None


def _number_is_told(value: float | complex, texts: Texts) -> bool:
    digits = re.escape(repr(value).removesuffix(".0"))
    spaced = texts.said.replace(",", "").replace("%", " ").replace("_", " ")
    if re.search(rf"(?<![\w.]){digits}(?:\.0)?(?:(?![\w]|\.\d)|-?[dD]\b)", spaced):
        return True
    return any(value == number and tells(texts.lower, told_by) for number, told_by in NUMBERS.items())
