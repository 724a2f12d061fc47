"""SC, WSC, or neither: the rules of the paper (section 2.1, appendix B.3) on what a function's names lead to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from pipeline.classify.graph import Reference, ScopeGraph
from pipeline.classify.libraries import Libraries, Verdict
from pipeline.classify.module import Module, read_module
from pipeline.classify.origins import Origin, Source, dotted_name, trace
from pipeline.languages.scoping import Condition, Naming, Role, Unit
from pipeline.records import Reason

SC, WSC, PD = "SC", "WSC", "PD"
_EVIDENCE = 8
"""How many names the evidence of a rejection lists."""


@dataclass(frozen=True)
class Obstacle:
    """A name that keeps a function from being SC or WSC; `source` is where it leads, None for imports inside."""

    name: str
    line: int
    reason: Reason
    why: str
    source: Source | None = None


@dataclass(frozen=True)
class Classification:
    """The class of a function, with what it needs, or what stands against it.

    `libraries` are the allowed modules that it uses, `imports` the statements that it needs from the top of its file.
    `meanings` are the full names of those that it takes from outside of itself and of its project, "" for what the
    language gives.
    """

    label: str
    libraries: tuple[str, ...]
    imports: tuple[str, ...]
    obstacles: tuple[Obstacle, ...]
    meanings: Mapping[str, str] = field(default_factory=dict)

    @property
    def reason(self) -> Reason | None:
        """Why it is neither SC nor WSC; names of the project weigh more than libraries, and these more than doubt."""
        order = (Reason.PROJECT_DEPENDENT, Reason.LIBRARY_NOT_ALLOWED, Reason.UNSURE)
        found = {obstacle.reason for obstacle in self.obstacles}
        return next((reason for reason in order if reason in found), None)

    @property
    def unresolved(self) -> tuple[str, ...]:
        """The names that stand against it, sorted."""
        return tuple(sorted({obstacle.name for obstacle in self.obstacles}))

    @property
    def evidence(self) -> str:
        """The names that stand against it, each with its first line and the reason, those first that decided."""
        ranked = sorted(self.obstacles, key=lambda o: (o.reason is not self.reason, o.line, o.name))
        first = {o.name: f"{o.name} (line {o.line}): {o.why}" for o in reversed(ranked)}
        texts = [first[name] for name in dict.fromkeys(o.name for o in ranked)]
        more = f"; and {len(texts) - _EVIDENCE} more" if len(texts) > _EVIDENCE else ""
        return "; ".join(texts[:_EVIDENCE]) + more


@dataclass
class _Needs:
    """What is found out about a function while its references are followed."""

    libraries: set[str] = field(default_factory=set)
    statements: set[str] = field(default_factory=set)
    obstacles: list[Obstacle] = field(default_factory=list)
    meanings: dict[str, str] = field(default_factory=dict)


def classify(module: Module, unit: Unit, libraries: Libraries, own: frozenset[str] = frozenset()) -> Classification:
    """Decide the class of a function; `own` are the names under which its project is imported."""
    needs = _Needs()
    judge = _Judge(module.graph, libraries, own, needs)
    for reference in _leading(module.graph, unit):
        judge.consider(trace(module.graph, unit, reference, libraries))
    for source in _inner_imports(module.graph, unit):
        judge.imported(*source)
    statements = (*module.reading.preamble[:1], *sorted(needs.statements))
    if needs.obstacles:
        libraries_used = tuple(sorted(needs.libraries))
        return Classification(PD, libraries_used, statements, tuple(needs.obstacles), needs.meanings)
    label = WSC if needs.libraries else SC
    return Classification(label, tuple(sorted(needs.libraries)), statements, (), needs.meanings)


def _leading(graph: ScopeGraph, unit: Unit) -> Iterable[Reference]:
    """The references of a function; of those that can't but lead to the same place the first one."""
    references = [graph.references[index] for index in unit.references]
    if any(graph.scopes[scope].kind in graph.rules.ordered for scope in unit.scopes):
        return references
    first: dict[tuple[object, ...], Reference] = {}
    for one in references:
        first.setdefault((one.scope, one.name, one.path, one.role, one.arguments), one)
    return first.values()


