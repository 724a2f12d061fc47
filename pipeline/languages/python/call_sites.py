"""Calls of functions with arguments that can be read off the text: what authors and their tests think typical."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from pipeline.languages.reading import CallSite

MAX_CHARS = 600
MAX_ROWS = 12
_MAKERS = frozenset([
    "Decimal", "Fraction", "Path", "PurePath", "PurePosixPath", "PureWindowsPath", "bytearray", "bytes", "date",
    "datetime", "dict", "float", "frozenset", "int", "list", "range", "set", "time", "timedelta", "timezone", "tuple",
    "Counter", "OrderedDict", "defaultdict", "deque", "array", "zeros", "ones", "eye", "full", "arange", "linspace",
    "asarray", "DataFrame", "Series", "Timestamp", "Timedelta", "UUID", "ZoneInfo", "slice", "compile", "ip_address",
    "ip_network", "ip_interface", "IPv4Address", "IPv6Address", "IPv4Network", "IPv6Network", "IPv4Interface",
    "IPv6Interface",
])
"""What may be called inside an argument: makers of values, under their own names or as attributes of a module."""
_MODULES = frozenset([
    "np", "numpy", "pd", "pandas", "datetime", "decimal", "fractions", "pathlib", "collections", "re", "uuid",
    "ipaddress", "zoneinfo",
])

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_BODIES = ("body", "orelse", "finalbody", "handlers", "cases")

_Rows = list[Mapping[str, ast.expr]]


def literal_calls(text: str, names: Collection[str]) -> list[CallSite]:
    """The calls of functions of these names whose arguments are literals, in the order of the text.

    A name stands for its value where it is assigned one literal, or where pytest's `parametrize` gives it some: then
    there is a call for each row. A text that this Python cannot parse has none.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    imported = _imported(tree)
    written = {*names, *(alias for alias, (_, name) in imported.items() if name in names)}
    reader = _Reader(frozenset(names), imported, _lines_of(written, text))
    try:
        reader.read(tree.body, {}, [{}])
    except RecursionError:
        return reader.found
    return reader.found


def _imported(tree: ast.Module) -> dict[str, tuple[str, str]]:
    """The local names of what is imported from modules: the module's last part, and the name there."""
    found: dict[str, tuple[str, str]] = {}
    for node in _statements(tree):
        if isinstance(node, ast.ImportFrom):
            module = (node.module or "").rpartition(".")[2]
            found.update({alias.asname or alias.name: (module, alias.name) for alias in node.names})
        elif isinstance(node, ast.Import):
            found.update({a.asname: ("", a.name.rpartition(".")[2]) for a in node.names if a.asname})
    return found


def _statements(tree: ast.Module) -> Iterator[ast.AST]:
    """The statements of a file, those inside others included, and what holds statements."""
    found: list[ast.AST] = [tree]
    for node in found:
        yield node
        for name in _BODIES:
            found.extend(getattr(node, name, ()))


def _lines_of(names: Collection[str], text: str) -> list[int]:
    """The numbers of the lines that hold one of the names, in their order."""
    any_of = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b")
    return [number for number, line in enumerate(text.split("\n"), 1) if any_of.search(line)]


