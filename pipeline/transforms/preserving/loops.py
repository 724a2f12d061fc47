"""Operators that write one kind of loop as the other."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from pipeline.records import Reason
from pipeline.transforms.bound_names import bound, parameter_names, walk, walk_own
from pipeline.transforms.preserving.draft import Draft, Inapplicable, loaded_names, stored_names
from pipeline.transforms.preserving.reflection import check_names, runs_texts

_FRESH = frozenset({"list", "sorted", "tuple", "str"})
_LATE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.GeneratorExp)
_WHOLE = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv)


class For2While:
    """Each `for` statement becomes a `while`, in the most natural way that is proved to do the same.

    Over a range of whole numbers it counts; over a list, tuple or text that is made there it goes by places; over
    anything else it asks an iterator until there is no more.
    """

    name = "For2While"
    version = 1

    def sites(self, draft: Draft) -> int:
        """How many `for` there are; raises `Inapplicable` where Python's own names that it needs are taken."""
        function = draft.function
        found = [node for node in walk(function) if isinstance(node, ast.For)]
        if found:
            kinds = _kinds(draft, found).values()
            _check_names(draft, *sorted({name for kind in kinds for name in _NEEDED[kind]}))
            classes = [node for node in walk(function) if isinstance(node, ast.ClassDef)]
            inside = (part for node in classes for statement in node.body for part in walk_own(statement))
            if any(isinstance(part, ast.For) for part in inside):
                raise Inapplicable(Reason.UNSUPPORTED_SYNTAX, "It holds a loop in a class, whose names are seen.")
        return len(found)

    def apply(self, draft: Draft) -> None:
        """Rewrite all of them, the inner ones first."""
        function = draft.function
        found = [node for node in walk(function) if isinstance(node, ast.For)]
        kinds, no_object = _kinds(draft, found), bool(_hides(draft, "object"))

        def rewritten(node: ast.For) -> list[ast.stmt]:
            kind = kinds[id(node)]
            if kind == "counting":
                return _counting(node, draft)
            return _by_places(node, draft) if kind == "places" else _iterating(node, draft, no_object)

        _replace(function, set(map(id, draft.chosen(found))), rewritten)


class While2For:
    """Each `while` becomes a `for` over an endless iterator, which is left when the condition no longer holds."""

    name = "While2For"
    version = 1

    def sites(self, draft: Draft) -> int:
        """How many `while` there are; raises `Inapplicable` where Python's own names that it needs are taken."""
        found = [node for node in walk(draft.function) if isinstance(node, ast.While)]
        if found:
            _check_names(draft, "iter", "int")
        return len(found)

    def apply(self, draft: Draft) -> None:
        """Rewrite all of them, the inner ones first."""
        found = [node for node in walk(draft.function) if isinstance(node, ast.While)]
        _replace(draft.function, set(map(id, draft.chosen(found))), lambda node: _endless(node, draft))


def _check_names(draft: Draft, *names: str) -> None:
    """Raise `Inapplicable` where one of Python's own functions is hidden by the program, or variables are looked at."""
    check_names(draft, texts=False)
    for name in _hides(draft, *names):
        raise Inapplicable(Reason.UNSUPPORTED_SYNTAX, f"It gives the name {name} another meaning.")


def _hidden(draft: Draft) -> set[str]:
    """The names that mean something else in the function: what a lambda or a comprehension binds no statement sees."""
    functions = [node for node in walk(draft.function) if isinstance(node, ast.FunctionDef)]
    every = [*draft.tree.body, *(statement for node in functions for statement in node.body)]
    found = {name for statement in every for name in bound(statement)}
    return found | {name for node in functions for name in parameter_names(node)}


def _hides(draft: Draft, *names: str) -> list[str]:
    """Those of the names that mean something else in the function; most programs don't have to be looked through."""
    return sorted(_hidden(draft).intersection(names)) if draft.given.intersection(names) else []


_NEEDED = {"counting": ("len", "range"), "places": ("len",), "iterating": ("iter", "next")}
"""The ways to write a loop, with Python's own names that must mean what they always do."""


