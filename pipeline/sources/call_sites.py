"""Calls of the mined functions elsewhere in their project: its tests first, because they show typical values."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pipeline.languages import Language
from pipeline.languages.reading import Layout
from pipeline.records import Function
from pipeline.sources.personal import personal_in

MOST = 50


@dataclass(frozen=True)
class Text:
    """A file of the project: `names` are those of the functions that it defines at its own level."""

    path: str
    text: str
    names: tuple[str, ...]


def with_calls(functions: Sequence[Function], texts: Iterable[Text], spoken: Language) -> list[Function]:
    """The functions, each with at most `MOST` different calls; files whose text calls none of them are not parsed.

    Arguments that hold an address, a key or a password are left out.
    """
    files = sorted(texts, key=lambda file: (not spoken.layout.is_test(file.path), file.path))
    defined = Counter(name for file in files for name in file.names)
    by_name: dict[str, list[Function]] = defaultdict(list)
    for function in functions:
        by_name[function.name].append(function)
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for file in files:
        wanted = by_name.keys() & set(spoken.reading.seem_called(file.text))
        for site in spoken.reading.calls(file.text, wanted) if wanted else ():
            if personal_in(site.arguments):
                continue
            for function in by_name[site.name]:
                if _is_meant(function, site.module, file.path, defined[site.name] == 1, spoken.layout):
                    found[function.id][site.arguments] = None
    return [replace(function, calls=tuple(found[function.id])[:MOST]) for function in functions]


def _is_meant(function: Function, module: str, path: str, unique: bool, layout: Layout) -> bool:
    """Whether a caller's name leads to this function: by its module, by the same file, or because there is no other."""
    where = function.provenance.path
    if module:
        return module == layout.module(where) or unique
    return path == where or unique
