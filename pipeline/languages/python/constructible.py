"""Whether the parameters of a Python function can be built from plain values; evidence against it is a sentence."""

from __future__ import annotations

import ast
import collections
import datetime
import decimal
import fractions
import ipaddress
import pathlib
import re
import uuid
import zoneinfo
from collections.abc import Collection, Iterable, Sequence

from pipeline.languages.python.facts import Facts, Parameter

_PLAIN_TYPES = (
    str, bytes, bytearray, int, float, complex, bool, list, tuple, dict, set, frozenset, range, slice,
    datetime.datetime, datetime.date, datetime.time, datetime.timedelta, datetime.tzinfo, decimal.Decimal,
    fractions.Fraction, collections.Counter, collections.OrderedDict, collections.defaultdict, collections.deque,
    re.Pattern, pathlib.PurePath,
)
PLAIN_ATTRIBUTES = frozenset(name for kind in _PLAIN_TYPES for name in dir(kind)) | {"__name__"}
_TYPES_OF_MODULES: dict[str, tuple[type, ...]] = {
    "uuid": (uuid.UUID,),
    "ipaddress": (
        ipaddress.IPv4Address, ipaddress.IPv6Address, ipaddress.IPv4Network, ipaddress.IPv6Network,
        ipaddress.IPv4Interface, ipaddress.IPv6Interface,
    ),
    "zoneinfo": (zoneinfo.ZoneInfo,),
}
"""Plain types whose attributes have such common names (`version`, `key`) that they count only where the program imports
the module."""

LIBRARY_ATTRIBUTES = {
    "numpy": """T all any argmax argmin argsort astype base clip copy cumprod cumsum diagonal dot dtype fill flat
        flatten imag item itemsize max mean min nbytes ndim nonzero prod ptp ravel real repeat reshape round
        searchsorted shape size sort squeeze std strides sum swapaxes take tobytes tolist trace transpose var
        view conj byteswap""",
    "pandas": """T abs add agg aggregate all any append apply applymap array assign astype at axes between bfill cat
        clip columns combine copy corr count cov cummax cumprod cumsum describe diff div dot drop drop_duplicates
        dropna dt
        dtype dtypes duplicated empty eq equals explode fillna ffill filter first floordiv ge get groupby gt head iat
        idxmax idxmin iloc index info insert interpolate isin isna isnull items iterrows itertuples join keys kurt last
        le loc lt map mask max mean median melt merge min mod mode mul name names ndim ne nlargest notna notnull
        nsmallest nunique pct_change pipe pivot pivot_table pop pow prod quantile query rank reindex rename
        replace resample
        reset_index rolling round sample select_dtypes set_index shape shift size skew sort_index sort_values squeeze
        stack std str sub sum swapaxes tail to_dict to_list to_numpy tolist to_frame to_records transform transpose
        truediv unique unstack update value_counts values var where year month day hour minute tz tz_localize tz_convert
        normalize is_unique levels nlevels get_level_values columns freq expanding ewm assign""",
    "scipy": "toarray todense tocsr tocsc tocoo nnz data indices indptr row col getnnz A shape dtype multiply diagonal",
}

_UNBUILDABLE = re.compile(
    r"\b(IO|TextIO|BinaryIO|StringIO|BytesIO|Iterator|Generator|AsyncIterator|Awaitable|Coroutine|Type|"
    r"ModuleType|FunctionType|ast\.\w+|Logger|Session|Protocol|TypeVar|Element|ElementTree|Namespace|ArgumentParser|"
    r"Thread|Lock|Queue|Process|Connection|socket|Axes|Figure|Estimator|BaseEstimator|Exception|BaseException|"
    r"Signature|Parameter|Message|Random|RandomState|Context)\b|\btype\b(?!\s*:)")
_CARRIED = frozenset(
    "typing typing_extensions collections datetime decimal fractions pathlib re uuid ipaddress zoneinfo numpy "
    "pandas scipy numbers os types abc enum string".split()
)
"""Modules whose classes stand for values that can be carried, or for kinds of them."""
_FILE_METHODS = frozenset({
    "read", "readline", "readlines", "write", "writelines", "close", "seek", "tell", "flush", "fileno", "getvalue"})
MOST_ARGUMENTS = 2
"""How many arguments the functions take that a suite can hand over."""
_OBJECT_NAMES = frozenset({"self", "cls"})


def unbuildable_type(facts: Facts) -> str:
    """An annotation that asks for a file, an iterator, a class, an exception or the like."""
    for parameter in facts.parameters:
        found = _UNBUILDABLE.search(parameter.annotation)
        if found and not _has_alternative(parameter):
            return f"{parameter.name} is a {found.group(0)}."
    return ""


