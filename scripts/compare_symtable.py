"""Compare the free names of the scope graph with those of Python's own `symtable` on real code.

Example: python scripts/compare_symtable.py /usr/lib/python3.11 --limit 50000
A free name of a function is one that it uses, or declares `global` or `nonlocal`, and that is bound outside of it.
"""

from __future__ import annotations

import argparse
import re
import symtable
import sys
import sysconfig
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.classify.graph import Reference, ScopeGraph, Status
from pipeline.languages.python.reading import READER
from pipeline.languages.python.scoping import RULES, read
from pipeline.languages.python.syntax import parse
from pipeline.languages.scoping import Role, Unit

MAX_BYTES = 1_000_000

CATEGORIES = {
    "super": "`super` makes symtable add `__class__`, which no text names.",
    "mangled": "symtable gives `__name` in a class as `_Class__name`.",
    "quoted": "Names in quoted annotations are references here, and plain text for symtable.",
    "deferred": "Under `from __future__ import annotations`, annotations are in a block that symtable hides.",
    "top": "In a function that is called `top`, symtable takes all names for the module's.",
    "class order": "A name that a class body reads before it binds it comes from the module; symtable calls it local.",
}


@dataclass(frozen=True)
class Disagreement:
    """A name that is free for one side only; `category` is one of `CATEGORIES`, or nothing."""

    path: str
    function: str
    line: int
    name: str
    side: str
    category: str


@dataclass
class Comparison:
    """What has been compared so far."""

    functions: int = 0
    files: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    disagreements: list[Disagreement] = field(default_factory=list)

    def categories(self) -> Counter[str]:
        """How many disagreements each category has."""
        return Counter(each.category or "unexplained" for each in self.disagreements)

    def unexplained(self) -> list[Disagreement]:
        """The disagreements of no category."""
        return [each for each in self.disagreements if not each.category]


def _tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    for child in table.get_children():
        yield child
        yield from _tables(child)


def _outside(table: symtable.SymbolTable) -> set[str]:
    """The free names of a function by symtable: free in itself, or global in it or anything inside."""
    names = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_free()}
    for each in (table, *_tables(table)):
        names |= {
            symbol.get_name() for symbol in each.get_symbols()
            if symbol.is_global() and (symbol.is_referenced() or symbol.is_declared_global())
        }
    return names


def _is_within(graph: ScopeGraph, scope: int | None, outer: int) -> bool:
    while scope is not None and scope > outer:
        scope = graph.scopes[scope].parent
    return scope == outer


def _references(graph: ScopeGraph, unit: Unit) -> dict[str, list[Reference]]:
    """The free names of a function by the scope graph, each with the references to it."""
    found: dict[str, list[Reference]] = {}
    for index in unit.references:
        reference = graph.references[index]
        if not _is_within(graph, reference.scope, unit.scope):
            continue
        binding = graph.resolve(reference)
        inside = binding.definitions and all(graph.definitions[i].scope in unit.scopes for i in binding.definitions)
        own_class = binding.status is Status.IMPLICIT and _implied_inside(graph, unit, reference)
        if not inside and not own_class:
            found.setdefault(reference.name, []).append(reference)
    return found


def _implied_inside(graph: ScopeGraph, unit: Unit, reference: Reference) -> bool:
    """Whether a name such as `__class__` is that of a class inside the function."""
    if reference.name in RULES.implicit["module"]:
        return False
    scope = graph.scopes[reference.scope]
    while scope.kind != "class" and scope.parent is not None:
        scope = graph.scopes[scope.parent]
    return scope.index in unit.scopes


def _category(name: str, references: Sequence[Reference], data: bytes, graph: ScopeGraph, unit: Unit) -> str:
    """Why only the scope graph has a name; `references` are its references."""
    if all(r.role is Role.ANNOTATION and data[r.position:r.position + 1] in b"'\"rRuU" and
           not data.startswith(name.encode(), r.position) for r in references):
        return "quoted"
    if b"from __future__ import annotations" in data and all(r.role is Role.ANNOTATION for r in references):
        return "deferred"
    if name.startswith("__") and not name.endswith("__"):
        return "mangled"
    if all(graph.scopes[r.scope].kind == "class" and name in graph.scopes[r.scope].definitions for r in references):
        return "class order"
    return ""


