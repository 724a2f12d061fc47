"""From clues to a specification, within what is declared."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pipeline.suites.domain.kinds.exact import KINDS
from pipeline.suites.domain.spec import (
    Anything,
    Array,
    Binary,
    Boolean,
    Choice,
    Column,
    Dictionary,
    Either,
    Entry,
    Exact,
    Fixed,
    Frame,
    Function,
    Items,
    Moment,
    Nothing,
    Real,
    Spec,
    Text,
    TypeValue,
    Unbuildable,
    Whole,
    as_key,
    either,
    is_row,
    without_rare,
)
from pipeline.suites.inference.clues import Clue, merged
from pipeline.suites.inference.evidence.names import RANGE_NAMES, kind_by_name
from pipeline.suites.inference.resolution import resolved_kinds
from pipeline.suites.inference.resolution.resolved_kinds import kind_of, real_of, whole_of
from pipeline.suites.inference.resolution.resolved_libraries import (
    Resolve,
    array_of,
    cell_by_cell,
    column_of,
    frame_of,
    series_of,
)
from pipeline.suites.inference.resolution.resolved_texts import segments_of, text_of, texts_of

MAX_DEPTH, DEEPEST = 4, 7
"""Levels of containers in each other, and of such whose keys the body names."""
_DICTIONARIES = frozenset(["OrderedDict", "Counter"])
_HOLDERS = frozenset("dict list tuple set frozenset".split()) | _DICTIONARIES
_MOMENTS = ("date", "datetime", "timedelta")


def resolve(clue: Clue, declared: Spec | None = None, name: str = "", depth: int = 0) -> Spec:
    """The specification that the clues and the declaration agree on; the declaration wins where they don't."""
    related = list(clue.related())
    known = merged(related)
    deep = (bool(known.fields) or not known.holds) and not any(one.parameter or one.resolving for one in related)
    if depth > (DEEPEST if deep else MAX_DEPTH):
        return declared if declared is not None and not isinstance(declared, Anything) else _leaf(known)
    fresh = [one for one in related if not one.resolving]
    for one in fresh:
        one.resolving = True
    made = _resolved(known, declared, name, depth)
    for one in fresh:
        one.resolving = False
    return resolved_kinds.held(made, known) if depth else made


def _inner(depth: int) -> Resolve:
    """What resolves the parts of something at a depth."""
    return lambda clue, declared: resolve(clue, declared, "", depth + 1)


def _resolved(known: Clue, declared: Spec | None, name: str, depth: int) -> Spec:
    if declared is None or isinstance(declared, Anything):
        return _from_use(known, name, depth)
    return _refine(known if isinstance(declared, Either) else _narrow(known, declared), declared, name, depth)


def _leaf(known: Clue) -> Spec:
    kind = kind_of(known)
    return {"str": Text(), "float": Real(), "int": Whole(), "number": Whole()}.get(kind, Whole(-5, 20))


def _refine(known: Clue, declared: Spec, name: str, depth: int) -> Spec:
    match declared:
        case Either(options, rare):
            return either([resolve(_narrow(known, option), option, name, depth) for option in options], list(rare))
        case Choice(values) if all(isinstance(one, str) for one in values):
            return Choice(tuple(dict.fromkeys((*values, *texts_of(known)))))
        case Text() if known.votes.get("dtype", 0) >= 3:
            return either([Choice(tuple(dict.fromkeys((*_TYPE_NAMES, *texts_of(known)))))], [Text()])
        case Text():
            return _text(known, name, declared, depth)
        case Whole(low, high):
            return whole_of(known, low, high, name)
        case Real():
            return real_of(known, declared)
        case Items(Anything(), kind):
            return _listed(known, kind, depth, name)
        case Items(item, kind):
            return _items(known, kind, item, depth, name)
        case Fixed(items, kind):
            parts = [merged([*known.position(i).related(), *known.items().related()]) for i in range(len(items))]
            made = tuple(resolve(p, s, "", depth + 1) for p, s in zip(parts, items, strict=True))
            return Fixed(made, kind, known.rising or (len(items) == 2 and name in RANGE_NAMES))
        case Dictionary():
            return _dictionary(known, declared, depth)
        case Binary():
            return replace(declared, segments=segments_of(known, bytes))
        case Array():
            return array_of(known, declared)
        case Column():
            return series_of(known, declared, _cell)
        case Frame():
            return frame_of(known, declared, _cell)
    return declared


