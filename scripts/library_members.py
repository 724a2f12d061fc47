"""What libraries know of their types and functions, as a data file that inference reads.

    python scripts/library_members.py          writes the file
    python scripts/library_members.py --print  prints it

It comes from typeshed, which is among mypy's files, and from the packages of the runtime's lock: members are those of
the types themselves, results and parameters are what stubs, annotations and documentation say, and what functions of
arrays do to shapes is seen by calling them. A new kind of values (`domain.kinds`) is found without being listed here.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import importlib
import io
import json
import os
import pkgutil
import subprocess
import sys
import tomllib
import typing
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from library_stubs import Stubs, documented, documented_shape, kind_in_words

from pipeline.shipped import LIBRARIES, RUNTIME, shipped
from pipeline.suites.domain.kinds.arrays import MATRICES
from pipeline.suites.domain.kinds.exact import KINDS, Kind
from pipeline.suites.domain.pool import Pool
from pipeline.suites.domain.sampler import Sampler

OUT = Path(__file__).parents[1] / "pipeline" / "suites" / "inference" / "evidence" / "library_members.json"
_SPECS = {
    "list": "list", "str": "str", "dict": "dict", "set": "set", "bytes": "bytes", "tuple": "tuple",
    "frozenset": "frozenset", "float": "float", "int": "int", "bool": "bool", "complex": "complex",
    "array": "numpy.ndarray", "series": "pandas.Series", "frame": "pandas.DataFrame",
    "date": "datetime.date", "datetime": "datetime.datetime",
    "timedelta": "datetime.timedelta", "OrderedDict": "collections.OrderedDict",
    "Counter": "collections.Counter",
}  # fmt: skip
"""Kinds that have a specification of their own, commoner ones first."""
_ABSTRACT = "typing collections.abc numbers pathlib os datetime decimal fractions scipy.sparse".split()
"""Modules whose classes may stand for kinds that are made of them."""
_DOCUMENTED = ("numpy", "numpy.linalg", "numpy.fft", "scipy", "scipy.spatial", "pandas", "sklearn")
_ORDINARY = {"often": 5, "several": 2}
"""In how many classes of the standard library that are no kinds a member stands which tells little."""
_CALLED = ("numpy", "numpy.linalg", *(f"scipy.{name}" for name in "linalg special signal spatial.distance".split()))
_WITH_ARRAYS = (*_CALLED, *(f"scipy.{name}" for name in "spatial interpolate integrate ndimage".split()))
"""Modules whose functions take arrays; some end the process when they are called with what does not fit."""
_TELLING_NOTHING = (typing.Protocol, contextlib.AbstractContextManager)
_MOST = 4
"""Parameters of documented functions that are given by their place."""
_HIDDEN = frozenset(["tests", "testing", "conftest", "f2py", "distutils"])
Text = dict[str, Any]


def main() -> None:
    """Write what the runtime's own Python finds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--print", action="store_true", help="print the file in place of writing it")
    parser.add_argument("--typeshed", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.typeshed:
        said = sys.stdout
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = as_text(found(options.typeshed))
        said.write(made)
    elif options.print:
        print(generated(), end="")
    else:
        OUT.write_text(generated(), "utf-8")


def generated() -> str:
    """The file as it should be: made in the runtime, which has no tools but the packages of its lock."""
    import mypy

    from harness.languages.python.runtime import python_of
    from harness.runtime import find_runtime

    runtime = python_of(find_runtime(shipped(RUNTIME)))
    typeshed = Path(mypy.__file__).parent / "typeshed" / "stdlib"
    env = {**os.environ, "PYTHONPATH": str(OUT.parents[4]), "PYTHONHASHSEED": "0"}
    command = [str(runtime.python), __file__, "--typeshed", str(typeshed)]
    return subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE, text=True).stdout


def found(typeshed: Path) -> Text:
    """All that there is to say."""
    stubs, examples = Stubs(typeshed), drawn(KINDS)
    types = classes(examples)
    allowed = dict(sorted(functions(stubs)))
    return {
        "members": {kind: members(one, types, examples.get(kind)) for kind, one in types.items()},
        "same": {kind: same(kind, one, stubs) for kind, one in types.items()},
        "classes": dict(sorted(stands_for(types))),
        "ordinary": {name: " ".join(sorted(stubs.ordinary(types, least))) for name, least in _ORDINARY.items()},
        "functions": allowed,
        "arrays": shapes(),
    }


def as_text(document: Text) -> str:
    """JSON with a line for each entry."""
    tables = []
    for name, table in document.items():
        rows = [f"  {json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}" for key, value in table.items()]
        tables.append(f" {json.dumps(name)}: {{\n" + ",\n".join(rows) + "\n }")
    return "{\n" + ",\n".join(tables) + "\n}\n"


# types


