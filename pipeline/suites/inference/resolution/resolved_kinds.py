"""From clues to the kind of a value, before anything is said of what it holds."""

from __future__ import annotations

from pipeline.suites.domain.kinds.exact import KINDS, LIBRARY_KINDS
from pipeline.suites.domain.spec import (
    Anything,
    Binary,
    Boolean,
    Dictionary,
    Exact,
    Items,
    Moment,
    Nothing,
    Real,
    Spec,
    Text,
    Whole,
    either,
    hashable,
    options_of,
    with_rare,
)
from pipeline.suites.inference.clues import Clue, merged
from pipeline.suites.inference.evidence.names import COUNT_NAMES
from pipeline.suites.inference.resolution.resolved_libraries import votes_for_tables
from pipeline.suites.rules import changes

_CONCRETE = (
    *"str bytes dict list tuple set frozenset array series frame table datetime date timedelta".split(),
    *(kind for kind in KINDS if kind != "range"), "OrderedDict", "Counter", "dtype", "axis",
    *(f"{kind} value" for kind in ("class", "classes", "exception", "type")), "callable", "bool", "int", "float",
)  # fmt: skip


def kind_of(known: Clue, seen: set[int] | None = None) -> str:
    """The kind with the most votes; abstract ones (`sequence`, `number`) where no concrete one has any."""
    seen = set() if seen is None else seen
    votes = votes_for_tables(known)
    if known.fields and votes.get("frame", 0) > 2:
        # Columns are read as keys are.
        return "frame"
    if known.fields and not votes.get("frame") and not votes.get("list"):
        return "dict"
    concrete = [(weight, -index, kind) for index, kind in enumerate(_CONCRETE) if (weight := votes.get(kind, 0))]
    if votes.get("numeral") and not concrete:
        return "numeral"
    strong = [entry for entry in concrete if entry[0] >= 2]
    if strong:
        best = max(strong)[2]
        if best == "callable" and (votes.get("class value") or votes.get("classes value")):
            # A class is called to make one.
            best = "class value"
        if best == "callable" and votes.get("dtype"):
            # A type of numbers is called to make one.
            best = "number type"
        if best.startswith("class") and votes.get("type value"):
            best = "type value"
        if best == "array" and votes.get("key"):
            return "row"
        if best == "int" and votes.get("sized") and known.high is not None and not known.positions:
            # What arrays are made with, and has a length itself, is a shape.
            return "shape"
        reckoned = votes.keys() & {"number", "float", "int"}
        if best == "array" and votes["array"] < 3 and reckoned and not votes.get("sized"):
            return "numeric"
        if best == "complex" and votes.get("array", 0) >= 3:
            # Arrays have a real and an imaginary part, too.
            known.dtypes.append("complex128")
            return "array"
        return "number" if best == "int" and votes.get("float") else best
    if votes.get("sized") and votes.get("number", 0) > 1 and not votes.keys() & {"char", "count", "str", "list"}:
        # What has a length and is reckoned with goes cell by cell.
        return "array"
    if votes.get("sliced") and votes.get("number") and not votes.keys() & {"char", "count", "str", "list"}:
        return "array"
    if votes.get("cellwise"):
        return "array" if votes.keys() & {"sized", "iterable", "sequence"} or known.axes else "numeric"
    for kind in ("char", "count", "number"):
        if votes.get(kind):
            # Numbers in brackets are places, hardly ever keys with a fraction.
            return "int" if kind == "number" and votes.get("subscript") else kind
    if any(votes.get(kind) for kind in ("sequence", "iterable", "sized", "container")) or known.arities:
        return "container"
    if votes.get("cell"):
        return "number"
    peer = _peer_kind(known, seen)
    if votes.get("hashable") and peer in ("container", "list", "array", "dict", "set"):
        # It is looked up beside something that holds several of its kind.
        peer = "hashable"
    if concrete and (not peer or peer in ("hashable", "number")):
        return max(concrete)[2]
    return peer or ("object" if votes.get("object") else "hashable" if votes.get("hashable") else "")


def _peer_kind(known: Clue, seen: set[int]) -> str:
    for peer in known.peers:
        if id(peer) not in seen and len(seen) < 40:
            seen.add(id(peer))
            kind = kind_of(merged(peer.related()), seen)
            if kind and kind != "object":
                return kind
    return ""


def whole_of(known: Clue, low: int | None, high: int | None, name: str = "") -> Whole:
    """The whole number with the bounds and constants that the body asks for; a count where its name says so."""
    constants = tuple(
        dict.fromkeys(
            int(v) for v in known.constants if isinstance(v, (int, float)) and not isinstance(v, bool) and abs(v) < 1e15
        )
    )
    bound = known.high if high is None else high
    if low is None and any(part in COUNT_NAMES for part in name.lower().split("_")):
        return Whole(0, bound, constants, soft=True)
    return Whole(low, bound, constants)


def real_of(known: Clue, declared: Real) -> Real:
    """The number with the constants that it is compared with; none or endless ones where the body looks for them."""
    constants = tuple(
        dict.fromkeys(
            float(v)
            for v in known.constants
            if isinstance(v, (int, float)) and not isinstance(v, bool) and not abs(v) > 1e300
        )
    )
    constants = tuple(value for value in constants if value == value)
    special = any(value != value or abs(value) == float("inf") for value in known.constants if isinstance(value, float))
    special = special or any("isnan" in why or "isinf" in why or "isfinite" in why for why in known.evidence)
    return Real(declared.low, declared.high, constants, special)


_WRONG: tuple[Spec, ...] = (Whole(-5, 20), Text(), Nothing(), Items(Whole(-5, 20)), Real(), Dictionary(Text(), Whole()))


LAST: tuple[Spec, ...] = (Binary(), Moment("date"))
"""What hardly any body tests for, so that it is left where all others are taken."""


@changes("off-type: held")
def held(spec: Spec, known: Clue) -> Spec:
    """The specification of something in a container: a truth where the body compares it with one, and, rarely, values
    of other types where the body tests its type."""
    if any(isinstance(value, bool) for value in known.constants) and not covers(options_of(spec), Boolean()):
        spec = either([spec, Boolean()])
    if not _tested(known) or isinstance(spec, Anything):
        return spec
    if "tuple" in (*known.tested, *known.variants) and hashable(spec):
        spec = either([spec, Items(Text(), "tuple", fewest=1)])
    numbers = [Exact(kind) for kind in dict.fromkeys(known.tested) if kind in LIBRARY_KINDS]
    spec = with_rare(spec, [one for one in numbers if not covers(options_of(spec), one)])
    return with_rare(spec, [option for option in (*_WRONG, *LAST[:1]) if not covers(options_of(spec), option)])


def _tested(known: Clue) -> bool:
    return any(kind != "truth" for kind in (*known.tested, *known.variants))


def covers(options: tuple[Spec, ...], other: Spec) -> bool:
    """Whether one of the options is of the same type of values."""
    kind = getattr(other, "kind", "")
    return any(type(one) is type(other) and getattr(one, "kind", "") == kind for one in options)