def _kinds(draft: Draft, found: Sequence[ast.For]) -> dict[int, str]:
    """The way in which each loop is written, by its `id`."""
    told = runs_texts(draft)  # a text may read the variable of a loop behind it
    return {
        id(node): "counting" if not told and _counts(node, draft.function)
        else "places" if _is_fresh(node.iter, draft.given) else "iterating" for node in found
    }


def _replace(node: ast.AST, chosen: Collection[int], rewritten: Callable[[Any], list[ast.stmt]]) -> None:
    """Replace the statements of these `id` below a node, the inner ones first."""
    for _, value in ast.iter_fields(node):
        if not isinstance(value, list):
            continue
        for part in value:
            if isinstance(part, (ast.stmt, ast.ExceptHandler, ast.match_case)):
                _replace(part, chosen, rewritten)
        place = 0
        while place < len(value):
            new = rewritten(value[place]) if id(value[place]) in chosen else [value[place]]
            value[place : place + 1] = new  # at once, so that the names that are new now are known to be taken
            place += len(new)


def _name(name: str, *, store: bool = False) -> ast.Name:
    return ast.Name(name, ast.Store() if store else ast.Load())


def _assign(name: str, value: ast.expr) -> ast.Assign:
    return ast.Assign([_name(name, store=True)], value, lineno=0)


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(_name(name), list(arguments), [])


def _add_one(name: str) -> ast.Assign:
    return _assign(name, ast.BinOp(_name(name), ast.Add(), ast.Constant(1)))


def _counts(node: ast.For, function: ast.FunctionDef) -> bool:
    """Whether a loop goes over a range of whole numbers, and its variable is seen by nothing but its body."""
    call = node.iter
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"):
        return False
    if not isinstance(node.target, ast.Name) or node.orelse or call.keywords or not 1 <= len(call.args) <= 2:
        return False
    name = node.target.id
    if name in {part for inner in walk(function) if isinstance(inner, ast.Nonlocal) for part in inner.names}:
        return False
    integers = _integers(function)
    start = call.args[0] if len(call.args) == 2 else None
    if not _is_whole(call.args[-1], integers) or (start is not None and not _is_whole(start, frozenset())):
        return False
    if any(name in stored_names(part) for part in node.body) or any(map(_continues, node.body)):
        return False
    late = (inner for part in node.body for inner in walk(part) if isinstance(inner, _LATE))
    return not any(name in loaded_names(inner) for inner in late) and not _is_read_outside(name, node, function)


def _integers(function: ast.FunctionDef) -> frozenset[str]:
    """The parameters that are annotated as whole numbers and never bound anew."""
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    named = {one.arg for one in every if isinstance(one.annotation, ast.Name) and one.annotation.id == "int"}
    return frozenset(named - {name for part in function.body for name in stored_names(part)})


def _is_whole(node: ast.expr, integers: frozenset[str]) -> bool:
    """Whether an expression gives a whole number for certain, if anything."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, _WHOLE):
        return _is_whole(node.left, integers) and _is_whole(node.right, integers)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _is_whole(node.operand, integers)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "len" and len(node.args) == 1 and not node.keywords
    if isinstance(node, ast.Name):
        return node.id in integers
    return isinstance(node, ast.Constant) and type(node.value) is int


def _continues(node: ast.AST) -> bool:
    """Whether a statement of a loop's body goes on with that very loop."""
    return any(isinstance(part, ast.Continue) for part in _of_this_loop(node))


def _breaks(node: ast.AST) -> bool:
    """Whether a statement of a loop's body ends that very loop."""
    return any(isinstance(part, ast.Break) for part in _of_this_loop(node))


def _leaves(node: ast.AST) -> bool:
    """Whether a statement ends or goes on with the loop that it stands in."""
    return any(isinstance(part, (ast.Break, ast.Continue)) for part in _of_this_loop(node))