def _called_top(table: symtable.SymbolTable) -> bool:
    return any(each.get_name() == "top" for each in (table, *_tables(table)))


def _compare_unit(
    path: str, unit: Unit, table: symtable.SymbolTable, graph: ScopeGraph, data: bytes
) -> Iterator[Disagreement]:
    ours, theirs = _references(graph, unit), _outside(table)
    for name in sorted(ours.keys() - theirs):
        category = _category(name, ours[name], data, graph, unit)
        yield Disagreement(path, unit.qualified, unit.line, name, "scope graph", category)
    for name in sorted(theirs - ours.keys()):
        plain = re.sub(r"^_.+?(?=__)", "", name)
        mangled = name.startswith("_") and plain != name and plain in ours
        implied = name == "__class__" and any("super" in t.get_identifiers() for t in (table, *_tables(table)))
        category = "mangled" if mangled else "super" if implied else "top" if _called_top(table) else ""
        yield Disagreement(path, unit.qualified, unit.line, name, "symtable", category)


def _by_place(root: symtable.SymbolTable) -> dict[tuple[str, int], list[symtable.SymbolTable]]:
    found: dict[tuple[str, int], list[symtable.SymbolTable]] = {}
    for table in _tables(root):
        if table.get_type() == "function":
            found.setdefault((table.get_name(), table.get_lineno()), []).append(table)
    return found


def compare_text(text: str, path: str, comparison: Comparison, limit: int) -> None:
    """Compare all functions of a file."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            root = symtable.symtable(text, path, "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        comparison.skipped["refused by Python"] += 1
        return
    data = text.encode("utf-8")
    if parse(data).root_node.has_error:
        comparison.skipped["syntax errors by tree-sitter"] += 1
        return
    graph = ScopeGraph(RULES, data)
    tables = _by_place(root)
    comparison.files += 1
    reading = read(data, graph)
    reading.open_all()
    for unit in reading.units:
        found = tables.get((unit.name, graph.line(graph.definitions[unit.definition].position)), [])
        if len(found) != 1:
            comparison.skipped["no single table of that name and line"] += 1
            continue
        if comparison.functions >= limit:
            return
        comparison.functions += 1
        comparison.disagreements += _compare_unit(path, unit, found[0], graph, data)


def compare_files(paths: Iterable[Path], limit: int) -> Comparison:
    """Compare the functions of files, up to `limit` of them; the same file twice counts once."""
    comparison = Comparison()
    seen: set[int] = set()
    for path in paths:
        data = path.read_bytes() if path.stat().st_size <= MAX_BYTES else b""
        if not data or hash(data) in seen:
            continue
        seen.add(hash(data))
        try:
            text = READER.decode(data)
        except UnicodeDecodeError:
            comparison.skipped["undecodable"] += 1
            continue
        compare_text(text, str(path), comparison, limit)
        if comparison.functions >= limit:
            break
    return comparison


def installed_files() -> list[Path]:
    """The standard library and everything that is installed beside it."""
    folders = sorted({sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")})
    return sorted({path for folder in folders for path in Path(folder).rglob("*.py")})


def main() -> int:
    """Print what was compared; gives 1 when a disagreement is unexplained."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, help="Folders; what is installed by default.")
    parser.add_argument("--limit", type=int, default=50_000)
    arguments = parser.parse_args()
    files = sorted({f for p in arguments.paths for f in p.rglob("*.py")}) or installed_files()
    comparison = compare_files(files, arguments.limit)
    print(f"{comparison.functions} functions of {comparison.files} files compared")
    for reason, count in sorted(comparison.skipped.items()):
        print(f"  skipped: {count} {reason}")
    for category, count in sorted(comparison.categories().items()):
        print(f"  {category}: {count}  {CATEGORIES.get(category, '')}")
    for each in comparison.unexplained()[:50]:
        print(f"  {each.path}:{each.line} {each.function}: {each.name} is free for the {each.side} only")
    return 1 if comparison.unexplained() else 0


if __name__ == "__main__":
    sys.exit(main())
