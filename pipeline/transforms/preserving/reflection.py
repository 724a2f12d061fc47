"""Programs that look at their own names, or read what their functions tell of themselves."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pipeline.records import Reason
from pipeline.transforms.altering.facts import REFLECTION
from pipeline.transforms.bound_names import COMPREHENSIONS, bound, parameter_names, walk
from pipeline.transforms.preserving.draft import Draft, Inapplicable

_TOLD = frozenset({
    "__doc__", "__name__", "__qualname__", "__code__", "__annotations__", "__defaults__", "__kwdefaults__",
})  # fmt: skip
_KINDS = frozenset(
    "isclass isfunction ismethod isgenerator isgeneratorfunction isroutine isbuiltin ismodule isawaitable iscoroutine "
    "iscoroutinefunction isabstract isdatadescriptor ismethoddescriptor getmodulename cleandoc".split())
"""What only tells one kind of object from another, or works on texts."""
_GIVEN = frozenset({"vars", "dir"})
"""With an argument these speak of that, not of what surrounds them."""
_RUNNING = frozenset({"eval", "exec"})
"""With a namespace these see no variable of who calls them."""
_OF_METHODS = _GIVEN | {"locals", "globals", "exec"}
"""What is commonly the name of something else where it is an attribute, but of Python's own module."""


def check_names(draft: Draft, *, functions: bool = False, texts: bool = True) -> None:
    """Raise `Inapplicable` where a program looks at its variables by name, or at its `functions`.

    Without `texts` it may run code that it finds in texts, which sees the variables that it knows of.
    """
    nodes = draft.nodes
    if REFLECTION.isdisjoint(map(_word, nodes)):
        return
    calls = {id(node.func): node for node in nodes if isinstance(node, ast.Call)}
    hidden = {id(node) for node in _hidden(draft.tree)}
    built_in = any("builtins" in _word(node) for node in nodes) or any(
        isinstance(node, ast.alias) and "builtins" in node.name for node in nodes)
    for node in nodes:
        word = _word(node)
        if word not in REFLECTION or id(node) in hidden:
            continue
        if isinstance(node, ast.Attribute) and word in _OF_METHODS and not built_in:
            continue
        call = calls.get(id(node))
        given = 0 if call is None else len(call.args) + len(call.keywords)
        if (word in _GIVEN and given) or (word in _RUNNING and not texts):
            continue
        if call is not None and word == "_getframe" and _is_of_callers(call, draft):
            continue
        # What belongs to the whole module, and what sees only that, shows no variable.
        if not functions and (word == "globals" or (word in _RUNNING and isinstance(node, ast.Name) and given > 1)):
            continue
        raise Inapplicable(Reason.INTROSPECTIVE, f"It reads {word}, which shows names of the program.")


def runs_texts(draft: Draft) -> bool:
    """Whether a program runs code that it finds in texts."""
    return not _RUNNING.isdisjoint(map(_word, draft.nodes))


def _is_of_callers(call: ast.Call, draft: Draft) -> bool:
    """Whether a frame is one of those that surely lie around all functions of the program."""
    depth = call.args[0] if len(call.args) == 1 else None
    if not (isinstance(depth, ast.Constant) and isinstance(depth.value, int) and depth.value >= 1):
        return False
    recursive = any(isinstance(node, ast.Name) and node.id == draft.entry_point for node in draft.nodes)
    return not recursive and any(node is call for part in draft.function.body for node in _same_frame(part))


def _same_frame(node: ast.AST) -> Iterator[ast.AST]:
    """A node and what is below it, without what runs in a frame of its own."""
    if not isinstance(node, (*COMPREHENSIONS, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
        yield node
        for part in ast.iter_child_nodes(node):
            yield from _same_frame(part)


def _word(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _hidden(tree: ast.Module) -> Iterator[ast.AST]:
    """Names that are variables of the function at module level in which they stand, whatever Python's are."""
    for function in tree.body:
        if isinstance(function, ast.FunctionDef):
            shared = {name for node in walk(function) if isinstance(node, ast.Global) for name in node.names}
            own = frozenset(parameter_names(function)).union(*map(bound, function.body)) - shared
            for statement in function.body:
                yield from (node for node in walk(statement) if isinstance(node, ast.Name) and node.id in own)


def check_told(draft: Draft, documented: bool = True) -> None:
    """Raise `Inapplicable` where a program reads what its functions tell of themselves, such as documentation."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    functions = {node.name for node in draft.nodes if isinstance(node, kinds)}
    for node in draft.nodes:
        told = isinstance(node, ast.Attribute) and node.attr in _TOLD and isinstance(node.ctx, ast.Load) \
            and getattr(node.value, "id", "") in functions
        if told or (documented and isinstance(node, ast.Name) and node.id == "__doc__"):
            word = node.attr if isinstance(node, ast.Attribute) else "__doc__"
            raise Inapplicable(Reason.INTROSPECTIVE, f"It reads {word}, which tells of the program itself.")
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            modules = [alias.name for alias in node.names] + [getattr(node, "module", None) or ""]
            if any(module.split(".")[0] == "inspect" for module in modules) and not _asks_kinds(draft.tree):
                raise Inapplicable(Reason.INTROSPECTIVE, "It imports inspect, which reads programs.")


def _asks_kinds(tree: ast.Module) -> bool:
    """Whether a program takes nothing of `inspect` but what sees no program."""
    nodes = list(walk(tree))
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "inspect":
            return False
        if isinstance(node, ast.alias) and node.name.split(".")[0] == "inspect" and (node.asname or "." in node.name):
            return False
    asked = [node for node in nodes if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "inspect"]
    read = [node for node in nodes if isinstance(node, ast.Name) and node.id == "inspect"]
    return len(asked) == len(read) and all(node.attr in _KINDS for node in asked)
