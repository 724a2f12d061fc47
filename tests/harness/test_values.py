"""The codec: what it carries comes back as it was, type included, and what it can't carry it refuses with a reason."""

from __future__ import annotations

import collections
import contextlib
import datetime
import enum
import ipaddress
import json
import math
import operator
import re
import subprocess
import sys
import typing
import uuid
import zoneinfo
from decimal import Decimal
from fractions import Fraction
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st

from harness import values
from harness.values import Iterated, NotDecodable, NotEncodable, canonical, decode, encode

ZONES = st.sampled_from([
    None, datetime.UTC, datetime.timezone(datetime.timedelta(hours=-3, minutes=-30)),
    datetime.timezone(datetime.timedelta(hours=1), "own"), zoneinfo.ZoneInfo("Europe/Berlin"), zoneinfo.ZoneInfo("UTC"),
])
TEXTS = st.text(st.characters(exclude_categories=()), max_size=20)
WINDOWS_PATHS = st.builds(PureWindowsPath, st.text("ab\\:.", max_size=5)).filter(
    lambda path: str(PureWindowsPath(str(path))) == str(path))
HASHABLE_LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.integers(min_value=-(10**400), max_value=10**400), st.floats(), TEXTS, st.binary(),
    st.complex_numbers(allow_nan=False), st.dates(), st.datetimes(timezones=ZONES), st.times(), st.timedeltas(), st.uuids(),
    st.decimals(allow_nan=False), st.fractions(), st.ip_addresses(), st.just(...),
    st.builds(lambda address, length: ipaddress.ip_network((address, length), strict=False), st.ip_addresses(), st.integers(0, 32)),
    st.builds(lambda address, length: ipaddress.ip_interface((address, length)), st.ip_addresses(), st.integers(0, 32)),
    st.builds(re.RegexFlag, st.integers(0, 1 << 52)),
    st.builds(range, st.integers(-9, 9), st.integers(-9, 9), st.integers(1, 3)),
    st.builds(PurePosixPath, st.text("ab/.", max_size=5)), WINDOWS_PATHS,
)
LEAVES = st.one_of(
    HASHABLE_LEAVES, st.builds(bytearray, st.binary()), st.builds(slice, st.none() | st.integers()), st.just(math.nan),
    st.builds(re.compile, st.sampled_from(["a", "(?P<x>b)+", "(?i)[^c]", b"d"]), st.sampled_from([0, re.I, re.M | re.S, re.A, re.X])),
    st.builds(slice, HASHABLE_LEAVES, st.none() | st.integers(), st.none() | st.integers()),
)
HASHABLE = st.recursive(HASHABLE_LEAVES, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3), max_leaves=4)


def _containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.lists(inner, max_size=4), st.tuples(inner, inner), st.sets(HASHABLE, max_size=4), st.frozensets(HASHABLE, max_size=4),
        st.dictionaries(TEXTS | st.just("$"), inner, max_size=4), st.dictionaries(HASHABLE, inner, max_size=4),
        st.builds(collections.OrderedDict, st.dictionaries(HASHABLE, inner, max_size=3)),
        st.builds(lambda d: collections.defaultdict(list, d), st.dictionaries(HASHABLE, inner, max_size=3)),
        st.builds(collections.Counter, st.lists(HASHABLE, max_size=4)),
        st.builds(collections.deque, st.lists(inner, max_size=3), st.sampled_from([None, 5])),
        st.builds(lambda items: Iterated(tuple(items)), st.lists(inner, max_size=3)),
    )


VALUES = st.recursive(LEAVES, _containers, max_leaves=12)
DTYPES = ["?", "i1", "u2", "<i4", ">i8", "f2", "f4", "f8", "c8", "c16", "U3", "S2", "M8[ns]", "M8[D]", "m8[s]"]


def through_json(value: Any) -> Any:
    return decode(json.loads(canonical(encode(value))))