def _text(known: Clue, name: str, declared: Text, depth: int) -> Text:
    """A text; its pieces and theirs are told apart by their places, and no deeper: in a recursion all have them all."""
    return text_of(known, name, declared, _inner(depth), placed=depth < 2)


def _cell(known: Clue, declared: Spec | None) -> Spec:
    return resolve(known, declared, "", 2)


def _narrow(known: Clue, option: Spec) -> Clue:
    """The clues of one option of a union: those noted where `isinstance` had said that type, and the common ones."""
    kinds = {
        Text: ("str",),
        Whole: ("int", "number"),
        Real: ("float", "number"),
        Fixed: ("tuple", "list"),
        Boolean: ("bool",),
        Binary: ("bytes",),
        Array: ("array",),
        Column: ("series",),
        Frame: ("frame",),
    }.get(type(option), ())
    if isinstance(option, Items):
        kinds = (option.kind, "list", "tuple", "set")
    if isinstance(option, Dictionary):
        kinds = (option.kind, "dict")
    variants = [known.variants[kind] for kind in dict.fromkeys(kinds) if kind in known.variants]
    return merged([known, *(clue for variant in variants for clue in variant.related())])


def _from_use(known: Clue, name: str, depth: int) -> Spec:
    variants = {kind: clue for kind, clue in known.variants.items() if kind not in ("object", "number")}
    options: list[Spec] = []
    for kind, clue in variants.items():
        if kind != "none":
            own = merged([known, *clue.related()]) if len(variants) == 1 else merged(clue.related())
            options.append(_of_kind(kind, own, name, depth))
    rest = merged([known])
    rest.variants = {}
    voted = any(weight > 1 and kind not in variants for kind, weight in rest.votes.items())
    if not options or voted or len(variants) < 3:
        options.append(_of_kind(kind_of(rest), rest, name, depth))
    if len(variants) > 2 and all(kind in _HOLDERS for kind in variants):
        # Something that is none of the containers tested for stands at the leaves.
        options.append(Either((Text(), Whole())))
    if known.none or "none" in known.tested or "none" in known.variants:
        options.append(Nothing())
    return either(options)


def _of_kind(kind: str, known: Clue, name: str, depth: int) -> Spec:
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    if kind in _MOMENTS:
        return Moment(kind)
    if kind in KINDS:
        return Exact(kind)
    if kind in _DICTIONARIES:
        return _dictionary(known, Dictionary(None, Whole(0) if kind == "Counter" else None, kind=kind), depth)
    match kind:
        case "str":
            return _text(known, name, Text(), depth)
        case "bytes":
            return Binary(segments=segments_of(known, bytes))
        case "int" | "count":
            return whole_of(known, 0 if kind == "count" else None, None, name)
        case "float":
            return real_of(known, Real())
        case "number":
            return either([whole_of(known, None, None, name), real_of(known, Real())])
        case "numeric":
            return either([real_of(known, Real()), whole_of(known, None, None, name), array_of(known, Array())])
        case "hashable":
            return either([_text(known, name, Text(), depth), whole_of(known, None, None, name)])
        case "numeral":
            return either([_text(known, name, Text(), depth), whole_of(known, None, None, name), Real()])
        case "list" | "tuple" | "set" | "frozenset":
            return _sequence(known, kind, depth, name)
        case "dict":
            return _dictionary(known, Dictionary(), depth)
        case "array":
            made = array_of(known, Array())
            tables = [kind for kind in ("series", "frame", "table") if known.votes.get(kind)]
            others = [_of_kind("table" if tables[1:] else tables[0], known, name, depth)] if tables else []
            scalar = known.scalar or cell_by_cell(known.votes)
            return either([made, *others, *([real_of(known, Real())] if scalar else [])])
        case "dtype":
            return either([Choice(tuple(dict.fromkeys((*_TYPE_NAMES, *texts_of(known))))), TypeValue("number")])
        case "series":
            return series_of(known, Column(), _cell)
        case "frame":
            return frame_of(known, Frame(), _cell)
        case "table":
            return either([frame_of(known, Frame(), _cell), column_of(known, Column(), _cell)])
        case "container":
            return _container(known, name, depth)
        case "object":
            return either([Anything(), Unbuildable("an object")])
    return _by_name(known, name, depth)


