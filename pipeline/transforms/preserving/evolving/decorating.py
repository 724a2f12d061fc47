"""S8: a decorator that counts, times or logs the calls of a function."""

from __future__ import annotations

import ast

from pipeline.transforms.bound_names import walk
from pipeline.transforms.preserving.evolving.building import built, defined, imported
from pipeline.transforms.preserving.evolving.growing import Growing, Site, functions, gone, origin_of

DEEPEST = 300
"""A function that called itself deeper in its cases gets no decorator, since each call takes a further frame."""
_COUNTING = """
def {decorator}({function}):
    @{functools}.wraps({function})
    def {wrapper}(*args, **kwargs):
        {wrapper}.calls += 1
        return {function}(*args, **kwargs)
    {wrapper}.calls = 0
    return {wrapper}
"""
_LOGGING = """
def {decorator}({function}):
    @{functools}.wraps({function})
    def {wrapper}(*args, **kwargs):
        {result} = {function}(*args, **kwargs)
        {logging}.getLogger({function}.__module__).debug("%s returned", {function}.__name__)
        return {result}
    return {wrapper}
"""
_NAMES = {
    _COUNTING: ("count_calls", "counted", "with_call_count"), _LOGGING: ("log_calls", "logged", "with_logging"),
}


class IntroduceDecorator:
    """A function gets a decorator that does something with its calls and passes all through; one serves them all."""

    code, name = "S8", "IntroduceDecorator"

    def sites(self, program: Growing) -> list[Site]:
        """Functions without a decorator that don't call themselves deeply."""
        return [
            Site(number) for _, function in functions(program)
            if (number := origin_of(function)) is not None and _fits(program, function)]

    def apply(self, program: Growing, site: Site) -> None:
        """Put the decorator on the function."""
        for tree, function in functions(program):
            if origin_of(function) == site.origin and _fits(program, function):
                function.decorator_list = [ast.Name(_decorator(program, tree), ast.Load())]
                return
        raise gone()


def _fits(program: Growing, function: ast.FunctionDef) -> bool:
    attributes = {getattr(node.value, "id", "") for tree in program.trees for node in walk(tree)
                  if isinstance(node, ast.Attribute)}
    return not function.decorator_list and program.facts.depth.get(function.name, 1) < DEEPEST \
        and function.name not in attributes


def _decorator(program: Growing, tree: ast.Module) -> str:
    """The name of the module's decorator, which is made if there is none."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and getattr(node, "made", "") == "decorator":
            return node.name
    text = program.random.choice([_COUNTING, _LOGGING])
    names = {
        "functools": imported(program, tree, "functools"), "decorator": program.fresh_of(*_NAMES[text]),
        "function": program.fresh_of("function", "func", "target"), "wrapper": program.fresh_of("wrapper", "wrapped"),
    }
    if text is _LOGGING:
        names |= {"logging": imported(program, tree, "logging"), "result": program.fresh_of("result", "returned")}
    [made] = built(text.format(**names))
    made.made = "decorator"
    first = next(node for node in tree.body if isinstance(node, ast.FunctionDef))
    defined(tree, [made], first)
    return names["decorator"]