def same(left: Any, right: Any) -> bool:
    """Equality with types, NaN equal to NaN, and -0.0 different from 0.0."""
    if type(left) is not type(right):
        return False
    if isinstance(left, float):
        return repr(left) == repr(right)
    if isinstance(left, complex):
        return same(left.real, right.real) and same(left.imag, right.imag)
    if isinstance(left, (list, tuple, collections.deque)):
        return len(left) == len(right) and all(map(same, left, right)) and getattr(left, "maxlen", 0) == getattr(right, "maxlen", 0)
    if isinstance(left, Iterated):
        return same(left.items, right.items)
    if isinstance(left, dict):
        return same(list(left), list(right)) and same(list(left.values()), list(right.values()))
    if isinstance(left, (set, frozenset)):
        return sorted(canonical(encode(item)) for item in left) == sorted(canonical(encode(item)) for item in right)
    if isinstance(left, (datetime.datetime, datetime.time)):
        return left.isoformat() == right.isoformat() and left.fold == right.fold and repr(left.tzinfo) == repr(right.tzinfo)
    if isinstance(left, Decimal):
        return str(left) == str(right)
    return bool(left == right)


@given(VALUES)
def test_what_is_carried_comes_back(value: Any) -> None:
    assert same(through_json(value), value)


@pytest.mark.parametrize("text", ["\\\\.\\", "\\\\a\\", "//:/"])
def test_a_path_whose_text_is_read_as_another_one_is_refused(text: str) -> None:
    with pytest.raises(NotEncodable, match="PureWindowsPath"):
        encode(PureWindowsPath(text))


@given(VALUES)
def test_encoding_again_gives_the_same_text(value: Any) -> None:
    assert canonical(encode(through_json(value))) == canonical(encode(value))


@given(st.lists(HASHABLE, max_size=8), st.randoms(use_true_random=False))
def test_sets_are_written_alike_whatever_their_order(items: list[Any], random: Any) -> None:
    shuffled = list(items)
    random.shuffle(shuffled)
    assume(set(shuffled) == set(items) and len({repr(i) for i in items}) == len(set(items)))
    assert canonical(encode(set(items))) == canonical(encode(set(shuffled)))


def test_sets_are_written_alike_whatever_the_hash_seed() -> None:
    code = f"import sys; sys.path.insert(0, {str(Path(values.__file__).parents[1])!r}); import values as v\n"
    code += "print(v.canonical(v.encode({'a', 'b', ('c', 1), frozenset({'d', 'e'})})))"
    texts = {
        subprocess.run([sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in ("0", "1", "2")
    }
    assert len(texts) == 1


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.fixed_dictionaries({"$": st.sampled_from(values.tags()), "v": inner}, optional={"dtype": st.sampled_from(DTYPES), "shape": st.lists(st.integers(-1, 3)), "name": inner, "index": inner, "zone": inner}), max_leaves=10))
def test_any_json_is_decoded_or_refused(data: Any) -> None:
    with contextlib.suppress(NotDecodable):
        decode(data)


@pytest.mark.parametrize("dtype", DTYPES)
def test_arrays_come_back_with_dtype_and_shape(dtype: str) -> None:
    for shape in ((), (0,), (3,), (2, 3), (2, 0, 1)):
        array = np.arange(1, 1 + math.prod(shape), dtype="i8").reshape(shape).astype(dtype)
        back = through_json(array)
        assert type(back) is np.ndarray and back.dtype == array.dtype and back.shape == array.shape
        assert back.tobytes() == array.tobytes()


@pytest.mark.parametrize("scalar", [
    np.float64(1.5), np.float64("nan"), np.float32(0.1), np.float16(2), np.int64(-5), np.uint8(255), np.bool_(True), np.complex64(1 - 2j),
    np.str_("ab"), np.bytes_(b"x"), np.datetime64("2020-01-01T10"), np.datetime64("NaT"), np.timedelta64(5, "s"), np.dtype("f4"),
], ids=repr)
def test_numpy_scalars_come_back(scalar: Any) -> None:
    back = through_json(scalar)
    assert type(back) is type(scalar) and repr(back) == repr(scalar)


