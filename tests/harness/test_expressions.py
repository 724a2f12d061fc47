"""Values as Python: what is written gives the value back, with the names that are imported."""

from __future__ import annotations

import datetime
import re
from collections import Counter, OrderedDict, defaultdict, deque
from decimal import Decimal
from fractions import Fraction
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Interface
from pathlib import Path, PurePosixPath
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest
import scipy
import scipy.sparse as sp

from harness.languages.python.showing import value as shown_value
from harness.telling import shortened
from harness.values import encode
from harness.values.expressions import Names, NotShowable, expression

SPACE: dict[str, Any] = {
    "np": np, "pd": pd, "scipy": scipy, "datetime": datetime, "Decimal": Decimal, "Fraction": Fraction, "Path": Path, "deque": deque,
    "PurePosixPath": PurePosixPath, "Counter": Counter, "OrderedDict": OrderedDict, "defaultdict": defaultdict,
    "ZoneInfo": ZoneInfo, "UUID": UUID, "re": re, "IPv4Address": IPv4Address, "IPv4Network": IPv4Network,
    "IPv6Address": IPv6Address, "IPv6Interface": IPv6Interface,
}
SHOWN = [
    1, -2.5, "a'b", None, True, b"x", (1,), (), [1, [2]], {"a": {1}}, frozenset({1}), set(), range(3), Decimal("1.0"),
    Fraction(1, 3), Path("a/b"), PurePosixPath("a"), datetime.date(2026, 1, 2), deque([1]), deque([1], maxlen=3),
    datetime.datetime(2026, 1, 2, 3, tzinfo=datetime.UTC), datetime.timedelta(hours=3),
    datetime.datetime(2026, 1, 2, tzinfo=ZoneInfo("Europe/Berlin")), Counter("aab"), OrderedDict(a=1),
    defaultdict(list, {"a": [1]}), float("inf"), np.array([1, 2]), np.array([[1.5]]), np.array([1], dtype="int8"),
    np.array([1 + 2j]), np.array([], dtype="float32"), np.empty((0, 3), dtype="int64"), np.array(["a", "bc"]),
    np.float32, sp.csr_array(np.array([[1.5, 0], [0, 2]])), sp.coo_matrix(np.eye(2, dtype="int8")), sp.csc_array((0, 3)),
    np.array([True]), np.array(["2026-01-01"], dtype="datetime64[D]"), np.array(5), np.float64(2.0), np.int8(3),
    np.array([None, "a"], dtype=object), pd.Series([1, 2], name="s"), pd.Series([], dtype="int64"),
    pd.Series([1, 2], index=["a", "b"], dtype="int8"), pd.DataFrame({"a": [1]}), pd.DataFrame(),
    pd.DataFrame({"a": pd.Series([], dtype="int64")}), pd.DataFrame({"a": [1.5]}, index=[4]), pd.Timestamp("2026-01-02"),
    pd.Timedelta(hours=2), pd.NaT, pd.Index(["a"], name="n"),
    complex(0.0, -2.0), complex(-0.0, 1.0), complex("inf"), 1 - 2j, UUID(int=5), slice(1, None, 2), slice(None), slice("a", Decimal(1)), re.compile("a+"), re.compile("a'\\d", re.I | re.S),
    re.compile("(?x)a", re.ASCII), re.compile("a" * 300), re.compile(b"a", re.LOCALE), re.I, re.I | re.A, re.NOFLAG, re.RegexFlag(1 << 20),
    IPv4Address("10.0.0.1"), IPv6Address("::1"), IPv4Network("10.0.0.0/8"), IPv6Interface("::1/64"), Path("uuid.txt"),
    Path("it's.decimal.Decimal"), range(1, 9, 2), ..., (None, ..., 0),
]


@pytest.mark.parametrize("value", SHOWN, ids=lambda value: " ".join(repr(value).split()))
def test_an_expression_gives_the_value_back(value: Any) -> None:
    again = eval(expression(value), SPACE)
    assert type(again) is type(value)
    assert repr(again) == repr(value)
    assert str(getattr(again, "dtype", "")) == str(getattr(value, "dtype", ""))


LATE = pd.DatetimeIndex(np.array([1_698_800_000_000_000], dtype="M8[s]")).tz_localize("UTC").tz_convert("Asia/Tokyo")
"""In the year 53833670: its `repr` raises."""


@pytest.mark.parametrize("value", [10**200, object(), [object()], np.array([[None]]), LATE, {"at": [LATE]}], ids=["a huge number", "an object", "an object inside", "an array of objects", "moments out of the calendar", "such inside"])
def test_what_has_no_short_text_is_not_shown(value: object) -> None:
    with pytest.raises(NotShowable):
        expression(value)


def test_moments_out_of_the_calendar_are_told_as_they_are_stored() -> None:
    told = shown_value(encode(LATE), Names())
    assert "moments" in told and "Asia/Tokyo" in told


SPELLED = {
    "a class of the same name as its module": (["from datetime import datetime"], datetime.datetime(2026, 1, 2), "datetime(2026, 1, 2, 0, 0)"),
    "its neighbour": (["from datetime import datetime"], datetime.date(2026, 1, 2), "date(2026, 1, 2)"),
    "inside another": (["from datetime import datetime, timezone"], datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC),
                       "datetime(2026, 1, 2, 0, 0, tzinfo=timezone.utc)"),
    "a module": (["import pathlib"], Path("a"), "pathlib.Path('a')"),
    "another name": (["import datetime as dt"], datetime.date(2026, 1, 2), "dt.date(2026, 1, 2)"),
    "an unusual name": (["import numpy"], np.array([1]), "numpy.array([1])"),
    "a flag": (["import re"], re.compile("a", re.I | re.M), "re.compile('a', re.IGNORECASE | re.MULTILINE)"),
    "a function by itself": (["from re import compile"], re.compile("a"), "compile('a')"),
    "an address": (["import ipaddress"], IPv4Address("10.0.0.1"), "ipaddress.IPv4Address('10.0.0.1')"),
    "a slice": ([], slice(1, None, 2), "slice(1, None, 2)"),
    "all other axes": ([], (..., None), "(..., None)"),
    "one by itself": (["from numpy import array"], np.array([1]), "array([1])"),
}


@pytest.mark.parametrize(("imports", "value", "text"), SPELLED.values(), ids=SPELLED.keys())
def test_names_are_those_that_are_imported(imports: list[str], value: Any, text: str) -> None:
    assert expression(value, Names.of(imports)) == text


def test_imports_that_are_missing_are_named() -> None:
    names = Names.of(["import numpy as np"])
    texts = [expression(value, names) for value in ([Path("a")], np.array([1]), Counter("a"), datetime.date(2026, 1, 2))]
    more = [expression(value) for value in (re.compile("a", re.I), UUID(int=1), IPv6Address("::1"), slice(None))]
    assert names.missing(more) == ("from ipaddress import IPv6Address", "from uuid import UUID", "import re")
    assert names.missing(texts) == ("from collections import Counter", "from pathlib import Path", "import datetime")


def test_the_gap_of_a_shortened_text_is_visible() -> None:
    assert shortened("a" * 300) == "a" * 300
    text = shortened("a" * 5000)
    assert "[… 4740 characters left out …]" in text
    assert len(text) < 350