def _of_this_loop(node: ast.AST) -> Iterator[ast.AST]:
    """A statement and what is below it, without the bodies of loops and functions within."""
    yield node
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
        return
    inside = node.orelse if isinstance(node, (ast.For, ast.While)) else list(ast.iter_child_nodes(node))
    for part in inside:
        yield from _of_this_loop(part)


def _is_read_outside(name: str, node: ast.For, function: ast.FunctionDef) -> bool:
    """Whether a name is read anywhere but in loops that bind it themselves."""
    inside: set[int] = set()
    for one in walk(function):
        if isinstance(one, ast.For) and isinstance(one.target, ast.Name) and one.target.id == name:
            inside |= {id(part) for statement in one.body for part in walk(statement)}
    own = {id(part) for part in walk(node.iter)}
    return any(
        isinstance(part, ast.Name) and part.id == name and not isinstance(part.ctx, ast.Store)
        and (id(part) not in inside or id(part) in own) for part in walk(function)
    )


def _counting(node: ast.For, draft: Draft) -> list[ast.stmt]:
    call, target = node.iter, node.target
    assert isinstance(call, ast.Call) and isinstance(target, ast.Name)
    start = call.args[0] if len(call.args) == 2 else ast.Constant(0)
    statements: list[ast.stmt] = []
    end: ast.expr = call.args[-1]
    if not isinstance(end, ast.Constant):
        name = draft.fresh("end")
        statements.append(_assign(name, end))
        end = _name(name)
    test = ast.Compare(_name(target.id), [ast.Lt()], [end])
    loop = ast.While(test, [*node.body, _add_one(target.id)], [])
    return [*statements, _assign(target.id, start), loop]


def _is_fresh(node: ast.expr, own: frozenset[str]) -> bool:
    """Whether an expression makes a list, tuple or text that nothing else knows, and so nothing changes."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return True
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _FRESH - own


def _by_places(node: ast.For, draft: Draft) -> list[ast.stmt]:
    items = draft.fresh("items")
    place = draft.fresh("place")
    test = ast.Compare(_name(place), [ast.Lt()], [_call("len", _name(items))])
    taken = ast.Assign([node.target], ast.Subscript(_name(items), _name(place), ast.Load()), lineno=0)
    loop = ast.While(test, [taken, _add_one(place), *node.body], node.orelse)
    return [_assign(items, node.iter), _assign(place, ast.Constant(0)), loop]


def _iterating(node: ast.For, draft: Draft, no_object: bool) -> list[ast.stmt]:
    it, stop, item = draft.fresh("it"), draft.fresh("stop"), draft.fresh("item")
    asked = ast.NamedExpr(_name(item, store=True), _call("next", _name(it), _name(stop)))
    test = ast.Compare(asked, [ast.IsNot()], [_name(stop)])
    taken = ast.Assign([node.target], _name(item), lineno=0)
    loop = ast.While(test, [taken, *node.body], node.orelse)
    # A loop that is left early lets go of its iterator, whose end may do something.
    left = [ast.Delete([ast.Name(it, ast.Del())])] if any(map(_breaks, node.body)) else []
    end = ast.List([], ast.Load()) if no_object else _call("object")
    return [_assign(it, _call("iter", node.iter)), _assign(stop, end), loop, *left]


def _endless(node: ast.While, draft: Draft) -> list[ast.stmt]:
    turn = draft.fresh("turn")
    before: list[ast.stmt] = []
    behind: list[ast.stmt] = []
    leaving: list[ast.stmt] = [*node.orelse, ast.Break()]
    if any(map(_leaves, node.orelse)):
        # What leaves the loop around may not stand in this one.
        done = draft.fresh("done")
        before = [_assign(done, ast.Constant(False))]
        leaving = [_assign(done, ast.Constant(True)), ast.Break()]
        behind = [ast.If(_name(done), node.orelse, [])]
    test = ast.If(ast.UnaryOp(ast.Not(), node.test), leaving, [])
    endless = _call("iter", _name("int"), ast.Constant(1))
    loop = ast.For(_name(turn, store=True), endless, [test, *node.body], [], lineno=0)
    return [*before, loop, *behind]
