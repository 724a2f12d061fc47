"""A file with its scope graph, and the functions in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from pipeline.classify.graph import ScopeGraph
from pipeline.languages.registry import language
from pipeline.languages.scoping import Naming, Reading, Unit


@dataclass(frozen=True)
class Module:
    """A file as the classification sees it; `members` is what was said of its statements, for whoever asks again."""

    graph: ScopeGraph
    reading: Reading
    members: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def _by_name(self) -> dict[str, list[Unit]]:
        found: dict[str, list[Unit]] = {}
        for unit in self.reading.units:
            found.setdefault(unit.qualified, []).append(unit)
        return found

    def unit(self, qualified: str, line: int) -> Unit | None:
        """The function of that name that begins on a line, or the only one of that name."""
        named = self._by_name.get(qualified, [])
        exact = [unit for unit in named if unit.line == line]
        if exact:
            return exact[0]
        return named[0] if len(named) == 1 else None


def read_module(text: str, naming: Naming) -> Module:
    """Build the scope graph of a file by what its language says of names."""
    data = text.encode("utf-8", "replace")
    graph = ScopeGraph(naming.rules, data)
    return Module(graph, naming.read(data, graph))


@lru_cache(maxsize=128)
def cached_module(text: str, name: str) -> Module:
    """The same for a language by its name, kept for the next function of the file."""
    return read_module(text, language(name).naming)
