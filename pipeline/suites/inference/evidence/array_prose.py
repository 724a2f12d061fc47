"""Arrays in prose, as `(n, 3) float` or `array-like of shape (n_samples, n_features)`, and sparse matrices anywhere."""

from __future__ import annotations

import re

from pipeline.suites.domain.kinds.arrays import DENSE, MATRICES, SPARSE
from pipeline.suites.domain.kinds.exact import KINDS
from pipeline.suites.domain.spec import Array, Column, Frame, Spec
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


_OF_FORM = {form: _members(form) for form in SPARSE}
_OWN = frozenset[str]().union(*_OF_FORM.values()) - _members(*KINDS, "array", "series", "frame", "list", "str", "dict")
"""Members that nothing else has."""


_PREDICATES = {
    "issparse": (DENSE, *SPARSE),
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
    forms = named or SPARSE
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


_LENGTH = r"(?:[A-Za-z_]\w*(?:\s*[+-]\s*\d+)?|\d+)"
_SHAPE = re.compile(rf"[(\[]\s*({_LENGTH})?((?:\s*[,x×]\s*(?:{_LENGTH}|\.\.\.))*)\s*,?\s*[)\]]")
ARRAY = re.compile(r"\b(?:np\.|numpy\.)?(?:nd-?array|array(?:[-_ ]?like)?|matrix|matrices)(?:s\b|\b)", re.IGNORECASE)
_HOLDER = re.compile(r"^(?:an? |the )?(?:list|tuple|dict\w*|sequence|iterable|set|mapping)s?\b", re.IGNORECASE)
_DIMENSIONS = re.compile(r"\b(?:([1-5])[- ]?d(?:im\w*)?\b|(one|two|three|four|five)-dimensional)", re.IGNORECASE)
NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_TYPES = (
    ("complex", r"\bcomplex"),
    ("bool", r"\bbool|\bmasks?\b"),
    ("int", r"\bu?int(?:eger)?s?(?:8|16|32|64)?\b"),
    ("float", r"\bfloat|\bdouble|\breal\b"),
    ("str", r"\bstr(?:ing)?s?\b"),
)
_TABLES = (
    (r"\b(?:pd\.|pandas[. ])?dataframe\b", Frame()),
    (r"\b(?:pd\.|pandas[. ])series\b", Column()),
)


@finds("words: arrays")
def array_in_words(text: str) -> Spec | None:
    """The array, series or frame that a type in prose names, None where it names something else."""
    shaped = _SHAPE.search(text)
    leading = shaped is not None and not text[: shaped.start()].strip() and bool(text[shaped.end() :].strip())
    dtype = _dtype(text[shaped.end() :] if leading and shaped is not None else text)
    forms = forms_in_words(text)
    named = (ARRAY.search(text) or forms) and not _HOLDER.match(text)
    if not named and not (leading and dtype):
        return next((spec for pattern, spec in _TABLES if re.search(pattern, text, re.IGNORECASE)), None)
    shape = _lengths(shaped.group()) if shaped is not None else ()
    found = _DIMENSIONS.search(text)
    dims = len(shape) or (int(found.group(1) or NUMBERS[found.group(2).lower()]) if found else 0)
    if not dims and re.search(r"\bmatri", text, re.IGNORECASE):
        dims = 2
    several = {int(one.group(1) or NUMBERS[one.group(2).lower()]) for one in _DIMENSIONS.finditer(text)}
    if len(several) > 1 and not shape:
        return Array(dtype or "float", 0, ranks=tuple(sorted(several)), forms=forms)
    return Array(dtype or "float", dims or (2 if forms else 0), shape, forms=forms)


@finds("words: lengths of axes", tuple)
def lengths_in_words(words: str) -> tuple[int | str, ...]:
    """The lengths of the axes that stand after the word `shape`, names for those that are free."""
    place = words.lower().find("shape")
    found = _SHAPE.search(words, place) if place >= 0 else None
    return _lengths(found.group()) if found else ()


def _lengths(text: str) -> tuple[int | str, ...]:
    text = re.sub(r"\s*([+-])\s*(?=\d)", r"\1", text)
    parts = [part for part in re.split(r"[\s,x×()\[\]]+", text) if part]
    if not parts or len(parts) > 4 or any(part == "..." or _dtype(part) for part in parts):
        return ()
    return tuple(int(part) if part.isdigit() else part for part in parts)


def _dtype(text: str) -> str:
    places = [(found.start(), name) for name, pattern in _TYPES if (found := re.search(pattern, text, re.IGNORECASE))]
    return min(places)[1] if places else ""
