"""Values as Python that a person can paste: `np.array([1], dtype='int8')`, `Path('a')`, `re.compile('a', re.ASCII)`."""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.values import FUNCTIONS, SPARSE, Iterated, type_tree

MAX_BITS = 256
_PLAIN = (str, bytes, bytearray, int, float, complex, bool, type(None), range)
_ATOMS = ("datetime", "zoneinfo", "decimal", "fractions", "uuid", "pathlib", "ipaddress")
_ATOM_NAME = re.compile(rf"""(?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|\b(?:{'|'.join(_ATOMS)})\.[A-Za-z]\w*""")
_BARE = frozenset({"decimal", "fractions", "pathlib", "uuid", "collections", "zoneinfo", "ipaddress"})
_SHORT = {"numpy": "np", "pandas": "pd"}
_TYPES = {
    "Decimal": "decimal.Decimal", "Fraction": "fractions.Fraction", "UUID": "uuid.UUID", "Path": "pathlib.Path",
    "PurePath": "pathlib.PurePath", "PurePosixPath": "pathlib.PurePosixPath",
    "PureWindowsPath": "pathlib.PureWindowsPath", "PosixPath": "pathlib.Path", "WindowsPath": "pathlib.Path",
    **{f"IPv{v}{kind}": f"ipaddress.IPv{v}{kind}" for v in (4, 6) for kind in ("Address", "Network", "Interface")},
}
_FLAGS = ("ASCII", "IGNORECASE", "LOCALE", "MULTILINE", "DOTALL", "VERBOSE", "UNICODE")


class NotShowable(ValueError):
    """The value has no short text from which a reader could make it again."""


