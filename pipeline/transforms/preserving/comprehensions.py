"""The operator that writes list comprehensions as loops."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from pipeline.transforms.bound_names import COMPREHENSIONS, bound, walk
from pipeline.transforms.preserving.certain import certain
from pipeline.transforms.preserving.draft import Draft, loaded_names
from pipeline.transforms.preserving.places import Block, assign, name, replace, statements
from pipeline.transforms.preserving.reflection import check_names

_LATE = (ast.Lambda, ast.GeneratorExp)


class Comp2Loop:
    """`x = [e for v in y if c]` becomes a loop that appends to a new list; the same goes for `return`.

    The comprehension's variables get names that nothing else has, since they are no variables of the function. One that
    a lambda or a generator reads stays: each run of the comprehension has its own, and of a loop there is one for all.
    """

    name = "Comp2Loop"
    version = 1

    def sites(self, draft: Draft) -> int:
        """How many comprehensions are a whole value; raises `Inapplicable` where variables are looked at."""
        found = _whole(draft)
        if found:
            check_names(draft)
        return len(found)

    def apply(self, draft: Draft) -> None:
        """Write the loops."""

        def written(node: ast.Assign | ast.AnnAssign | ast.Return) -> Block:
            assert isinstance(node.value, ast.ListComp)
            made = draft.fresh("made")
            loop = _loop(node.value, made, draft)
            node.value = name(made)
            return [assign(made, ast.List([], ast.Load())), loop, node]

        replace(draft, draft.chosen(_whole(draft)), written)


def _whole(draft: Draft) -> list[ast.stmt]:
    kinds = (ast.Assign, ast.AnnAssign, ast.Return)
    found = [(node, node.value) for node in statements(draft.function)
             if isinstance(node, kinds) and isinstance(node.value, ast.ListComp)]
    if not found:
        return []
    bound_before, own = certain(draft.function), _locals(draft.function)
    return [node for node, value in found if _is_plain(value, own - bound_before.get(id(node), frozenset()))]


def _locals(function: ast.FunctionDef) -> set[str]:
    """All variables of functions, the inner ones too; what only comprehensions bind is none."""
    scopes = [node for node in walk(function) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    found = {name for scope in scopes for statement in scope.body for name in bound(statement)}
    return found | {node.arg for node in walk(function) if isinstance(node, ast.arg)}


def _is_plain(node: ast.ListComp, unsure: set[str]) -> bool:
    """Whether it runs at once, and reads no variable that may hold no value, of which it complains in its own way."""
    own = _variables(node)
    for part in walk(node):
        if isinstance(part, (ast.NamedExpr, ast.Await)) or (isinstance(part, ast.comprehension) and part.is_async):
            return False
        if isinstance(part, _LATE) and own & loaded_names(part):
            return False
    missing = unsure | own
    for place, generator in enumerate(node.generators):
        if missing & loaded_names(generator.target) or (place and missing & loaded_names(generator.iter)):
            return False
        missing -= bound(generator.target)
        if any(missing & loaded_names(test) for test in generator.ifs):
            return False
    return not missing & loaded_names(node.elt)


def _variables(node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> frozenset[str]:
    return frozenset(one for generator in node.generators for one in bound(generator.target))


def _loop(node: ast.ListComp, made: str, draft: Draft) -> ast.stmt:
    new = {old: draft.fresh(old) for old in sorted(_variables(node))}
    for place, generator in enumerate(node.generators):
        for part in (generator.target, *generator.ifs, *([generator.iter] if place else [])):
            _rename(part, new)
    _rename(node.elt, new)
    append = ast.Attribute(name(made), "append", ast.Load())
    inner: ast.stmt = ast.Expr(ast.Call(append, [node.elt], []))
    for generator in reversed(node.generators):
        for test in reversed(generator.ifs):
            inner = ast.If(test, [inner], [])
        inner = ast.For(generator.target, generator.iter, [inner], [], lineno=0)
    return inner


def _rename(node: ast.AST, new: Mapping[str, str]) -> None:
    """Give names in a part of a comprehension new ones, but where a comprehension within hides them."""
    if isinstance(node, _LATE):
        return
    if isinstance(node, ast.Name):
        node.id = new.get(node.id, node.id)
    elif isinstance(node, COMPREHENSIONS):
        first, hidden = node.generators[0].iter, _variables(node)
        _rename(first, new)
        within = {old: other for old, other in new.items() if old not in hidden}
        for part in ast.iter_child_nodes(node):
            for child in ast.iter_child_nodes(part) if isinstance(part, ast.comprehension) else [part]:
                if child is not first:
                    _rename(child, within)
    else:
        for part in ast.iter_child_nodes(node):
            _rename(part, new)