def test_object_arrays_come_back_item_by_item() -> None:
    array = np.array([[1, "a"], [None, (1, 2)]], dtype=object)
    back = through_json(array)
    assert back.dtype == object and back.tolist() == array.tolist()


PANDAS = [
    pd.Series([1, 2, 3]), pd.Series([1.5, None], index=["a", "b"], name="x"), pd.Series(["a", None, "c"]), pd.Series([], dtype="f4"),
    pd.Series(["a", None, 3], dtype=object), pd.Series([1, None], dtype="Int64"), pd.Series([True, None], dtype="boolean"),
    pd.Series(["a", "b", "a"], dtype="category"), pd.Series(pd.Categorical([2, 1], [2, 1, 0], ordered=True)),
    pd.Series(["x", None], dtype="string"), pd.Series(pd.date_range("2020", periods=2, tz="Europe/Berlin")),
    pd.Series(pd.to_timedelta([1, None], unit="s")), pd.Series([1, 2], index=pd.to_datetime(["2020-01-01", "2021-01-01"])),
    pd.DataFrame(), pd.DataFrame({"a": [1, 2], "b": ["x", None], "c": [1.5, 2.0], "d": [True, False]}), pd.DataFrame(columns=["a", "b"]),
    pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]), pd.DataFrame({1: [1], ("t", 2): [2]}), pd.DataFrame(index=[1, 2]),
    pd.DataFrame({"a": [1, 2]}, index=pd.MultiIndex.from_tuples([("x", 1), ("y", 2)], names=["p", None])),
    pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_product([["a"], ["b", "c"]])),
    pd.Series(pd.cut([1, 2, 3.5, math.nan], 2)), pd.Series(pd.interval_range(0, 2)), pd.Series(pd.PeriodIndex(["2020-01", None], freq="M")),
]


@pytest.mark.parametrize("value", PANDAS, ids=range(len(PANDAS)))
def test_series_and_frames_come_back(value: Any) -> None:
    back = through_json(value)
    if isinstance(value, pd.Series):
        pd.testing.assert_series_equal(back, value, check_index_type="exact", check_freq=False)
    else:
        pd.testing.assert_frame_equal(back, value, check_index_type="exact", check_column_type="exact", check_freq=False)


@pytest.mark.parametrize("index", [
    pd.Index([1, 2], name="n"), pd.Index(["a", None]), pd.RangeIndex(1, 9, 2, name="r"), pd.date_range("2020", periods=3, freq="D"),
    pd.DatetimeIndex(["2020-01-01", None], tz="UTC"), pd.CategoricalIndex(["a", "b"]), pd.timedelta_range("1D", periods=2),
    pd.MultiIndex.from_product([[1, 2], ["a", "b"]], names=["x", "y"]), pd.Index([1.5, 2]), pd.period_range("2020", periods=2, freq="M", name="p"),
    pd.interval_range(0, 3, closed="both"), pd.IntervalIndex.from_breaks(pd.to_datetime(["2020", "2021"])), pd.Index([(1, 2), "x"], tupleize_cols=False),
], ids=repr)
def test_indexes_come_back(index: Any) -> None:
    pd.testing.assert_index_equal(through_json(index), index, exact=True)
    assert getattr(through_json(index), "freq", None) == getattr(index, "freq", None)


@pytest.mark.parametrize("moment", [
    pd.Timestamp("2020-01-01 01:02:03.123456789"), pd.Timestamp("2020-01-01", tz="UTC"), pd.Timestamp("2020-06-01", tz="Europe/Berlin"),
    pd.Timestamp("2024-10-27 00:30", tz="UTC").tz_convert("Europe/Berlin"), pd.Timestamp("2024-10-27 01:30", tz="UTC").tz_convert("Europe/Berlin"),
    pd.Timestamp("1500-01-01").as_unit("s"), pd.Timedelta("1D 2s"), pd.NaT, pd.NA,
], ids=repr)
def test_pandas_scalars_come_back(moment: Any) -> None:
    back = through_json(moment)
    assert type(back) is type(moment) and repr(back) == repr(moment)
    assert getattr(back, "unit", None) == getattr(moment, "unit", None)


