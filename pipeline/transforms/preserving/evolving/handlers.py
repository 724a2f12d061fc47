"""S5: a function's body stands in a `try`, whose handler notes the exception and raises it again."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pipeline.transforms.bound_names import walk
from pipeline.transforms.preserving.evolving.building import built, defined, imported, shadowed
from pipeline.transforms.preserving.evolving.growing import Growing, Site, functions, gone, origin_of

_EXCEPTIONS = (
    "ValueError", "TypeError", "KeyError", "IndexError", "ZeroDivisionError", "OverflowError", "AttributeError",
    "LookupError", "ArithmeticError", "UnicodeDecodeError", "RuntimeError", "StopIteration", "OSError",
)
_TOLD = ("{} failed: %s", "error in {}: %s", "{} could not finish: %s", "{} got invalid input: %s")


class AddTryExcept:
    """The exceptions that a function raises in its cases, or may raise by what it does, are logged and raised again.

    Nothing is swallowed, and no message is made of what is logged unless somebody asks for it.
    """

    code, name = "S5", "AddTryExcept"

    def sites(self, program: Growing) -> list[Site]:
        """Functions that are no generators, and have no such handler yet."""
        return [Site(number) for number, *_ in self._found(program)]

    def apply(self, program: Growing, site: Site) -> None:
        """Put the body into a `try`."""
        found = next((one for one in self._found(program) if one[0] == site.origin), None)
        if found is None:
            raise gone()
        _, tree, function = found
        kinds = _kinds(program, tree, function)
        logger = _logger(program, tree)
        error = program.fresh_of("error", "exc", "problem", "err")
        caught = kinds[0] if len(kinds) == 1 else f"({', '.join(kinds)})"
        told = program.random.choice(_TOLD).format(function.name.strip("_"))
        text = f"try:\n    BODY\nexcept {caught} as {error}:\n    {logger}.debug({told!r}, {error})\n" \
            "    raise"
        function.body = built(text, BODY=function.body)

    def _found(self, program: Growing) -> Iterator[tuple[int, ast.Module, ast.FunctionDef]]:
        for tree, function in functions(program):
            number, last = origin_of(function), function.body[-1]
            added = isinstance(last, ast.Try) and origin_of(last) is None
            if number is not None and not added and len(function.body) > 1 and _kinds(program, tree, function):
                if any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in walk(function)):
                    continue
                yield number, tree, function


def _kinds(program: Growing, tree: ast.Module, function: ast.FunctionDef) -> list[str]:
    """What a function raises in its cases, else what it may raise by what it does; at most two."""
    raised = [name for name in program.facts.raised if function.name == program.entry_point]
    calls = {node.func.id for node in walk(function) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    if calls & {"int", "float", "ValueError"}:
        raised.append("ValueError")
    read = (node for node in walk(function) if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load))
    if any(origin_of(node) is not None for node in read):
        raised += ["IndexError", "KeyError"]
    raised += ["TypeError"]
    hidden = shadowed(tree)
    found = [name for name in dict.fromkeys(raised) if name in _EXCEPTIONS and name not in hidden]
    return found[:2] if len(program.facts.raised) != 1 else found[:1]


def _logger(program: Growing, tree: ast.Module) -> str:
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node, "made", "") == "logger":
            assert isinstance(node.targets[0], ast.Name)
            return node.targets[0].id
    logging = imported(program, tree, "logging")
    name = program.fresh_of("logger", "log", "LOG", "_logger")
    [made] = built(f"{name} = {logging}.getLogger(__name__)")
    made.made = "logger"
    defined(tree, [made])
    return name
