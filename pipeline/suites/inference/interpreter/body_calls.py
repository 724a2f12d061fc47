"""Reading calls: what functions and methods expect of their arguments and of the value that they are called on."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from pipeline.suites.domain.kinds.exact import KINDS
from pipeline.suites.domain.spec import CARRIERS
from pipeline.suites.inference.clues import Clue
from pipeline.suites.inference.evidence import library_signatures, read_formats
from pipeline.suites.inference.evidence.read_formats import RANGES, expect
from pipeline.suites.inference.interpreter import body_arrays, body_texts, body_types
from pipeline.suites.inference.interpreter.body_methods import Reading, method_call, of_kind, text_of
from pipeline.suites.inference.interpreter.body_operators import compare_constant
from pipeline.suites.inference.interpreter.body_operators import constant as known_constant
from pipeline.suites.subject import full_name, functions_of

COPIES = frozenset(["list", "tuple", "sorted", "set", "frozenset", "reversed", "iter", "collections.deque"])
"""What gives a value's items once more."""
_ALIKE = frozenset(["abs", "round", "copy.copy", "copy.deepcopy", "numpy.asarray", "numpy.array"])
"""What gives a value of its argument's kind."""


def visit_call(reader: Reading, node: ast.Call) -> Clue:
    """The clue of what a call gives."""
    if isinstance(node.func, ast.Attribute) and not _is_module_member(reader, node.func):
        return method_call(reader, node, node.func)
    name = full_name(node.func, reader.names)
    tested = body_types.of_class(reader, node)
    if tested is not None:
        subject = reader.read(tested)
        reader.read(node.args[1]).vote("classes value", "isinstance takes it", 4)
        body_arrays.tested(subject, node.args[1], reader.names)
        for kind in reader.kinds(node.args[1]):
            subject.tested.append(kind)
            subject.variant(kind)
        return of_kind("bool")
    if isinstance(node.func, ast.Name) and node.func.id in reader.scope:
        called = reader.scope[node.func.id]
        called.vote("callable", "it is called", 8)
    for keyword in node.keywords:
        given = reader.read(keyword.value)
        if name.startswith(("numpy.", "scipy.")):
            body_arrays.keyword(keyword.arg, given)
        if name in _BINNING and keyword.arg in ("bins", "q"):
            expect(given, "count", name)
        if keyword.arg is None:
            reader.read(keyword.value).vote("dict", "its entries become keyword arguments")
    if isinstance(node.func, ast.Name) and node.func.id in reader.functions:
        return _own_function(reader, node, node.func.id)
    return _function(reader, node, name)


def _is_module_member(reader: Reading, func: ast.Attribute) -> bool:
    root: ast.expr = func
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name) or root.id in reader.scope:
        return False
    return root.id in reader.names or root.id in library_signatures.ISINSTANCE_KINDS


def _own_function(reader: Reading, node: ast.Call, name: str) -> Clue:
    for argument, clue in zip(node.args, reader.functions[name], strict=False):
        given = reader.read(argument)
        if given is not clue:
            given.same.append(clue)
        known = known_constant(argument)
        if known is not None:
            compare_constant(clue, known)
    for keyword in node.keywords:
        target = reader.keywords.get(name, reader.parameters).get(keyword.arg or "")
        if target is not None:
            reader.read(keyword.value).same.append(target)
    return Clue()


