"""What libraries know: which kind of value a member belongs to, what functions take and give, what they do to arrays.

`library_members.json` holds it, which `scripts/library_members.py` makes from typeshed and the runtime's packages.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files

from pipeline.suites.domain.kinds.arrays import MATRICES

_KNOWN = json.loads(files(__package__).joinpath("library_members.json").read_text("utf-8"))
_MEMBERS: dict[str, list[str]] = _KNOWN["members"]
_GROUPS = {
    "sequence": {"list", "str"},
    "container": {"list", "dict", "set"},
    "table": {"series", "frame"},
}
"""What several kinds are called together."""
_PLAIN = "list str dict set bytes complex float int array series frame".split()
"""Kinds that are so common that nearly all of their members speak for them, commoner ones first."""
_ARRAYS = frozenset(["array", *MATRICES])


def _words(table: str, *names: str) -> frozenset[str]:
    return frozenset(word for name in names for word in _KNOWN[table].get(name, "").split())


def by_member(members: Mapping[str, Sequence[str]], called: bool) -> dict[str, str]:
    """For each member the kind that has it: of several the group that the first two are in, or else the first one."""
    having: dict[str, list[str]] = {}
    for kind in dict.fromkeys((*_PLAIN, *members)):
        for name in members.get(kind, ()):
            plain = kind in _PLAIN and (called or name not in _OFTEN)
            if name.endswith("()") == called and (plain or name.strip("()") not in _SEVERAL):
                having.setdefault(name.strip("()"), []).append(kind)
    return {name: _together(kinds) for name, kinds in having.items()}


def _together(kinds: list[str]) -> str:
    groups = [name for name, group in _GROUPS.items() if len(kinds) > 1 and {*kinds[:2]} <= group]
    return groups[0] if groups else "array" if kinds[0] in _ARRAYS else kinds[0]


_OFTEN, _SEVERAL = _words("ordinary", "often"), _words("ordinary", "several")
CALLED_KINDS = by_member(_MEMBERS, called=True)
"""The kind of value that has a method."""
READ_KINDS = CALLED_KINDS | by_member(_MEMBERS, called=False) | {
    **dict.fromkeys(("__origin__", "__args__", "__metadata__"), "type value"),
    **dict.fromkeys(("__mro__", "__bases__", "__subclasses__"), "class value"),
}  # fmt: skip
"""The kind of value of which a member is read."""


def members(*kinds: str, called: bool = False) -> frozenset[str]:
    """What some kinds have, methods or all the rest."""
    found = (name for kind in kinds for name in _MEMBERS[kind])
    return frozenset(name.strip("()") for name in found if name.endswith("()") == called)


_SAME = {kind: _words("same", kind) for kind in _KNOWN["same"]}


def _gives_its_kind(name: str, kind: str) -> bool:
    return any(name in _SAME[one] for one in _GROUPS.get(kind, {kind}))


SAME_TYPE_METHODS = frozenset(name for name, kind in CALLED_KINDS.items() if _gives_its_kind(name, kind)) - {
    "join", "format", "format_map"}  # what these give is made of their arguments
"""Methods whose result is like the value itself, so that what is learnt of it counts for the value."""


# functions

_SIGNATURES: dict[str, str] = _KNOWN["functions"]
_REFINED: dict[str, str] = {
    **dict.fromkeys(("range", "numpy.arange"), "count,count,count"),
    **dict.fromkeys(("math.factorial", "math.isqrt"), "count"),
    **dict.fromkeys(("itertools.combinations", "itertools.permutations"), "iterable,count"),
    "chr": "codepoint",
    "divmod": "number,number",
    "itertools.accumulate": "numbers",
    **dict.fromkeys(("bisect.bisect", "bisect.bisect_left", "bisect.bisect_right"), "numbers,number"),
    "itertools.islice": "iterable,count,count",
    "itertools.repeat": ",count",
    "math.perm": "count,count",
    "numpy.linspace": "number,number,count",
    "numpy.array_split": "array,count",
    "scipy.signal.medfilt": "array,int",
    "collections.OrderedDict": "dict",
    "dict": "dict",
    "calendar.month_name": "month",
    "issubclass": "class value,classes value",
    "inspect.isclass": "class value",
    **dict.fromkeys((f"{module}.get_{part}" for module in ("typing", "typing_extensions")
                     for part in ("origin", "args")), "type value"),
}  # fmt: skip
"""What stubs don't say: how great a number may be so that the call ends soon, and types that stand for types."""


def takes(name: str, count: int) -> list[str]:
    """The kinds of the first so many arguments of a function, "" where nothing is known."""
    said = _REFINED.get(name) or _SIGNATURES.get(name, "").partition(">")[0]
    kinds = said.split(",") if said else []
    if kinds and kinds[-1].startswith("*"):
        kinds = [*kinds[:-1], *[kinds[-1][1:]] * count]
    return kinds[:count]


def gives(name: str) -> str:
    """The kind that a function gives, "" where nothing is known."""
    return _SIGNATURES.get(name, "").partition(">")[2]


def functions(*effects: str) -> frozenset[str]:
    """The last names of functions of arrays that have one of some effects on shapes, as the data file calls these."""
    return _words("arrays", *effects)


# classes

CLASS_KINDS = {name: "array" if kind in _ARRAYS else kind for name, kind in _KNOWN["classes"].items()}
"""The kind that a class is, or the first one that belongs to it."""
ISINSTANCE_KINDS: dict[str, str] = {
    **CLASS_KINDS,
    "PosixPath": "Path",
    "Number": "number",
    "NoneType": "none",
    "bytearray": "bytes",
    "integer": "int",
    "floating": "float",
    "int_": "int64",
    "bool_": "generic",
    "Iterator": "list",
    "type": "class value",
    **dict.fromkeys(("GenericAlias", "UnionType"), "type value"),
}
"""The kind that a test for a class asks for: also what stands for one that we have none of."""
