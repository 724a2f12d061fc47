"""How parameters relate, read from the body: one is looked up in the other, compared, zipped or merged with it."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pipeline.suites.domain.name_pairs import paired_names
from pipeline.suites.domain.spec import Parameter, Relation
from pipeline.suites.inference.evidence.library_signatures import SAME_TYPE_METHODS
from pipeline.suites.inference.likely_relations import LIKELY
from pipeline.suites.rules import finds
from pipeline.suites.subject import full_name

_SAME_VALUE = frozenset(
    "list tuple sorted set frozenset str dict round math.floor math.ceil reversed iter bytes bytearray int float abs"
    " copy.copy copy.deepcopy collections.Counter collections.deque collections.OrderedDict numpy.asarray numpy.array"
    " typing.cast ipaddress.ip_address ipaddress.ip_network pathlib.Path decimal.Decimal fractions.Fraction"
    " uuid.UUID".split()
)
_SAME_METHODS = SAME_TYPE_METHODS | frozenset("split splitlines rsplit encode decode tolist keys as_posix".split())
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
_COMPARING = frozenset(["difflib.SequenceMatcher", "difflib.unified_diff", "difflib.ndiff", "os.path.relpath"])
MOST_PASSES = 6
"""How many parameters that a loop goes over are followed."""
_BISECTING = frozenset(["bisect", "bisect_left", "bisect_right", "insort", "searchsorted"])


@dataclass(frozen=True)
class Origin:
    """Where a value comes from: a parameter, or its `item`, `key`, `value`, `length`, `columns` or `shape`."""

    name: str
    part: str = "whole"


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
        alike = known.kind == relation.kind or {known.kind, relation.kind} <= {"members", "places"}
        if alike and relation.kind in _AMONG and relation.source not in (known.source, *known.others):
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


_AMONG = frozenset(["key", "members", "places", "part"])
"""Kinds of which a parameter may have several: it is looked up in more than one other."""
SHARES = {
    "index": 0.75,
    "size": 0.6,
    "key": 0.65,
    "path": 0.7,
    "part": 0.6,
    "members": 0.65,
    "places": 0.7,
    "above": 0.9,
    "length": 0.8,
    "shape": 0.5,
    "shared": 0.5,
    "keyed": 0.85,
}
WORDS_FOR = {
    "index": "it is a place in",
    "size": "it is compared with the length of",
    "key": "it is a key of",
    "path": "its items lead down into",
    "part": "it is looked for in",
    "members": "its items are looked up in",
    "places": "its items are places or keys in",
    "above": "it is not below",
    "length": "it is as long as",
    "count": "it is the length of",
    "shape": "it holds the lengths of the axes of",
    "shared": "it has something in common with",
    "keyed": "its keys are columns or keys of",
    "similar": "it is compared with or drawn like",
}
_ORDER = ("above", "path", "index", "size", "key", "part", "members", "places", "length", "shape", "shared", "similar")










class _Reader(ast.NodeVisitor):
    """Follows parameters through assignments and loops, and notes where two of them meet."""

    def __init__(self, function: ast.FunctionDef, names: dict[str, str]) -> None:
        arguments = function.args
        self.parameters = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
        self.names = names
        self.origins = {name: Origin(name) for name in self.parameters}
        self.indexed: dict[str, str] = {}
        self.looked_up: dict[Origin, str] = {}
        self.found: list[Relation] = []

    def block(self, body: list[ast.stmt]) -> None:
        for statement in body:
            self.visit(statement)

    def note(self, kind: str, target: str, source: str) -> None:
        """Add a relation unless it is known."""
        relation = Relation(kind, target, source, SHARES.get(kind, LIKELY))
        if target != source and relation not in self.found:
            self.found.append(relation)

    # where values come from

    def origin(self, node: ast.expr | None) -> Origin | None:
        """What an expression is made of, as far as it is one parameter."""
        match node:
            case ast.Name(name):
                return self.origins.get(name)
            case ast.NamedExpr(_, value) | ast.Starred(value):
                return self.origin(value)
            case ast.BoolOp(_, values):
                return self.origin(values[0])
            case ast.IfExp(_, body, other):
                return self.origin(body) or self.origin(other)
            case ast.Subscript(ast.Attribute(value, "shape"), ast.Constant(0)) | ast.Attribute(value, "size"):
                return self._length(value)
            case ast.Attribute(value, "columns" | "shape" as part):
                origin = self.origin(value)
                return Origin(origin.name, part) if origin is not None and origin.part == "whole" else None
            case ast.Subscript(ast.Attribute(value, "shape"), _) | ast.Attribute(value, "ndim"):
                origin = self.origin(value)
                return Origin(origin.name, "shape") if origin is not None and origin.part == "whole" else None
            case ast.Subscript(value, ast.Slice()):
                return self.origin(value)
            case ast.Subscript(value, _):
                return self.item(self.origin(value))
            case ast.Call():
                return self._called(node)
            case ast.ListComp(element, [first, *_]) | ast.SetComp(element, [first, *_]):
                return self._collected(element, first)
            case ast.GeneratorExp(element, [first, *_]):
                return self._collected(element, first)
            case ast.JoinedStr(values):
                parts = [self.origin(part.value) for part in values if isinstance(part, ast.FormattedValue)]
                return next((part for part in reversed(parts) if part is not None), None)
            case ast.BinOp(left, ast.Sub() | ast.Add(), ast.Constant()):
                return self.origin(left)
            case ast.BinOp(ast.Constant(str()), ast.Add(), right):
                return self.origin(right)
        return None

    def _collected(self, element: ast.expr, first: ast.comprehension) -> Origin | None:
        """What a comprehension holds: things of what it goes over, or slices of something else."""
        if isinstance(element, (ast.Constant, ast.Compare)):
            return None
        return self.origin(first.iter) or (self.origin(element) if isinstance(element, ast.Subscript) else None)

    def _called(self, node: ast.Call) -> Origin | None:
        name = full_name(node.func, self.names)
        if name == "len" and node.args:
            return self._length(node.args[0])
        if name in _SAME_VALUE and node.args:
            return self.origin(node.args[-1] if name == "typing.cast" else node.args[0])
        if name in ("map", "filter") and len(node.args) == 2:
            return self.origin(node.args[1])
        if isinstance(node.func, ast.Attribute):
            origin = self.origin(node.func.value)
            if node.func.attr in _SAME_METHODS or node.func.attr in ("items", "values"):
                return origin
            if node.func.attr == "get":
                return self.item(origin)
        return None

    def _length(self, node: ast.expr) -> Origin | None:
        origin = self.origin(node)
        return Origin(origin.name, "length") if origin and origin.part == "whole" else None

    @staticmethod
    def item(origin: Origin | None) -> Origin | None:
        """The origin of what a value holds."""
        return Origin(origin.name, "item") if origin is not None and origin.part not in ("length", "shape") else None

    # binding

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        for target in node.targets:
            self._bind(target, node.value)
            if not isinstance(target, ast.Name):
                self.visit(target)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)
            self._bind(node.target, node.value)

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            origin = self.origin(value)
            if origin is not None:
                self.origins[target.id] = origin
            elif target.id not in self.parameters:
                self.origins.pop(target.id, None)
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for one, other in zip(target.elts, value.elts, strict=True):
                self._bind(one, other)
        elif isinstance(target, ast.Tuple):
            origin = self.origin(value)
            self._place(target, self.item(origin) if origin is not None and origin.part != "length" else None)

    def visit_For(self, node: ast.For) -> None:
        for _ in self._passes(node.target, node.iter):
            self._walked(node)
            self.block([*node.body, *node.orelse])

    def _passes(self, target: ast.expr, iterated: ast.expr) -> Iterator[None]:
        """A loop, once; over parameters that stand side by side once for each."""
        self._loop(target, iterated)
        shown = iterated.elts if isinstance(iterated, (ast.Tuple, ast.List, ast.Set)) else []
        found = [origin for one in shown[:MOST_PASSES] if (origin := self.origin(one)) is not None]
        if not isinstance(target, ast.Name) or not found:
            yield
            return
        for origin in found:
            self.origins[target.id] = origin
            yield

    def _walked(self, node: ast.For) -> None:
        """`for key in path: value = value[key]`."""
        path = self.origin(node.iter)
        for inner in ast.walk(ast.Module(node.body, [])):
            if isinstance(inner, ast.Assign) and isinstance(inner.targets[0], ast.Name):
                name = inner.targets[0].id
                holder = self.origins.get(name)
                if path is not None and holder is not None and holder.part == path.part == "whole" and _looks_up(
                        inner.value, name, node.target):
                    self.note("path", path.name, holder.name)

    def _loop(self, target: ast.expr, iterated: ast.expr) -> None:
        self.visit(iterated)
        call = iterated if isinstance(iterated, ast.Call) else None
        name = full_name(call.func, self.names) if call is not None else ""
        parts = target.elts if isinstance(target, ast.Tuple) else []
        if call is not None and name in ("zip", "itertools.zip_longest", "itertools.product") and parts:
            for one, source in zip(parts, call.args, strict=False):
                self._place(one, self.item(self.origin(source)))
        elif call is not None and name == "enumerate" and len(parts) == 2 and call.args:
            origin = self.origin(call.args[0])
            self._place(parts[1], self.item(origin))
            if origin is not None and isinstance(parts[0], ast.Name):
                self.indexed[parts[0].id] = origin.name
        elif call is not None and name == "range" and isinstance(target, ast.Name):
            limit = self.origin(call.args[-1 if len(call.args) < 3 else 1]) if call.args else None
            if limit is not None and limit.part == "length":
                self.indexed[target.id] = limit.name
        elif call is not None and isinstance(call.func, ast.Attribute) and call.func.attr == "groupby" and parts:
            self._place(parts[-1], self.origin(call.func.value))
        elif call is not None and isinstance(call.func, ast.Attribute) and call.func.attr == "items":
            for part in parts:
                self._place(part, self.item(self.origin(call.func.value)))
        else:
            for one in parts or [target]:
                self._place(one, self.item(self.origin(iterated)))

    def _place(self, target: ast.expr, origin: Origin | None) -> None:
        if isinstance(target, ast.Name):
            if origin is not None:
                self.origins[target.id] = origin
        elif isinstance(target, ast.Tuple):
            for part in target.elts:
                self._place(part, origin)

    def _comprehension(self, generators: list[ast.comprehension], parts: list[ast.expr]) -> None:
        outer = dict(self.origins)
        for _ in self._passes(generators[0].target, generators[0].iter):
            for place, generator in enumerate(generators):
                if place:
                    self._loop(generator.target, generator.iter)
                for test in generator.ifs:
                    self.visit(test)
            for part in parts:
                self.visit(part)
        self.origins = outer

    def visit_ListComp(self, node: ast.ListComp) -> None:
        self._comprehension(node.generators, [node.elt])

    def visit_SetComp(self, node: ast.SetComp) -> None:
        self._comprehension(node.generators, [node.elt])

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self._comprehension(node.generators, [node.elt])

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self._comprehension(node.generators, [node.key, node.value])

    # where two meet

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
            lengths, array = (other, one) if one.part == "shape" else (one, other)
            if lengths.part in ("whole", "item", "length"):
                self.note("shape", lengths.name, array.name)
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
        elif index.part == "item":
            self.note("places", index.name, holder.name)

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


def _looks_up(node: ast.expr, name: str, key: ast.expr) -> bool:
    """Whether an expression looks a key up in a name: `value[key]`, `value.get(key)`, `getattr(value, key)`."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Subscript):
            holder, asked = inner.value, inner.slice
        elif isinstance(inner, ast.Call) and ast.unparse(inner.func) == "getattr" and len(inner.args) > 1:
            holder, asked = inner.args[0], inner.args[1]
        else:
            continue
        names = {part.id for part in ast.walk(holder) if isinstance(part, ast.Name)}
        if name in names and ast.unparse(asked) == ast.unparse(key):
            return True
    return False