def drawn(kinds: Mapping[str, Kind]) -> Text:
    """A value of each kind that is drawn as a whole, and of each form of sparse matrices."""
    made = {kind: one.draw(Sampler(Random(1), Pool())) for kind, one in kinds.items()}
    return made | {form: _imported(f"scipy.sparse.{form}")((2, 2)) for form in sorted(MATRICES)}


def classes(examples: Text) -> dict[str, type]:
    """The class of each kind: that of a value of it, or the abstract one of the same name that it belongs to."""
    made = {kind: _imported(name) for kind, name in _SPECS.items()}
    for kind, value in examples.items():
        named = getattr(sys.modules[type(value).__module__], kind, type(value))
        made[kind] = named if isinstance(named, type) and isinstance(value, named) else type(value)
    return made


def members(one: type, types: Mapping[str, type], example: Any = None) -> list[str]:
    """The public members, those that are called with brackets; without those that a class below it has as a kind."""
    inherited = {name for base in types.values() if base is not one and issubclass(one, base) for name in dir(base)}
    with_own = {*dir(one), *dir(one if example is None else example)}
    return [f"{name}()" if callable(_member(one, example, name)) else name
            for name in sorted(with_own - inherited) if name[0] != "_"]


def _member(one: type, example: Any, name: str) -> Any:
    """What a member is; the properties of a class are no functions."""
    with contextlib.suppress(Exception):
        return getattr(one if example is None else example, name)
    return None


def same(kind: str, one: type, stubs: Stubs) -> str:
    """The methods that give a value like the one that they are called on."""
    if one.__module__ == "numpy" and not one.__name__.endswith("str_"):
        names = [name for name in dir(one) if name[0] != "_" and _same_cells(one, name)] if kind == "array" else []
    elif one.__module__.startswith("pandas"):
        names = [name for name in dir(one) if name[0] != "_" and _alike(one, name)]
    else:
        given = stubs.results(one.__module__, one.__qualname__)
        names = [name for name, gives in given.items() if gives == one.__qualname__ and name[0] != "_"]
    return " ".join(sorted(names))


def _alike(one: type, name: str) -> bool:
    """Whether a method of tables changes the table: it gives its own type whichever that is, or may work in place."""
    return getattr(getattr(one, name), "__annotations__", {}).get("return", "") in ("Self", f"{one.__name__} | None")


def _same_cells(one: type, name: str) -> bool:
    """Whether a method of arrays gives the same cells in the same order."""
    cells = importlib.import_module("numpy").arange(1.5, 7.5).reshape(2, 3)
    ways = [_given(getattr(one, name), cells), _given(lambda array: getattr(array, name)(float), cells)]
    return any(isinstance(made, one) and made.tolist() in (cells.tolist(), cells.ravel().tolist()) for made in ways)


def stands_for(types: Mapping[str, type]) -> Iterator[tuple[str, str]]:
    """Names of classes, abstract ones too, with the first kind that belongs to them."""
    yield from ((one.__name__, kind) for kind, one in types.items())
    for module in map(importlib.import_module, _ABSTRACT):
        for name, one in sorted(vars(module).items()):
            one = typing.get_origin(one) or one
            fit = [kind for kind, made in types.items() if isinstance(one, type) and _belongs(made, one)]
            if fit and name[0] != "_" and name not in KINDS and one not in _TELLING_NOTHING:
                yield name, fit[0]


def _belongs(made: type, one: type) -> bool:
    try:
        return one is not object and issubclass(made, one)
    except TypeError:
        return False


# functions


def functions(stubs: Stubs) -> Iterator[tuple[str, str]]:
    """The kind of each parameter, and of what a function gives: those of which anything is known."""
    allowed = tomllib.loads(shipped(LIBRARIES).read_text("utf-8"))
    for module in sorted({"builtins", *allowed["whole"], *allowed["standard"]}):
        for name, (taken, gives) in stubs.functions(module):
            yield from _row(name.removeprefix("builtins."), taken, gives)
    for name, function in _library_functions():
        taken = [kind_in_words(*one) for one in documented(function)][:_MOST]
        yield from _row(name, taken, "")


def _row(name: str, taken: list[str], gives: str) -> Iterator[tuple[str, str]]:
    gives = "" if gives == "Self" else gives
    while taken and taken[-1] in ("", "Self"):
        taken = taken[:-1]
    if taken or gives:
        yield name, ",".join("" if kind == "Self" else kind for kind in taken) + (f">{gives}" if gives else "")


def _library_functions() -> Iterator[tuple[str, Any]]:
    """The public functions and classes of libraries whose documentation is in the form of NumPy."""
    for module in _DOCUMENTED:
        for folder in [module, *(f"{module}.{one}" for one in _public(module))]:
            with contextlib.suppress(Exception):
                for name, one in sorted(vars(importlib.import_module(folder)).items()):
                    if name[0] != "_" and callable(one):
                        yield f"{folder}.{name}", one


