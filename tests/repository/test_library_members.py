"""What libraries know is generated: the data file is what the script gives, and what inference derives from it."""

from __future__ import annotations

import array
import ast
import difflib
from pathlib import Path

import library_members
import library_stubs
import pytest

from pipeline.suites.domain.kinds.exact import KINDS, Kind, as_is
from pipeline.suites.inference.evidence import library_signatures as known
from pipeline.suites.inference.infer import infer
from pipeline.suites.subject import Subject


@pytest.mark.slow
def test_the_file_is_what_the_script_gives() -> None:
    made, kept = library_members.generated().splitlines(), library_members.OUT.read_text("utf-8").splitlines()
    assert made == kept, "\n".join(list(difflib.unified_diff(kept, made, lineterm="", n=0))[:20])


def test_a_new_kind_needs_no_list() -> None:
    new = {"memory": Kind(lambda _: array.array("i", [1]), as_is("st.nothing()"))}
    types = library_members.classes(library_members.drawn(new))
    found = library_members.members(types["memory"], types)
    assert {"typecode", "frombytes()"} <= set(found)
    assert known.by_member({"memory": found}, called=False)["typecode"] == "memory"
    assert known.by_member({"memory": found}, called=True)["frombytes"] == "memory"


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_that_is_drawn_stands_in_the_file(kind: str) -> None:
    assert known.ISINSTANCE_KINDS[kind]
    assert isinstance(known.members(kind), frozenset)


@pytest.mark.parametrize(("name", "kind"), {
    "zfill": "str", "setdefault": "dict", "append": "list", "isdisjoint": "set", "decode": "bytes", "cumsum": "array",
    "iterrows": "frame", "dropna": "table", "between": "series", "copy": "container", "pop": "container",
    "update": "container", "count": "sequence", "index": "sequence", "tocsr": "array",
    "as_integer_ratio": "float", "conjugate": "complex", "get_indexer": "Index",
}.items())  # fmt: skip
def test_a_method_tells_the_kind_that_has_it_or_what_several_are_together(name: str, kind: str) -> None:
    assert known.CALLED_KINDS[name] == kind


@pytest.mark.parametrize(("name", "kind"), {
    "stem": "Path", "days": "timedelta", "year": "date",
    "hour": "datetime", "columns": "frame", "iloc": "table", "shape": "array", "imag": "complex",
}.items())  # fmt: skip
def test_a_member_that_is_read_tells_the_kind(name: str, kind: str) -> None:
    assert known.READ_KINDS[name] == kind


@pytest.mark.parametrize("name", ["name", "parent", "key", "version", "left", "data_of_mine"])
def test_what_other_classes_often_have_tells_nothing(name: str) -> None:
    assert name not in known.READ_KINDS


def test_methods_that_give_their_own_kind() -> None:
    assert {"strip", "union", "quantize", "dropna", "astype", "ravel", "copy"} <= known.SAME_TYPE_METHODS
    assert not {"join", "encode", "split", "groupby", "isna", "reshape", "max"} & known.SAME_TYPE_METHODS


@pytest.mark.parametrize(("name", "kinds"), {
    "datetime.date": ["year", "month", "monthday"], "math.comb": ["count", "count"], "sum": ["numbers"],
    "textwrap.fill": ["str"], "unicodedata.category": ["char"], "zip": ["iterable", "iterable"],
    "math.gcd": ["int", "int", "int"], "bisect.bisect": ["numbers", "number"], "os.path.join": ["str", "str"],
    "itertools.chain.from_iterable": ["iterables"], "numpy.roll": ["array"], "numpy.zeros": ["count"],
    "numpy.expand_dims": ["array", "axis"], "scipy.signal.butter": ["count"], "numpy.percentile": ["array", "float"],
    "no.such": [],
}.items())  # fmt: skip
def test_what_functions_take(name: str, kinds: list[str]) -> None:
    assert known.takes(name, len(kinds)) == kinds


def test_what_functions_give() -> None:
    given = {name: known.gives(name) for name in ("decimal.Decimal", "datetime.date.fromisoformat", "math.sqrt", "max")}
    assert given == {"decimal.Decimal": "Decimal", "datetime.date.fromisoformat": "date", "math.sqrt": "float", "max": ""}


