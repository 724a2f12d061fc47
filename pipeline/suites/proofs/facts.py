"""What a program binds: constants that stay as they are, names that it hides, and whether it looks at itself."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from pipeline.suites.proofs.values import Value, constant

_NAMES = frozenset("globals locals vars eval exec compile __import__ setattr delattr __builtins__".split())
_ATTRIBUTES = frozenset(
    "import_module modules _getframe currentframe stack __globals__ __code__ __defaults__ __kwdefaults__ __closure__"
    " __setattr__ settrace setprofile get_objects get_referrers __wrapped__ builtins".split()
)
"""With those before: by what a program can come to its own parts, or change them, as its text does not show."""


def bindings(node: ast.AST) -> Iterator[tuple[str, int, int]]:
    """All names that are bound or taken away within a node, with the line and column where that stands.

    What `global` and `nonlocal` name may be bound at any time, so that it stands before everything else.
    """
    for part in ast.walk(node):
        match part:
            case ast.Name(name, ast.Store() | ast.Del()) | ast.arg(name):
                yield name, part.lineno, part.col_offset
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                yield name, part.lineno, part.col_offset
            case ast.alias(name, other):
                yield other or name.split(".")[0], part.lineno, part.col_offset
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name, part.lineno, part.col_offset
            case ast.MatchMapping(rest=str(name)):
                yield name, part.lineno, part.col_offset
            case ast.Global(names) | ast.Nonlocal(names):
                yield from ((name, 0, 0) for name in names)


class Facts:
    """Of a program: how often each name is bound, its `constants`, and whether it is `reflective`."""

    def __init__(self, tree: ast.Module) -> None:
        self.bound = Counter(name for name, _, _ in bindings(tree))
        self.spelled = {part.id for part in ast.walk(tree) if isinstance(part, ast.Name)}
        attributes = {part.attr for part in ast.walk(tree) if isinstance(part, ast.Attribute) and not _is_own(part)}
        imported = {part.name.rpartition(".")[2] for part in ast.walk(tree) if isinstance(part, ast.alias)}
        telling = (self.spelled | imported) & (_NAMES | _ATTRIBUTES | {"*"}) or attributes & _ATTRIBUTES
        self.reflective = bool(telling) or "__dict__" in attributes
        self.constants: dict[str, Value] = {}
        for statement in tree.body:
            match statement:
                case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(ast.Name(name), _, ast.expr() as value):
                    known = _literal(value)
                    if known is not None and self.bound[name] == 1:
                        self.constants[name] = known


def _is_own(node: ast.Attribute) -> bool:
    """Whether it is the `__dict__` of an instance, which holds no methods."""
    return node.attr == "__dict__" and isinstance(node.value, ast.Name) and node.value.id == "self"


def _literal(node: ast.expr) -> Value | None:
    try:
        return constant(ast.literal_eval(node))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
