"""Kinds of arguments that only trying finds, and how parts of a value are replaced by values of other kinds."""

from __future__ import annotations

import numpy as np
import pytest

from harness.languages import Machine
from pipeline.suites.drafts import Draft
from pipeline.suites.search.type_repair import parts, replaced
from tests.pipeline.suites.programs import check_branches, searched, takes_all_branches

KINDS = {
    "numbers whose type has members": '''
        from numpy import int32

        def flat_place(size, row, column, by_row=False):
            """The place of a cell in the flat table."""
            if by_row:
                place = (row % size[0]) * size[1] + column % size[1]
            else:
                place = (column % size[1]) * size[0] + row % size[0]
            return place.astype(int32)
    ''',
}


@pytest.fixture(scope="module")
def made(machine: Machine) -> dict[str, Draft]:
    return searched(KINDS, machine)


@pytest.mark.parametrize("kind", list(KINDS))
def test_all_branches_are_taken(kind: str, made: dict[str, Draft]) -> None:
    check_branches(made[kind])


@pytest.mark.parametrize("kind", list(KINDS))
def test_what_was_found_by_trying_says_so(kind: str, made: dict[str, Draft]) -> None:
    told = [line for parameter in made[kind].parameters for line in parameter.evidence]
    assert "calls with such values led further" in told


def test_items_of_one_type_are_one_part() -> None:
    value = {"rows": [1, 2, "a"], "pair": (None, 2.5)}
    found = dict(parts(value))
    assert found[()] is value
    assert found[("key", "rows"), ("items", int)] in (1, 2)
    assert found[("key", "pair"), ("place", 1)] == 2.5
    assert found[("keys", str),] in ("rows", "pair")
    assert len(found) == 8


def test_replacing_items_leaves_those_of_other_types() -> None:
    fresh = iter(range(10, 20))
    assert replaced([1, "a", 2], (("items", int),), lambda: next(fresh)) == [10, "a", 11]


def test_replacing_passes_over_items_without_the_part() -> None:
    rows = [{"a": 1}, {"b": 2}, (), (5,)]
    assert replaced(rows, (("items", dict), ("key", "a")), lambda: 0) == [{"a": 0}, {"b": 2}, (), (5,)]
    assert replaced(rows, (("items", tuple), ("place", 0)), lambda: 0)[2:] == [(), (0,)]


def test_keys_are_replaced_by_what_may_be_one() -> None:
    pairs = iter([(1, 2), (3, 4)])
    assert replaced({"a": 5, "b": 6}, (("keys", str),), lambda: next(pairs)) == {(1, 2): 5, (3, 4): 6}
    assert replaced({"a": 5}, (("keys", str),), list) == {"a": 5}


def test_arrays_are_parts_without_parts() -> None:
    assert len(list(parts([np.zeros((2, 2))]))) == 2


BESIDE = {
    "a series where only a table was thought of": '''
        import numpy as np
        import pandas as pd

        def rescaled(x, low=0.0, high=1.0):
            """Values between two bounds, column by column."""

            def one(x, low, high):
                return pd.Series(np.interp(x, [np.min(x), np.max(x)], [low, high]), index=x.index, name=x.name)

            if isinstance(x, pd.DataFrame):
                return x.apply(one, args=(low, high))
            else:
                return one(x, low, high)
    ''',
    "a table where only a series was thought of": '''
        import numpy as np
        import pandas as pd

        def spread(values, periods):
            """The deviation by the square root of the periods, missing where all values are alike."""
            found = values.std(ddof=1)
            flat = (values.max() - values.min()) * 1.0 <= 1e-12
            if isinstance(found, pd.Series):
                found[flat] = np.nan
            elif isinstance(values, pd.Series) and (values.count() == 0 or flat):
                found = np.nan
            return np.divide(found, np.sqrt(periods))
    ''',
}


@pytest.mark.slow  # several searches
def test_calls_that_took_a_missing_branch_in_vain_are_changed_first(machine: Machine) -> None:
    for name, found in searched(BESIDE, machine).items():
        assert takes_all_branches(found), (name, found.evidence)


def test_a_part_that_has_become_something_else_is_left_alone() -> None:
    value = [[1.5, [2]], [3, 4]]
    way = (("items", list), ("items", list))
    assert replaced(value, way, lambda: "new") == [[1.5, "new"], [3, 4]]
    assert replaced([{"a": 1}, {"b": 2}], (("items", dict), ("key", "a")), lambda: 7) == [{"a": 7}, {"b": 2}]
    assert replaced(2.5, (("key", "a"),), lambda: 7) == 2.5 and replaced("ab", (("place", 0),), lambda: 7) == "ab"
