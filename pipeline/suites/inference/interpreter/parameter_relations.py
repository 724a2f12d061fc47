"""How parameters relate, read from the body: one is looked up in the other, compared, zipped or merged with it."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable
from dataclasses import replace

from pipeline.suites.domain.formats.words import paired_names
from pipeline.suites.domain.parameter import Parameter, Relation
from pipeline.suites.domain.spec import Array, Dictionary, Either, Items, Moment, Text
from pipeline.suites.inference.interpreter.origins import Origin, Origins
from pipeline.suites.rules import finds
from pipeline.suites.subject import full_name

LIKELY, UNLIKELY, LIKELY_ARRAYS = 0.4, 0.08, 0.2
"""How many of the inputs a relation holds in: those that the code tests for must fail now and then too."""


@finds("relations: alike by default", dict)
def by_default(parameters: tuple[Parameter, ...]) -> dict[str, Relation]:
    """Relations between parameters of the same kind that the body says nothing of; each relates to the first such."""
    found: dict[str, Relation] = {}
    firsts: dict[str, str] = {}
    for parameter in parameters:
        kind = _sort(parameter)
        if not kind:
            continue
        open_ = parameter.relation is None or (kind.startswith("array of") and parameter.relation.kind == "length")
        if kind in firsts and open_:
            alike = not kind.startswith(("text", "array")) or _alike(parameter.name, firsts[kind])
            share = (LIKELY_ARRAYS if kind.startswith("array of") else LIKELY) if alike else UNLIKELY
            found[parameter.name] = Relation("similar", parameter.name, firsts[kind], share)
        firsts.setdefault(kind, parameter.name)
    return found


_COUNTERPARTS = frozenset(
    "left right first second old new source target expected actual before after reference candidate original other"
    " query pattern text string word a b src dst from to this that".split()
)


def _alike(one: str, other: str) -> bool:
    """Whether two names tell of the same sort of thing: counterparts, or one name with numbers or further words."""
    words = [{part.rstrip("0123456789") for part in name.lower().split("_")} for name in (one, other)]
    return bool(words[0] & words[1]) or all(part & _COUNTERPARTS or len("".join(part)) < 3 for part in words)


def _sort(parameter: Parameter) -> str:
    """What parameters must have in common for one to be drawn like another."""
    spec = parameter.spec
    if parameter.kind not in ("positional", "keyword") or (parameter.optional and parameter.default is not None):
        return ""
    if isinstance(spec, Either):
        options = [option for option in spec.options if isinstance(option, (Items, Dictionary, Text, Array))]
        spec = options[0] if len(options) == 1 else spec
    match spec:
        case Items(item):
            return f"items {type(item).__name__}"
        case Dictionary():
            return "dictionary"
        case Text(closed=False):
            return "text" if not spec.formats else f"text {' '.join(spec.formats)}"
        case Moment(kind):
            return kind
        case Array(shape=shape) if any(isinstance(length, str) for length in shape):
            return f"array {shape}"
        case Array() as spec:
            return f"array of {spec.dims} axes"
    return ""


_PART_METHODS = frozenset(
    "startswith endswith find rfind index rindex count remove removeprefix removesuffix split rsplit partition"
    " rpartition replace strip lstrip rstrip relative_to is_relative_to get pop setdefault discard has_key".split()
)
_SET_METHODS = frozenset(
    "union intersection difference symmetric_difference issubset issuperset isdisjoint update difference_update"
    " intersection_update extend".split()
)
_NAMING_COLUMNS: dict[str, tuple[int, ...]] = {
    **dict.fromkeys("groupby sort_values set_index drop_duplicates duplicated explode value_counts".split(), (0,)),
    **dict.fromkeys(("nlargest", "nsmallest"), (1,)),
    **dict.fromkeys(("melt", "pivot_table"), (0, 1)),
    **dict.fromkeys(("pivot", "drop", "merge", "dropna", "resample", "rolling"), ()),
}
"""Methods of tables that name columns, with the places of the arguments that do."""
_COLUMNS = frozenset("by on columns subset keys index values id_vars value_vars left_on column".split())
_BISECTING = frozenset(["bisect", "bisect_left", "bisect_right", "insort", "searchsorted"])


@finds("relations: from the body", tuple)
def relations_of(function: ast.FunctionDef, names: dict[str, str]) -> tuple[Relation, ...]:
    """The relations between the parameters of a function, the clearest first; no parameter depends on itself."""
    reader = _Reader(function, names)
    reader.block(function.body)
    for one, other in paired_names(list(reader.parameters)):
        reader.note("above", other, one)
    return _acyclic(reader.found)


def _acyclic(found: list[Relation]) -> tuple[Relation, ...]:
    """One relation for each target, none of which leads back to it."""
    kept: dict[str, Relation] = {}
    for relation in sorted(found, key=lambda relation: _ORDER.index(relation.kind)):
        if relation.target in _led_from(relation.source, kept):
            continue
        known = kept.setdefault(relation.target, relation)
        alike = known.kind == relation.kind and relation.kind in _AMONG
        if alike and relation.source not in (known.source, *known.others):
            kept[relation.target] = replace(known, others=(*known.others, relation.source))
    return tuple(kept.values())


def leads(parameters: Iterable[Parameter], start: str, end: str) -> bool:
    """Whether relations lead from one parameter to another, or both are the same."""
    return end in _led_from(start, {p.name: p.relation for p in parameters if p.relation is not None})


def _led_from(source: str, kept: dict[str, Relation]) -> set[str]:
    """A parameter with all that it relates to, directly or by others."""
    reached, rest = {source}, [source]
    while rest:
        relation = kept.get(rest.pop())
        rest += [one for one in (relation.source, *relation.others) if one not in reached] if relation else []
        reached.update(rest)
    return reached


_AMONG = frozenset(["key", "members", "part"])
"""Kinds of which a parameter may have several: it is looked up in more than one other."""
SHARES = {
    "index": 0.75,
    "size": 0.6,
    "key": 0.65,
    "part": 0.6,
    "members": 0.65,
    "above": 0.9,
    "length": 0.8,
    "shared": 0.5,
}
WORDS_FOR = {
    "index": "it is a place in",
    "size": "it is compared with the length of",
    "key": "it is a key of",
    "part": "it is looked for in",
    "members": "its items are looked up in",
    "above": "it is not below",
    "length": "it is as long as",
    "count": "it is the length of",
    "shared": "it has something in common with",
    "similar": "it is compared with or drawn like",
}
_ORDER = ("above", "index", "size", "key", "part", "members", "length", "shared", "similar")


class _Reader(Origins):
    """Notes where two parameters meet."""

    def __init__(self, function: ast.FunctionDef, names: dict[str, str]) -> None:
        super().__init__(function, names)
        self.looked_up: dict[Origin, str] = {}
        self.found: list[Relation] = []

    def note(self, kind: str, target: str, source: str) -> None:
        """Add a relation unless it is known."""
        relation = Relation(kind, target, source, SHARES.get(kind, LIKELY))
        if target != source and relation not in self.found:
            self.found.append(relation)

    def visit_For(self, node: ast.For) -> None:
        for _ in self._passes(node.target, node.iter):
            self.block([*node.body, *node.orelse])

    def visit_Compare(self, node: ast.Compare) -> None:
        self.generic_visit(node)
        operands = [node.left, *node.comparators]
        for op, left, right in zip(node.ops, operands, operands[1:], strict=False):
            one, other = self.origin(left), self.origin(right)
            if one is not None and other is not None and one.name != other.name:
                self._compared(op, one, other)

    def _compared(self, op: ast.cmpop, one: Origin, other: Origin) -> None:
        if isinstance(op, (ast.In, ast.NotIn)):
            self._member(one, other)
        elif "shape" in (one.part, other.part):
            return
        elif "length" in (one.part, other.part):
            if one.part == other.part:
                self.note("length", other.name, one.name)
            elif isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
                number, sized = (other, one) if one.part == "length" else (one, other)
                if number.part == "whole":
                    self.note("size", number.name, sized.name)
        elif one.part == other.part == "whole":
            self.note("similar", other.name, one.name)
        elif "whole" in (one.part, other.part):
            element, holder = (one, other) if one.part == "whole" else (other, one)
            self.note("part", element.name, holder.name)
        else:
            self.note("shared", other.name, one.name)

    def _member(self, one: Origin, other: Origin) -> None:
        """`one in other`."""
        if other.part == "columns":
            self.note("index", one.name, other.name)
        elif one.part == "whole":
            self.note("part" if other.part == "whole" else "key", one.name, other.name)
        else:
            self.note("members" if other.part == "whole" else "shared", one.name, other.name)

    def _columns(self, frame: ast.expr, names: Iterable[ast.expr]) -> None:
        """Columns of a table are named, alone or in a list."""
        table = self.origin(frame)
        if table is None or table.part != "whole":
            return
        for name in names:
            for one in name.elts if isinstance(name, (ast.List, ast.Tuple)) else [name]:
                origin = self.origin(one)
                if origin is not None and origin.part in ("whole", "item") and origin.name != table.name:
                    self.note("index", origin.name, table.name)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.generic_visit(node)
        match node:
            case ast.Subscript(ast.Attribute(frame, "loc" | "at"), ast.Tuple([_, name])):
                self._columns(frame, [name])
            case ast.Subscript(frame, ast.List() as name):
                self._columns(frame, [name])
        holder = self.origin(node.value)
        index = self.origin(node.slice)
        if isinstance(node.slice, ast.Slice) and holder is not None:
            for bound in (node.slice.lower, node.slice.upper):
                limit = self.origin(bound)
                if limit is not None and limit.part == holder.part == "whole":
                    self.note("size", limit.name, holder.name)
        if isinstance(node.slice, ast.Name) and holder is not None and holder.part == "whole":
            known = self.indexed.setdefault(node.slice.id, holder.name) if index is None else ""
            if known and known != holder.name:
                self.note("length", holder.name, known)
        if holder is None or index is None or holder.name == index.name:
            return
        known = self.looked_up.setdefault(index, holder.name) if holder.part == "whole" else holder.name
        if known not in (holder.name, index.name):
            self.note("shared", holder.name, known)
        if index.part == holder.part == "whole" and isinstance(node.slice, ast.BinOp):
            # `x[n - 1]` is the last of `n`.
            self.note("size", index.name, holder.name)
        elif index.part == "whole":
            self.note("index" if holder.part == "whole" else "key", index.name, holder.name)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self.generic_visit(node)
        if isinstance(node.op, (ast.BitAnd, ast.BitOr, ast.BitXor, ast.Sub)):
            self._both("shared", node.left, node.right)

    def visit_Dict(self, node: ast.Dict) -> None:
        self.generic_visit(node)
        merged = [value for key, value in zip(node.keys, node.values, strict=True) if key is None]
        for one, other in itertools.pairwise(merged):
            self._both("shared", one, other)

    def _both(self, kind: str, left: ast.expr, right: ast.expr) -> None:
        one, other = self.origin(left), self.origin(right)
        if one is not None and other is not None and one.part == other.part == "whole":
            self.note(kind, other.name, one.name)

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        name = full_name(node.func, self.names)
        if name in ("zip", "itertools.zip_longest"):
            for one, other in zip(node.args, node.args[1:], strict=False):
                self._both("length", one, other)
        elif name.rsplit(".", 1)[-1] in _BISECTING and len(node.args) >= 2:
            self._part(node.args[1], node.args[0])
        elif isinstance(node.func, ast.Attribute) and node.func.attr in _NAMING_COLUMNS:
            places = _NAMING_COLUMNS[node.func.attr]
            named = [one.value for one in node.keywords if one.arg in _COLUMNS]
            self._columns(node.func.value, [*(node.args[at] for at in places if at < len(node.args)), *named])
        elif isinstance(node.func, ast.Attribute) and node.args:
            if node.func.attr in _PART_METHODS:
                self._part(node.args[0], node.func.value)
            elif node.func.attr in _SET_METHODS:
                self._both("shared", node.func.value, node.args[0])

    def _part(self, part: ast.expr, whole: ast.expr) -> None:
        """One is looked for in the other."""
        one, other = self.origin(part), self.origin(whole)
        if one is not None and other is not None and one.name != other.name and "length" not in (one.part, other.part):
            self._member(one, other)
