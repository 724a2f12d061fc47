"""What a program does while the cases of its suite run: kinds of values, passes of loops, depth of recursion."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from harness.languages import Call, Machine
from harness.values import decode
from pipeline.suites.selection.readings import SECONDS, answered
from pipeline.transforms.bound_names import walk
from pipeline.transforms.preserving.draft import identifiers
from pipeline.transforms.preserving.evolving.growing import Facts, Growing, functions, origin_of

_OF_NUMPY = frozenset("sum min max abs sorted any all len round".split())
_LARGE = 2**31
_ENTRY = "traced_call"
_PRELUDE = f'''
_seen, _deep, _now, _count, _called = {{}}, {{}}, {{}}, {{}}, {{}}

def _kind(value):
    kind = type(value).__name__
    if type(value) is int:
        return "int" if abs(value) < {_LARGE} else "bigint"
    if type(value) is float:
        return "float" if value - value == 0 else "nan"
    if type(value) in (list, tuple):
        inner = sorted({{_kind(one) if not isinstance(one, (list, tuple)) else "nested" for one in value}})
        return kind + ":" + "+".join(inner)
    return kind

def _note(number, value):
    _seen.setdefault(number, set()).add(_kind(value))
    return value

def _passes(number, items):
    _count[number] = max(_count.get(number, 0), 0)
    made = 0
    for item in items:
        made += 1
        _count[number] = max(_count[number], made)
        yield item

def _depth(function):
    import functools
    name = function.__name__
    @functools.wraps(function)
    def inner(*args, **kwargs):
        _called[name] = _called.get(name, 0) + 1
        _now[name] = _now.get(name, 0) + 1
        _deep[name] = max(_deep.get(name, 0), _now[name])
        try:
            return function(*args, **kwargs)
        finally:
            _now[name] -= 1
    return inner

def {_ENTRY}(*args, **kwargs):
    for one in (_seen, _deep, _now, _count, _called):
        one.clear()
    raised = ""
    try:
        ENTRY(*args, **kwargs)
    except Exception as error:
        raised = type(error).__name__
    told = [["kind", number, kind] for number, kinds in sorted(_seen.items()) for kind in sorted(kinds)]
    told += [["passes", number, str(made)] for number, made in sorted(_count.items())]
    told += [["depth", name, str(deep)] for name, deep in sorted(_deep.items())]
    told += [["calls", name, str(made)] for name, made in sorted(_called.items())]
    return [*told, ["raised", 0, raised]]
'''


def traced(program: str, entry_point: str, calls: Sequence[Call], machine: Machine) -> Facts:
    """What is seen of a program in all calls; nothing where it can't be watched."""
    text = instrumented(program, entry_point)
    if text is None:
        return Facts()
    [run] = answered([text], _ENTRY, [call._replace(cpu_seconds=4 * SECONDS) for call in calls], machine)
    given = [one.answer for one in run.outcomes]
    if run.load_error is not None or len(given) < len(calls) or any(
            one is None or one.kind != "returned" for one in given):
        return Facts()
    return _together([decode(one.value) for one in given if one is not None])


def _together(told: Sequence[list[list[str]]]) -> Facts:
    kinds: dict[int, set[str]] = {}
    passes: dict[int, int] = {}
    depth: dict[str, int] = {}
    made: dict[str, int] = {}
    raised: dict[str, int] = {}
    for rows in told:
        for what, key, value in rows:
            if what == "kind":
                kinds.setdefault(int(key), set()).add(value)
            elif what == "passes":
                passes[int(key)] = max(passes.get(int(key), 0), int(value))
            elif what == "depth":
                depth[key] = max(depth.get(key, 0), int(value))
            elif what == "calls":
                made[key] = max(made.get(key, 0), int(value))
            elif value:
                raised[value] = raised.get(value, 0) + 1
    often = sorted(raised, key=lambda name: (-raised[name], name))
    return replace(
        Facts(), kinds={key: frozenset(value) for key, value in kinds.items()}, passes=passes, depth=depth,
        calls=made, raised=tuple(often))


def instrumented(program: str, entry_point: str) -> str | None:
    """The program with notes in it; None where it speaks of names that the notes need."""
    growing = Growing.first(program, entry_point)
    if any(name in set(identifiers(growing.tree)) for name in ("_note", "_passes", "_depth", "_seen", "_kind", _ENTRY)):
        return None
    for _, function in functions(growing):
        generator = any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in walk(function))
        _Noting().visit(function)
        if not generator and not function.decorator_list:
            function.decorator_list = [ast.Name("_depth", ast.Load())]
    body = growing.tree.body
    future = [node for node in body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    prelude = ast.parse(_PRELUDE.replace("ENTRY(", f"{entry_point}("))
    growing.tree.body = [*future, *prelude.body, *(node for node in body if node not in future)]
    return ast.unparse(ast.fix_missing_locations(growing.tree)) + "\n"


class _Noting(ast.NodeTransformer):
    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.body = [new for one in node.body for new in _listed(self.visit(one))]
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in _OF_NUMPY:
            node.args = [self._noted(one) for one in node.args]
        return node

    def _noted(self, node: ast.expr) -> ast.expr:
        number = origin_of(node)
        if number is None or isinstance(node, (ast.Starred, ast.GeneratorExp)):
            return node
        return _call("_note", number, node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.AST]:
        number = origin_of(node)
        self.generic_visit(node)
        if number is None or not isinstance(node.target, ast.Name):
            return node
        return [ast.Expr(_call("_note", number, ast.Name(node.target.id, ast.Load()))), node]

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        node.test = _NotingNames().visit(node.test)
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        number = origin_of(node)
        self.generic_visit(node)
        if number is not None:
            node.iter = _call("_passes", number, node.iter)
        return node


class _NotingNames(ast.NodeTransformer):
    def visit_Name(self, node: ast.Name) -> ast.AST:
        number = origin_of(node)
        return node if number is None or not isinstance(node.ctx, ast.Load) else _call("_note", number, node)


def _listed(found: ast.AST | list[ast.AST]) -> Iterator[ast.stmt]:
    yield from found if isinstance(found, list) else [found]  # type: ignore[misc]


def _call(name: str, number: int, value: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), [ast.Constant(number), value], [])