@dataclass(frozen=True)
class Names:
    """What import lines call modules and what is in them; `bound` maps `numpy` to `np`, `pathlib.Path` to `Path`."""

    bound: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, imports: Iterable[str]) -> Names:
        """The names that import lines bind."""
        bound: dict[str, str] = {}
        for statement in (node for line in imports for node in ast.parse(line).body):
            for alias in statement.names if isinstance(statement, (ast.Import, ast.ImportFrom)) else ():
                if isinstance(statement, ast.ImportFrom):
                    bound[f"{statement.module}.{alias.name}"] = alias.asname or alias.name
                elif alias.asname or "." not in alias.name:
                    bound[alias.name] = alias.asname or alias.name
        return cls(bound)

    def spelled(self, qualified: str) -> str:
        """How the name of something in a module is written: as imported, else as it is usual."""
        module, _, name = qualified.rpartition(".")
        if qualified in self.bound:
            return self.bound[qualified]
        if module in self.bound:
            return f"{self.bound[module]}.{name}"
        usual = _SHORT.get(module, module)
        return name if module in _BARE or usual in self.bound.values() else f"{usual}.{name}"

    def missing(self, expressions: Iterable[str]) -> tuple[str, ...]:
        """The import lines that expressions need besides those that there are, sorted."""
        known = set(self.bound.values()) | set(dir(builtins))
        free = {node.id for text in expressions for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
        return tuple(sorted(_IMPORTS[name] for name in free - known if name in _IMPORTS))


_COLLECTIONS = ("deque", "Counter", "OrderedDict", "defaultdict")
_IMPORTS = {
    **{short: f"import {module} as {short}" for module, short in _SHORT.items()},
    **{name: f"from collections import {name}" for name in _COLLECTIONS},
    **{name: f"from {qualified.rpartition('.')[0]} import {name}" for name, qualified in _TYPES.items()},
    **{name: f"from datetime import {name}" for name in ("date", "time", "timedelta", "timezone")},
    "typing": "import typing", "datetime": "import datetime", "operator": "import operator", "re": "import re",
    "ZoneInfo": "from zoneinfo import ZoneInfo",
}


def expression(value: Any, names: Names | None = None) -> str:
    """A value as an expression; raises `NotShowable`. Sets are sorted, floats that are no numbers go by `float`."""
    try:
        return _Writer(names or Names()).write(value)
    except NotImplementedError as error:  # the `repr` of moments that are out of the calendar's range
        raise NotShowable(str(error)) from error


def _reads_back(value: complex) -> bool:
    """Whether its `repr` is the number again: zeros lose their sign there, and infinity is no literal."""
    try:
        return repr(ast.literal_eval(repr(value))) == repr(value)
    except ValueError:
        return False


class _Writer:
    """Writes values with one set of names."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def write(self, value: Any) -> str:
        """The expression for a value."""
        if type(value) is float and (value != value or value in (float("inf"), -float("inf"))):
            return f"float({str(value)!r})"
        if type(value) is int and value.bit_length() > MAX_BITS:
            raise NotShowable("a huge number")
        if type(value) is complex and not _reads_back(value):
            return f"complex({self.write(value.real)}, {self.write(value.imag)})"
        if type(value) in _PLAIN:
            return repr(value)
        if value is ...:
            return "..."
        if isinstance(value, Iterated):
            return f"iter([{self.items(value.items)}])"
        if isinstance(value, re.Pattern):
            return self.pattern(value)
        if isinstance(value, re.RegexFlag):
            return self.flags(int(value)) or f"{self.names.spelled('re.RegexFlag')}({int(value)})"
        if type(value) is slice:
            return f"slice({self.items((value.start, value.stop, value.step))})"
        if callable(value) and any(value is known for known in FUNCTIONS.values()):
            return next(name for name, known in FUNCTIONS.items() if value is known)
        if isinstance(value, type) and value.__module__ == "numpy":
            return self.names.spelled(f"numpy.{value.__name__}")
        if (tree := type_tree(value)) is not None:
            return self.type(tree)
        if type(value) in _CONTAINERS:
            return _CONTAINERS[type(value)](self, value)
        if type(value).__module__.split(".")[0] in _ATOMS:
            return self.atom(value)
        return self.foreign(value)

    def type(self, tree: Any) -> str:
        """A class, or a type with types in brackets, by its tree."""
        if not isinstance(tree, list):
            known = tree if isinstance(tree, str) else repr(tree)
            return {"NoneType": "type(None)"}.get(known) or (self.names.spelled(known) if known[0].islower() and "." in
                                                             known.strip(".") else known)
        head, *rest = tree
        if head == "typing.Literal":
            parts = [repr(one) for one in rest]
        elif head == "typing.Annotated":
            parts = [self.type(rest[0]), *(repr(one) for one in rest[1:])]
        else:
            parts = ["None" if one == "NoneType" else self.type(one) for one in rest]
        if head == "|":
            return " | ".join(parts)
        return f"{self.names.spelled(head) if '.' in head else head}[{', '.join(parts)}]"

    def items(self, values: Iterable[Any]) -> str:
        """Elements between commas."""
        return ", ".join(self.write(value) for value in values)

    def pairs(self, value: Mapping[Any, Any]) -> str:
        """A mapping as a display."""
        return "{" + ", ".join(f"{self.write(key)}: {self.write(item)}" for key, item in value.items()) + "}"

    def tuple(self, value: Sequence[Any]) -> str:
        """A tuple, with the comma of a single element."""
        return f"({self.items(value)}{',' if len(value) == 1 else ''})"

    def set(self, value: Iterable[Any]) -> str:
        """A set in the order of its elements' texts."""
        shown = ", ".join(sorted(map(self.write, value)))
        return f"{{{shown}}}" if shown else "set()"

    def collection(self, name: str) -> str:
        """The name of a type of the module `collections`."""
        return self.names.spelled(f"collections.{name}")

    def atom(self, value: Any) -> str:
        """Dates, numbers, paths by their `repr`, with the names as imported."""
        text = repr(value)
        if text.startswith("<"):
            raise NotShowable(type(value).__name__)
        text = re.sub(r"^(\w+)\(", lambda found: f"{_TYPES.get(found.group(1), found.group(1))}(", text)
        return _ATOM_NAME.sub(lambda found: found.group("text") or self.names.spelled(found.group()), text)

    def pattern(self, value: re.Pattern[Any]) -> str:
        """A compiled regular expression with the flags that it does not have anyway."""
        usual = re.UNICODE if isinstance(value.pattern, str) else re.NOFLAG
        flags = self.flags(value.flags & ~usual) if value.flags & ~usual else ""
        return f"{self.names.spelled('re.compile')}({value.pattern!r}{flags and f', {flags}'})"

    def flags(self, value: int) -> str:
        """Flags by their names, "" where some have none."""
        known = [name for name in _FLAGS if value & getattr(re, name)]
        if value != sum(getattr(re, name) for name in known):
            return ""
        return " | ".join(self.names.spelled(f"re.{name}") for name in known or ["NOFLAG"])

    def foreign(self, value: Any) -> str:
        """NumPy and pandas values by their constructors."""
        module, name = type(value).__module__.split(".")[0], type(value).__name__
        if module == "numpy" and name == "ndarray":
            return self.array(value)
        if module == "numpy" and hasattr(value, "item") and getattr(value, "shape", None) == ():
            plain = str(value) if value.dtype.kind in "mM" else value.item()
            return f"{self.names.spelled(f'numpy.{name}')}({self.write(plain)})"
        if module == "scipy" and name in SPARSE:
            return self.sparse(value)
        writers = {"Series": self.series, "DataFrame": self.frame, "Timestamp": self.moment, "Timedelta": self.moment}
        if module == "pandas" and name in writers:
            return writers[name](value)
        if module == "pandas" and name in ("NaTType", "NAType"):
            return self.names.spelled(f"pandas.{name.removesuffix('Type')}")
        if module == "pandas" and re.fullmatch(r"\w*Index\(.*\)", repr(value), re.DOTALL) and "..." not in repr(value):
            return self.names.spelled(f"pandas.{' '.join(repr(value).split())}")
        raise NotShowable(type(value).__name__)

    def array(self, value: Any) -> str:
        """An array; the type of its elements is given where the elements don't tell."""
        import numpy

        dtype = str(value.dtype)
        if value.dtype.kind not in "biufcUSmMO" or value.dtype.names:
            raise NotShowable(dtype)
        if not value.size and value.ndim > 1:
            return f"{self.names.spelled('numpy.empty')}({value.shape}, dtype={dtype!r})"
        plain = value.astype(str).tolist() if value.dtype.kind in "mM" else value.tolist()
        if value.dtype.kind == "O" and value.ndim != 1:
            raise NotShowable("nested objects")
        implied = value.size and value.dtype.kind != "O" and numpy.array(plain).dtype == value.dtype
        return f"{self.names.spelled('numpy.array')}({self.write(plain)}{'' if implied else f', dtype={dtype!r}'})"

    def sparse(self, value: Any) -> str:
        """A sparse matrix by its stored numbers and where they stand."""
        compressed = value.format != "coo"
        places = (value.indices, value.indptr) if compressed else value.coords
        if any(str(part.dtype) != "int32" for part in places):
            raise NotShowable("indices of another type")
        stored, first, second = self.array(value.data), *(self.write(part.tolist()) for part in places)
        shown = f"{stored}, {first}, {second}" if compressed else f"{stored}, ({first}, {second})"
        name = self.names.spelled(f"scipy.sparse.{type(value).__name__}")
        return f"{name}(({shown}), shape={self.write(tuple(map(int, value.shape)))})"

    def series(self, value: Any) -> str:
        """A column with its index and its name, where they are not the usual ones."""
        named = f", name={self.write(value.name)}" if value.name is not None else ""
        return f"{self.names.spelled('pandas.Series')}({self.column(value)}{self.index(value)}{named})"

    def column(self, value: Any) -> str:
        """The elements of a column, with their type where they don't tell it."""
        import pandas

        plain = value.tolist()
        dtype = "" if plain and pandas.Series(plain).dtype == value.dtype else f", dtype={str(value.dtype)!r}"
        if str(value.dtype) == "category":
            raise NotShowable("categories")
        return f"{self.write(plain)}{dtype}"

    def frame(self, value: Any) -> str:
        """A table by columns; a column whose elements don't tell its type is written as an array."""
        if not value.columns.is_unique or value.columns.nlevels > 1:
            raise NotShowable("columns of the same name")
        columns = []
        for key in value.columns:
            text = self.column(value[key])
            if ", dtype=" in text:
                text = f"{self.names.spelled('pandas.array')}({text})"
            columns.append(f"{self.write(key)}: {text}")
        shown = f"{{{', '.join(columns)}}}" if columns else ""
        index = self.index(value) if len(value) else ""
        return f"{self.names.spelled('pandas.DataFrame')}({f'{shown}{index}'.removeprefix(', ')})"

    def index(self, value: Any) -> str:
        """The index as an argument, "" where it counts from zero."""
        index = value.index
        if type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1:
            return ""
        if type(index).__name__ != "Index" or index.name is not None:
            return f", index={self.foreign(index)}"
        return f", index={self.write(index.tolist())}"

    def moment(self, value: Any) -> str:
        """A point in time, or a span."""
        return f"{self.names.spelled(f'pandas.{type(value).__name__}')}({str(value)!r})"


_CONTAINERS: dict[type, Callable[[_Writer, Any], str]] = {
    list: lambda writer, value: f"[{writer.items(value)}]",
    tuple: _Writer.tuple,
    dict: _Writer.pairs,
    set: _Writer.set,
    frozenset: lambda writer, value: f"frozenset({writer.set(value) if value else ''})",
    deque: lambda writer, value: f"{writer.collection('deque')}([{writer.items(value)}]"
                                 f"{'' if value.maxlen is None else f', maxlen={value.maxlen}'})",
    Counter: lambda writer, value: f"{writer.collection('Counter')}({writer.pairs(value) if value else ''})",
    OrderedDict: lambda writer, value: f"{writer.collection('OrderedDict')}"
                                       f"([{', '.join(map(writer.tuple, value.items()))}])",
    defaultdict: lambda writer, value: f"{writer.collection('defaultdict')}"
                                       f"({getattr(value.default_factory, '__name__', 'None')}, {writer.pairs(value)})",
}
