"""Sparse matrices of SciPy: how a body, an annotation or a sentence asks for them."""

from __future__ import annotations

import re

from pipeline.suites.domain.kinds.exact import KINDS
from pipeline.suites.domain.kinds.sparse import ALL, DENSE, MATRICES
from pipeline.suites.inference.clues import Clue
from pipeline.suites.inference.evidence.library_signatures import members
from pipeline.suites.rules import finds, notes

CLASSES: dict[str, tuple[str, ...]] = {
    "spmatrix": ("csr_matrix", "csc_matrix", "coo_matrix"),
    "sparray": ("csr_array", "csc_array", "coo_array"),
    **{name: (name,) for name in MATRICES},
}


def _members(*kinds: str) -> frozenset[str]:
    return members(*kinds) | members(*kinds, called=True)


_OF_FORM = {form: _members(form) for form in ALL}
_OWN = frozenset[str]().union(*_OF_FORM.values()) - _members(*KINDS, "array", "series", "frame", "list", "str", "dict")
"""Members that nothing else has."""


_PREDICATES = {
    "issparse": (DENSE, *ALL),
    "isspmatrix": (DENSE, "csr_matrix", "csc_matrix", "coo_matrix"),
    **{f"isspmatrix_{form}": (DENSE, f"{form}_matrix", "csc_matrix", "csr_matrix") for form in ("csr", "csc", "coo")},
}


_WORDS = re.compile(
    r"\bsparse\b[\s.-]*(?:\w+ )?(?:matri|arra|\w+_matrix|\w+_array)|\b(?:cs[rc]|coo)_(?:matrix|array)\b", re.IGNORECASE
)


_DENSE_WORDS = re.compile(r"\bnd-?array|\barray[-_ ]?like|\bdense\b|\bnumpy\b|(?<!sparse )\barray\b", re.IGNORECASE)


_REACH = 12


@finds("sparse matrices", tuple)
def forms_in_words(text: str) -> tuple[str, ...]:
    """The forms of matrices that a type in prose names, () where it names no sparse ones."""
    if not _WORDS.search(text):
        return ()
    named = tuple(name for name in sorted(MATRICES) if name in text)
    rest = text if not named else re.sub("|".join(named), "", text)
    forms = named or ALL
    return (DENSE, *forms) if _DENSE_WORDS.search(rest) else forms


@finds("sparse matrices", tuple)
def forms_of_class(name: str) -> tuple[str, ...]:
    """The forms that a class of matrices stands for."""
    return CLASSES.get(name, ())


@notes("sparse matrices")
def asked(name: str, clue: Clue) -> None:
    """Note that a function of SciPy is asked whether a value is sparse, one that was reckoned from others too."""
    forms = _PREDICATES.get(name)
    reached: list[Clue] = [clue] if forms else []
    for one in reached:
        one.forms.extend(forms or ())
        # What it was reckoned from may be a plain number as well.
        one.vote("array", f"{name} is asked of it", 3 if one is clue else 2)
        near = [other for other in (*one.related(), *one.peers) if all(other is not known for known in reached)]
        reached.extend(near[: _REACH - len(reached)])


def member(clue: Clue, name: str) -> None:
    """Note a member that only sparse matrices have."""
    if name in _OWN:
        clue.forms.extend(form for form, known in _OF_FORM.items() if name in known)
