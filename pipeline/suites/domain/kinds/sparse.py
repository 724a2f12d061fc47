"""SciPy's sparse matrices: how a body, an annotation or a sentence asks for them, and how they are made from arrays."""

from __future__ import annotations

from typing import Any

DENSE = ""
"""Stands among the forms of an array for one that is not sparse."""
ALL = ("csr_array", "csc_matrix", "coo_array", "csr_matrix")
MATRICES = frozenset(f"{form}_{kind}" for form in ("csr", "csc", "coo") for kind in ("array", "matrix"))


def made(dense: Any, form: str) -> Any:
    """An array with two axes as a sparse matrix; others, and those of types that are not numbers, as they are."""
    import scipy.sparse

    if form == DENSE or dense.ndim != 2 or dense.dtype.kind not in "biufc":
        return dense
    return getattr(scipy.sparse, form)(dense)