def _public(module: str) -> list[str]:
    if module in ("numpy", "pandas"):
        return []
    path = getattr(importlib.import_module(module), "__path__", ())
    return [one.name for one in pkgutil.iter_modules(path) if one.name[0] != "_" and one.name not in _HIDDEN]


# what functions of arrays do to shapes, by calling them


def shapes() -> Text:
    """The last names of functions and methods, by what they do to an array, or ask of it."""
    import numpy

    seen: dict[str, set[str]] = {}
    for module, name, function in _array_functions():
        for what in (*(_does(function, numpy) if module in _CALLED and _certain(function) else ()), *_says(function)):
            seen.setdefault(what, set()).add(name)
    return {what: " ".join(sorted(names)) for what, names in sorted(seen.items())}


def _array_functions() -> Iterator[tuple[str, str, Callable[..., Any]]]:
    for name, one in _library_functions():
        module, _, last = name.rpartition(".")
        told = documented(one)
        if module in _WITH_ARRAYS and told and kind_in_words(*told[0]) in ("array", "number"):
            yield module, last, one


def _certain(function: Callable[..., Any]) -> bool:
    """Whether a function gives the same each time: it draws no numbers, and leaves no memory as it is."""
    drawing = {"rng", "seed", "random_state"} & {name for name, _, _ in documented(function)}
    return not drawing and "uninitialized" not in (function.__doc__ or "").partition("Returns\n")[2]


def _says(function: Callable[..., Any]) -> Iterator[str]:
    """What the documentation says of shapes."""
    told = documented(function)
    if "axis" in [name for name, _, _ in told]:
        yield "along"
    shape = documented_shape(told[0][1])
    yield from [shape] if shape else []


def _does(function: Callable[..., Any], numpy: Any) -> Iterator[str]:
    cells = (numpy.arange(6.0) + 1) / 7
    row, plane, square = cells, cells.reshape(2, 3), numpy.eye(3) + cells[:3] / 5
    ways: dict[str, tuple[Any, ...]] = {
        "plane": (plane,), "column": (numpy.zeros((3, 1)),), "square": (square,), "row": (row,),
        "pair": (plane, plane[::-1]), "shifted": (plane, 2), "rows": (row, row), "whole": (numpy.arange(6),),
    }  # fmt: skip
    made = {way: one for way, given in ways.items() if (one := _given(function, *given)) is not None}
    if isinstance(function, type) or not made:
        return
    alone, pair = made.get("plane"), made.get("pair")
    along = "axis" in [name for name, _, _ in documented(function)]
    effects = [_effect(_given(partial(function, axis=-1), ways[way][0]) if along else made[way], ways[way][0], numpy)
               for way in ("plane", "column", "row") if way in made]
    keeps = alone is not None and set(effects) <= {"kept", "truth"}
    if keeps or numpy.isscalar(alone):
        yield effects[0] if keeps else "reduced"
    elif alone is not None:
        pass
    elif made.keys() <= {"row", "rows", "whole"}:
        yield "rows"
    elif "square" in made and not made.keys() & {"pair", "row"}:
        yield "square"
    if (alone is not None and "row" not in made) or (pair is not None and "rows" not in made):
        yield "planes"
    if keeps and _by_cell(function, plane, alone, numpy):
        yield "each cell"
    both = _effect(pair, plane, numpy) if alone is None else ""
    if isinstance(pair, (bool, numpy.bool)) or (both in ("kept", "truth") and _given(function, plane, row[:5]) is None):
        yield "together"
    if both == "truth":
        yield "truth of two"
    first = next(iter(made.values()), None)
    if isinstance(first, (numpy.ndarray, numpy.number)) and first.dtype.kind in "iufc":
        yield "numbers"
    held = made.get("plane", made.get("shifted"))
    if isinstance(held, numpy.ndarray) and held.ndim and numpy.isin(held, plane).all():
        yield "chosen"


def _by_cell(function: Callable[..., Any], plane: Any, alone: Any, numpy: Any) -> bool:
    """Whether a function deals with each cell alone, and does something to it."""
    single = [_given(function, cell) for cell in plane.ravel().tolist()]
    unchanged = numpy.array_equal(_given(function, -plane), -plane)
    return not unchanged and all(numpy.isscalar(one) for one in single) and numpy.allclose(single, alone.ravel())


def _effect(made: Any, given: Any, numpy: Any) -> str:
    if numpy.isscalar(made):
        return "reduced"
    if not isinstance(made, numpy.ndarray) or made.shape != given.shape:
        return "other"
    return "truth" if made.dtype == bool else "kept"


def _given(function: Callable[..., Any], *arguments: Any) -> Any:
    """What a function gives for copies of arrays, None where it takes no such ones."""
    try:
        return function(*(copy.copy(one) for one in arguments))
    except Exception:
        return None


def _imported(name: str) -> Any:
    module, _, last = name.rpartition(".")
    return getattr(importlib.import_module(module or "builtins"), last)


if __name__ == "__main__":
    main()