@pytest.mark.parametrize(("effect", "has", "lacks"), [
    ("kept", "sin cumsum sort asarray", "squeeze ravel sum atleast_2d isnan trim_zeros"),
    ("truth", "isnan logical_not", "sin isclose"),
    ("together", "maximum hypot less array_equal", "sin dot"),
    ("truth of two", "less isclose", "maximum"),
    ("reduced", "sum nanmax median norm", "cumsum sort"),
    ("square", "inv det solve cholesky", "svd sum transpose"),
    ("planes", "svd pdist KDTree", "sum inv"),
    ("rows", "bincount convolve roots", "sum inv"),
    ("chosen", "sort unique flip", "sin sum"),
    ("each cell", "sqrt isnan round", "sort asarray softmax"),
    ("along", "argmax percentile", "dot"),
])  # fmt: skip
def test_what_functions_of_arrays_do_is_seen_by_calling_them(effect: str, has: str, lacks: str) -> None:
    found = known.functions(effect)
    assert set(has.split()) <= found
    assert not set(lacks.split()) & found


@pytest.mark.parametrize(("line", "drawn"), [
    ("return [one.upper() for one in x.parents]", "Anything"),
    ("return x.limit_denominator(9) > 1", "Fraction"),
])  # fmt: skip
def test_inference_asks_the_data(line: str, drawn: str) -> None:
    [parameter] = infer(Subject.of(f"def f(x):\n    {line}\n", "f"))
    assert drawn in repr(parameter.spec)


STUB = """
import sys
from typing import overload, TypeVar, Protocol, Iterable
from _more import near as close, Few
T = TypeVar("T", int, float)
class _Sized(Protocol):
    def __len__(self) -> int: ...
if sys.version_info >= (3, 12):
    def late(x: str) -> str: ...
else:
    def late(x: bytes) -> bytes: ...
def many(*names: str) -> list[str]: ...
def sized(of: _Sized, numbers: Iterable[T]) -> None: ...
@overload
def either(x: int) -> int: ...
@overload
def either(x: float) -> float: ...
@overload
def any_of(x: object) -> str: ...
@overload
def any_of(x: str, y: dict[str, int]) -> str: ...
class Point:
    def __init__(self, name: str | None, few: Few) -> None: ...
    @classmethod
    def parse(cls, text: str) -> Point: ...
    def left(self) -> str: ...
class Side:
    def left(self) -> str: ...
alias = many
"""
MORE = "def near(value: object, year: int) -> bool: ...\nFew = dict[str, int]\n"


@pytest.fixture
def stubs(tmp_path: Path) -> library_stubs.Stubs:
    (tmp_path / "some.pyi").write_text(STUB)
    (tmp_path / "_more.pyi").write_text(MORE)
    return library_stubs.Stubs(tmp_path)


@pytest.mark.parametrize(("name", "taken", "gives"), [
    ("late", ["bytes"], "bytes"), ("many", ["*str"], "list"), ("sized", ["sized", "numbers"], ""),
    ("either", ["number"], ""), ("Point", ["str", "dict"], ""), ("Point.parse", ["str"], ""),
    ("alias", ["*str"], "list"), ("any_of", ["", "dict"], "str"), ("close", ["", "year"], "bool"),
])  # fmt: skip
def test_stubs_are_read(stubs: library_stubs.Stubs, name: str, taken: list[str], gives: str) -> None:
    assert dict(stubs.functions("some"))[f"some.{name}"] == (taken, gives)


def test_members_of_several_classes_are_ordinary(stubs: library_stubs.Stubs) -> None:
    stubs.module("some")
    assert stubs.ordinary((), 2) == {"left"}
    assert stubs.ordinary(["Side"], 2) == set()


@pytest.mark.parametrize(("told", "kind"), [
    (("a", "array_like", "The input."), "array"), (("n", "int", "Order of the filter."), "count"),
    (("k", "int, optional", "Number of diagonals."), "count"), (("k", "int", "A place."), "int"),
    (("axis", "{int, tuple}", ""), "axis"), (("q", "array_like of float", "Percentiles."), "float"),
    (("tup", "sequence of array_like", ""), "arrays"), (("c", "{'a', 'b'}", ""), "str"), (("x", "thing", ""), ""),
])  # fmt: skip
def test_documentation_is_read(told: tuple[str, str, str], kind: str) -> None:
    assert library_stubs.kind_in_words(*told) == kind


def test_parameters_are_read_from_documentation() -> None:
    def function() -> None:
        """Do it.

        Parameters
        ----------
        x1, x2 : (M, M) array_like
            Both of them.
            They must be sorted.
        out : ndarray

        Returns
        -------
        y : float
        """

    told = library_stubs.documented(function)
    assert [name for name, _, _ in told] == ["x1", "x2", "out"]
    assert library_stubs.documented_shape(told[0][1]) == "square"
    assert ast.parse(STUB)
