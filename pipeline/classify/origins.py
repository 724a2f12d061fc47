"""Where a reference leads: into the function itself, into a library, or into the project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from pipeline.classify.graph import Binding, Definition, Reference, ScopeGraph, Status
from pipeline.classify.libraries import Libraries
from pipeline.languages.scoping import ROOT, Condition, Import, Role, Unit

_CHAIN = 8
"""How many names for one another are followed before they are given up."""


class Origin(Enum):
    """What a reference needs."""

    INSIDE = "inside"
    BUILTIN = "builtin"
    LIBRARY = "library"
    PROJECT = "project"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Source:
    """Where one reference leads.

    `dotted` is the library's name for it (or the name as it stands in the text), `statements` the imports at the top
    of the file that it needs, `arguments` how many it is called with, `why` what is said of it when it is refused.
    `definition` is the only one of a name at the top of the file, where nothing but that can be meant; `imported` is
    the import that gives the name, where only that can.
    """

    origin: Origin
    dotted: str
    reference: Reference
    module: str = ""
    statements: tuple[str, ...] = ()
    why: str = ""
    definition: int | None = None
    imported: Import | None = None


def trace(
    graph: ScopeGraph, unit: Unit, reference: Reference, libraries: Libraries, followed: int = 0
) -> Source:
    """Follow a reference of a function to where it leads."""
    binding = graph.resolve(reference)
    if binding.status is Status.BUILTIN:
        return _builtin(graph, unit, reference)
    if binding.status is not Status.BOUND:
        return _unbound(graph, unit, reference, binding)
    definitions = [graph.definitions[i] for i in binding.definitions]
    outside = [d for d in definitions if d.scope not in unit.scopes]
    if outside:
        return _outside(graph, unit, reference, definitions, outside, libraries)
    alias = _renamed(graph, reference, definitions)
    if alias is not None and followed < _CHAIN:
        return trace(graph, unit, alias, libraries, followed + 1)
    return _inside(reference, definitions)


def _unbound(graph: ScopeGraph, unit: Unit, reference: Reference, binding: Binding) -> Source:
    """A name that no definition in the file is certain to give."""
    name = reference.name
    if binding.status is Status.UNSURE:
        why = f"`from {', '.join(binding.modules)} import *` may define it"
        return Source(Origin.UNSURE, name, reference, why=why)
    if binding.status is Status.UNRESOLVED:
        return Source(Origin.UNSURE, name, reference, why="it is defined nowhere in the file")
    if name in graph.rules.implicit.get(graph.rules.root, ()):
        return Source(Origin.PROJECT, name, reference, why="it belongs to the module itself")
    if any(graph.scopes[i].kind in graph.rules.closed for i in unit.scopes):
        return Source(Origin.INSIDE, name, reference)
    return Source(Origin.PROJECT, name, reference, why="it is the class around the function")


def _builtin(graph: ScopeGraph, unit: Unit, reference: Reference) -> Source:
    name = reference.name
    if name in graph.rules.opaque:
        return Source(Origin.UNSURE, name, reference, why="it reaches names that are not in the text")
    if name in graph.rules.of_class and unit.kind == "staticmethod":
        return Source(Origin.PROJECT, name, reference, why="it needs the class around the function")
    return Source(Origin.BUILTIN, ".".join(("builtins", name, *reference.path)), reference)


def _outside(
    graph: ScopeGraph, unit: Unit, reference: Reference, definitions: Sequence[Definition],
    outside: Sequence[Definition], libraries: Libraries,
) -> Source:
    if _is_itself(unit, outside):
        return Source(Origin.INSIDE, reference.name, reference)
    if len(outside) != len(definitions):
        return Source(Origin.UNSURE, reference.name, reference, why="it is bound inside and outside of the function")
    return _choose(graph, reference, outside, libraries)


def _is_itself(unit: Unit, definitions: Sequence[Definition]) -> bool:
    """Whether a name means the function itself: it is the last of that name, and nothing else is called so."""
    last = definitions[-1]
    return last.index == unit.definition and all(d.kind == "function" for d in definitions) and (
        len(definitions) == 1 or last.condition is Condition.ALWAYS
    )


def _inside(reference: Reference, definitions: Sequence[Definition]) -> Source:
    """A name of the function's own: an import in it, or just a variable."""
    imports = [d.imported for d in definitions if d.imported is not None and d.condition is not Condition.NEVER]
    if not imports or len(imports) != len(definitions):
        return Source(Origin.INSIDE, reference.name, reference)
    if len({each.target for each in imports}) > 1:
        return Source(Origin.UNSURE, reference.name, reference, why="it is imported from several places")
    return Source(Origin.LIBRARY, ".".join((imports[0].target, *reference.path)), reference, imports[0].module)