def _inner_imports(graph: ScopeGraph, unit: Unit) -> Iterator[tuple[str, str, int]]:
    """The imports inside a function, used or not: target, module, line."""
    for scope in unit.scopes:
        for indices in graph.scopes[scope].definitions.values():
            for definition in (graph.definitions[i] for i in indices):
                imported = definition.imported
                if imported is not None and definition.condition is not Condition.NEVER:
                    yield imported.target, imported.module, graph.line(definition.position)


@dataclass(frozen=True)
class _Judge:
    graph: ScopeGraph
    libraries: Libraries
    own: frozenset[str]
    needs: _Needs

    def consider(self, source: Source) -> None:
        """Take one reference into account."""
        if source.origin is Origin.PROJECT:
            self._object(source, Reason.PROJECT_DEPENDENT, source.why)
        elif source.origin is Origin.UNSURE:
            self._object(source, Reason.UNSURE, source.why)
        elif source.origin is Origin.LIBRARY:
            self._library(source)
        elif source.origin is Origin.BUILTIN:
            self.needs.meanings[source.reference.name] = ""

    def imported(self, target: str, module: str, line: int) -> None:
        """Take an import statement inside the function into account."""
        if self._is_own(target):
            self.needs.obstacles.append(Obstacle(target, line, Reason.PROJECT_DEPENDENT, "it is of the own project"))
            return
        ruling = self.libraries.rule(module if target == module.split(".")[0] else target)
        if ruling.verdict is Verdict.REFUSED:
            self.needs.obstacles.append(Obstacle(target, line, Reason.LIBRARY_NOT_ALLOWED, ruling.why))

    def _library(self, source: Source) -> None:
        dotted = source.dotted
        if self._is_own(dotted):
            self._object(source, Reason.PROJECT_DEPENDENT, "it is of the own project")
            return
        self.needs.statements.update(source.statements)
        if source.statements:
            reference = source.reference
            self.needs.meanings[reference.name] = ".".join(dotted.split(".")[: -len(reference.path) or None])
        annotation = source.reference.role is Role.ANNOTATION
        if annotation and self.libraries.is_hint(dotted):
            return
        ruling = self.libraries.rule(dotted, 1 if annotation else source.reference.arguments)
        if ruling.verdict is Verdict.REFUSED:
            self._object(source, Reason.LIBRARY_NOT_ALLOWED, ruling.why)
        elif ruling.verdict is Verdict.UNSURE:
            self._object(source, Reason.UNSURE, ruling.why)
        elif not self.libraries.is_typing(dotted):
            self.needs.libraries.add(_longest(ruling.module, source.module, dotted))

    def _is_own(self, dotted: str) -> bool:
        return dotted.startswith(".") or dotted.split(".", 1)[0] in self.own

    def _object(self, source: Source, reason: Reason, why: str) -> None:
        line = self.graph.line(source.reference.position)
        self.needs.obstacles.append(Obstacle(source.dotted, line, reason, why, source))


def _longest(listed: str, imported: str, dotted: str) -> str:
    """The module that is reported: the listed one, or a part of it that is imported by name."""
    inside = f"{dotted}.".startswith(f"{imported}.") and f"{imported}.".startswith(f"{listed}.")
    return imported if inside else listed


def resolved_calls(program: str, naming: Naming) -> list[tuple[str, int]]:
    """The library and builtin names that a program uses, full and dotted, each with its line, in order."""
    module = read_module(program, naming)
    references: Iterable[tuple[str, int]] = (
        (dotted_name(module.graph, reference), module.graph.line(reference.position))
        for reference in module.graph.references
    )
    return sorted({(name, line) for name, line in references if name}, key=lambda pair: (pair[1], pair[0]))
