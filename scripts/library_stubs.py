"""What stubs and documentation say of functions: the kind of each parameter and of the answer, as words."""

from __future__ import annotations

import ast
import inspect
import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from functools import cache
from pathlib import Path

from pipeline.suites.domain.kinds.exact import KINDS
from pipeline.suites.inference.evidence.names import COUNT_NAMES
from pipeline.suites.inference.evidence.read_formats import RANGES

VERSION = (3, 11)
_DEEPEST = 6
_KINDS = {
    **{kind: kind for kind in KINDS},
    **{kind: kind for kind in ("str", "bytes", "int", "float", "bool", "list", "tuple", "dict", "set", "frozenset")},
    **{kind: kind for kind in ("Counter", "OrderedDict")},
    **{kind: kind for kind in ("date", "datetime", "timedelta")},
    "DataFrame": "frame", "Series": "series", "ndarray": "array",
    "LiteralString": "str", "Text": "str", "AnyStr": "str", "Buffer": "bytes", "bytearray": "bytes",
    "Iterable": "iterable", "Iterator": "iterable", "Collection": "iterable", "Container": "container",
    "Sequence": "sequence", "MutableSequence": "list", "Reversible": "sequence", "Sized": "sized",
    "Mapping": "dict", "MutableMapping": "dict", "AbstractSet": "set", "MutableSet": "set", "Callable": "callable",
    "SupportsIndex": "int", "SupportsInt": "number", "SupportsFloat": "float", "SupportsComplex": "complex",
    "type": "class value", "object": "anything", "Any": "anything",
}  # fmt: skip
"""What names in annotations stand for."""
_PROTOCOLS = {
    "keys": "dict", "__getitem__": "sequence", "__iter__": "iterable", "__next__": "iterable", "__len__": "sized",
    "__index__": "int", "__float__": "float",
    **dict.fromkeys("__abs__ __round__ __trunc__ __divmod__ __pow__ __mul__".split(), "number"),
}  # fmt: skip
"""What classes stand for that ask for a method, the more telling one first."""
_NUMBERS = frozenset(["int", "float", "complex", "number", "bool", "Decimal", "Fraction"])
_PARTS_OF_MOMENTS = {"day": "monthday", "second": "minute", **{name: name for name in RANGES}}
Signature = tuple[list[str], str]


