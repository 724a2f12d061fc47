"""Bundles: a function with what it needs of its own project, followed name by name until everything is there.

(Paper, appendix K.1, layered self-contained tasks.) A name of the project leads to the statement that defines it, in
the same file or in another one, by way of the imports; that statement's names are followed in their turn. What can't
be taken along refuses the whole bundle, with a reason.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from harness.records import digest
from pipeline.classify.graph import Definition
from pipeline.classify.libraries import Libraries
from pipeline.classify.module import Module, cached_module
from pipeline.classify.origins import Source, only_definition
from pipeline.classify.rules import Classification, Obstacle, classify
from pipeline.config import ClassifyConfig, MineConfig
from pipeline.languages import Language
from pipeline.languages.members import Kind, Members
from pipeline.languages.programs import Unreadable
from pipeline.languages.registry import language
from pipeline.languages.scoping import ROOT, Block, Import, Unit
from pipeline.records import Reason
from pipeline.sources.project_files import ProjectFiles, secret_in

_PROGRAM = "program.py"
_RE_EXPORTS = 8
"""How many imports are followed from the file that uses a name to the one that defines it."""


class Refused(Exception):
    """A bundle that can't be made: the reason, and the evidence."""

    def __init__(self, reason: Reason, evidence: str) -> None:
        super().__init__(evidence)
        self.reason = reason
        self.evidence = evidence


@dataclass(frozen=True)
class Part:
    """A member of a bundle as it stands in a file; `names` are those that it defines, `depth` the calls down to it.

    `licence` is the one that the file's header names, "" where it names none.
    """

    path: str
    block: Block
    kind: Kind
    names: tuple[str, ...]
    text: str
    depth: int
    licence: str = ""

    @property
    def name(self) -> str:
        """What it is called."""
        return ", ".join(self.names)


@dataclass(frozen=True)
class Bundle:
    """What a function needs besides itself: imports, members in an order in which they can be loaded.

    `again` are further names of members, given by statements behind them; `layers` is 0 where all members are
    constants, else the number of calls from the function down to the last member.
    """

    imports: tuple[str, ...]
    libraries: tuple[str, ...]
    parts: tuple[Part, ...]
    layers: int
    again: Mapping[str, str] = field(default_factory=dict)

    def is_again(self, part: Part) -> bool:
        """Whether a member does nothing but give another one a further name."""
        named = {name for one in self.parts for name in one.names}
        _, _, known = part.text.partition(" = ")
        return part.text == f"{part.name} = {known}" and known in named

    def before_of(self, program: str) -> str:
        """What stands before the function in a program that holds the bundle: up to the end of the last member."""
        ends = [part.block.text.stop for part in self.parts]
        return program.encode("utf-8")[: max(ends, default=0)].decode("utf-8")

    def before(self, members: Members) -> str:
        """The text behind which the function can stand."""
        written = []
        for part in self.parts:
            written.append((part.kind, part.text))
            for other, known in self.again.items():
                if known in part.names:
                    written.append((Kind.CONSTANT, members.again(other, known)))
        return members.bundle(self.imports, written)


@dataclass(frozen=True)
class Surroundings:
    """Where members may come from: the project's files, the list of libraries, what is allowed."""

    files: ProjectFiles
    project: str
    spoken: Language
    libraries: Libraries
    config: ClassifyConfig
    decorators: Sequence[str]
    modules: dict[str, Module] = field(default_factory=dict)

    def module(self, path: str) -> Module:
        """A file with its scope graph, the same one each time."""
        if path not in self.modules:
            self.modules[path] = cached_module(self.files.texts[path], self.spoken.name)
        return self.modules[path]

    def own(self, path: str) -> frozenset[str]:
        """The names under which the project is imported in a file."""
        return self.spoken.layout.own_packages(self.project, path)

    @property
    def members(self) -> Members:
        """What the language says of members."""
        if self.spoken.members is None:
            raise Refused(Reason.PROJECT_DEPENDENT, f"functions of {self.spoken.name} stand alone")
        return self.spoken.members