@dataclass
class _Reader:
    names: frozenset[str]
    imported: dict[str, tuple[str, str]]
    lines: list[int]
    found: list[CallSite] = field(default_factory=list)

    def read(self, body: list[ast.stmt], known: Mapping[str, ast.expr], rows: _Rows) -> None:
        """Read the statements of one scope, in which `known` names have values and `rows` are the parameters' rows."""
        nodes = list(_inside(body))
        known = _known(nodes, known)
        for node in nodes:
            if isinstance(node, _SCOPES) and not self._is_named_in(node):
                continue
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                hidden = {a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
                outer = {name: value for name, value in known.items() if name not in hidden}
                self.read(node.body, outer, _parametrized(node))
            elif isinstance(node, ast.ClassDef):
                self.read(node.body, known, rows)
            elif isinstance(node, ast.Call):
                self._call(node, known, rows)

    def _is_named_in(self, node: ast.stmt) -> bool:
        """Whether one of the functions is named in the lines of a statement."""
        place = bisect_left(self.lines, node.lineno)
        return place < len(self.lines) and self.lines[place] <= (node.end_lineno or node.lineno)

    def _call(self, node: ast.Call, known: Mapping[str, ast.expr], rows: _Rows) -> None:
        module, name = self._target(node.func)
        if name not in self.names or not (node.args or node.keywords):
            return
        for row in rows[:MAX_ROWS]:
            arguments = _arguments(node, {**known, **row})
            if arguments is None:
                return
            if len(arguments) <= MAX_CHARS:
                self.found.append(CallSite(name, module, arguments))
            if not any(isinstance(n, ast.Name) and n.id in row for n in ast.walk(node)):
                return

    def _target(self, func: ast.expr) -> tuple[str, str]:
        """The last part of the module that the callee comes from, "" for this file, and its name there."""
        if isinstance(func, ast.Name):
            return self.imported.get(func.id, ("", func.id))
        if not isinstance(func, ast.Attribute) or not isinstance(func.value, ast.Name):
            return "", ""
        holder = func.value.id
        return ("", "") if holder in ("self", "cls") else (self.imported.get(holder, ("", holder))[1], func.attr)


def _inside(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """The nodes of a scope in the order of the text; of functions and classes inside it only the nodes themselves."""
    stack: list[ast.AST] = list(reversed(body))
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, _SCOPES):
            continue
        stack.extend(reversed(list(ast.iter_child_nodes(node))))


def _known(nodes: list[ast.AST], outer: Mapping[str, ast.expr]) -> dict[str, ast.expr]:
    """The names with a value in a scope: those that it binds once, to a literal, and those of the scopes around it."""
    values: dict[str, ast.expr] = {}
    counts: dict[str, int] = {}
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            counts[node.id] = counts.get(node.id, 0) + 1
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            values[node.targets[0].id] = node.value
    known = {name: value for name, value in outer.items() if name not in counts}
    for name, value in values.items():
        literal = _literal(value, known) if counts[name] == 1 else None
        if literal is not None:
            known[name] = literal
    return known


def _parametrized(node: ast.FunctionDef | ast.AsyncFunctionDef) -> _Rows:
    """The rows of values that `pytest.mark.parametrize` gives the parameters; several decorators go row by row."""
    rows: _Rows = [{}]
    for decorator in node.decorator_list:
        if not isinstance(decorator, ast.Call) or not ast.unparse(decorator.func).endswith("parametrize"):
            continue
        if len(decorator.args) < 2 or not isinstance(decorator.args[1], (ast.List, ast.Tuple)):
            continue
        names = _names(decorator.args[0])
        made = [row for entry in decorator.args[1].elts if (row := _row(names, entry)) is not None]
        if made:
            rows = [{**rows[i % len(rows)], **made[i % len(made)]} for i in range(max(len(rows), len(made)))]
    return rows


def _names(node: ast.expr) -> list[str]:
    try:
        said = ast.literal_eval(node)
    except ValueError:
        return []
    parts = said.split(",") if isinstance(said, str) else list(said) if isinstance(said, (list, tuple)) else []
    return [str(part).strip() for part in parts]


def _row(names: list[str], entry: ast.expr) -> dict[str, ast.expr] | None:
    if isinstance(entry, ast.Call) and ast.unparse(entry.func).endswith("param"):
        values = entry.args
    elif len(names) == 1:
        values = [entry]
    else:
        values = entry.elts if isinstance(entry, (ast.List, ast.Tuple)) else []
    if len(values) != len(names):
        return None
    literals = {name: _literal(value, {}) for name, value in zip(names, values, strict=True)}
    return {name: value for name, value in literals.items() if value is not None}


def _arguments(node: ast.Call, known: Mapping[str, ast.expr]) -> str | None:
    """The arguments as one text, or None where some are no literals."""
    if any(isinstance(argument, ast.Starred) for argument in node.args) or any(k.arg is None for k in node.keywords):
        return None
    values = [_literal(argument, known) for argument in (*node.args, *(k.value for k in node.keywords))]
    texts = [ast.unparse(value) for value in values if value is not None]
    if len(texts) != len(values):
        return None
    count = len(node.args)
    named = (f"{keyword.arg}={text}" for keyword, text in zip(node.keywords, texts[count:], strict=True))
    return ", ".join((*texts[:count], *named))


def _literal(node: ast.expr, known: Mapping[str, ast.expr]) -> ast.expr | None:
    """The expression with known names replaced, or None where something in it is no literal."""
    match node:
        case ast.Constant():
            return None if node.value is Ellipsis else node
        case ast.Name(id=name):
            return known.get(name)
        case ast.Attribute(value=ast.Name("re"), attr=name) if name.isupper():
            return node
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert() | ast.Not(), operand=operand):
            inner = _literal(operand, known)
            return None if inner is None else ast.UnaryOp(node.op, inner)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() as op, right=right):
            sides = _all([left, right], known)
            return None if sides is None else ast.BinOp(sides[0], op, sides[1])
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            made = _all(items, known)
            return None if made is None else _container(node, made)
        case ast.Dict(keys=keys, values=values) if all(key is not None for key in keys):
            pairs = _all([*(key for key in keys if key is not None), *values], known)
            return None if pairs is None else ast.Dict([*pairs[:len(keys)]], pairs[len(keys):])
        case ast.Call():
            return _made(node, known)
    return None


def _all(nodes: list[ast.expr], known: Mapping[str, ast.expr]) -> list[ast.expr] | None:
    made = [_literal(node, known) for node in nodes]
    kept = [value for value in made if value is not None]
    return kept if len(kept) == len(made) else None


def _container(node: ast.expr, items: list[ast.expr]) -> ast.expr:
    if isinstance(node, ast.Set):
        return ast.Set(items)
    return ast.Tuple(items, ast.Load()) if isinstance(node, ast.Tuple) else ast.List(items, ast.Load())


def _made(node: ast.Call, known: Mapping[str, ast.expr]) -> ast.expr | None:
    """A call of a maker of values, with literals for arguments."""
    func = node.func
    root = func
    while isinstance(root, ast.Attribute):
        root = root.value
    name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
    if name not in _MAKERS or not isinstance(root, ast.Name) or (root is not func and root.id not in _MODULES):
        return None
    values = _all([*node.args, *(keyword.value for keyword in node.keywords)], known)
    if values is None or any(keyword.arg is None for keyword in node.keywords):
        return None
    count = len(node.args)
    keywords = [ast.keyword(k.arg, value) for k, value in zip(node.keywords, values[count:], strict=True)]
    return ast.Call(func, values[:count], keywords)