_SIMPLE: dict[str, Spec] = {
    "bool": Boolean(),
    "none": Nothing(),
    "callable": Function(),
    "axis": Whole(-1, 2, soft=True),
    "shape": Items(Whole(0, 6), "tuple"),
    "class value": TypeValue(),
    "classes value": Either((TypeValue(), Items(TypeValue(), "tuple"))),
    "exception value": Either((TypeValue("exception"), Items(TypeValue("exception"), "tuple"))),
    "type value": TypeValue("type"),
    "number type": TypeValue("number"),
}
_TYPE_NAMES = tuple("float64 int64 float32 int32 int16 uint8 uint16 bool complex128 object str float16 int8".split())


def _by_name(known: Clue, name: str, depth: int) -> Spec:
    kind = kind_by_name(name)
    if not kind:
        constants = [value for value in known.constants if not isinstance(value, bool)]
        if constants:
            return either([Choice(tuple(known.constants)), Anything()])
        return Anything()
    known.evidence.append(f"the name {name} suggests {kind}")
    made = _of_kind(kind, known, name, depth)
    return made if depth else either([made, Anything()])


def _container(known: Clue, name: str, depth: int) -> Spec:
    """Something that is iterated over, indexed or measured: by its items and name a list, a text or a dictionary."""
    kind = kind_by_name(name)
    item = kind_of(merged([*known.items().related(), *known.elements().related()]))
    keyed = kind_of(merged(known.keys().related())) if known.key else ""
    if kind in ("str", "dict"):
        return (
            either([_of_kind(kind, known, name, depth), _sequence(known, "list", depth, name)])
            if item != "list"
            else _sequence(known, "list", depth, name)
        )
    told = set(merged(known.elements().related()).dtypes) if item == "array" and known.at is not None else set()
    columns = "category" in told or (told & {"object", "str"} and told & {"float64", "int64"})
    if columns and not known.votes.get("iterable"):
        # What holds numbers here and texts there is a table with its columns, or arrays by name.
        named = Dictionary(Text(), resolve(known.elements(), None, "", depth + 1))
        return either([frame_of(known, Frame(), _cell)], [] if "category" in told else [named])
    if item in ("table", "series") and known.at is not None and not known.votes.get("iterable"):
        # What a computed subscript chooses from a table are columns.
        return either([frame_of(known, Frame(), _cell)], [_dictionary(known, Dictionary(), depth)])
    if item == "array" and known.at is not None and not known.votes.get("iterable"):
        # What an index chooses from an array is an array, too.
        inner = resolve(known.elements(), None, "", depth + 1)
        if isinstance(inner, Array):
            return either([replace(inner, forms=()), Items(inner)])
    if keyed == "str" and not known.votes.get("iterable"):
        return _dictionary(known, Dictionary(), depth)
    if keyed == "hashable" and not kind and not known.votes.keys() & {"iterable", "sequence", "sized"}:
        # What it is subscripted by may be its keys or its places.
        return either([_dictionary(known, Dictionary(), depth), _sequence(known, "list", depth, name)])
    if item == "char":
        return _text(known, name, Text(), depth)
    if item in ("str", "") and not known.arities and not kind:
        sequence, text = _sequence(known, "list", depth, name), _text(known, name, Text(), depth)
        return either([sequence, text], []) if item else either([sequence], [text])
    return _sequence(known, "list", depth, name)


def _sequence(known: Clue, kind: str, depth: int, name: str = "") -> Spec:
    if known.arities and kind in ("list", "tuple"):
        return _fixed(known, max(known.arities), depth)
    return _listed(known, kind, depth, name)


