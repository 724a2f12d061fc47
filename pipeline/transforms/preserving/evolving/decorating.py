"""S8: a decorator that times or logs the calls of a function."""

from __future__ import annotations

import ast

from pipeline.transforms.bound_names import walk
from pipeline.transforms.preserving.evolving.building import built, defined, imported, logger_of
from pipeline.transforms.preserving.evolving.growing import (
    CUT,
    SLIGHT,
    Growing,
    Site,
    functions,
    gone,
    origin_of,
)

_MARK = "decorator"
_LEAST = 4
"""Statements of a function, with those inside of others, that nobody looks at the calls of."""
_OFTEN = 5
"""How often one case calls a function whose calls nobody looks at."""
DEEPEST = 300
"""A function that called itself deeper in its cases gets no decorator, since each call takes a further frame."""
_TIMING = """
def {decorator}({function}):
    @{functools}.wraps({function})
    def {wrapper}(*args, **kwargs):
        {start} = {time}.perf_counter()
        try:
            return {function}(*args, **kwargs)
        finally:
            {elapsed} = {time}.perf_counter() - {start}
            {logger}.debug("%s took %.3f s", {function}.__name__, {elapsed})
    return {wrapper}
"""
_LOGGING = """
def {decorator}({function}):
    @{functools}.wraps({function})
    def {wrapper}(*args, **kwargs):
        {logger}.debug("calling %s", {function}.__name__)
        {result} = {function}(*args, **kwargs)
        {logger}.debug("%s returned", {function}.__name__)
        return {result}
    return {wrapper}
"""
_NAMES = {_TIMING: ("timed", "log_duration", "log_time"), _LOGGING: ("log_calls", "logged", "traced")}


class IntroduceDecorator:
    """A function gets a decorator that does something with its calls and passes all through; one serves them all."""

    code, name = "S8", "IntroduceDecorator"

    def sites(self, program: Growing) -> list[Site]:
        """Functions without a decorator that don't call themselves deeply."""
        return [
            Site(number, SLIGHT if _is_small(program, function) else "") for tree, function in functions(program)
            if (number := origin_of(function)) is not None and _fits(program, tree, function)]

    def apply(self, program: Growing, site: Site) -> None:
        """Put the decorator on the function."""
        for tree, function in functions(program):
            if origin_of(function) == site.origin and _fits(program, tree, function):
                function.decorator_list = [ast.Name(_decorator(program, tree), ast.Load())]
                return
        raise gone()


def _fits(program: Growing, tree: ast.Module, function: ast.FunctionDef) -> bool:
    if tree is not program.tree and _own(program.tree) and not _own(tree):
        return False  # a module would have to import from the one that imports it
    attributes = {getattr(node.value, "id", "") for tree in program.trees for node in walk(tree)
                  if isinstance(node, ast.Attribute)}
    return not function.decorator_list and program.facts.depth.get(function.name, 1) < DEEPEST \
        and function.name not in attributes


def _is_small(program: Growing, function: ast.FunctionDef) -> bool:
    """Whether nobody looks at a function's calls: it does little, is a part of another, or is called all the time."""
    facts, name = program.facts, function.name
    if (origin_of(function) or 0) >= CUT or facts.depth.get(name, 1) > 1 or facts.calls.get(name, 1) > _OFTEN:
        return True
    return sum(isinstance(node, ast.stmt) for node in walk(function)) <= _LEAST


def _own(tree: ast.Module) -> str:
    """The name of a module's decorator; "" where it has none."""
    made = (node.name for node in tree.body if getattr(node, "made", "") == _MARK and isinstance(node, ast.FunctionDef))
    return next(made, "")


def _decorator(program: Growing, tree: ast.Module) -> str:
    """The name of the module's decorator, or of another module's, which is imported; it is made if there is none."""
    if own := _own(tree):
        return own
    for module, other in program.modules.items():
        if tree is program.tree and (own := _own(other)):
            return imported(program, tree, module, own)
    text = program.random.choice([_TIMING, _LOGGING])
    names = {
        "functools": imported(program, tree, "functools"), "decorator": program.fresh_of(*_NAMES[text]),
        "function": program.fresh_of("function", "func", "target"), "wrapper": program.fresh_of("wrapper", "wrapped"),
        "logger": logger_of(program, tree),
    }
    if text is _LOGGING:
        names["result"] = program.fresh_of("result", "returned", "value", "answer")
    else:
        names |= {
            "time": imported(program, tree, "time"), "start": program.fresh_of("start", "started", "begin", "before"),
            "elapsed": program.fresh_of("elapsed", "duration", "seconds", "taken")}
    [made] = built(text.format(**names))
    made.made = _MARK
    first = next(node for node in tree.body if isinstance(node, ast.FunctionDef))
    defined(tree, [made], first)
    return names["decorator"]