PARTS = [
    pd.Interval(0, 1), pd.Interval(0.5, 1.5, closed="neither"), pd.Interval(pd.Timestamp("2020"), pd.Timestamp("2021")),
    pd.Period("2020-01", "M"), pd.Period("2020Q1"), pd.Period("2020-01-01", "D"), pd.Period("2020", "W"),
    pd.StringDtype(), pd.StringDtype("python", na_value=math.nan), pd.CategoricalDtype(["a", "b"], ordered=True), pd.CategoricalDtype(),
    pd.DatetimeTZDtype("ns", "UTC"), pd.Int64Dtype(), pd.BooleanDtype(), pd.PeriodDtype("M"), pd.IntervalDtype("int64", "right"), pd.IntervalDtype(),
]


@pytest.mark.parametrize("value", PARTS, ids=repr)
def test_intervals_periods_and_types_of_columns_come_back(value: Any) -> None:
    back = through_json(value)
    assert type(back) is type(value) and back == value and repr(back) == repr(value)


@pytest.mark.parametrize("array", [
    np.ma.array([1, 2], mask=[0, 1]), np.ma.array([1.5]), np.ma.array([[1, 2]], mask=[[True, False]], fill_value=7), np.ma.array([], dtype="i8"),
], ids=repr)
def test_masked_arrays_come_back_with_what_they_hide(array: Any) -> None:
    back = through_json(array)
    assert repr(back) == repr(array) and back.data.tobytes() == array.data.tobytes() and back.dtype == array.dtype
    assert through_json(np.ma.masked) is np.ma.masked


SPARSE = [
    kind(made) for kind in (sp.csr_array, sp.csc_matrix, sp.coo_array, sp.csr_matrix)
    for made in (np.array([[1.5, 0, 0], [0, np.nan, -2]]), np.zeros((0, 3)), np.eye(2, dtype=bool), np.array([[1j, 0]], "c8"))
]


@pytest.mark.parametrize("matrix", SPARSE, ids=range(len(SPARSE)))
def test_sparse_matrices_come_back(matrix: Any) -> None:
    back = through_json(matrix)
    assert type(back) is type(matrix) and back.dtype == matrix.dtype and back.shape == matrix.shape
    np.testing.assert_array_equal(back.toarray(), matrix.toarray())
    assert canonical(encode(back)) == canonical(encode(matrix))


def test_sparse_matrices_keep_their_order_their_zeros_and_the_types_of_their_indices() -> None:
    matrix = sp.csr_array((np.array([0.0, 2.0, 3.0]), np.array([2, 0, 0], "i8"), np.array([0, 3], "i8")), shape=(1, 3))
    matrix.indices, matrix.indptr = matrix.indices.astype("i8"), matrix.indptr.astype("i8")
    back = through_json(matrix)
    assert back.indices.tolist() == [2, 0, 0] and back.data.tolist() == [0, 2, 3] and back.indices.dtype == back.indptr.dtype == "i8"


@pytest.mark.parametrize("change", [
    {"type": "lil_array"}, {"type": "os.system"}, {"type": None}, {"shape": [1 << 40, 2]}, {"shape": [2]}, {"shape": [1.0, 2]}, {"shape": [-1, 2]},
    {"shape": [3, 2]}, {"shape": [2, 1]}, {"places": [encode(np.array([0, 1, 9], "i4")), encode(np.array([0, 1], "i4"))]}, {"places": []},
    {"places": [encode(np.array([0, 2, 1], "i4")), encode(np.array([0, 1], "i4"))]}, {"places": [encode(np.array([0, 1, 2], "i4")), encode(np.array([0, -1], "i4"))]},
    {"places": [encode(np.array([0, 1, 2], "f4")), encode(np.array([0, 1], "i4"))]}, {"v": [1.5, 2.5]}, {"v": encode(np.array([1.0]))},
    {"v": encode(np.array([1, "a"], dtype=object))}, {"v": encode(np.array(["a", "b"]))},
], ids=repr)
def test_sparse_matrices_whose_parts_do_not_fit_are_refused(change: dict[str, Any]) -> None:
    data = encode(sp.csr_array(np.diag([1.5, 2.5])))
    assert decode(data).nnz == 2
    with pytest.raises(NotDecodable):
        decode({**data, **change})