def _listed(known: Clue, kind: str, depth: int, name: str) -> Spec:
    """Items of one kind, or a row with a kind for each place."""
    made: Spec = _items(known, kind, None, depth, name)
    if isinstance(made, Items) and known.votes.get("array", 0) >= 2 and made.item == Anything():
        # It becomes an array, most of which are of numbers.
        made = replace(made, item=Either((Whole(), Real()), (Anything(),)))
    return made


def _fixed(known: Clue, arity: int, depth: int) -> Spec:
    items = []
    for index in range(arity):
        clue = merged([*known.position(index).related(), *known.items().related()])
        items.append(resolve(clue, None, "", depth + 1))
    kind = "list" if known.votes.get("list") else "tuple"
    return Fixed(tuple(items), kind, known.rising)


def _items(known: Clue, kind: str, declared: Spec | None, depth: int, name: str = "") -> Spec:
    parts = [known.items(), known.elements(), *known.positions.values()]
    last = name.lower().rsplit("_", 1)[-1]
    singular = last[:-1] if last[:-1] in RANGE_NAMES else ""
    item = resolve(merged(part for clue in parts for part in clue.related()), declared, singular, depth + 1)
    if kind in ("set", "frozenset"):
        item = as_key(item)
    unpacked = set(known.arities)
    exact = max(unpacked) if len(unpacked) == 1 and unpacked >= set(known.lengths) else 0
    lengths = tuple(sorted({n for n in known.lengths if 0 <= n <= 60}))
    row = depth > 0 and kind in ("list", "tuple") and not (lengths or known.tested or known.votes.get("sized"))
    # What stands in a container and is read at constant places is a row, and rows are long enough.
    fewest = max(known.positions, default=-1) + 1 if row else 0
    return Items(item, kind, lengths, fewest=fewest if fewest > 1 else 0, exact=exact)


def _typed(known: Clue, declared: Dictionary, depth: int) -> Spec:
    """A dictionary whose keys are all declared: it has those, whatever the body asks for."""
    made = []
    for entry in declared.entries:
        clue, _ = known.fields.get(entry.key, (Clue(), True))
        value = None if isinstance(entry.value, Anything) else entry.value
        made.append(replace(entry, value=resolve(merged(clue.related()), value, str(entry.key), depth + 1)))
    return replace(declared, entries=tuple(made))


def _dictionary(known: Clue, declared: Dictionary, depth: int) -> Spec:
    if declared.entries and declared.key is None:
        return _typed(known, declared, depth)
    entries = []
    unnamed = bool(known.key or known.value or known.item or known.at or not known.fields)
    for key, (clue, required) in known.fields.items():
        value = merged(clue.related())
        spec = resolve(value, None if isinstance(declared.value, Anything) else declared.value, str(key), depth + 1)
        entries.append(Entry(key, spec, required and not _asked(known, key)))
    key_spec, value_spec = declared.key, declared.value
    merged_keys = merged([*known.keys().related(), *known.items().related()])
    if key_spec == Text() and isinstance(value_spec, Anything):  # a bare `dict` says nothing of its keys
        found = resolve(merged_keys, None, "", depth + 1)
        if is_row(found) or kind_of(merged_keys) in ("int", "number"):
            key_spec = either([as_key(found), key_spec])
    if key_spec is None and unnamed:
        key_spec = as_key(resolve(merged_keys, None, "", depth + 1))
        key_spec = Text() if key_spec == Either((Text(), Whole())) else key_spec
    if key_spec is not None:
        key_spec = as_key(without_rare(resolve(known.keys(), key_spec, "", depth + 1)))
        values = merged([*known.values().related(), *known.elements().related()])
        value_spec = resolve(values, value_spec, "", depth + 1)
    return Dictionary(key_spec, value_spec, tuple(entries), declared.kind)


def _asked(known: Clue, key: Any) -> bool:
    """Whether the body asks if the key is there."""
    return key in known.keys().constants or key in known.separators