def _renamed(graph: ScopeGraph, reference: Reference, definitions: Sequence[Definition]) -> Reference | None:
    """What a reference would be, had it not been given another name by a mere `name = a.b`."""
    if len(definitions) != 1 or definitions[0].alias is None:
        return None
    other = graph.references[definitions[0].alias]
    return replace(
        other, path=(*other.path, *reference.path), role=reference.role, position=reference.position,
        arguments=reference.arguments,
    )


def dotted_name(graph: ScopeGraph, reference: Reference, followed: int = 0) -> str:
    """The full name of what a reference uses of a library or of the builtins; nothing for anything else."""
    binding = graph.resolve(reference)
    if binding.status is Status.BUILTIN:
        return ".".join(("builtins", reference.name, *reference.path))
    definitions = [graph.definitions[i] for i in binding.definitions]
    alias = _renamed(graph, reference, definitions)
    if alias is not None and followed < _CHAIN:
        return dotted_name(graph, alias, followed + 1)
    target = next((d.imported.target for d in definitions if d.imported is not None), "")
    return ".".join((target, *reference.path)) if target else ""


def _choose(
    graph: ScopeGraph, reference: Reference, definitions: Sequence[Definition], libraries: Libraries
) -> Source:
    """Which of a name's definitions outside of the function counts in the runtime."""
    name = reference.name
    alive = [d for d in definitions if d.condition is not Condition.NEVER]
    if reference.role is Role.VALUE and any(d.condition is not Condition.TYPING for d in alive):
        alive = [d for d in alive if d.condition is not Condition.TYPING]
    elif reference.role is Role.VALUE and alive:
        return Source(Origin.UNSURE, name, reference, why="it is imported for type checkers only")
    imports = [d for d in alive if d.imported is not None]
    others = [d for d in alive if d.imported is None]
    if not imports:
        why = _described(graph, definitions[-1])
        return Source(Origin.PROJECT, name, reference, why=why, definition=only_definition(graph, name))
    if any(d.condition is not Condition.FALLBACK for d in others):
        return Source(Origin.UNSURE, name, reference, why="it is imported, and bound in another way too")
    primary = [d for d in imports if d.condition is not Condition.FALLBACK]
    fallback = [d for d in imports if d.condition is Condition.FALLBACK]
    chosen = _first_available(primary, fallback, reference, libraries)
    if chosen is None:
        return Source(Origin.UNSURE, name, reference, why="it is imported from several places")
    found = _library(reference, chosen, imports)
    certain = len(definitions) == 1 and chosen.condition in (Condition.ALWAYS, Condition.TYPING)
    return replace(found, imported=chosen.imported) if certain else found


def only_definition(graph: ScopeGraph, name: str) -> int | None:
    """The definition of a name at the top of a file, where it is the only one and takes place under any condition."""
    found = graph.scopes[ROOT].definitions.get(name, [])
    return found[0] if len(found) == 1 and graph.definitions[found[0]].condition is Condition.ALWAYS else None


def _first_available(
    primary: Sequence[Definition], fallback: Sequence[Definition], reference: Reference, libraries: Libraries
) -> Definition | None:
    """What a chain of attempted imports ends with where just the allowed libraries are installed."""
    targets = {_target(d) for d in primary}
    hints = reference.role is Role.ANNOTATION or all(libraries.is_typing(target) for target in targets)
    if len(targets) > 1 and not (hints and all(libraries.is_hint(target) for target in targets)):
        return None
    if primary and (libraries.knows(_target(primary[0])) or _is_own(primary[0]) or not fallback):
        return primary[0]
    return next((d for d in fallback if libraries.knows(_target(d))), (*primary, *fallback)[0])


def _target(definition: Definition) -> str:
    return definition.imported.target if definition.imported is not None else ""


def _is_own(definition: Definition) -> bool:
    return _target(definition).startswith(".")


def _library(reference: Reference, chosen: Definition, imports: Sequence[Definition]) -> Source:
    """The library's name for a reference; `import a.b` and `import a.c` may both be needed for `a`."""
    imported = chosen.imported
    assert imported is not None
    dotted = ".".join((imported.target, *reference.path))
    same = [d.imported for d in imports if d.imported is not None and d.imported.target == imported.target]
    needed = [i for i in same if i.module != i.target and f"{dotted}.".startswith(f"{i.module}.")]
    plain = [i for i in same if i.module == i.target] or ([] if needed else same[:1])
    chosen_imports = [*needed, *plain[:1]] if imported.statement == f"import {imported.module}" else [imported]
    module = max((i.module for i in chosen_imports), key=len)
    return Source(Origin.LIBRARY, dotted, reference, module, tuple(sorted({i.statement for i in chosen_imports})))


def _described(graph: ScopeGraph, definition: Definition) -> str:
    words = {"function": "a function", "class": "a class", "import": "an import"}
    where = "module" if graph.scopes[definition.scope].parent is None else "class or function around it"
    return f"{words.get(definition.kind, 'a variable')} of the {where}, line {graph.line(definition.position)}"
