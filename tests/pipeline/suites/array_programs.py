"""Small functions on arrays, series and frames whose branches must all be found; each needs one kind of inference."""

from __future__ import annotations

ARRAYS: dict[str, str] = {
    "lengths of two arrays that agree": '''
    import numpy as np

    def projected(points, basis):
        """The points along the basis, where it has as many axes."""
        n, d = points.shape
        if basis.shape[1] != d:
            raise ValueError("other axes")
        made = points @ basis.T
        if n > 1 and made[:, 0].max() > 1.5:
            return made - made.mean(axis=0)
        return made
    ''',
    "places along an axis": '''
    import numpy as np

    def chosen(points, idx, weights):
        """The weighted sum of some points."""
        some = points[idx, :] * weights[:, None]
        if some.shape[1] == 3:
            return some.sum(axis=0)
        return None
    ''',
    "labels of rows": '''
    import numpy as np

    def means(values, labels, count: int):
        """The mean of each group, nothing for those that are empty."""
        made = []
        for number in range(count):
            group = values[labels == number]
            if group.size == 0:
                made.append(None)
            else:
                made.append(float(group.mean()))
        return made
    ''',
    "matrices with few numbers": '''
    import numpy as np
    import scipy.sparse as sp

    def filled(matrix) -> float:
        """The share of numbers that are not zero."""
        if sp.issparse(matrix):
            if matrix.nnz == 0:
                return 0.0
            return float(matrix.nnz / np.prod(matrix.shape))
        return float(np.count_nonzero(matrix)) / max(1, np.size(matrix))
    ''',
    "kinds of types": '''
    import numpy as np

    def precise(result: np.ndarray) -> str:
        """What its numbers are, in words."""
        if result.dtype.kind not in "fc":
            return "whole"
        if result.dtype == np.complex64:
            return "short complex"
        if result.dtype == np.float32:
            return "short"
        return "long"
    ''',
    "classes of types": '''
    import numpy as np

    def family(x: np.ndarray) -> str:
        """The family of its numbers."""
        if np.issubdtype(x.dtype, np.unsignedinteger):
            return "unsigned"
        if np.issubdtype(x.dtype, np.datetime64):
            return "moments"
        if x.dtype == bool:
            return "truth"
        if x.dtype == object:
            return "anything"
        return "complex" if np.iscomplexobj(x) else "real"
    ''',
    "missing numbers": '''
    import numpy as np

    def cleaned(x: np.ndarray) -> float:
        """The mean of what is a number."""
        if x.size == 0:
            return 0.0
        if np.isnan(x).all():
            return -1.0
        if np.isnan(x).any():
            return float(np.nanmean(x))
        return float(x.mean())
    ''',
    "an exact shape": '''
    import numpy as np

    def moved(matrix, offset):
        """The offset put into a matrix of 4 x 4."""
        matrix = np.asarray(matrix, dtype=float)
        offset = np.asarray(offset)
        if matrix.shape != (4, 4):
            raise ValueError("4 x 4 is needed")
        if offset.shape == (3,):
            matrix = matrix.copy()
            matrix[:3, 3] += offset
            return matrix
        return matrix * 2
    ''',
    "squares": '''
    import numpy as np

    def symmetric(a):
        """Whether it equals its transpose."""
        rows, columns = a.shape
        if rows != columns:
            raise ValueError("not square")
        if np.allclose(a, a.T):
            return True
        return bool(np.linalg.det(a) > 0)
    ''',
    "products": '''
    import numpy as np

    def projected(a, b, clip=False):
        """The product of two matrices."""
        made = a @ b
        if clip:
            made = np.clip(made, 0, 1)
        if made.ndim == 0:
            return float(made)
        return made
    ''',
    "numbers or arrays": '''
    import numpy as np

    def doubled(x):
        """Twice a number or an array."""
        if np.isscalar(x):
            return x * 2
        x = np.asarray(x)
        if x.ndim == 2:
            return x[:, 0] * 2
        return x * 2
    ''',
    "documented shapes": '''
    import numpy as np

    def weighted(X, w, centres):
        """Weighted distances.

        Parameters
        ----------
        X : ndarray of shape (n_samples, n_features)
        w : ndarray of shape (n_features,)
        centres : (n_centres, n_features) float
        """
        if X.shape[1] != w.shape[0] or centres.shape[1] != X.shape[1]:
            raise ValueError("lengths differ")
        far = ((X[:, None, :] - centres[None]) ** 2 * w).sum(axis=2)
        if far.size and far.max() > 3:
            return far / 3
        return far
    ''',
    "boxes and masks": '''
    import numpy as np

    def kept(boxes: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """The boxes that the mask names.

        Args:
            boxes (np.ndarray): Boxes of shape `(n, 4)`.
            mask (np.ndarray): A boolean mask of shape `(n,)`.
        """
        if boxes.shape[-1] != 4:
            raise ValueError("four numbers each")
        chosen = boxes[mask.astype(bool)]
        if len(chosen) == 0:
            return np.zeros((0, 4))
        return chosen[chosen[:, 2] > chosen[:, 0]]
    ''',
}

