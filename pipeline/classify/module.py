"""A file with its scope graph, and the functions in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
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

    def unit(self, qualified: str, line: int) -> Unit | None:
        """The function of that name that begins on a line, or the only one of that name."""
        self.reading.open(qualified.partition(".")[0])
        named = [unit for unit in self.reading.units if unit.qualified == qualified]
        exact = [unit for unit in named if unit.line == line]
        if exact:
            return exact[0]
        return named[0] if len(named) == 1 else None


def read_module(text: str, naming: Naming) -> Module:
    """Build the whole scope graph of a file by what its language says of names."""
    module = _begun(text, naming)
    module.reading.open_all()
    return module


def _begun(text: str, naming: Naming) -> Module:
    data = text.encode("utf-8", "replace")
    graph = ScopeGraph(naming.rules, data)
    return Module(graph, naming.read(data, graph))


@lru_cache(maxsize=128)
def cached_module(text: str, name: str) -> Module:
    """The graph of a file by its language's name, kept for the next function; most grow as functions are asked for."""
    return _begun(text, language(name).naming)
