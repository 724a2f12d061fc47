"""Branches behind how things are written: moments, zones, columns of fixed width, letters, deep trees."""

from __future__ import annotations

import pytest

from harness.languages import Machine
from pipeline.suites.drafts import Draft
from tests.pipeline.suites.programs import check_branches, searched

KINDS = {
    "zones of a column": '''
        import pandas as pd

        def in_utc(moments: pd.Series) -> pd.Series:
            """The moments in UTC."""
            if moments.dt.tz is None:
                return moments.dt.tz_localize("UTC")
            if str(moments.dt.tz) == "UTC":
                return moments
            return moments.dt.tz_convert("UTC")
    ''',
    "a number that is a day": '''
        from datetime import datetime

        def day_of(number: int) -> str:
            """The day that a number stands for."""
            if not number:
                return ""
            if number < 1000000:
                return datetime.strptime(f"{number:06d}", "%y%m%d").isoformat()
            return datetime.strptime(str(number), "%Y%m%d").isoformat()
    ''',
    "columns of fixed width": '''
        def atoms(lines: list) -> dict:
            """Places of atoms by number; lines may end before the charge."""
            found = {}
            for line in lines:
                number = int(line[6:11])
                charge = line[24:30]
                if len(charge) > 1:
                    found[number] = (float(line[12:20]), float(charge))
                else:
                    found[number] = (float(line[12:20]), 0.0)
            return found
    ''',
    "letters of a line": '''
        def kind_of(line: str) -> str:
            """What a line of a table is."""
            if set(line.strip()) == {"-", "+", " "}:
                return "rule"
            if set(line) == {"."}:
                return "dots"
            return "row" if line else "end"
    ''',
    "a deep tree": '''
        def deepest(tree: dict) -> list:
            """The names down to a depth of five."""
            names = []

            def walk(node, depth):
                if depth > 5:
                    names.append("...")
                    return
                names.append(node["name"])
                if "parts" in node:
                    for part in node["parts"]:
                        walk(part, depth + 1)

            for node in tree["roots"]:
                walk(node, 0)
            return names
    ''',
    "keys that are given as a dictionary": '''
        def has_any(record, wanted):
            """Whether a record has one of the values that are wanted in one of its fields."""
            for field in wanted:
                if isinstance(record[field], str):
                    held = {record[field]}
                else:
                    held = set(record[field])
                if held & wanted[field]:
                    return True
            return False
    ''',
    "many axes": '''
        import numpy as np

        def with_five(data):
            """The data with five axes."""
            data = np.asarray(data)
            if data.ndim > 5:
                raise ValueError("too many axes")
            return data.reshape(data.shape[:-1] + (1,) * (5 - data.ndim) + data.shape[-1:]) if data.ndim else data
    ''',
    "axes that a loop counts": '''
        import numpy as np

        def inner(block, margin):
            """The block without a margin along its three first axes."""
            margin = np.asarray(margin, dtype=int)
            if margin.size == 1:
                margin = np.repeat(margin, 3)
            elif margin.size != 3:
                raise ValueError("one margin, or three")
            sizes = tuple(block.shape[place] - 2 * margin[place] for place in range(3))
            return int(np.prod(sizes)), block.shape[-1]
    ''',
    "the last lengths": '''
        import numpy as np

        def from_columns(vectors):
            """Matrices of vectors that stand upright."""
            if vectors.shape[-2::] != (3, 1):
                raise ValueError("vectors of three numbers")
            first, second, third = (vectors[..., place, 0] for place in range(3))
            return np.array([[first, second], [second, third]])
    ''',
    "steps to an end": '''
        from datetime import datetime, timedelta

        def steps(first, last, seconds: int):
            """All moments from the first to the last, so many seconds apart."""
            if not isinstance(first, datetime):
                first = datetime.strptime(first, "%Y-%m-%d %H:%M")
            if not isinstance(last, datetime):
                last = datetime.strptime(last, "%Y-%m-%d %H:%M")
            found, now = [], first
            while now <= last:
                found.append(now)
                now = now + timedelta(seconds=seconds)
            return found
    ''',
    "too large for a type": '''
        import numpy as np

        def narrowed(values: np.ndarray, dtype: np.dtype) -> np.ndarray:
            """The numbers in a type that may be too small for them."""
            kind = np.dtype(dtype)
            if kind.kind != "f":
                raise TypeError("only floats")
            with np.errstate(over="ignore"):
                made = values.astype(kind)
            if np.isinf(made).any() and not np.isinf(values).any():
                raise OverflowError("too large")
            return made
    ''',
    "elements that are named": '''
        from xml.dom.minidom import parseString

        def complaint(text: str):
            """What the second INFO element complains of."""
            found = parseString(text).getElementsByTagName("INFO")
            if len(found) > 1:
                if "name" in found[1].attributes.keys():
                    if found[1].attributes["name"].value == "Failure":
                        return found[1].getAttribute("value")
                    return "nothing"
            return None
    ''',
    "the name of a type": '''
        import numpy as np

        def least(dtype, mode):
            """What stands beyond the edge of an image."""
            if mode == "max":
                if np.issubdtype(dtype, bool):
                    return True
                elif np.issubdtype(dtype, np.integer):
                    return int(np.iinfo(dtype).max)
                return np.inf
            return None
    ''',
    "keys that are whole": '''
        def new_number(catalog=None, *, number=None, old=None):
            """A number that is free.

            Parameters
            ----------
            catalog : dict
                What is there already.
            number : int
                What is wanted.
            old : int
                What becomes free.
            """
            used = set(catalog) if catalog is not None else set()
            if old is not None and catalog is not None:
                if old not in catalog:
                    raise ValueError("not there")
                used.remove(old)
            if number in used:
                raise ValueError("taken by " + catalog[number]["label"])
            return number
    ''',
    "an exponent in a text": '''
        def plain(value: float | str) -> str:
            """A number without an exponent."""
            if isinstance(value, float):
                text = str(value)
                if not "e" in text:
                    return text
                return format(value, ".10f").rstrip("0")
            return str(value)
    ''',
    "a number that is none": '''
        def angle(x: float, y: float) -> float:
            """Which of two slopes."""
            if abs(y) > x:
                return 0.0
            if y >= -0.01:
                return 1.0
            elif y < -0.01:
                return 2.0
    ''',
    "arrays that are compared": '''
        import numpy as np

        def between(new, x, y):
            """Values between those that are known."""
            if len(x) != len(y):
                raise ValueError("not alike")
            if (new > x[-1]).any() or (new < x[0]).any():
                raise ValueError("out of range")
            place = np.sum(np.vstack([new >= one for one in x]), axis=0) - 1
            place[place == len(x) - 1] = -2
            return y[place] + (y[place + 1] - y[place]) * (new - x[place]) / (x[place + 1] - x[place])
    ''',
    "bytes in an array": '''
        import numpy as np

        def decoded(item):
            """Texts for bytes."""
            if isinstance(item, np.ndarray):
                if item.size == 0:
                    return []
                if "|S" in str(item.dtype):
                    return [one.decode() for one in item]
                return item.tolist()
            return item
    ''',
    "a row of a table": '''
        import pandas as pd

        def state(row: pd.Series) -> str:
            """The state of what a row tells of."""
            if row["status"] == "ok":
                return "fine"
            if pd.isna(row["score"]):
                return "unknown"
            if row["score"] > 10 and row["kind"] in ("a", "b"):
                return "high"
            return "low"
    ''',
    "a label that may be missing": '''
        import pandas as pd

        def licence(description: pd.Series) -> str:
            """What the licence is."""
            raw = description.get("license", None)
            if raw is None:
                return "none"
            text = str(raw).strip()
            return text if text and text.lower() != "nan" else "unknown"
    ''',
    "another name of an exception": '''
        def half(share):
            """Half of a share."""
            if not isinstance(share, (int, float)):
                raise IOError("a number is needed")
            return share / 2
    ''',
    "a long answer where nothing is given": '''
        import numpy as np

        def curve(x=None, top=10.5):
            """A curve over a range, or at some places."""
            if x is None:
                x = np.linspace(-300, top, 1000)
            left = x < -15.0
            if np.any(left):
                x = np.where(left, -x, x)
            return np.concatenate((x, np.sqrt(np.abs(x)) * 1.37))
    ''',
    "a dictionary by columns": '''
        import pandas as pd

        def binned(data, bins, method="cut"):
            """The data in bins.

            Parameters
            ----------
            data : pandas.DataFrame
                Numbers.
            bins : dict
                The number of bins by column.
            """
            made = data.copy()
            if method == "cut":
                for column in data.columns:
                    made[column] = pd.cut(made[column], bins=bins[column], labels=False)
            elif method == "rank":
                for column in data.columns:
                    made[column] = made[column].rank() * bins[column]
            else:
                raise ValueError(method)
            return made
    ''',
    "terms that are taken out": '''
        def without(record: dict) -> dict:
            """A record without the marks of files."""
            fields = record.get("fields", None)
            if not fields:
                return record
            names = list(fields.keys())
            for term in ["filein", "fileout"]:
                if term in names:
                    fields.pop(term)
            return record
    ''',
}
HARD = {
    "a series that is reckoned with": '''
        import numpy as np

        def changes(values):
            """Where the sign changes; zeros have the sign of what stands before."""
            signs = np.sign(values)
            none = signs == 0
            while none.any():
                signs[none] = np.roll(signs, 1)[none]
                none = signs == 0
            found = (np.roll(signs, 1) != signs).astype(int)
            if signs.iloc[0] == signs.iloc[1]:
                return found.tolist()
            return found.tolist()[1:]
    ''',
    "columns of neither kind": '''
        import pandas as pd

        def usual(data: pd.DataFrame, names: list) -> dict:
            """A usual value for each column."""
            found = {}
            for name in names:
                kind = data[name].dtype
                if pd.api.types.is_numeric_dtype(kind):
                    found[name] = float(data[name].mean())
                elif isinstance(kind, pd.CategoricalDtype):
                    found[name] = data[name].cat.categories[0]
                elif pd.api.types.is_string_dtype(kind):
                    found[name] = data[name].mode().iloc[0]
            return found
    ''',
}
"""What takes seconds for each: these are asked of whole suites alone."""


@pytest.fixture(scope="module")
def made(machine: Machine) -> dict[str, Draft]:
    return searched(KINDS, machine)


@pytest.mark.slow  # searches of all of them
@pytest.mark.parametrize("kind", list(KINDS))
def test_all_branches_are_taken(kind: str, made: dict[str, Draft]) -> None:
    check_branches(made[kind])