def called_parameter(facts: Facts) -> str:
    """An element of a parameter that is called, or a parameter called as no function of the suites' palette can be."""
    own = {parameter.name for parameter in facts.parameters}
    for node in facts.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in facts.derived:
            plain = 1 <= len(node.args) <= MOST_ARGUMENTS and not node.keywords
            if node.func.id not in own or not plain or any(isinstance(a, ast.Starred) for a in node.args):
                return f"{node.func.id} is called."
        if isinstance(node, ast.Call):
            handed = _handed_on(node)
            if handed in facts.derived and handed not in own:
                return f"{handed} is used as a function."
    return ""


def unknown_attribute(facts: Facts, libraries: Collection[str], imports: Sequence[str]) -> str:
    """An attribute of a parameter, or of a part of one, that no plain value and no allowed library's type has."""
    known = known_attributes(libraries, imports)
    for node in facts.nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, (ast.Name, ast.Subscript)):
            base = node.value.id if isinstance(node.value, ast.Name) else _name_below(node.value)
            if base in facts.derived and (node.attr in _FILE_METHODS or node.attr not in known):
                return f"{base}.{node.attr} is not an attribute of any plain value."
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _REFLECTION and node.args:
            base = node.args[0].id if isinstance(node.args[0], ast.Name) else ""
            if base in facts.derived:
                return f"{node.func.id} looks into {base}."
    return _unknown_to_all(facts, known)


def _unknown_to_all(facts: Facts, known: frozenset[str]) -> str:
    """An attribute of a parameter, before it gets another value, that no type of any library has."""
    every = known.union(*(names.split() for names in LIBRARY_ATTRIBUTES.values()))
    own = {parameter.name for parameter in facts.parameters}
    for node in facts.nodes:
        match node:
            case ast.Attribute(ast.Name(name), attribute):
                pass
            case ast.Call(ast.Name("getattr" | "hasattr"), [ast.Name(name), ast.Constant(str(attribute)), *_]):
                pass
            case _:
                continue
        given = name in facts.copies or (name in own and node.lineno < facts.reassigned.get(name, 0))
        if given and attribute not in every:
            return f"{name}.{attribute} is not an attribute of any plain value."
    return ""


def library_object(facts: Facts, imports: Sequence[str]) -> str:
    """An annotation with a class of a library that no value can be of."""
    classes = _imported_classes(imports)
    for parameter in facts.parameters:
        found = [name for name in re.findall(r"[A-Za-z_][\w.]*", parameter.annotation) if name in classes]
        if found and not _has_alternative(parameter) and "|" not in parameter.annotation:
            return f"{parameter.name} is a {found[0]} of {classes[found[0]]}."
    return ""


def _imported_classes(imports: Iterable[str]) -> dict[str, str]:
    """The names of what is imported from libraries whose values can't be carried, each with its library."""
    found = {}
    for line in imports:
        for node in ast.parse(line).body:
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] not in _CARRIED:
                names = [alias.asname or alias.name for alias in node.names]
                found.update({name: node.module for name in names if name[:1].isupper()})
    return found


def object_parameter(facts: Facts) -> str:
    """A first parameter called `self` or `cls` that is more than a plain value."""
    first = facts.parameters[0].name if facts.parameters else ""
    opened = any(isinstance(node, ast.Attribute) and ast.unparse(node.value) == first for node in facts.nodes)
    return f"The first parameter is {first}." if first in _OBJECT_NAMES and opened else ""


def known_attributes(libraries: Collection[str], imports: Sequence[str]) -> frozenset[str]:
    """Attributes that plain values and the types of some libraries have."""
    names = set(PLAIN_ATTRIBUTES)
    tops = {library.split(".")[0] for library in libraries}
    imported = set(re.findall(r"\w+", " ".join(imports)))
    for module in sorted(imported & _TYPES_OF_MODULES.keys()):
        names.update(name for kind in _TYPES_OF_MODULES[module] for name in dir(kind))
    if tops & {"numpy", "pandas", "scipy", "sklearn", "networkx"}:
        names.update(LIBRARY_ATTRIBUTES["numpy"].split())
    for top in tops & LIBRARY_ATTRIBUTES.keys():
        names.update(LIBRARY_ATTRIBUTES[top].split())
    return frozenset(names)


_REFLECTION = frozenset({"getattr", "hasattr", "setattr", "delattr", "vars", "callable", "issubclass"})
_TAKES_FUNCTION = {"map": 0, "filter": 0, "reduce": 0, "partial": 0}


def _handed_on(node: ast.Call) -> str:
    """The name that is handed to `map`, `filter`, `reduce` or as `key=`, where a function is expected."""
    called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    if called in _TAKES_FUNCTION and node.args and isinstance(node.args[0], ast.Name):
        return node.args[0].id
    for keyword in node.keywords:
        if keyword.arg == "key" and called in ("sorted", "min", "max", "sort") and isinstance(keyword.value, ast.Name):
            return keyword.value.id
    return ""


def _has_alternative(parameter: Parameter) -> bool:
    """Whether the annotation allows something plain besides, or the parameter may be left out as None."""
    return parameter.default == "None" and ("None" in parameter.annotation or "Optional" in parameter.annotation)


def _name_below(node: ast.AST) -> str:
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