class Stubs:
    """The stubs of some modules; which branch of a test of the version is taken is decided."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.modules: dict[str, dict[str, list[ast.stmt]]] = {}

    def module(self, name: str) -> dict[str, list[ast.stmt]]:
        """The statements that bind each name of a module, nothing where there are no stubs of it."""
        if name not in self.modules:
            path = self.folder.joinpath(*name.split("."))
            files = [file for file in (path / "__init__.pyi", path.with_suffix(".pyi")) if file.is_file()]
            tree = ast.parse(files[0].read_text("utf-8")).body if files else []
            known = _bound(tree)
            for one in known.pop("*", []):
                origin = (one.module or "") if isinstance(one, ast.ImportFrom) else ""
                known = {bound: [one] for bound in self.module(origin) if bound[0] != "_"} | known
            self.modules[name] = known
        return self.modules[name]

    def functions(self, module: str) -> Iterator[tuple[str, Signature]]:
        """The public functions, classes and class methods of a module, by their full names."""
        known = self.module(module)
        for name in known:
            if not name.startswith("_"):
                owner, statements = self._followed(module, name)
                yield from self._read(owner, f"{module}.{name}", statements)

    def _followed(self, module: str, name: str) -> tuple[str, Sequence[ast.stmt]]:
        """The module that a name really belongs to, with the statements that bind it there."""
        statements = self.module(module).get(name, [])
        match statements:
            case [*_, ast.ImportFrom(origin, names)] if origin:
                real = [one.name for one in names if name in (one.asname, one.name)]
                return self._followed(origin, real[0] if real else name)
            case [*_, ast.Assign(value=ast.Name(other))] if other != name:
                return self._followed(module, other)
        return module, statements

    def _read(self, module: str, name: str, statements: Sequence[ast.stmt]) -> Iterator[tuple[str, Signature]]:
        functions = [one for one in statements if isinstance(one, ast.FunctionDef)]
        if functions:
            yield name, self._joined(module, functions)
        for one in statements:
            if isinstance(one, ast.ClassDef):
                yield from self._class(module, name, one)

    def _class(self, module: str, name: str, made: ast.ClassDef) -> Iterator[tuple[str, Signature]]:
        members = _bound(made.body)
        for base in made.bases if not members.keys() & {"__new__", "__init__"} else ():
            statements = self.module(module).get(_last(base)) or self.module("builtins").get(_last(base), [])
            inherited = [row for one in statements if isinstance(one, ast.ClassDef) and one is not made
                         for row in self._class(module, name, one)]
            yield from ((full, (taken, _KINDS.get(made.name, ""))) for full, (taken, _) in inherited if full == name)
        for member, statements in members.items():
            functions = [one for one in statements if isinstance(one, ast.FunctionDef)]
            if functions and member in ("__new__", "__init__"):
                taken, _ = self._joined(module, functions, 1)
                if taken or "__new__" not in members:
                    yield name, (taken, _KINDS.get(made.name, ""))
            elif functions and {"classmethod", "staticmethod"} & {_last(d) for d in functions[0].decorator_list}:
                bound = "classmethod" in {_last(d) for d in functions[0].decorator_list}
                taken, gives = self._joined(module, functions, int(bound))
                yield f"{name}.{member}", (taken, _KINDS.get(made.name, "") if gives == "Self" else gives)

    def ordinary(self, types: Container[str], least: int) -> set[str]:
        """Members that so many classes of the modules read so far have which are no kinds: they tell little."""
        read = [known for module, known in self.modules.items() if module not in ("builtins", "typing", "_typeshed")]
        made = [one for known in read for name, bound in known.items() for one in bound if name[0] != "_"]
        counts = Counter(name for one in made if isinstance(one, ast.ClassDef) and one.name not in types
                         for name in _bound(one.body) if name[0] != "_")
        return {name for name, count in counts.items() if count >= least}

    def results(self, module: str, name: str) -> dict[str, str]:
        """What each method of a class gives, the class itself where it gives a value of its own kind."""
        found: dict[str, str] = {}
        for made in self.module(module).get(name, []):
            for base in made.bases if isinstance(made, ast.ClassDef) else ():
                if _last(base) != name:
                    found.update(self.results(module, _last(base)))
            for member, statements in _bound(made.body).items() if isinstance(made, ast.ClassDef) else ():
                functions = [one for one in statements if isinstance(one, ast.FunctionDef)]
                kinds = {self._kind(module, one.returns) for one in functions}
                own = {_last(one.returns) for one in functions if one.returns is not None}
                if functions:
                    found[member] = name if own & {name, "Self"} else kinds.pop() if len(kinds) == 1 else ""
        return found

    def _joined(self, module: str, functions: Sequence[ast.FunctionDef], skipped: int = 0) -> Signature:
        """The parameters and the answer of a function, as far as its overloads agree."""
        taken = [self._taken(module, one)[skipped:] for one in functions]
        places = [[row[place] for row in taken if place < len(row)] for place in range(max(map(len, taken)))]
        given = {self._kind(module, one.returns) for one in functions}
        return [_agreed(place) for place in places], given.pop() if len(given) == 1 and "anything" not in given else ""

    def _taken(self, module: str, function: ast.FunctionDef) -> list[str]:
        given = function.args
        named = [(one.arg.strip("_"), self._kind(module, one.annotation)) for one in (*given.posonlyargs, *given.args)]
        kinds = [_ranged(name, kind) for name, kind in named]
        more = [f"*{self._kind(module, given.vararg.annotation)}"] if given.vararg else []
        return [*kinds, *(one for one in more if one not in ("*", "*anything"))]

    def _kind(self, module: str, node: ast.expr | None, depth: int = 0) -> str:
        """The kind that an annotation stands for, "" where it says nothing that we know."""
        match node:
            case _ if depth > _DEEPEST:
                return ""
            case ast.Constant(str() as text):
                return self._kind(module, ast.parse(text, mode="eval").body, depth + 1)
            case ast.BinOp():
                return _either([self._kind(module, one, depth + 1) for one in _options(node)])
            case ast.Subscript(value, index):
                return self._of_items(module, _last(value), index, depth)
            case ast.Name() | ast.Attribute():
                return self._named(module, _last(node), depth)
        return ""

    def _of_items(self, module: str, name: str, index: ast.expr, depth: int) -> str:
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        if name in ("Annotated", "Optional", "Union", "Final"):
            return _either([self._kind(module, one, depth + 1) for one in parts])
        kind = _KINDS.get(name) or self._named(module, name, depth)
        item = self._kind(module, parts[0], depth + 1) if kind in ("iterable", "sequence", "list") else ""
        if kind == "Pattern" and _last(parts[0]) == "bytes":
            return ""
        return "numbers" if item in _NUMBERS else "iterables" if _last(parts[0]) == "Iterable" else kind

    def _named(self, module: str, name: str, depth: int) -> str:
        if name in _KINDS or name == "Self":
            return _KINDS.get(name, name)
        for one in self.module(module).get(name, []):
            match one:
                case ast.ImportFrom(origin) if origin:
                    return self._named(origin, name, depth + 1) if depth < _DEEPEST else ""
                case ast.AnnAssign(value=ast.Call() as call) | ast.Assign(value=ast.Call() as call):
                    return self._variable(module, call, depth)
                case ast.AnnAssign(value=value) | ast.Assign(value=value):
                    return self._kind(module, value, depth + 1)
                case ast.ClassDef(bases=bases, body=body) if "Protocol" in {_last(base) for base in bases}:
                    return next((kind for method, kind in _PROTOCOLS.items() if method in _bound(body)), "")
        return ""

    def _variable(self, module: str, call: ast.Call, depth: int) -> str:
        """What a type variable stands for: its bound, or what it is one of."""
        bound = [one.value for one in call.keywords if one.arg == "bound"]
        return _either([self._kind(module, one, depth + 1) for one in (*call.args[1:], *bound)])


def _bound(body: Sequence[ast.stmt]) -> dict[str, list[ast.stmt]]:
    found: dict[str, list[ast.stmt]] = {}
    for one in body:
        match one:
            case ast.If(test, then, other):
                for name, inner in _bound(then if _holds(test) else other).items():
                    found.setdefault(name, []).extend(inner)
            case ast.ImportFrom(names=names):
                for alias in names:
                    found.setdefault(alias.asname or alias.name, []).append(one)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.setdefault(name, []).append(one)
            case ast.AnnAssign(target=ast.Name(name)) | ast.Assign(targets=[ast.Name(name)]):
                found.setdefault(name, []).append(one)
    return found


def _options(node: ast.expr) -> list[ast.expr]:
    """The parts of a union."""
    match node:
        case ast.BinOp(left, ast.BitOr(), right):
            return [*_options(left), *_options(right)]
    return [node]


def _holds(test: ast.expr) -> bool:
    match test:
        case ast.BoolOp(ast.And(), values):
            return all(map(_holds, values))
        case ast.Compare(ast.Attribute(attr="version_info"), [op], [bound]):
            least = ast.literal_eval(bound)
            return least <= VERSION if isinstance(op, ast.GtE) else least > VERSION
        case ast.Compare(ast.Attribute(attr="platform"), [op], [ast.Constant(name)]):
            return (name == "linux") == isinstance(op, ast.Eq)
    return True


def _last(node: ast.expr | None) -> str:
    node = node.value if isinstance(node, ast.Subscript) else node
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _either(kinds: Sequence[str]) -> str:
    """The kind of a union: of numbers the widest, of others the first, but bytes where these will do."""
    known = [kind for kind in dict.fromkeys(kinds) if kind]
    if "anything" in known:
        return "anything"
    if len(known) > 1 and set(known) <= _NUMBERS:
        return "float" if set(known) <= {"int", "float"} else "number"
    return "bytes" if "bytes" in known and "str" not in known else known[0] if known else ""


def _agreed(kinds: Sequence[str]) -> str:
    """The kind that overloads have: numbers where one says so, else that of the first which says anything."""
    known = [kind for kind in kinds if kind] if "anything" not in kinds else []
    if len(set(known)) > 1 and set(known) <= _NUMBERS:
        return "number"
    wide = [kind for kind in ("numbers", "iterable") if kind in known]
    return wide[0] if wide and known[0] != "bytes" else known[0] if known else ""


def _ranged(name: str, kind: str) -> str:
    """The kind of numbers of a range that the name of a parameter tells."""
    if kind == "str" and name in ("chr", "c"):
        return "char"
    return _PARTS_OF_MOMENTS.get(name, "count" if name in ("n", "k") else kind) if kind == "int" else kind


# documentation in the form of NumPy

_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.M)
_PARAMETER = re.compile(r"^(\*{0,2}\w+(?:, \*?\w+)*)(?:, \.\.\.)?\s*(?::\s*(.*))?$")
_COUNTED = re.compile(r"(The )?number of|(Size|Length|Shape) of", re.I)
_WORDS = {
    "int": r"\bints?\b|\bintegers?\b", "float": r"\bfloats?\b", "number": r"\bscalars?\b|\bnumbers?\b|\bnumeric\b",
    "bool": r"\bbool(ean)?s?\b", "str": r"\bstr(ing)?\b|^\{['\"]", "callable": r"\bcallable\b|\bfunction\b",
    "dtype": r"\bd(ata-)?type\b", "frame": r"\bDataFrame\b", "series": r"\bSeries\b",
    "array": r"array|matrix\b|^\([\w., ]+\)", "iterable": r"\b(sequence|list|tuple|iterable)\b",
    "dict": r"\bdict\b", "object": r"\bGraph\b|\bobject\b",
}  # fmt: skip


def documented(function: object) -> list[tuple[str, str, str]]:
    """The names, types and descriptions of the parameters that a docstring lists."""
    text = inspect.cleandoc(getattr(function, "__doc__", "") or "")
    parts = _SECTION.split(text)
    sections = dict(zip(parts[1::2], parts[2::2], strict=False))
    found: list[tuple[str, str, str]] = []
    for line in sections.get("Parameters", "").splitlines():
        named = _PARAMETER.match(line)
        if named and not line.startswith(" "):
            found += [(name.strip(), (named[2] or "").strip(), "") for name in named[1].split(",")]
        elif found and line.strip():
            found[-1] = (*found[-1][:2], f"{found[-1][2]} {line.strip()}".strip())
    return found


def kind_in_words(name: str, type_text: str, description: str) -> str:
    """The kind that the documentation of a parameter says, "" where it says nothing that we know."""
    if name in ("axis", "axes", "dtype"):
        return name.replace("axes", "axis")
    found = [(one.start(), kind) for kind, words in _WORDS.items() if (one := _compiled(words).search(type_text))]
    kinds = [kind for _, kind in sorted(found)]
    counted = _COUNTED.match(description) or name.lower().rpartition("_")[2] in COUNT_NAMES
    if kinds[:1] in (["int"], ["array"]) and counted:
        return "count"
    if kinds[:1] == ["iterable"] and "array" in kinds:
        return "arrays"
    one_will_do = [kind for kind in kinds[1:] if kind in ("int", "float")] if " of " in type_text else []
    if kinds[:1] == ["array"] and one_will_do and not type_text.startswith("nd"):
        return one_will_do[0]
    return (*kinds, "")[0]


@cache
def _compiled(words: str) -> re.Pattern[str]:
    return re.compile(words)


def documented_shape(type_text: str) -> str:
    """Whether the documentation of an array says that it is a plane, or a square one: `(M, N) array_like`."""
    sides = re.search(r"\((?:\.\.\., ?)?(\w+), ?(\w+)\)", type_text)
    return "" if not sides else "square" if sides[1] == sides[2] else "planes"
