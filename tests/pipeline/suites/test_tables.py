"""Branches that only tables, labels and limits of certain kinds take."""

from __future__ import annotations

import pytest

from harness.languages import Machine
from pipeline.suites.drafts import Draft
from tests.pipeline.suites.programs import check_branches, searched, takes_all_branches

KINDS = {
    "columns of a type that tables share": '''
        import pandas as pd

        def joined(tables: list[pd.DataFrame]) -> pd.DataFrame:
            """The rows of all tables; categories that all of them have become texts."""
            names = [set(table.select_dtypes(include="category").columns) for table in tables]
            for name in sorted(set.intersection(*names)) if names else []:
                for table in tables:
                    table[name] = table[name].astype(str)
            return pd.concat(tables) if tables else pd.DataFrame()
    ''',
    "what a series holds": '''
        def encoding(data):
            """How the values may be written."""
            if data.empty:
                return "none"
            kinds = set()
            for one in data:
                if type(one) is str:
                    kinds.add("text")
                elif type(one) is float:
                    kinds.add("float")
                else:
                    kinds.add("other")
            return "+".join(sorted(kinds))
    ''',
    "columns by their methods": '''
        def at_risk(events, late):
            """How many are at risk, before or after those who come late."""
            if late:
                return events["entered"].cumsum() - events["left"].cumsum().shift(1).fillna(0)
            entered = events["entered"].copy()
            entered.iloc[0] = 0
            return events["at_risk"] - entered
    ''',
    "names of columns that are keys as well": '''
        import pandas as pd

        def typed(table: pd.DataFrame, names: list, kinds: str | dict) -> pd.DataFrame:
            """The table with some columns as other types."""
            if isinstance(kinds, dict):
                for name in names:
                    kind = kinds.get(name)
                    if kind:
                        table[name] = table[name].astype(kind)
                return table
            for name in names:
                table[name] = table[name].astype(kinds)
            return table
    ''',
    "limits of types": '''
        import numpy as np

        def narrow(cells: np.ndarray) -> np.ndarray:
            """The cells as short integers."""
            if cells.size and np.max(cells) > np.iinfo(np.int16).max:
                raise ValueError("too large")
            return np.asarray(cells, np.int16)
    ''',
    "labels that are tuples": '''
        from collections.abc import Hashable

        def found(label: Hashable, known: dict[Hashable, int], level: int | None = None) -> int | None:
            """What is known of a label or of one of its levels."""
            if not isinstance(label, tuple):
                return known.get(label)
            if level is not None:
                return known.get(label[level]) if level < len(label) else None
            for key, value in known.items():
                if label[0] == key:
                    return value
            return None
    ''',
    "one of a few in any case": '''
        def replaced(words: list[str], table: dict[str, str], mode: str) -> list[str]:
            """The words with what the table says of them."""
            if mode.lower() not in ("whole", "start"):
                raise ValueError("unknown mode")
            if mode.lower() == "whole":
                return [table.get(word, word) for word in words]
            for key, value in table.items():
                words = [value + word[len(key):] if word.startswith(key) else word for word in words]
            return words
    ''',
    "powers of ten": '''
        from math import log10

        def short(value: float) -> str:
            """The number in few letters."""
            size = int(log10(abs(value))) if value else 0
            if abs(size) > 99:
                return f"{value:.1e}"
            return f"{value:.4g}"
    ''',
    "parts of a moment": '''
        from datetime import datetime

        def moment(parts):
            """The moment that seven numbers stand for."""
            year, month, day, hour, minute, second, hundredths = parts
            if year < 70:
                year += 100
            return datetime(1900 + year, month, day, hour, minute, second, 10000 * hundredths)
    ''',
    "arrays that are documented together": '''
        import numpy as np

        def upright(count, *arrays):
            """The arrays with two axes.

            Parameters
            ----------
            count : scalar
                How many rows there are.
            arrays : tuple of array_like
                What is turned.
            """
            made = []
            for one in arrays:
                if one is None:
                    made.append(np.array([]).reshape(count, 0))
                elif one.ndim == 1:
                    made.append(one.reshape((-1, 1)))
                else:
                    made.append(one)
            return made
    ''',
    "a pair or nothing": '''
        import math

        def distance(ellipse, middle=None):
            """The distance of the middle from zero.

            Parameters
            ----------
            ellipse : 4-tuple
                Its middle and its axes.
            middle : 2-tuple or None
                Another middle.
            """
            x, y, _, _ = ellipse
            if middle is not None:
                x, y = middle
            return math.hypot(x, y)
    ''',
    "keys that are pairs of numbers": '''
        import numpy as np

        def matrix(data, field):
            """A matrix of one field.

            :arg data: what is known of each pair
            :type data: dict
            :arg field: the name of the field
            :type field: str
            """
            size = max(max(key) for key in data.keys()) + 1
            made = np.zeros((size, size))
            for key, value in data.items():
                made[key] = value[field]
            return made
    ''',
    "bounds of a list for an array": '''
        import numpy as np

        def within(cells, bounds, part="all"):
            """How many cells below the diagonal lie within the bounds."""
            if part == "all":
                chosen = cells
            elif isinstance(part, int):
                chosen = cells[:part, :part]
            else:
                chosen = cells[1:]
            lower = np.tril(chosen, k=-1)
            found = np.where(np.logical_and(lower > bounds[0], lower < bounds[1]))
            return len(found[0]) if len(found[0]) else -1
    ''',
    "columns behind a guard": '''
        import pandas as pd

        def merged(table: pd.DataFrame) -> pd.DataFrame:
            """The table without its names, in order of time."""
            if not isinstance(table, pd.DataFrame):
                raise ValueError("no table")
            if "ID" not in table.columns:
                raise ValueError("no names")
            return table.drop("ID", axis=1).sort_values("ds").reset_index(drop=True)
    ''',
    "entries of a docstring that are indented": '''
        def unfolded(folds, count):
            """The folds of all keys, one after the other.

            Parameters
            ----------
                folds : dict
                    lists of pairs of numbers
                count : int
                    how many there are for each key
            """
            made = []
            for place in range(count):
                for key in folds:
                    if count != len(folds[key]):
                        continue
                    made.append(folds[key][place][0] + folds[key][place][1])
            return made
    ''',
    "matrices with plain values": '''
        import numpy as np

        def mirrored(matrix: np.ndarray) -> int:
            """The first axis that a matrix mirrors."""
            values, _ = np.linalg.eig(matrix[:3, :3])
            found = np.where(abs(np.real(values) + 1.0) < 1e-8)[0]
            if not len(found):
                raise ValueError("it mirrors nothing")
            rest = np.where(abs(np.real(values) - 1.0) < 1e-8)[0]
            if not len(rest):
                raise ValueError("it leaves nothing as it is")
            return int(found[0])
    ''',
    "places in a dictionary": '''
        import numpy as np

        def counted(matrix, places, known):
            """What lies on the diagonal at each place.

            Args:
                matrix (ndarray): Numbers for pairs of places.
                places (dict): The place of each label.
                known (dict): How often each label is there.
            """
            made = {}
            for label, place in places.items():
                if known[label] > 0:
                    made[label] = float(matrix[place, place]) / known[label]
            return made
    ''',
    "columns whose names hold something": '''
        import pandas as pd

        def forecasts(table: pd.DataFrame) -> list:
            """The columns of forecasts, shares left out, and the last of them."""
            names = [name for name in table.columns if "yhat" in name and "%" not in name]
            if len(names) < 2:
                return []
            return [names, table[names[-1]].tolist()]
    ''',
    "arrays of zeros and ones": '''
        import numpy as np

        def distance(a, b):
            """How much two tables of bits differ, row by row."""
            if ((a == 0) | (a == 1)).all() and ((b == 0) | (b == 1)).all():
                both = np.sum(np.bitwise_and(a, b), axis=1)
                either = np.sum(np.bitwise_or(a, b), axis=1)
                if (either == 0).any():
                    raise ValueError("nothing in common")
                return 1 - both / either
            raise ValueError("no bits")
    ''',
    "types in the first line of an entry": '''
        import pandas as pd

        def gap(table, name):
            """The least time between two rows.

            :param table: pd.DataFrame
                rows in order of time
            :param name: str
                the column with the time
            :return: float
                seconds
            """
            if table.shape[0] < 2:
                return -1.0
            moments = pd.to_datetime(table[name])
            return float((moments - moments.shift()).min().total_seconds())
    ''',
    "the values of a series": '''
        import numpy as np

        def score(target, forecast, flat):
            """How well a forecast fits."""
            if flat:
                x = np.nan_to_num(forecast.values.flatten())
                y = np.nan_to_num(target.values.flatten())
                return float(x.sum() - y.sum())
            rest = ((target - forecast) ** 2).sum()
            return "exact" if rest == 0 else float(rest)
    ''',
    "columns that another argument names": '''
        import numpy as np
        import pandas as pd

        def alike(df, names):
            """Whether the columns lack the same values."""
            first = df[names[0]].notnull().astype(int)
            if pd.Series(np.prod(df[names].notnull(), axis=1)).equals(first):
                return names[0]
            return names
    ''',
    "a row of a list and a number": '''
        import numpy as np

        def stretched(layers, thickness, place=1, wedge=None):
            """Layers, repeated to a thickness."""
            if isinstance(layers, tuple):
                out = np.repeat(layers, int(round(thickness / len(layers))))
            else:
                if place == 0:
                    zoom = wedge[1] / len(wedge[0])
                    layers = layers[-int(thickness / zoom):]
                elif place == -1:
                    zoom = wedge[1] / len(wedge[0])
                    layers = layers[:int(thickness / zoom)]
                out = np.repeat(layers, 2)
            missing = int(thickness - out.size)
            if out.size > 0 and missing > 0:
                out = np.pad(out, [0, missing], mode="edge")
            elif out.size > 0 and missing < 0:
                out = out[:missing]
            return out
    ''',
    "close to a full turn": '''
        import numpy as np

        def width(bins):
            """How wide the first of some angles is."""
            if isinstance(bins, int):
                return 2 * np.pi / bins
            if not np.isclose(np.min(bins), 0) or not np.isclose(np.max(bins), 2 * np.pi):
                raise ValueError("angles go once round")
            return np.sort(bins)[1]
    ''',
    "small places": '''
        import numpy as np

        def chosen(labels, hits, count, invert=False):
            """Which labels are among the hits."""
            table = np.zeros(count + 1, dtype=bool)
            table[np.asarray(hits, dtype=np.intp)] = True
            found = np.take(table, labels)
            if labels.dtype == np.uint8:
                return found.astype("uint8")
            return ~found if invert else found
    ''',
    "a function of a library by its name": '''
        import numpy as np
        import scipy.spatial.distance

        def apart(name, x: np.ndarray, y: np.ndarray):
            """How far two points are from each other."""
            if hasattr(scipy.spatial.distance, name):
                return getattr(scipy.spatial.distance, name)(x, y)
            if name == "dot":
                return float(x @ y)
            raise ValueError(name)
    ''',
    "columns that repeat, named by arguments": '''
        import pandas as pd

        def pivoted(df: pd.DataFrame, rows: str, columns: str, values: str, fill=None) -> pd.DataFrame:
            """A pivot table."""
            for name in (rows, columns, values):
                if name not in df.columns:
                    raise KeyError(name)
            if df.duplicated([rows, columns]).any():
                out = df.pivot_table(index=rows, columns=columns, values=values, aggfunc="mean")
            else:
                out = df.pivot(index=rows, columns=columns, values=values)
            if fill is not None:
                out = out.fillna(fill)
            return out
    ''',
    "days in a pattern": '''
        import datetime
        import re

        import pandas as pd

        def parsed_log(lines: list[str]) -> pd.DataFrame:
            """Lines '2024-01-02 03:04:05 [LEVEL] text' as a table."""
            rows = []
            for line in lines:
                m = re.match(r"(\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d) \\[(\\w+)\\] (.*)", line)
                if m:
                    rows.append((datetime.datetime.strptime(m[1], "%Y-%m-%d %H:%M:%S"), m[2], m[3]))
                elif rows:
                    t, level, text = rows[-1]
                    rows[-1] = (t, level, text + "\\n" + line)
            df = pd.DataFrame(rows, columns=["time", "level", "text"])
            if (df["level"] == "ERROR").any():
                return df[df["level"] == "ERROR"]
            return df
    ''',
    "types as texts": '''
        import pandas as pd

        def kinds3(df: pd.DataFrame) -> dict:
            """The kind of each column."""
            found = {}
            for name, dtype in df.dtypes.items():
                kind = str(dtype)
                if kind == "category":
                    found[name] = "c"
                elif kind.startswith("float"):
                    found[name] = "f"
                elif kind.startswith("int"):
                    found[name] = "i"
                else:
                    found[name] = "s"
            return found
    ''',
    "equal parts of a match": '''
        import re

        def same_pair(text: str) -> str:
            """Whether a range is one number."""
            match = re.fullmatch(r"v(\\d+)\\.(\\d+)-v(\\d+)\\.(\\d+)", text)
            if not match:
                raise ValueError("no range")
            a, b = (int(match[1]), int(match[2])), (int(match[3]), int(match[4]))
            if a == b:
                return "one"
            return "up" if a < b else "down"
    ''',
    "endless in single precision": '''
        import numpy as np

        def narrowed(x: np.ndarray) -> np.ndarray:
            """As single precision where that is finite."""
            with np.errstate(over="ignore"):
                y = x.astype(np.float32)
            if np.isfinite(x).all() and not np.isfinite(y).all():
                return x
            return y
    ''',
}
HARD = {
    "dates in a column": '''
        import pandas as pd

        def shifted(table: pd.DataFrame, day: str) -> pd.DataFrame:
            """The moments of a table, on another day."""
            target = pd.to_datetime(day, format="%Y%m%d")
            if "day" in table.columns:
                source = pd.to_datetime(str(table["day"].iat[0]), format="%Y%m%d")
            else:
                source = pd.to_datetime(table["moment"]).min().normalize()
            result = table.assign(moment=pd.to_datetime(table["moment"]) + (target - source))
            if "day" in result.columns:
                result["day"] = day
            return result
    ''',
    "a list of moments": '''
        import pandas as pd

        def labels(dates):
            """The moments as texts.

            Parameters
            ----------
            dates : `list`
                What pandas reads as moments.
            """
            moments = list(pd.to_datetime(dates))
            form = "%Y"
            if any(one.second != 0 for one in moments):
                form += "_%S"
            elif any(one.minute != 0 for one in moments):
                form += "_%M"
            return [one.strftime(form) for one in moments]
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


LOOKED_UP = {
    "a column of the default name": '''
        import pandas as pd

        def lagged(df: pd.DataFrame, n: int, column: str = "y") -> pd.DataFrame:
            """The table with a column that lags behind another one."""
            lag = df[column].shift(n)
            if column == "y":
                found = pd.Series(lag, name="lag_" + str(n))
            else:
                found = pd.Series(lag, name=column + "_lag_" + str(n))
            return df.join(found)
    ''',
    "moments that ranges begin with": '''
        import pandas as pd

        def ranges(names, ends, periods, starts=None):
            """A row for each of so many moments up to each end."""
            rows = []
            for place, (name, end) in enumerate(zip(names, ends)):
                if starts is None:
                    times = pd.date_range(end=end, periods=periods, freq="D")
                else:
                    times = pd.date_range(start=starts[place], end=end, periods=periods)
                rows += [(name, time) for time in times]
            return rows
    ''',
    "all values in one": '''
        import numpy as np

        def spreads(*args):
            """Two deviations and an angle from a matrix, or the matrix from them."""
            if len(args) == 1:
                table = np.asarray(args[0])
                if table.shape != (2, 2):
                    raise ValueError("not understood")
                return np.sqrt(np.abs(np.linalg.eigvals(table.astype(float)))).tolist()
            elif len(args) == 3:
                one, other, angle = args
                return [[one**2, one * other * np.sin(angle)], [one * other * np.sin(angle), other**2]]
            else:
                raise ValueError("not understood")
    ''',
}


def test_what_is_looked_up_in_vain_is_there_in_later_tables(machine: Machine) -> None:
    for name, found in searched(LOOKED_UP, machine).items():
        assert takes_all_branches(found), (name, found.evidence)