class Colour(enum.IntEnum):
    RED = 1


Point = collections.namedtuple("Point", "x y")
Own = type("Own", (int,), {})
OwnText = type("OwnText", (str,), {})
CYCLE: list[Any] = []
CYCLE.append({"again": CYCLE})
DEEP: Any = 1
for _ in range(values.MAX_DEPTH + 1):
    DEEP = [DEEP]
DOUBLING: Any = []
for _ in range(60):
    DOUBLING = [DOUBLING, DOUBLING]


@pytest.mark.parametrize(("value", "reason"), [
    (Colour.RED, "a member of an enum (Colour)"), (Point(1, 2), "a named tuple (Point)"), (Own(1), "a subclass of int (Own)"),
    ({"a": [OwnText("x")]}, "a subclass of str (OwnText)"), (CYCLE, "a cycle"), (DEEP, "more than 100 levels"),
    (DOUBLING, "more than 2000000 values"), (object(), "an object of builtins.object"), (property, "a class (property)"), (print, "a function"),
    (lambda x: x, "a function"), (open, "a function"), ("".upper, "a function"), (str.format, "a function"), (Point, "a class (Point)"),
    (iter([1]), "an iterator (list_iterator)"), ({1: 2}.keys(), "an iterator (dict_keys)"), (np.ma.array([1], hard_mask=True), "a masked array of objects, or with a hard mask"),
    (np.ma.array([None]), "a masked array of objects"),
    (collections.defaultdict(lambda: 1), "a defaultdict whose default comes from code"), (np.zeros(1, "i4,i4"), "a NumPy value of type"),
    (pd.Series(pd.arrays.SparseArray([1])), "a pandas array of type Sparse"), ("x" * (values.MAX_BYTES + 1), "more than 33554432 bytes"),
    (re.compile("a" * 1001), "a regular expression that is no text of at most 1000 characters"),
    (re.RegexFlag(1 << 60), "flags of regular expressions with huge bits"), (re.compile(OwnText("a")), "a regular expression that is no text"),
    (sp.lil_array((2, 2)), "an object of scipy.sparse"), (sp.coo_array(np.ones(3)), "a sparse 3 array of type float64"),
    (pd.Index([5, 6]).take(np.array([[0, 1]])), "an index with several axes"),
    (pd.MultiIndex.from_tuples([(1, 2)]).take(np.array([[0, 0]])), "an index with several axes"),
    (ValueError("x"), "an object of builtins.ValueError"), (memoryview(b"x"), "an object of builtins.memoryview"),
], ids=lambda value: value if isinstance(value, str) and len(value) < 50 else "")
def test_what_can_not_be_carried_is_refused_with_a_reason(value: Any, reason: str) -> None:
    with pytest.raises(NotEncodable, match=re.escape(reason)):
        encode(value)


@pytest.mark.parametrize("name", values.FUNCTIONS)
def test_pure_functions_are_carried_by_name(name: str) -> None:
    function = values.FUNCTIONS[name]
    assert encode([function]) == [{"$": "function", "v": name}]
    assert through_json({"key": function})["key"] is function
    assert eval(name, {"operator": operator}) is function


@pytest.mark.parametrize("name", values.NUMBER_TYPES)
def test_types_of_numbers_are_carried_by_name(name: str) -> None:
    kind = getattr(np, name)
    assert encode({"dtype": kind}) == {"dtype": {"$": "function", "v": f"numpy.{name}"}} and through_json(kind) is kind


@pytest.mark.parametrize("name", ["numpy.load", "numpy.ndarray", "numpy.", "numpy.generic", "eval", "print", "operator.pow", "__import__", "", None, 3, "os.system"])
def test_no_other_function_comes_out_of_a_name(name: Any) -> None:
    with pytest.raises(NotDecodable):
        decode({"$": "function", "v": name})