TABLES: dict[str, str] = {
    "columns of groups": '''
    import pandas as pd

    def width(bins: pd.DataFrame):
        """The width of all bins but the last of each group, where there is one."""
        sizes = set()
        for _name, group in bins.groupby("chrom"):
            sizes.update((group["end"] - group["start"]).iloc[:-1].unique())
            if len(sizes) > 1:
                return None
        return next(iter(sizes)) if sizes else None
    ''',
    "columns in a loop and as attributes": '''
    import pandas as pd

    def above(table):
        """The labels of what costs enough."""
        for column in ("price", "label"):
            if column not in table.columns:
                raise ValueError(f"no {column}")
        found = []
        for row in table.itertuples():
            if row.price > 2.5 and table.price.max() > 4:
                found.append(row.label)
        return found or None
    ''',
    "one of many numbers": '''
    import numpy as np

    def plain(value):
        """A value without the types of libraries."""
        if isinstance(value, np.integer):
            return ["whole", int(value)]
        if isinstance(value, np.generic):
            return ["other", str(value)]
        return value
    ''',
    "texts with gaps": '''
    import pandas as pd

    def longest(x: pd.Series) -> int:
        """The length of the longest text."""
        vals = x.dropna()
        if vals.empty:
            return 0
        lengths = vals.str.len()
        if lengths.max() > 6:
            return -1
        if x.isna().any():
            return -2
        return int(lengths.max())
    ''',
    "moments": '''
    import pandas as pd

    def busiest(x: pd.Series) -> str:
        """The name of the month with the most entries."""
        if len(x) == 0:
            return "none"
        months = x.dt.month
        if (months == 2).any():
            return "winter"
        return "several" if months.nunique() > 1 else "one"
    ''',
    "categories": '''
    import pandas as pd

    def levels(x: pd.Series) -> list:
        """The levels of a series."""
        if x.dtype == "category":
            known = x.cat.categories
            if len(known) > 2:
                return list(known[:2])
            return list(known)
        return sorted(set(x.astype(str)))
    ''',
    "types of series": '''
    import pandas as pd

    def summary(s: pd.Series) -> str:
        """In a word what it holds."""
        if pd.api.types.is_bool_dtype(s):
            return "truth"
        if pd.api.types.is_numeric_dtype(s):
            return "numbers"
        if pd.api.types.is_datetime64_any_dtype(s):
            return "moments"
        return "others"
    ''',
    "columns": '''
    import pandas as pd

    def billed(orders: pd.DataFrame) -> dict:
        """What is billed by customer."""
        if orders.empty:
            return {}
        paid = orders[orders["status"].str.lower() == "paid"]
        if len(paid) == 0:
            return {"nobody": 0.0}
        if paid["price"].isna().any():
            paid = paid.dropna(subset=["price"])
        total = paid["price"] * paid["count"]
        late = orders["sent"].dt.year > 2020
        return {"total": float(total.sum()), "late": int(late.sum())}
    ''',
    "a column by name": '''
    import pandas as pd

    def spread(df: pd.DataFrame, column: str) -> float:
        """Largest minus smallest."""
        if column not in df.columns:
            raise KeyError(column)
        if df[column].dtype.kind not in "if":
            return -1.0
        return float(df[column].max() - df[column].min())
    ''',
}
