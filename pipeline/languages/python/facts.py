"""What the judge and the instruction ask of a Python function, read once from its syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from pipeline.languages.effects import Use
from pipeline.languages.python.description import Description, describe
from pipeline.languages.python.lowering import FunctionNode, find_function
from pipeline.languages.python.uses import uses
from pipeline.transforms.bound_names import bound, parameter_names, reads, root

LOOPS = (ast.For, ast.AsyncFor, ast.While)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True)
class Parameter:
    """One parameter; `annotation` and `default` are source text, "" where there is none; `kind` as in `inspect`."""

    name: str
    annotation: str
    default: str
    kind: str

    @property
    def is_open(self) -> bool:
        """Whether the annotation, if there is one, says nothing of what is passed."""
        return self.annotation in ("", "Any", "object")


@dataclass(frozen=True)
class Facts:
    """A function inside its program."""

    tree: ast.Module
    function: FunctionNode

    @cached_property
    def description(self) -> Description | None:
        """Its docstring in parts."""
        return describe(self.function)

    @cached_property
    def body(self) -> list[ast.stmt]:
        """Its statements without the docstring."""
        documented = ast.get_docstring(self.function, clean=False) is not None
        return self.function.body[1:] if documented else self.function.body

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes of the body, annotations left out, in the order of the text."""
        return tuple(node for statement in self.body for node in _walk(statement))

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters in the order of the signature."""
        return tuple(_parameters(self.function.args))

    @cached_property
    def uses(self) -> list[Use]:
        """What it uses from outside."""
        return uses(self.tree, self.function)

    @cached_property
    def statements(self) -> int:
        """Its statements, those inside others included; `pass` and bare constants don't count."""
        return sum(
            isinstance(node, ast.stmt) and not isinstance(node, ast.Pass)
            and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
            for node in self.nodes
        )

    @cached_property
    def loops(self) -> int:
        """Its loops, comprehensions included."""
        return sum(isinstance(node, (*LOOPS, *COMPREHENSIONS)) for node in self.nodes)

    @cached_property
    def loop_depth(self) -> int:
        """How deep its loops lie in each other, comprehensions included."""
        return max((_loop_depth(statement) for statement in self.body), default=0)

    @cached_property
    def recursive(self) -> bool:
        """Whether it, or a function inside it, calls itself by name."""
        functions = [self.function, *(n for n in self.nodes if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)))]
        return any(
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function.name
            for function in functions for statement in function.body for node in ast.walk(statement)
        )

    @cached_property
    def derived(self) -> frozenset[str]:
        """Parameters, and local names that stand for an element or a part of one (a loop's variable, `x = p[0]`)."""
        names = set(parameter_names(self.function))
        for _ in range(3):
            for node in self.nodes:
                if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)) and _part_of(node.iter) in names:
                    names |= bound(node.target)
                elif isinstance(node, ast.Assign) and isinstance(node.value, _PARTS) and _part_of(node.value) in names:
                    names |= {name for target in node.targets for name in bound(target)}
        return frozenset(names - set(self.reassigned))

    @cached_property
    def reassigned(self) -> dict[str, int]:
        """The names that get a value that is no part of another one, each with the first line where that happens."""
        found: dict[str, int] = {}
        for node in self.nodes:
            if not isinstance(node, (ast.Assign, ast.AnnAssign, ast.withitem)):
                continue
            if isinstance(getattr(node, "value", None), _PARTS):
                continue
            line = node.context_expr.lineno if isinstance(node, ast.withitem) else node.lineno
            for name in bound(node):
                found[name] = min(line, found.get(name, line))
        return found

    @cached_property
    def copies(self) -> frozenset[str]:
        """Local names that get nothing but a copy of a parameter."""
        given = [node for node in self.nodes if isinstance(node, (ast.Assign, ast.AnnAssign, ast.withitem))]
        copying = [node for node in given if isinstance(node, ast.Assign) and _is_copy(node.value)]
        found = {name for node in copying for name in bound(node)}
        return frozenset(found.difference(*(bound(node) for node in given if node not in copying)))

    @cached_property
    def answers_with_functions(self) -> bool:
        """Whether all that it returns are functions that it defines."""
        nested = [node for node in self.nodes if isinstance(node, ast.FunctionDef)]
        own = {node.name for node in nested}
        inside = {id(part) for node in nested for part in ast.walk(node)}
        returned = [node.value for node in self.nodes if isinstance(node, ast.Return) and id(node) not in inside]
        return bool(returned) and all(
            isinstance(value, ast.Lambda) or (isinstance(value, ast.Name) and value.id in own) for value in returned
        )

    @cached_property
    def raised(self) -> tuple[str, ...]:
        """The types that it raises by name, each once."""
        found = []
        for node in self.nodes:
            if isinstance(node, ast.Raise) and node.exc is not None:
                target = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
                found.append(ast.unparse(target))
        return tuple(dict.fromkeys(found))


def read_facts(program: str, name: str) -> Facts:
    """The facts about the function of that name; raises `SyntaxError` or `LookupError`."""
    tree = ast.parse(program)
    return Facts(tree, find_function(tree, name))


def _parameters(arguments: ast.arguments) -> Iterator[Parameter]:
    positional = [*arguments.posonlyargs, *arguments.args]
    missing = len(positional) - len(arguments.defaults)
    for i, argument in enumerate(positional):
        default = arguments.defaults[i - missing] if i >= missing else None
        kind = "positional only" if i < len(arguments.posonlyargs) else "positional"
        yield _parameter(argument, default, kind)
    if arguments.vararg:
        yield _parameter(arguments.vararg, None, "all positional")
    for argument, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield _parameter(argument, value, "keyword only")
    if arguments.kwarg:
        yield _parameter(arguments.kwarg, None, "all keyword")


def _parameter(argument: ast.arg, default: ast.expr | None, kind: str) -> Parameter:
    annotation = ast.unparse(argument.annotation) if argument.annotation else ""
    return Parameter(argument.arg, annotation.strip("'\""), ast.unparse(default) if default else "", kind)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """A node and what is below it, in the order of the text, annotations left out."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _walk(child)


def _loop_depth(node: ast.AST) -> int:
    below = max((_loop_depth(child) for child in ast.iter_child_nodes(node)), default=0)
    if isinstance(node, COMPREHENSIONS):
        return below + len(node.generators)
    return below + isinstance(node, LOOPS)


_PARTS = (ast.Subscript, ast.Name, ast.Attribute)
_WRAPPERS = frozenset({"enumerate", "zip", "sorted", "reversed", "list", "tuple", "iter"})


def _is_copy(value: ast.AST | None) -> bool:
    """Whether a value is a name's copy: `x.copy()`, `copy.copy(x)`, `deepcopy(x)`."""
    match value:
        case ast.Call(ast.Attribute(ast.Name(name), "copy"), []):
            return name != "copy"
        case ast.Call(func, [ast.Name(), *_]):
            return ast.unparse(func) in ("copy.copy", "copy.deepcopy", "copy", "deepcopy")
    return False


def _part_of(node: ast.AST) -> str:
    """The name that an iterated or subscripted expression is a part of: `p`, `p[0]`, `p.items()`, `enumerate(p)`."""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id in _WRAPPERS and node.args:
            return _part_of(node.args[0])
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("items", "values"):
            return _part_of(node.func.value)
        return ""
    return root(node) if reads(node) else ""
