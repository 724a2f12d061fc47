"""Changes that a reader makes who takes a sentence for another: case, blanks, signs beyond ASCII, None against empty,
once against again, the first against the last.

They are for readings alone. Many of them mean the same as the reference for all that callers pass, so they have no
place in a mutation score.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Iterator

from pipeline.transforms.altering.changes import Change, become, put, turn

_OF_SIGNS = frozenset(["isalnum", "isalpha", "isdecimal", "isdigit", "islower", "isnumeric", "isspace", "isupper"])
_STRIPS = frozenset(["strip", "lstrip", "rstrip"])
_OF_PATTERNS = frozenset(["compile", "findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn"])
_EXTREMES = frozenset(["min", "max"])
_NONE = ast.Constant(None)
_PURE = (
    ast.Name, ast.Attribute, ast.Subscript, ast.Slice, ast.Tuple, ast.Constant, ast.UnaryOp, ast.USub, ast.Load,
)


def misreadings_of(node: ast.AST) -> Iterator[tuple[str, Change]]:
    """The misreadings that fit a node, each with its change."""
    for operators in _BY_KIND:
        yield from operators(node)


def _comparisons(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return
    kind, left, right = node.ops[0], node.left, node.comparators[0]
    if isinstance(kind, (ast.Is, ast.IsNot)) and isinstance(right, ast.Constant) and right.value is None:
        negated = isinstance(kind, ast.Is)
        yield "what is empty is as None", become(lambda n: _not(n.left) if negated else _call("bool", n.left))
    texts = _texts(right)
    if not texts or not _is_pure(left):
        return
    if isinstance(kind, (ast.Eq, ast.NotEq, ast.In, ast.NotIn)):
        if any(text.lower() != text.upper() for text in texts):
            yield "compare without case", _compared("lower")
        if all(text.strip() == text for text in texts) and max(map(len, texts)) > 1:
            yield "compare without blanks at the ends", _compared("strip")
    if isinstance(kind, ast.Eq) and isinstance(right, ast.Constant) and len(texts[0]) > 1:
        yield "compare the beginning", become(
            lambda n: _guarded(n.left, _method(n.left, "startswith", n.comparators[0]), ast.Constant(False)))


def _compared(method: str) -> Change:
    """Compare what a method gives of the left side, and of the texts on the right."""
    def change(node: ast.AST) -> None:
        if isinstance(node, ast.Compare):
            right = node.comparators[0]
            node.comparators = [_changed(right, lambda text: getattr(text, method)())]
            node.left = _guarded(node.left, _method(node.left, method), node.left)

    return change


def _changed(node: ast.expr, change: Callable[[str], str]) -> ast.expr:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return ast.Constant(change(node.value))
    return ast.Tuple([_changed(part, change) for part in getattr(node, "elts", [])], ast.Load())


def _texts(node: ast.expr) -> list[str]:
    """The texts that a literal holds, none where it holds anything else."""
    parts = node.elts if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else [node]
    values = [part.value for part in parts if isinstance(part, ast.Constant)]
    texts = [value for value in values if isinstance(value, str) and value]
    return texts if len(texts) == len(parts) else []


def _calls(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if not isinstance(node, ast.Call) or any(isinstance(argument, ast.Starred) for argument in node.args):
        return
    if isinstance(node.func, ast.Attribute):
        yield from _methods(node, node.func.value, node.func.attr)
    elif isinstance(node.func, ast.Name):
        yield from _functions(node, node.func.id)


def _methods(node: ast.Call, whole: ast.expr, name: str) -> Iterator[tuple[str, Change]]:
    count = len(node.args)
    if name in _OF_SIGNS and not node.args and _is_pure(whole):
        yield "only signs of ASCII", become(lambda n: _and(copy.copy(n), _method(n.func.value, "isascii")))
    if name in _STRIPS and not node.args:
        yield "strip spaces alone", put("args", lambda _: [ast.Constant(" ")])
    if name == "splitlines" and not node.args:
        yield "only the newline ends a line", become(lambda n: _method(n.func.value, "split", ast.Constant("\n")))
    if name == "replace" and count == 2:
        yield "only the first", put("args", lambda n: [*n.args, ast.Constant(1)])
    if name == "sub" and count in (2, 3) and not node.keywords:
        yield "only the first", put("keywords", lambda _: [ast.keyword("count", ast.Constant(1))])
    if name == "get" and count == 2:
        yield "what is empty takes the default", become(
            lambda n: ast.BoolOp(ast.Or(), [ast.Call(n.func, n.args[:1], []), n.args[1]]))
    if name == "setdefault" and count == 2:
        yield "the last stays", become(lambda n: _method(n.func.value, "__setitem__", *n.args))
    if name == "append" and count == 1 and _is_pure(whole) and _is_pure(node.args[0]):
        yield "each only once", become(lambda n: ast.BoolOp(
            ast.Or(), [ast.Compare(n.args[0], [ast.In()], [n.func.value]), copy.copy(n)]))
    if isinstance(whole, ast.Name) and whole.id == "re" and name in _OF_PATTERNS:
        yield from _patterns(node)


def _patterns(node: ast.Call) -> Iterator[tuple[str, Change]]:
    """The regular expression that stands in a call of the module `re`, in any case of letters."""
    pattern = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
    if isinstance(pattern, str) and re.search("[A-Za-z]", re.sub(r"\\.", "", pattern)):
        yield "without case", put("args", lambda n: [ast.Constant(f"(?i){pattern}"), *n.args[1:]])


def _functions(node: ast.Call, name: str) -> Iterator[tuple[str, Change]]:
    keys = {keyword.arg for keyword in node.keywords}
    if name in _EXTREMES and len(node.args) == 2 and not keys:
        yield "without the bound", become(lambda n: n.args[0])
        yield "only the bound", become(lambda n: n.args[1])
    if name in _EXTREMES and len(node.args) == 1 and keys & {"key"}:
        yield "the last of those alike", put("args", lambda n: [_backwards(n.args[0])])
    if name == "sorted" and len(node.args) == 1 and keys & {"key", "reverse"}:
        yield "those alike the other way round", put("args", lambda n: [_backwards(n.args[0])])
    if name == "isinstance" and len(node.args) == 2 and _is_pure(node.args[0]) and "int" in _names(node.args[1]):
        yield "a bool is no number", become(
            lambda n: _and(copy.copy(n), _not(_call("isinstance", n.args[0], ast.Name("bool", ast.Load())))))


def _loops(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if isinstance(node, (ast.For, ast.While)):
        yield "only once", put("body", lambda n: [*n.body, ast.Break()])
    if isinstance(node, ast.For):
        yield "from the end", put("iter", lambda n: _backwards(n.iter))


def _assignments(node: ast.AST) -> Iterator[tuple[str, Change]]:
    target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
    if isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice):
        yield "the first stays", turn(ast.Expr, lambda n: {
            "value": _method(n.targets[0].value, "setdefault", n.targets[0].slice, n.value)})


def _alternatives(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if not isinstance(node, ast.BoolOp) or not isinstance(node.op, ast.Or) or len(node.values) != 2:
        return
    if _is_pure(node.values[0]):
        yield "only None takes the default", become(
            lambda n: ast.IfExp(_is_given(n.values[0]), n.values[0], n.values[1]))


def _decisions(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if not isinstance(node, (ast.If, ast.IfExp, ast.While)):
        return
    if isinstance(node.test, (ast.Name, ast.Attribute)):
        yield "only None is left out", put("test", lambda n: _is_given(n.test))
    elif isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not) and _is_pure(node.test.operand):
        yield "only None is left out", put("test", lambda n: _not(_is_given(n.test.operand)))


def _constants(node: ast.AST) -> Iterator[tuple[str, Change]]:
    text = node.value if isinstance(node, ast.Constant) else None
    if not isinstance(text, (str, bytes)) or len(text) < 2:
        return
    for side, bare in (("start", text.lstrip()), ("end", text.rstrip())):
        if bare and bare != text:
            yield f"without the blank at the {side}", put("value", lambda _, bare=bare: bare)
    if not text[-1:].isalnum() and not text[-1:].isspace():
        yield "without the last sign", put("value", lambda _: text[:-1])
    if not text[:1].isalnum() and not text[:1].isspace():
        yield "without the first sign", put("value", lambda _: text[1:])


def _is_pure(node: ast.AST) -> bool:
    """Whether an expression can be read twice: names, their attributes and parts."""
    return all(isinstance(part, _PURE) for part in ast.walk(node))


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _method(value: ast.expr, name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(value, name, ast.Load()), list(arguments), [])


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def _guarded(value: ast.expr, of_text: ast.expr, otherwise: ast.expr) -> ast.IfExp:
    return ast.IfExp(_call("isinstance", value, ast.Name("str", ast.Load())), of_text, otherwise)


def _backwards(node: ast.expr) -> ast.Call:
    return _call("reversed", _call("list", node))


def _is_given(node: ast.expr) -> ast.Compare:
    return ast.Compare(node, [ast.IsNot()], [_NONE])


def _and(*values: ast.expr) -> ast.BoolOp:
    return ast.BoolOp(ast.And(), list(values))


def _not(node: ast.expr) -> ast.UnaryOp:
    return ast.UnaryOp(ast.Not(), node)


_BY_KIND = (_comparisons, _calls, _loops, _assignments, _alternatives, _decisions, _constants)
