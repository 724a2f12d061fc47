"""Annotations as specifications; read as syntax, never evaluated."""

from __future__ import annotations

import ast

from pipeline.suites.domain.kinds.exact import KINDS
from pipeline.suites.domain.spec import (
    Anything,
    Array,
    Binary,
    Boolean,
    Choice,
    Column,
    Dictionary,
    Either,
    Entry,
    Exact,
    Fixed,
    Frame,
    Function,
    Items,
    Moment,
    Nothing,
    Real,
    Spec,
    Text,
    TypeValue,
    Unbuildable,
    Whole,
    either,
)
from pipeline.suites.inference.evidence.array_prose import CLASSES, forms_of_class
from pipeline.suites.inference.evidence.library_signatures import CLASS_KINDS

_CONTAINERS = {name: kind for name, kind in CLASS_KINDS.items() if kind in ("list", "set", "frozenset")}
_DICTIONARIES = {name: kind for name, kind in CLASS_KINDS.items() if kind in ("dict", "OrderedDict")}
_OF_KIND: dict[str, Spec] = {
    "int": Whole(),
    "float": Real(),
    "str": Text(),
    "bool": Boolean(),
    "bytes": Binary(),
    "tuple": Items(Anything(), "tuple"),
    "Counter": Dictionary(Text(), Whole(0), kind="Counter"),
    "array": Array(),
    "series": Column(),
    "frame": Frame(),
    **{kind: Moment(kind) for kind in ("date", "datetime", "timedelta")},
    **{kind: Exact(kind) for kind in KINDS},
    **{kind: Items(Anything(), kind) for kind in _CONTAINERS.values()},
    **{kind: Dictionary(Text(), Anything(), kind=kind) for kind in _DICTIONARIES.values()},
}
_PLAIN: dict[str, Spec] = {
    **{name: _OF_KIND[kind] for name, kind in CLASS_KINDS.items() if kind in _OF_KIND},
    "None": Nothing(),
    "NoneType": Nothing(),
    "bytearray": Binary("bytearray"),
    "Any": Anything(),
    "object": Anything(),
    "AnyStr": Text(),
    "LiteralString": Text(),
    "Number": Either((Whole(), Real())),
    "Real": Either((Real(), Whole())),
    "SupportsInt": Whole(),
    "Hashable": Either((Text(), Whole())),
    "NDArray": Array(),
    "ArrayLike": Array(),
    **{name: Array(dims=2, forms=forms_of_class(name)) for name in sorted(CLASSES)},
    "SupportsFloatOrIndex": Real(),
    "StrPath": Text(("path",)),
    "PosixPath": Exact("Path"),
    "JSON": Anything(),
    **dict.fromkeys(("type", "Type"), TypeValue()),
    **dict.fromkeys(("GenericAlias", "UnionType", "TypeForm"), TypeValue("type")),
}
_UNBUILDABLE = frozenset(
    "IO TextIO BinaryIO StringIO BytesIO Iterator Generator ModuleType Match Graph DiGraph".split())
_DTYPES = {"float": "float", "int": "int", "bool": "bool", "complex": "complex", "str": "str"}


Aliases = dict[str, ast.expr | ast.ClassDef]
"""What names of the program stand for: other types, or classes that it defines."""


def specification(node: ast.expr | None, aliases: Aliases | None = None) -> Spec | None:
    """What an annotation allows; None where it says nothing (absent, or a name that is not known)."""
    match node:
        case None:
            return None
        case ast.Constant(value=None):
            return Nothing()
        case ast.Constant(value=str() as text):
            return _parsed(text, aliases)
        case ast.BinOp(left, ast.BitOr(), right):
            return _union([left, right], aliases)
        case ast.Name() | ast.Attribute():
            return _named(node, aliases)
        case ast.Subscript(value, index):
            return _subscripted(_last(value), index, aliases)
    return None


def _parsed(text: str, aliases: Aliases | None) -> Spec | None:
    try:
        return specification(ast.parse(text.strip(), mode="eval").body, aliases)
    except (SyntaxError, ValueError, RecursionError):
        return None


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _named(node: ast.expr, aliases: Aliases | None) -> Spec | None:
    name = _last(node)
    if aliases and name in aliases and isinstance(node, ast.Name):
        meant, others = aliases[name], {key: value for key, value in aliases.items() if key != name}
        return _of_program(meant, others) if isinstance(meant, ast.ClassDef) else specification(meant, others)
    if name in _PLAIN:
        return _PLAIN[name]
    if name in ("Callable", "FunctionType", "LambdaType"):
        return Function()
    return Unbuildable(f"a {name}") if name in _UNBUILDABLE else None


