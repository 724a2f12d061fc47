"""Arrays, series and frames: what the text says of them is inferred, drawn and found."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from harness.languages import Machine
from pipeline.suites.domain.description import describe
from pipeline.suites.domain.kinds.arrays import changed
from pipeline.suites.domain.pool import Pool
from pipeline.suites.domain.sampler import Sampler
from pipeline.suites.domain.spec import Array, Column, Frame, Spec
from pipeline.suites.drafts import Draft
from pipeline.suites.inference.constants import pool_of
from pipeline.suites.inference.evidence.array_prose import array_in_words
from pipeline.suites.inference.evidence.docstrings import from_words
from pipeline.suites.inference.infer import infer
from pipeline.suites.property_test import printed
from pipeline.suites.search.mutation import mutated
from pipeline.suites.subject import Subject
from tests.pipeline.suites.array_programs import ARRAYS, TABLES
from tests.pipeline.suites.programs import searched, takes_all_branches

PROGRAMS = {**ARRAYS, **TABLES}


@pytest.fixture(scope="module")
def made(machine: Machine) -> dict[str, Draft]:
    """How far the search comes with each program, by its name in the table."""
    return searched(PROGRAMS, machine)


@pytest.mark.parametrize("name", PROGRAMS)
def test_all_branches_are_found(made: dict[str, Draft], name: str) -> None:
    assert takes_all_branches(made[name]), made[name].evidence


WORDS = [
    ("ndarray of int", "array of int"), ("(n, 3) float", "array of float, 2 axes"), ("(n,) int", "array of int, 1 axes"),
    ("array-like of shape (n_samples, n_features)", "array of float, 2 axes"), ("bool array", "array of bool"),
    ("{array-like, sparse matrix} of shape (n_samples, n_features)", "array or sparse matrix of float, 2 axes"),
    ("1D array of ints", "array of int, 1 axes"), ("numpy array of shape [N, 4]", "array of float, 2 axes"),
    ("int or ndarray of ints", "int | array of int"), ("(n, d) float or None", "array of float, 2 axes | None"),
    ("complex ndarray", "array of complex"), ("ndarray[float]", "array of float"), ("pandas DataFrame", "DataFrame"),
    ("list of ndarray", "list[array of float]"), ("{'a', 'b'}", "one of 'a', 'b'"), ("tuple of (int, int)", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), WORDS, ids=[text for text, _ in WORDS])
def test_arrays_in_prose(text: str, expected: str | None) -> None:
    spec = from_words(text)
    assert expected is None or (spec is not None and describe(spec) == expected)


@pytest.mark.parametrize("text", ["int", "a list of names", "callable", "(width, height)", "arrayed", "", "model"])
def test_words_that_name_no_array(text: str) -> None:
    assert array_in_words(text) is None


USES = {
    "a matrix product": ("return x @ x.T", "array of float"),
    "several axes": ("return x[:, 0]", "array of float, 2 axes"),
    "an unpacked shape": ("n, m = x.shape\n    return n * m", "array of float, 2 axes"),
    "numbers of axes": ("return x.sum() if x.ndim in (1, 3) else 0", "array of float, 1 or 3 axes"),
    "a length of the shape": ("return len(x.shape) == 2 and x.mean()", "array of float, 2 axes"),
    "a square": ("return np.linalg.inv(x)", "array of float, 2 axes"),
    "numbers too": ("return x if np.isscalar(x) else np.asarray(x).T", "array of float | float"),
    "kinds": ("return x.dtype.kind in 'iu'", "array of float, int64, int32, uint8, uint16"),
    "a class": ("return np.issubdtype(x.dtype, np.floating)", "array of float, float64, float32"),
    "a type": ("return x.dtype == np.complex64", "array of float, complex64"),
    "a method of arrays": ("return x.sum() / 2", "array of float"),
    "the name of a type": ("return np.dtype(x).kind", "one of 'float64', 'int64', "),
    "a flag": ("return 1 if x is True else 2", "bool"),
    "a length and numbers": ("return x[0] if len(x) > 2 and (x - 1 > 0).any() else 2", "array of float"),
    "pairs of places": ("return np.sqrt(x).sum() + sum(row[1] for row in x)", "array of float, 2 axes"),
    "points": ("return scipy.spatial.distance.pdist(x).max()", "array of float, 2 axes"),
    "cells of a list": ("return np.array([pair[0] for pair in x])", "list[list[int | float]"),
    "cells of an array": ("return [np.sqrt(one) for one in x]", "list[float | int | array of float]"),
    "a number of items": ("return np.array([0.0] * x)", "int"),
    "a frame": ("return x.groupby('town')['price'].mean() if 'town' in x.columns else x.head()", "DataFrame"),
}


@pytest.mark.parametrize("name", USES)
def test_usage_of_arrays(name: str) -> None:
    body, expected = USES[name]
    assert describe(infer(Subject.of(f"import numpy as np\nimport scipy\ndef f(x):\n    {body}\n", "f"))[0].spec).startswith(expected)


def test_keys_of_a_bare_dict_are_numbers_where_they_are_reckoned_with() -> None:
    text = "import numpy as np\ndef f(d: dict):\n    return np.dot([d[k] for k in d], [k for k in d])\n"
    assert describe(infer(Subject.of(text, "f"))[0].spec) == "{int | float | str: int | float}"


COLUMNS = {
    "texts": ("return x.dropna().str.len()", "Series of str"),
    "moments": ("return x.dt.month", "Series of datetime"),
    "a constant text": ("return (x == 'paid').sum()", "Series of str"),
    "types": ("return pd.api.types.is_numeric_dtype(x)", "Series of float (or float64, int64, str, datetime64[s])"),
    "categories": ("return x.cat.codes", "Series of float (or category)"),
    "nothing": ("return x.mean()", "Series of float"),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_usage_of_series(name: str) -> None:
    body, expected = COLUMNS[name]
    text = f"import pandas as pd\ndef f(x: pd.Series):\n    {body}\n"
    assert describe(infer(Subject.of(text, "f"))[0].spec) == expected


def test_columns_of_frames_are_read_with_what_they_hold() -> None:
    text = (
        "import pandas as pd\ndef f(d: pd.DataFrame):\n    d = d.dropna(subset=['when'])\n"
        "    return d['name'].str.upper(), d.loc[d['when'].dt.year > 2020, 'price'] * 2, d[['a', 'b']]\n"
    )
    assert describe(infer(Subject.of(text, "f"))[0].spec) == (
        "DataFrame of 'name': str, 'when': datetime, 'price': float, 'a': ?, 'b': ?"
    )


def drawn(spec: Spec, count: int = 200) -> list[Any]:
    sampler = Sampler(Random(4), Pool())
    values = []
    for _ in range(count):
        sampler.begin()
        values.append(sampler.value(spec))
    return values


def test_arrays_have_the_types_and_axes_that_are_asked_for() -> None:
    values = drawn(Array(dtypes=("complex64", "uint8", "object", "datetime64[s]"), ranks=(2,)))
    assert {"complex64", "uint8", "object", "datetime64[s]", "float64"} <= {str(value.dtype) for value in values}
    assert sum(value.ndim == 2 for value in values) > 80


def test_names_of_lengths_are_shared_by_the_arrays_of_one_input() -> None:
    text = 'def f(X, w):\n    """Do.\n\n    Args:\n        X (ndarray of shape (n, m)): a\n        w (ndarray of shape (m,)): b\n    """\n    return X @ w\n'
    parameters = infer(Subject.of(text, "f"))
    sampler = Sampler(Random(4), Pool())
    inputs = [sampler.inputs(parameters) for _ in range(200)]
    assert sum(one["X"].ndim == 2 and one["X"].shape[1:] == one["w"].shape for one in inputs) > 120
    written = printed("f", parameters, Pool(), 1).text(())
    assert written.count("key='length m'") == 2
    compile(written, "strategies.py", "exec")


def test_series_have_gaps_and_types_where_the_body_asks_for_them() -> None:
    values = drawn(Column(missing=True, dtypes=("category", "bool")))
    assert {"category", "bool"} <= {str(value.dtype) for value in values}
    assert sum(value.isna().any() for value in values) > 20
    frames = drawn(Frame(("a", "b"), (Column(), None)))
    assert sum(list(value.columns) == ["a", "b"] for value in frames) > 120


def test_plain_arrays_stay_plain() -> None:
    assert all(value.dtype.kind in "fibc" for value in drawn(Array()))
    assert np.mean([value.dtype == "float64" for value in drawn(Array())]) > 0.6


def test_changes_of_arrays_mostly_keep_their_shape_and_agree_with_the_others() -> None:
    text = "import numpy as np\ndef f(x: np.ndarray, y: np.ndarray):\n    return x + y\n"
    parameters = infer(Subject.of(text, "f"))
    sampler = Sampler(Random(4), Pool())
    value = {"x": np.arange(5.0), "y": np.zeros(5)}
    made = [mutated(sampler, parameters, value) for _ in range(300)]
    assert sum(one["x"].shape == one["y"].shape for one in made) > 100
    assert any(one["x"].tobytes() != value["x"].tobytes() and one["x"].shape == (5,) for one in made)
    assert value["x"].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    odd = (np.array(2.5), np.array(["a", 1], dtype=object), np.zeros((2, 0)), np.array(["x"]), np.array([1, 2], "M8[s]"))
    assert all(changed(sampler, Array(dtypes=("complex64",)), one) is not one for one in odd for _ in range(50))
    assert len({one["y"].tobytes() for one in made}) > 50


def test_changes_of_tables_keep_their_types() -> None:
    pandas = pytest.importorskip("pandas")
    sampler = Sampler(Random(4), Pool())
    old = pandas.DataFrame({"a": pandas.Series(["x", "y", "z"], dtype="category"), "b": [1, 2, 3]})
    made = [one for _ in range(100) if (one := changed(sampler, Frame(("a", "b")), old)) is not None]
    assert all(list(map(str, one.dtypes)) == ["category", "int64"] for one in made)
    assert {0, 3} <= {len(one) for one in made}
    assert changed(sampler, Column(), pandas.Series([], dtype="float64")) is None


def test_tables_where_the_body_asks_for_a_member_that_arrays_lack() -> None:
    text = "import numpy as np\ndef f(x):\n    return x.to_numpy() if hasattr(x, 'to_numpy') else np.asarray(x)\n"
    (found,) = infer(Subject.of(text, "f"))
    assert "Series" in describe(found.spec) and "DataFrame" in describe(found.spec)


SPARSE = [
    ("x", "import scipy.sparse as sp", "return x.nnz if sp.issparse(x) else x.size", True),
    ("x", "from scipy.sparse import issparse, csr_array", "return x.indptr if isinstance(x, csr_array) else x", True),
    ("x: 'sp.csr_matrix'", "import scipy.sparse as sp", "return x.shape", False),
    ("x", "import numpy as np", "return x.tocsr().indices", False),
]


@pytest.mark.parametrize(("parameter", "imports", "body", "dense"), SPARSE)
def test_sparse_matrices_are_seen_drawn_and_changed(parameter: str, imports: str, body: str, dense: bool) -> None:
    found, sampler = infer(Subject.of(f"{imports}\ndef f({parameter}):\n    {body}\n", "f")), Sampler(Random(3), Pool())
    value, kinds = sampler.inputs(found), set[str]()
    for place in range(60):
        value = sampler.inputs(found) if place % 2 else mutated(sampler, found, value)
        kinds.add(type(value["x"]).__name__)
    assert any(kind.startswith(("csr", "csc", "coo")) for kind in kinds) and ("ndarray" in kinds) >= dense
    assert "sparse." in printed("f", found, Pool(), 0).text([]) or dense


def drawn_inputs(program: str, count: int = 400) -> list[dict[str, Any]]:
    name = program[program.index("def ") + 4 : program.index("(")]
    sampler, parameters = Sampler(Random(3), Pool()), infer(Subject.of(program, name))
    return [sampler.inputs(parameters) for _ in range(count)]


def test_two_arrays_are_alike_now_and_then() -> None:
    program = "import numpy as np\ndef f(a: np.ndarray, b: np.ndarray):\n    return np.isnan(a).any() or np.isnan(b).any()\n"
    made = drawn_inputs(program)
    made = [one for one in made if one["a"].size and one["a"].shape == one["b"].shape]
    alike = sum(bool((one["a"] == one["b"]).mean() > 0.5) for one in made)
    assert 0.05 * len(made) < alike < 0.5 * len(made)


def test_arguments_that_may_be_arrays_or_numbers_are_of_one_kind_mostly() -> None:
    program = "import numpy as np\ndef f(a: float | np.ndarray, b: float | np.ndarray):\n    return np.isclose(a, b)\n"
    made = [(isinstance(one["a"], np.ndarray), isinstance(one["b"], np.ndarray)) for one in drawn_inputs(program)]
    assert 0.65 * len(made) < sum(a == b for a, b in made) < len(made)


def test_what_is_dealt_with_cell_by_cell_may_be_a_number() -> None:
    made = infer(Subject.of("import numpy as np\ndef f(x):\n    return np.sqrt(x) + np.log(x)\n", "f"))
    assert describe(made[0].spec) == "array of float | float"
    sized = infer(Subject.of("import numpy as np\ndef f(x):\n    return np.sqrt(x) / len(x)\n", "f"))
    assert describe(sized[0].spec) == "array of float"


def test_series_have_types_with_missing_cells_where_the_body_asks_for_them() -> None:
    program = (
        "import pandas as pd\ndef f(x: pd.Series):\n"
        "    if isinstance(x.dtype, pd.api.extensions.ExtensionDtype):\n        return x.to_numpy(dtype=float)\n"
        "    return x\n"
    )
    kinds = {str(one["x"].dtype) for one in drawn_inputs(program)}
    assert {"Int64", "Float64", "float64"} <= kinds


def test_what_a_named_mask_chooses_from_is_an_array() -> None:
    made = infer(Subject.of("def f(x, y):\n    near = y < 3\n    kept = x[near]\n    return kept.mean()\n", "f"))
    assert describe(made[0].spec).startswith("array of float")


def test_numbers_lie_beyond_all_types_whose_limits_the_body_asks_for() -> None:
    program = (
        "import numpy as np\ndef f(x: np.ndarray):\n    for kind in (np.uint8, np.uint64):\n"
        "        if np.all(x <= np.iinfo(kind).max):\n            return x.astype(kind)\n    raise ValueError('large')\n"
    )
    sampler, parameters = Sampler(Random(3), pool_of(Subject.of(program, "f"))), infer(Subject.of(program, "f"))
    most = [one.max() for one in (sampler.inputs(parameters)["x"] for _ in range(400)) if one.size and one.dtype.kind == "f"]
    assert any(one > 2.0**64 for one in most) and any(one < 256 for one in most)


def test_what_only_arrays_can_do_with_a_result_makes_arrays_of_its_operands() -> None:
    made = infer(Subject.of("def f(x, p: float):\n    return (x / p).round() * p\n", "f"))
    assert "array of float" in describe(made[0].spec) and describe(made[1].spec) == "float"
    plain = infer(Subject.of("def f(x, p: float):\n    return round(x / p) * p\n", "f"))
    assert "array" not in describe(plain[0].spec)