TYPE_VALUES = [
    complex, type(None), Exception, datetime.date, list[int], dict[str, list[int]], tuple[int, ...], type[int], int | None,
    typing.Optional[str], typing.Union[int, str, None], typing.List[int], typing.Dict[str, typing.Any],  # noqa: UP006, UP007, UP045
    typing.Literal["a", 1, None], typing.Annotated[int, "positive"],
]


@pytest.mark.parametrize("kind", TYPE_VALUES, ids=str)
def test_types_are_carried_by_their_names(kind: Any) -> None:
    back = through_json({"kind": kind})["kind"]
    assert back == kind and type(back) is type(kind) and encode(back) == encode(kind)


@pytest.mark.parametrize("tree", [
    "...", "os.system", "eval", "property", "", None, 3, [], ["list"], ["os", "int"], ["list", "eval"], ["|", "int", 3],
    ["typing.Literal", ["x"]], ["typing.Annotated", "int", ["x"]], ["typing.Any", "int"], ["__import__", "int"],
    ["list", ["list", ["list", ["list", ["list", "int"]]]]], ["tuple", *["int"] * 9],
])
def test_no_other_type_comes_out_of_a_tree(tree: Any) -> None:
    with pytest.raises(NotDecodable):
        decode({"$": "type", "v": tree})


@pytest.mark.parametrize("kind", [Point, list[Point], typing.Sequence, typing.Callable[[int], str], list[list[list[list[list[int]]]]]], ids=str)
def test_types_beyond_the_fixed_list_are_refused(kind: Any) -> None:
    with pytest.raises(NotEncodable):
        encode(kind)

def test_a_shared_list_is_no_cycle() -> None:
    shared = [1]
    assert through_json([shared, shared]) == [[1], [1]]


def test_iterators_are_emptied_only_where_that_is_wanted() -> None:
    assert decode(encode([map(str, [1, 2]), {1: 2}.items()], 10)) == [Iterated(("1", "2")), Iterated(((1, 2),))]
    with pytest.raises(NotEncodable, match="more than 3 items"):
        encode((n for n in range(4)), 3)


def test_a_class_that_borrows_a_name_is_not_taken_for_it() -> None:
    fake = type("Decimal", (), {"__module__": "decimal", "__str__": lambda self: "1"})
    with pytest.raises(NotEncodable):
        encode(fake())


def test_big_values_are_carried() -> None:
    big = [list(range(100_000)), "x" * 10**7, b"y" * 10**7, 10**100_000]
    assert through_json(big) == big