def _of_program(node: ast.ClassDef, aliases: Aliases) -> Spec | None:
    """What stands for a class of the program: a dictionary for a typed one; no value carries instances of others."""
    if any(_last(base) == "Protocol" for base in node.bases):
        return None
    entries = _entries(node, aliases)
    if entries is None:
        return Unbuildable(f"an instance of {node.name}")
    return Dictionary(entries=tuple(entries.values()))


def _entries(node: ast.ClassDef, aliases: Aliases) -> dict[str, Entry] | None:
    """The keys of a `TypedDict`, those of its bases first; None for any other class."""
    found: dict[str, Entry] = {}
    typed = False
    for base in node.bases:
        meant = aliases.get(_last(base))
        inherited = _entries(meant, aliases) if isinstance(meant, ast.ClassDef) and meant is not node else None
        typed = typed or _last(base) == "TypedDict" or inherited is not None
        found |= inherited or {}
    total = not any(one.arg == "total" and ast.unparse(one.value) == "False" for one in node.keywords)
    for statement in node.body:
        match statement:
            case ast.AnnAssign(ast.Name(key), annotation):
                wrapped = _last(annotation.value) if isinstance(annotation, ast.Subscript) else ""
                required = {"Required": True, "NotRequired": False}.get(wrapped, total)
                found[key] = Entry(key, specification(annotation, aliases) or Anything(), required)
    return found if typed else None


def _union(parts: list[ast.expr], aliases: Aliases | None) -> Spec | None:
    options = [specification(part, aliases) for part in parts]
    known = [option for option in options if option is not None]
    return either(known) if known else None


def _subscripted(name: str, index: ast.expr, aliases: Aliases | None) -> Spec | None:
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    if name in _CONTAINERS:
        return Items(specification(parts[0], aliases) or Anything(), _CONTAINERS[name])
    if name in _DICTIONARIES:
        known = [specification(part, aliases) or Anything() for part in parts]
        return Dictionary(known[0], known[1] if len(known) > 1 else Anything(), kind=_DICTIONARIES[name])
    match name:
        case "Optional":
            return either([specification(index, aliases) or Anything(), Nothing()])
        case "Union":
            return _union(list(parts), aliases)
        case "Literal":
            return Choice(tuple(part.value for part in parts if isinstance(part, ast.Constant)))
        case "tuple" | "Tuple":
            return _tuple(list(parts), aliases)
        case "Annotated" | "Final" | "ClassVar" | "Required" | "NotRequired":
            return specification(parts[0], aliases)
        case "Counter":
            return Dictionary(specification(parts[0], aliases) or Text(), Whole(0), kind="Counter")
        case "Callable":
            return _function(parts)
        case "Pattern" if _last(parts[0]) != "bytes":
            return Exact("Pattern")
        case "slice" | "PathLike":
            return _PLAIN[name]
        case "Type" | "type":
            return _class(index, aliases)
        case "Iterator" | "Generator" | "IO" | "Pattern":
            return Unbuildable(f"a {name}")
        case "NDArray" | "ndarray":
            return Array(_dtype(index))
        case "Series":
            return Column(specification(index, aliases) or Real())
    return None


def _tuple(parts: list[ast.expr], aliases: Aliases | None) -> Spec:
    if len(parts) == 2 and isinstance(parts[1], ast.Constant) and parts[1].value is Ellipsis:
        return Items(specification(parts[0], aliases) or Anything(), "tuple")
    return Fixed(tuple(specification(part, aliases) or Anything() for part in parts))


def _class(index: ast.expr, aliases: Aliases | None) -> Spec:
    """What `type[...]` says: a class, unless it has to be one of a project."""
    name = _last(index)
    if name.endswith(("Exception", "Error")):
        return TypeValue("exception")
    known = specification(index, aliases) is not None or len(name.strip("_")) < 3
    return TypeValue() if known else Unbuildable("a type")


def _dtype(node: ast.expr) -> str:
    for part in ast.walk(node):
        name = _last(part) if isinstance(part, ast.expr) else ""
        for prefix, dtype in _DTYPES.items():
            if name.startswith(prefix) or (prefix == "int" and name.startswith("uint")):
                return dtype
    return "float"


def _function(parts: list[ast.expr]) -> Spec:
    """What `Callable[[int], str]` says."""
    taken = parts[0].elts if isinstance(parts[0], ast.List) else []
    gives = _last(parts[1]) if len(parts) > 1 else ""
    if len(taken) > 2:
        return Unbuildable(f"a function of {len(taken)} arguments")
    return Function(len(taken), _last(taken[0]) if taken else "", gives)
