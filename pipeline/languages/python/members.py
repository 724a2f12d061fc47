"""Python's members of bundles: which statements at the top of a file are constants, helpers, or classes of data."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from pathlib import PurePosixPath

from pipeline.languages.members import Kind, Standing
from pipeline.languages.programs import Unreadable
from pipeline.languages.python.effects import CHANGES_IN_PLACE
from pipeline.records import Reason
from pipeline.transforms.bound_names import root, walk_own

_DATACLASS = frozenset({"dataclass", "dataclasses.dataclass"})
_SAYS_NOTHING = frozenset({"final", "typing.final"})
"""Decorators that only checkers of types read."""
_RECORDS = frozenset({"NamedTuple", "TypedDict"})
_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})
_BESIDES = frozenset({"str", "int", "float", "Generic"})
"""Bases that classes of data may have besides."""
_CLASS = re.compile(r"(?:@[^\n]*\n)*class\b")
_METHOD = re.compile(r"^([ \t]+)(?:@|(?:async[ \t]+)?def\b)", re.M)
_OF_METHODS = frozenset({"staticmethod", "classmethod", "property"})


class PythonMembers:
    """What Python's functions may take along from their project."""

    def standing(self, text: str, decorators: Collection[str]) -> Standing:
        """What a statement would be as a member."""
        return _standing(text, tuple(decorators))

    def seem_changed(self, text: str, names: Collection[str]) -> Collection[str]:
        """Those of the names that something is taken from: the others are not changed."""
        return [name for name in names if any(part in text for part in (f"{name}.", f"{name}[", f"attr({name}"))]

    def changed(self, text: str, names: Collection[str]) -> Collection[str]:
        """Those of the names whose objects a statement changes in place, as far as it tells."""
        return _names_changed(text) & set(names) if names else ()

    def file_of(self, module: str, importer: str, files: Collection[str]) -> str | None:
        """The file of a module, or of a package, which is its folder's `__init__`."""
        dots = len(module) - len(module.lstrip("."))
        parts = [part for part in module[dots:].split(".") if part]
        folder = PurePosixPath(importer).parent.parts
        if dots:
            bases = [folder[: len(folder) - dots + 1]] if dots <= len(folder) + 1 else []
        else:
            bases = [folder[:place] for place, part in enumerate((*folder, "")) if part in (*parts[:1], "")]
        for base in bases:
            place = "/".join((*base, *parts))
            for path in (f"{place}.py", f"{place}/__init__.py" if place else "__init__.py"):
                if path in files:
                    return path
        return None

    def again(self, name: str, known: str) -> str:
        """`name = known`."""
        return f"{name} = {known}"

    def bundle(self, imports: Sequence[str], members: Sequence[tuple[Kind, str]]) -> str:
        """Imports, then the members as they stand; constants that follow one another on lines of their own."""
        text = "\n".join(imports) + "\n" if imports else ""
        before: Kind | None = None
        for kind, member in members:
            near = kind is Kind.CONSTANT and before in (Kind.CONSTANT, None)
            gap = ("\n" if before is None else "") if near else "\n\n"
            text += (gap if text else "") + member.rstrip() + "\n"
            before = kind
        return text + "\n\n" if text else ""


@lru_cache(maxsize=4096)
def _standing(text: str, decorators: tuple[str, ...]) -> Standing:
    if why := _against_beginning(text):
        return Standing(Kind.CLASS, Reason.PROJECT_CLASS, why)
    match _parsed(text).body:
        case [ast.FunctionDef() | ast.AsyncFunctionDef() as function]:
            why = _against_function(function, decorators, may_yield="yield" in text)
            return Standing(Kind.FUNCTION, Reason.UNFIT_HELPER if why else None, why)
        case [ast.ClassDef() as made]:
            why = _against_class(made)
            return Standing(Kind.CLASS, Reason.PROJECT_CLASS if why else None, why)
        case [ast.Assign() | ast.AnnAssign() as assigned]:
            why = _against_constant(assigned)
            return Standing(Kind.CONSTANT, Reason.COMPUTED_CONSTANT if why else None, why)
    return Standing(Kind.CONSTANT, Reason.REBOUND, "it is bound by a statement that is no plain definition")