def _function(reader: Reading, node: ast.Call, name: str) -> Clue:
    clues = [reader.read(argument.value if isinstance(argument, ast.Starred) else argument) for argument in node.args]
    if name in read_formats.REGEX_FUNCTIONS:
        position = 2 if name in ("re.sub", "re.subn") else 1
        for clue in clues[position : position + 1]:
            clue.vote("str", f"{name} searches it", 4)
        return of_kind("match")
    if name in read_formats.FUNCTION_FORMATS and clues:
        return _reads_format(reader, node, name, clues)
    if name.endswith("strptime") and len(node.args) == 2:
        pattern = text_of(node.args[1])
        clues[0].vote("str", "strptime reads it", 5)
        clues[0].formats += [f"date:{one}" for one in ([pattern] if pattern else reader.dates)]
        return of_kind("datetime")
    if name == "pandas.to_datetime":
        return of_kind("datetime")
    if name in ("struct.unpack", "struct.unpack_from") and len(clues) > 1:
        clues[1].vote("bytes", f"{name} reads it", 5)
        return of_kind("tuple")
    if name in ("getattr", "hasattr", "operator.attrgetter") and clues:
        named = clues[0 if name == "operator.attrgetter" else min(1, len(clues) - 1)]
        named.vote("str", f"{name} takes it")
        members = functions_of(full_name(node.args[0], reader.names))
        if not members:
            named.formats.append("attribute")
        for member in members:
            named.constant(member)
    library = name.split(".")[0]
    taken = library_signatures.takes(name, len(clues))
    for kind, clue in zip(taken if library not in _OF_ARRAYS else [], clues, strict=False):
        expect(clue, kind, name)
        if kind == "iterable":
            clue.items()
    for kind, argument in zip(taken, node.args, strict=False):
        for part in (argument.left, argument.right) if kind in RANGES and isinstance(argument, ast.BinOp) else ():
            reader.read(part).vote("int", f"{name} takes what is made of it")
    if library in _OF_ARRAYS and clues:
        _numeric_library(name, taken, clues)
    return body_arrays.called(name, clues, node, reader.names) or _result(reader, node, name, clues)


_OF_ARRAYS = ("numpy", "scipy", "sklearn")
_BINNING = frozenset(["pandas.cut", "pandas.qcut", "numpy.histogram"])
_CELL_BY_CELL = library_signatures.functions("each cell")


def _numeric_library(name: str, taken: Sequence[str], clues: list[Clue]) -> None:
    """Note what a function of arrays takes; one that takes no array first takes numbers besides."""
    last = name.rsplit(".", 1)[-1]
    if last in KINDS or last in ("errstate", "dtype"):
        return
    for place, (kind, clue) in enumerate(zip(taken or ["array"], clues, strict=False)):
        if kind in ("array", "arrays") and ((place < 2 and taken[:1] != ["count"]) or not place):
            # What is in a container may as well be a number, where each cell is dealt with alone.
            alone = last in _CELL_BY_CELL and not clue.parameter
            if last in _CELL_BY_CELL and not alone:
                clue.vote("each cell", f"{name} deals with each cell", 2)
            clue.vote("cellwise" if alone else "array", f"{name} takes it", 1 if alone else 2)
            _of_cells(clue)
        elif kind not in ("array", "arrays", "dtype", "object"):
            expect(clue, kind, name)
        for length in clue.items().peers if kind == "count" and clue.votes.get("tuple") else []:
            length.vote("subscript", weight=1)


def _of_cells(clue: Clue) -> None:
    """Note that what the body itself puts into a list becomes cells of an array."""
    if clue.local == "list":
        clue.items().vote("cell", weight=1)


def _reads_format(reader: Reading, node: ast.Call, name: str, clues: list[Clue]) -> Clue:
    clue, form = _read_text(reader, node.args[0], clues[0]), read_formats.FUNCTION_FORMATS[name]
    if name == "int" and len(node.args) == 2:
        form = "hex"
        clue.vote("str", "int reads it in a base", 4)
    elif name in ("int", "float", "decimal.Decimal", "fractions.Fraction"):
        clue.vote("numeral", f"{name} converts it", 1)
    elif name == "bs4.BeautifulSoup" or "." in name:
        clue.vote("str", f"{name} reads it", 3)
    if form and form not in clue.formats:
        clue.formats.append(form)
    if form in ("integer", "number"):
        body_texts.read_as_number(reader, node.args[0], form == "integer")
    if form in CARRIERS:
        result = clue.reading()
        result.vote("bytes" if form == "base64" else "parsed", weight=1)
        return result
    result = of_kind(library_signatures.gives(name) or "parsed")
    result.peers.append(Clue())
    return result