@pytest.mark.parametrize("data", [
    {"$": "ndarray", "dtype": "<f8", "shape": [1 << 40], "v": ""}, {"$": "ndarray", "dtype": "<U0", "shape": [1 << 34], "v": ""},
    {"$": "ndarray", "dtype": "O", "shape": [1], "v": "QUFB"}, {"$": "ndarray", "dtype": "i4,i4", "shape": [0], "v": ""},
    {"$": "int", "v": "os.abort()"}, {"$": "nothing"}, {"$": None, "v": 1, "x": object()}, {"$": "set", "v": [[]]}, {"$": "Pattern", "v": "(", "flags": 0},
    {"$": "Pattern", "v": "a" * 1001, "flags": 32}, {"$": "Pattern", "v": ["a"], "flags": 32}, {"$": "Pattern", "v": "a"}, {"$": "Pattern", "v": "a", "flags": 160},
    {"$": "Pattern", "v": "a", "flags": True}, {"$": "Pattern", "v": "a", "flags": 0}, {"$": "Pattern", "v": "a", "flags": "re.I"}, {"$": "Pattern", "v": "(" * 900, "flags": 32},
    {"$": "RegexFlag", "v": "re.I"}, {"$": "RegexFlag", "v": 1 << 60}, {"$": "RegexFlag", "v": True}, {"$": "UUID", "v": "x"}, {"$": "UUID", "v": 5},
    {"$": "UUID", "v": "{12345678-1234-5678-1234-567812345678}"}, {"$": "slice", "v": [1]}, {"$": "slice", "v": [1, 2, 3, 4]}, {"$": "slice"},
    {"$": "range", "v": [1, 2]}, {"$": "range", "v": [0, 5, 0]}, {"$": "range", "v": [0, 1.5, 1]}, {"$": "Fraction", "v": ["1e999999999", 1]},
    {"$": "Fraction", "v": [{"$": "Decimal", "v": "1E+999999999"}]}, {"$": "IPv4Address", "v": 1}, {"$": "IPv4Address", "v": "010.0.0.1"},
    {"$": "IPv6Address", "v": "0::1"}, {"$": "IPv4Network", "v": "10.0.0.1/8"}, {"$": "IPv4Network", "v": "10.0.0.0/255.0.0.0"}, {"$": "PosixPath", "v": "a//b"},
    {"$": "Interval", "closed": "open", "v": [0, 1]}, {"$": "Interval", "closed": "left", "v": [2, 1]}, {"$": "Interval", "closed": "left", "v": [1]},
    {"$": "intervals", "closed": "left", "v": [[1], [2]]}, {"$": "Period", "freq": "M", "v": 3}, {"$": "Period", "freq": "monthly", "v": "3"},
    {"$": "Period", "freq": "12h30min5s", "v": "x"}, {"$": "periods", "freq": "M", "v": {"$": "ndarray", "dtype": "<f8", "shape": [1], "v": "AAAAAAAA4D8="}},
    {"$": "pandas dtype", "name": "object"}, {"$": "pandas dtype", "name": "CategoricalDtype", "ordered": 1, "categories": None},
    {"$": "pandas dtype", "name": "CategoricalDtype", "ordered": True, "categories": ["a"]}, {"$": "pandas dtype", "name": "PeriodDtype", "freq": None},
    {"$": "pandas dtype", "name": "StringDtype", "storage": "disk", "missing": "NA"}, {"$": "MaskedArray", "fill": None, "mask": {"$": "ndarray", "dtype": "|b1", "shape": [2], "v": "AAE="}, "v": {"$": "ndarray", "dtype": "|u1", "shape": [1], "v": "AA=="}},
    {"$": "MaskedArray", "fill": None, "mask": None, "v": {"$": "ndarray", "dtype": "|O", "shape": [1], "v": [None]}},
    {"$": "PosixPath", "v": ["a", "b"]}, {"$": "timezone", "v": {"key": "../../etc/passwd"}}, {"$": "timezone", "v": {"key": ["UTC"]}}, {"$": "timedelta", "v": ["1", 0, 0]},
])
def test_hostile_json_is_refused(data: Any) -> None:
    with pytest.raises(NotDecodable):
        decode(data)


@pytest.mark.parametrize("value", [re.compile("a", re.I), re.compile("(?i)a"), re.compile(b"a"), re.I | re.S, slice(1, None, -1), slice(None)], ids=repr)
def test_patterns_flags_and_slices_are_told_by_their_parts(value: Any) -> None:
    back = through_json(value)
    assert type(back) is type(value) and back == value
    if isinstance(value, re.Pattern):
        assert (back.pattern, back.flags) == (value.pattern, value.flags)


def test_the_codec_needs_nothing_else_and_loads_no_library() -> None:
    code = f"import sys; sys.path[:] = [p for p in sys.path if 'site-packages' not in p]; sys.path.insert(0, {str(Path(values.__file__).parents[1])!r})\n"
    code += "import values; print(sorted({'numpy', 'pandas', 'datetime', 'decimal', 'pathlib', 'uuid', 'ipaddress', 'harness'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@given(st.builds(Fraction, st.integers(), st.integers(1)), st.builds(uuid.UUID, int=st.integers(0, 2**128 - 1)))
def test_textual_types_come_back(fraction: Fraction, identifier: uuid.UUID) -> None:
    assert through_json((fraction, identifier)) == (fraction, identifier)
