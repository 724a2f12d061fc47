"""From clues to arrays, series and frames: their types, axes, lengths and what their cells hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from pipeline.suites.domain.kinds.tables import NULLABLE
from pipeline.suites.domain.spec import (
    Anything,
    Array,
    Column,
    Dictionary,
    Either,
    Frame,
    Moment,
    Real,
    Spec,
    Text,
    Whole,
)
from pipeline.suites.inference.clues import Clue, merged
from pipeline.suites.inference.interpreter import body_frames

Resolve = Callable[[Clue, Spec | None], Spec]
_MAX = 8


def votes_for_tables(known: Clue) -> Mapping[str, float]:
    """The votes, where those for a frame or a series gain by what both have; columns are what only frames have."""
    votes, told = known.votes, known.votes.get("table", 0)
    if votes.get("only tables"):
        # What an array does with the values of a table tells nothing of the table.
        told += 3
        votes = {kind: weight for kind, weight in votes.items() if kind not in ("array", "dict")} | {"table": told}
    columns = (merged(part.related()).votes for part, _ in known.fields.values())
    if any(column.keys() & {"series", "table"} for column in columns):
        return {**votes, "frame": votes.get("frame", 0) + told + 3, "table": 0}
    if not told:
        return votes
    kind = "frame" if known.fields or votes.get("frame", 0) > votes.get("series", 0) else "series"
    if not (known.fields or votes.get(kind)):
        return votes
    return {**votes, kind: votes.get(kind, 0) + told, "table": 0}


def array_of(known: Clue, declared: Array) -> Array:
    """The array with the types, axes and lengths that the body asks for."""
    of_tables = {"category", *NULLABLE}
    types = tuple(name for name in dict.fromkeys(known.dtypes) if name not in of_tables)
    parts = [known.item, known.at, known.positions.get(0)]
    cells = merged(one for part in parts if part is not None for one in part.related())
    furthest = 2 if cells.arities or cells.positions else 1 if known.arities or known.lengths else 0
    ranks = tuple(sorted({*known.ranks, *declared.ranks}))
    dims = 0 if declared.ranks else declared.dims or (0 if ranks else max(known.axes, furthest))
    forms = declared.forms or tuple(dict.fromkeys(known.forms))[:_MAX]
    dims = 2 if forms and not dims else dims
    return replace(declared, dims=dims, dtypes=types[:_MAX], ranks=ranks, forms=forms)


def column_of(known: Clue, declared: Column, resolve: Resolve) -> Column:
    """The series with the cells, missing values, types and index that the body asks for."""
    item = declared.item
    if item == Real():
        item = cell_of(known, resolve) or item
    types = tuple(dict.fromkeys((*declared.dtypes, *known.dtypes)))[:_MAX]
    return replace(declared, item=item, missing=known.missing, dtypes=types, groups=known.groups)


def series_of(known: Clue, declared: Column, resolve: Resolve) -> Column:
    """The same with what stands at its labels, where the body reads these by name."""
    made = column_of(known, declared, resolve)
    found = resolve(known, Dictionary()) if any(isinstance(key, str) for key in known.fields) else None
    return replace(made, record=found) if isinstance(found, Dictionary) else made


def frame_of(known: Clue, declared: Frame, resolve: Resolve) -> Frame:
    """The frame with the columns that the body names, each with what its use says of it."""
    name_of_column, column, *places = (
        merged(part.related()) for part in (known.items(), known.elements(), *known.positions.values())
    )
    parts = (name_of_column, column, *places)
    held: dict[str | int, list[Clue]] = {}
    for name, part in body_frames.columns(known, parts):
        held.setdefault(name, []).extend(part.related())
    columns = declared.columns or tuple(held)
    cells: list[Column | None] = []
    for name in columns:
        clue = merged(held.get(name, []))
        made = column_of(clue, Column(), resolve)
        said = made != Column() or _numeric(clue)
        cells.append(made if said else None)
    types = [name for clue in (known, *parts) for name in clue.dtypes]
    cell = column_of(column, Column(dtypes=tuple(dict.fromkeys(types))[:_MAX]), resolve)
    label = _label(name_of_column, resolve)
    return Frame(columns, tuple(cells) if any(cells) else (), known.missing, None if cell == Column() else cell, label)


def _label(name: Clue, resolve: Resolve) -> Spec | None:
    """How the columns are called where the body looks at their names as texts, None where it does not."""
    told = name.votes.get("str") or any(isinstance(value, str) for value in name.constants) or name.separators
    found = resolve(name, Text()) if told else None
    return found if isinstance(found, Text) and found != Text() else None


def cell_of(known: Clue, resolve: Resolve) -> Spec | None:
    """What one cell of a series holds, None where the body does not say."""
    parts = [known.items(), known.elements(), *known.positions.values()]
    item = merged(one for part in parts for one in part.related())
    constants = [*known.constants, *item.constants]
    if item.votes.get("datetime") or any(peer.votes.get("datetime") for peer in known.peers):
        return Moment("datetime")
    texts = [value for value in constants if isinstance(value, str)]
    if texts or item.votes.get("str"):
        for value in texts:
            item.constant(value)
        found = resolve(item, Text())
        return found if isinstance(found, Text) else Text()
    if any(type(value) is int for value in constants) and not any(type(value) is float for value in constants):
        return Whole(constants=tuple(value for value in constants if type(value) is int))
    found = resolve(item, None) if item.votes else Anything()
    if known.groups and found == Anything() and not _numeric(known):
        return Either((Text(), Whole(0, 5)))
    return found if isinstance(found, (Whole, Real)) else None


def cell_by_cell(votes: Mapping[str, float]) -> bool:
    """Whether all that speaks for an array deals with each cell alone, as with a number."""
    return votes.get("array", 0) <= votes.get("each cell", 0) and not votes.keys() & {"sized", "iterable", "sequence"}


def _numeric(clue: Clue) -> bool:
    """Whether a column is reckoned with."""
    return bool(clue.votes.get("number") or clue.votes.get("float") or clue.votes.get("int") or clue.votes.get("array"))