def _read_text(reader: Reading, node: ast.expr, clue: Clue) -> Clue:
    """The clue of the text that is read, where something is added at its end before, or where it is encoded."""
    while True:
        match node:
            case ast.BinOp(inner, ast.Add()) | ast.Call(ast.Attribute(inner, "encode")):
                node, clue = inner, reader.read(inner)
            case _:
                return clue


def _result(reader: Reading, node: ast.Call, name: str, clues: list[Clue]) -> Clue:
    first = clues[0] if clues else Clue()
    if name == "len":
        result = of_kind("int")
        result.length_of = first
        return result
    if name == "str" and first.about is not None and first.about.what == "dtype":
        return first
    if name in COPIES or name in _ALIKE:
        return _again(name, first)
    if name in ("collections.defaultdict", "dict", "collections.OrderedDict") and not (name == "dict" and clues):
        result = of_kind("dict")
        result.local = "dict"
        return result
    if name == "typing.cast" and len(clues) == 2:
        return clues[1]
    if name in ("min", "max", "sum", "next"):
        return first.items() if len(clues) == 1 else _joined(clues)
    if name in _EXTREMES and clues and len(node.args) + len(node.keywords) == 1:
        return first.items()
    if name in _CLOSE and len(clues) > 1:
        for clue, other in ((clues[0], node.args[1]), (clues[1], node.args[0])):
            number = known_constant(other)
            if isinstance(number, (int, float)):
                clue.constant(number)
        return of_kind("bool")
    if name == "range":
        result = of_kind("range")
        for clue in clues:
            result.values().peers.append(clue)
        result.values().vote("int", weight=1)
        return result
    if name in ("enumerate", "zip"):
        return _tuples(name, clues)
    if name in ("map", "filter") and len(clues) == 2:
        clues[1].vote("iterable", f"{name} goes over it")
        clues[1].items().peers.append(clues[0].position(0))
        if name == "filter":
            return clues[1]
        if full_name(node.args[0], reader.names) in ("int", "float"):
            clues[1].items().vote("numeral", f"{name} converts it", 1)
            clues[1].items().formats.append("integer")
        result = Clue()
        result.count_of = clues[1]
        return result
    made = of_kind(library_signatures.gives(name) or "computed")
    if name.startswith("numpy.") and name[6:] in _REAL:
        made.vote("number", weight=1)
    if name.startswith("numpy.") and name[6:] in _CELL_BY_CELL and clues:
        made.like = first
    return made


_CLOSE = frozenset(["math.isclose", "numpy.isclose", "numpy.allclose", "numpy.equal"])
_REAL = library_signatures.functions("numbers")
"""Functions whose answers are numbers, or arrays of them."""
_EXTREMES = frozenset(f"numpy.{name}" for name in "min max amin amax nanmin nanmax".split())


def _again(name: str, first: Clue) -> Clue:
    """The same items, or a value of the same kind: what is done to the result tells about the argument."""
    result = Clue()
    if name in _ALIKE:
        first.same.append(result)
        return result
    result.local = "list"
    first.items().same.append(result.items())
    result.items().positions.update(first.items().positions)
    result.vote("set" if name in ("set", "frozenset") else "list", weight=1)
    return result


def _joined(clues: list[Clue]) -> Clue:
    result = Clue()
    for clue in clues:
        clue.vote("number", "the smaller or larger one is taken", 1)
        result.peers.append(clue)
    result.vote("number", weight=1)
    return result


def _tuples(name: str, clues: list[Clue]) -> Clue:
    result = Clue()
    item = result.items()
    parts = [of_kind("int"), *clues[:1]] if name == "enumerate" else clues
    for index, clue in enumerate(parts):
        if name == "enumerate" and index == 0:
            item.positions[0] = clue
        else:
            clue.vote("iterable", f"{name} goes over it", 2)
            item.positions[index] = clue.items()
    return result