def bundle(path: str, unit: Unit, found: Classification, around: Surroundings) -> Bundle:
    """The bundle of a function that is classified as dependent on its project; raises `Refused`."""
    closing = _Closing(path, unit, around)
    closing.meanings[unit.name] = closing.top
    closing.take(found, path, 0, "")
    while closing.waiting:
        closing.next()
    return closing.closed()


def closed(program: str, entry_point: str, spoken: Language, libraries: Libraries) -> Bundle:
    """What a program's function needs of the program itself; raises `Refused` where something is missing."""
    module = cached_module(program, spoken.name)
    module.reading.open(entry_point)
    unit = next((one for one in module.reading.units if one.qualified == entry_point), None)
    if unit is None:
        raise Refused(Reason.UNSURE, "it is not found")
    found = classify(module, unit, libraries)
    limits = ClassifyConfig(max_members=len(module.reading.blocks), max_layers=len(module.reading.blocks))
    decorators = MineConfig().allowed_decorators
    around = Surroundings(ProjectFiles({_PROGRAM: program}), "", spoken, libraries, limits, decorators)
    return bundle(_PROGRAM, unit, found, around)


@dataclass
class _Closing:
    """A bundle in the making: what was found, and what still has to be followed."""

    path: str
    unit: Unit
    around: Surroundings
    parts: dict[tuple[str, int], Part] = field(default_factory=dict)
    waiting: list[Part] = field(default_factory=list)
    imports: set[str] = field(default_factory=set)
    preambles: set[str] = field(default_factory=set)
    libraries: set[str] = field(default_factory=set)
    meanings: dict[str, object] = field(default_factory=dict)
    again: dict[str, str] = field(default_factory=dict)
    leads: set[tuple[str, str]] = field(default_factory=set)

    @cached_property
    def top(self) -> Part:
        """The function itself, as something that members may name."""
        module = self.around.module(self.path)
        block = _block(module, self.unit.definition)
        return Part(self.path, block, Kind.FUNCTION, (self.unit.name,), "", 0)

    def next(self) -> None:
        """Follow the names of a member that was found, those that are nearest to the function first."""
        part = self.waiting.pop(0)
        block = part.block
        module = self.around.module(part.path)
        known = block.line, self.around.own(part.path)
        if known not in module.members:
            for name in part.names:
                module.reading.open(name)
            unit = Unit(
                part.name, part.name, part.kind, block.line, -1, scopes=block.scopes, references=block.references)
            module.members[known] = classify(module, unit, self.around.libraries, known[1])
        found = module.members[known]
        self.take(found, part.path, part.depth, part.name, part)

    def take(self, found: Classification, path: str, depth: int, name: str, part: Part | None = None) -> None:
        """Take in what a function or a member needs: libraries, names, and what they lead to."""
        preamble = set(self.around.module(path).reading.preamble[:1])
        self.preambles |= preamble
        self.imports |= set(found.imports) - preamble
        self.libraries.update(found.libraries)
        for known, full in found.meanings.items():
            self._means(known, full)
        others = [one for one in found.obstacles if not _is_lead(one)]
        if others:
            first = min(others, key=lambda one: (one.reason is not Reason.PROJECT_DEPENDENT, one.line))
            raise Refused(first.reason, _inside(name, f"{first.name} (line {first.line}): {first.why}"))
        for obstacle in found.obstacles:
            if obstacle.source is not None:
                self._follow(obstacle.source, path, depth, part)

    def _means(self, name: str, meaning: object) -> None:
        if self.meanings.setdefault(name, meaning) != meaning:
            raise Refused(Reason.NAME_CLASH, f"{name} has two meanings")

    def _follow(self, source: Source, path: str, depth: int, by: Part | None) -> None:
        """Take along what a name of the project leads to."""
        name, place, known = source.reference.name, path, source.reference.name
        definition = source.definition
        if definition is None:
            assert source.imported is not None
            place, known = self._imported(source.imported, path)
            if refusal := self.around.files.known.get((place, known)):
                raise refusal
            definition = _defined(self.around.module(place), known, place)
        if (place, definition) == (self.path, self.unit.definition):
            self._itself(by, name)
            part = self.top
        else:
            block = _block(self.around.module(place), definition)
            if by is not None and (place, block.line) == (by.path, by.block.line):
                return
            part = self._part(place, block, known, depth, by, source)
        self._means(name, part)
        self._means(known, part)
        if name != known:
            self.again[name] = known
        if path != place:
            self.leads.add((path, place))

    def _itself(self, by: Part | None, name: str) -> None:
        """A member that names the function may call it, and nothing else may need it to be there before."""
        if by is not None and by.kind is not Kind.FUNCTION:
            raise Refused(Reason.COMPUTED_CONSTANT, f"{by.name} holds {name} itself")

    def _imported(self, imported: Import, path: str) -> tuple[str, str]:
        """The file that defines what an import gives, and its name there."""
        key = path, imported.module, imported.target
        if key not in self.around.files.known:
            self.around.files.known[key] = self._found(imported, path)
        found: tuple[str, str] = self.around.files.known[key]
        return found

    def _found(self, imported: Import, path: str) -> tuple[str, str]:
        name, module = imported.target, imported.module
        for _ in range(_RE_EXPORTS):
            place = self.around.members.file_of(module, path, self.around.files.texts.keys())
            bare = name.removeprefix(module).lstrip(".")
            if place is None or not bare or "." in bare:
                raise Refused(Reason.PROJECT_MODULE, f"{name} is a module, or none of the project's own code")
            given = _imported_there(self.around.module(place), bare)
            if given is None:
                return place, bare
            target = given.target
            if not (target.startswith(".") or target.split(".", 1)[0] in self.around.own(place)):
                raise Refused(Reason.PROJECT_MODULE, f"{bare} is {target}, by way of {place}")
            name, module, path = target, given.module, place
        raise Refused(Reason.PROJECT_MODULE, f"{imported.target} is imported from file to file")

    def _part(self, path: str, block: Block, name: str, depth: int, by: Part | None, source: Source) -> Part:
        """The member that a statement is, new or known."""
        key = (path, block.line)
        if key == (self.path, self.top.block.line):
            raise Refused(Reason.PROJECT_CLASS, f"{name} is the class around the function")
        found = self.parts.get(key)
        if found is None:
            try:
                found = self._admitted(path, block, depth)
            except Refused as refusal:
                # The statement is refused whoever needs it, so the next one is told without reading its file.
                self.around.files.known[(path, name)] = refusal
                raise
            self.parts[key] = found
            self.waiting.append(found)
            if len(self.parts) > self.around.config.max_members or found.depth > self.around.config.max_layers:
                raise Refused(Reason.TOO_MANY_MEMBERS, f"{len(self.parts)} members, {found.depth} calls deep")
        called = source.reference.arguments is not None and by is not None and by.kind is Kind.CONSTANT
        if called and found.kind is not Kind.CONSTANT:
            raise Refused(Reason.COMPUTED_CONSTANT, f"{name} is called for {by.name if by else name}")
        return found

    def _admitted(self, path: str, block: Block, depth: int) -> Part:
        module = self.around.module(path)
        names = tuple(dict.fromkeys(one.name for one in _at_top(module, block)))
        text = module.graph.text(block.text)
        for name in names:
            if only_definition(module.graph, name) is None:
                raise Refused(Reason.REBOUND, f"{name} in {path}")
        objection = self.around.files.objection(path)
        if objection is not None:
            raise Refused(*objection)
        try:
            standing = self.around.members.standing(text, self.around.decorators)
        except Unreadable as error:
            raise Refused(Reason.UNPARSABLE, f"{', '.join(names)} in {path}: {error}") from error
        if standing.reason is not None:
            raise Refused(standing.reason, f"{', '.join(names)} in {path}, line {block.line}: {standing.why}")
        deeper = depth + (standing.kind is not Kind.CONSTANT)
        return Part(path, block, standing.kind, names, text, deeper, self.around.files.header(path))

    def closed(self) -> Bundle:
        """The bundle, where nothing is left to follow; what costs more to look at is looked at last."""
        for part in self.parts.values():
            try:
                changed = self._changed(part)
            except Unreadable as error:
                raise Refused(Reason.UNPARSABLE, f"{part.path}: {error}") from error
            if changed:
                raise Refused(Reason.COMPUTED_CONSTANT, f"{min(changed)} in {part.path} is changed in place")
            if kind := secret_in(part.text):
                raise Refused(Reason.SECRET, f"{part.name} in {part.path}: {kind}")
        order = {path: place for place, path in enumerate(self._files())}
        parts = sorted(self.parts.values(), key=lambda part: (order[part.path], part.block.line))
        layers = max((part.depth for part in parts), default=0)
        imports = (*sorted(self.preambles), *sorted(self.imports))
        return Bundle(imports, tuple(sorted(self.libraries)), tuple(parts), layers, dict(sorted(self.again.items())))

    def _changed(self, part: Part) -> set[str]:
        """The names of a part whose objects its file changes in place; only statements that name them are looked at."""
        module, members = self.around.module(part.path), self.around.members
        names = members.seem_changed(self.around.files.texts[part.path], part.names)
        places = sorted({_place(module, position) for name in names for position in module.graph.positions(name)})
        statements = [module.graph.text(module.reading.blocks[place].text) for place in places]
        return {name for text in statements for name in members.changed(text, members.seem_changed(text, names))}

    def _files(self) -> list[str]:
        """The files of the members, each behind those that it imports from; raises `Refused` for a circle."""
        rest, order = {self.path, *(part.path for part in self.parts.values())}, list[str]()
        needs = {path: {end for start, end in self.leads if start == path} for path in rest}
        while rest:
            free = sorted(path for path in rest if not needs[path] & rest - {path})
            if not free:
                raise Refused(Reason.NAME_CLASH, f"{', '.join(sorted(rest))} import each other in a circle")
            order.append(free[0])
            rest.remove(free[0])
        return order