def _parsed(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Unreadable(str(error)) from error


def _against_function(
    function: ast.FunctionDef | ast.AsyncFunctionDef, decorators: Collection[str], may_yield: bool = True
) -> str:
    if isinstance(function, ast.AsyncFunctionDef):
        return "it is asynchronous"
    inside = (node for statement in function.body for node in walk_own(statement)) if may_yield else ()
    if any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in inside):
        return "it is a generator"
    others = [name for name in map(_decorator, function.decorator_list) if name not in decorators]
    return f"it is decorated with @{others[0]}" if others else ""


def _decorator(node: ast.expr) -> str:
    return ast.unparse(node.func if isinstance(node, ast.Call) else node)


def _against_beginning(text: str) -> str:
    """What speaks against a class by what stands before its first function: most fall by that, and are long."""
    first = _METHOD.search(text) if _CLASS.match(text) else None
    if first is None:
        return ""
    try:
        match ast.parse(f"{text[:first.start()]}{first[1]}pass").body:
            case [ast.ClassDef() as made]:
                return _against_bases(made) or ("" if _holds_data(made) else "it does more than hold data")
    except (SyntaxError, ValueError):
        # It is a line of a text in quotes, or nothing that Python can read.
        pass
    return ""


def _against_bases(made: ast.ClassDef) -> str:
    decorators, bases = _decorators(made), _bases(made)
    if decorators - _DATACLASS:
        return f"it is decorated with @{min(decorators - _DATACLASS)}"
    if any(keyword.arg != "total" for keyword in made.keywords):
        return "it has a metaclass or arguments of its own"
    if not _holds_data(made) and bases <= _BESIDES:
        return "it does more than hold data"
    return ""


def _holds_data(made: ast.ClassDef) -> bool:
    """Whether a class is a dataclass, a named tuple, a typed dict or an enumeration."""
    return bool(_decorators(made) or _bases(made) & (_RECORDS | _ENUMS))


def _decorators(made: ast.ClassDef) -> set[str]:
    return {_decorator(node) for node in made.decorator_list} - _SAYS_NOTHING


def _bases(made: ast.ClassDef) -> set[str]:
    return {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in made.bases}


def _against_class(made: ast.ClassDef) -> str:
    """What speaks against a class: it is no dataclass, named tuple, typed dict, enumeration, or bare exception."""
    if why := _against_bases(made):
        return why
    functions = [node for node in made.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))]
    if _holds_data(made):
        return next(filter(None, map(_against_method, functions)), "")
    if functions or not all(map(_is_plain, made.body)):
        return "it does more than hold data"
    # What is left says nothing besides its bases, as exceptions do: these decide.
    return ""


def _against_method(node: ast.stmt) -> str:
    if not isinstance(node, ast.FunctionDef):
        return "it holds classes or coroutines"
    return _against_function(node, _OF_METHODS)


def _is_plain(node: ast.stmt) -> bool:
    """Whether a statement of a class says nothing but constants, types and documentation."""
    value = node.value if isinstance(node, (ast.Expr, ast.Assign, ast.AnnAssign)) else None
    return isinstance(node, ast.Pass) or value is None or isinstance(value, ast.Constant)


def _against_constant(assigned: ast.Assign | ast.AnnAssign) -> str:
    targets = assigned.targets if isinstance(assigned, ast.Assign) else [assigned.target]
    value = assigned.value
    if value is None:
        return "it has no value"
    names = [part for target in targets for part in (target.elts if isinstance(target, ast.Tuple) else [target])]
    if not all(isinstance(name, ast.Name) for name in names):
        return "it is no plain name"
    if isinstance(value, ast.GeneratorExp):
        return "it is an iterator, which calls use up"
    if any(isinstance(node, (ast.Lambda, ast.NamedExpr)) for node in ast.walk(value)):
        return "it is computed by a function"
    return ""


@lru_cache(maxsize=4096)
def _names_changed(text: str) -> frozenset[str]:
    return frozenset(_changed(_parsed(text)))


def _changed(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, (ast.Store, ast.Del)):
            yield root(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES_IN_PLACE:
            yield root(node.func)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("setattr", "delattr"):
            yield from (root(argument) for argument in node.args[:1])