def _is_lead(obstacle: Obstacle) -> bool:
    """Whether what stands against a function is a name that can be followed."""
    source = obstacle.source
    led = source is not None and (source.definition is not None or source.imported is not None)
    return obstacle.reason is Reason.PROJECT_DEPENDENT and led


def _inside(name: str, text: str) -> str:
    return f"in {name}, {text}" if name else text


def _imported_there(module: Module, name: str) -> Import | None:
    """The import that gives a name at the top of a file, None where something else does."""
    found = only_definition(module.graph, name)
    return module.graph.definitions[found].imported if found is not None else None


def _defined(module: Module, name: str, path: str) -> int:
    """The definition of a name at the top of a file; raises `Refused` where there is not exactly one."""
    found = only_definition(module.graph, name)
    if found is None:
        there = module.graph.scopes[ROOT].definitions.get(name)
        reason = Reason.REBOUND if there else Reason.PROJECT_MODULE
        raise Refused(reason, f"{name} is {'bound twice or under a condition' if there else 'not defined'} in {path}")
    return found


def _block(module: Module, definition: int) -> Block:
    """The statement that holds a definition."""
    return module.reading.blocks[_place(module, module.graph.definitions[definition].position)]


def _place(module: Module, position: int) -> int:
    """Which of a file's outermost statements stands at an offset, or before it."""
    return max(bisect_right(module.reading.blocks, position, key=lambda block: block.text.start) - 1, 0)


def _at_top(module: Module, block: Block) -> list[Definition]:
    """What a statement defines at the top of its file."""
    return [module.graph.definitions[i] for i in block.definitions
            if module.graph.definitions[i].scope == ROOT]


def fingerprint(part: Part, spoken: Language) -> str:
    """What tells a member's text from others: of a function as mining has it, else a hash of its code."""
    return _fingerprint(part.kind, part.text, spoken.name)


@lru_cache(maxsize=4096)
def _fingerprint(kind: Kind, text: str, name: str) -> str:
    spoken = language(name)
    found = spoken.reading.definitions(text) if kind is Kind.FUNCTION else ()
    return found[0].fingerprint if found else digest(kind, spoken.programs.plain(text))
