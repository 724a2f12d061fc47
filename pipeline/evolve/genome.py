"""Genomes: operators in their order, each with its place and its seed; a program is what their replay makes."""

from __future__ import annotations

import ast
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from harness.bundle import packed
from pipeline.evolve.renamed import rename
from pipeline.measures.complexity import Complexity, complexity
from pipeline.measures.readability import Readability, readability, tokens_of
from pipeline.transforms.bound_names import walk
from pipeline.transforms.preserving.draft import Inapplicable
from pipeline.transforms.preserving.evolving.growing import Facts, Growing, Site, is_needed, origin_of
from pipeline.transforms.preserving.evolving.registry import EVOLVERS, Limits

SEEDS = 1 << 16
_KEPT = 120
"""How many programs are kept as they were while others grow of them."""
RENAMING = "N1", "N2"
"""The operators that give names."""
CROSSED = 0.5
APPEND, REMOVE = 0.6, 0.2
"""How likely a mutation appends a gene, or removes one; otherwise one gets another place or seed."""


@dataclass(frozen=True)
class Gene:
    """An operator by its code, the place where it is applied, and what it draws by."""

    code: str
    site: Site
    seed: int


Genome = tuple[Gene, ...]


@dataclass(frozen=True)
class Evolved:
    """What the replay of a genome makes: the genes that applied, the texts of the modules, and their measures."""

    genome: Genome
    modules: tuple[tuple[str, str], ...]
    complexity: Complexity
    readability: Readability
    tokens: int
    guards: tuple[str, ...]

    @property
    def main(self) -> str:
        """The text of the main module."""
        return self.modules[0][1]

    @property
    def program(self) -> str:
        """All modules as one text that runs."""
        return packed(self.main, dict(self.modules[1:]))


class Soil:
    """A program that others grow of: replays genomes on it, and proposes genes."""

    def __init__(self, program: str, entry_point: str, facts: Facts, codes: Sequence[str], limits: Limits) -> None:
        self.codes, self.limits = tuple(codes), limits
        self.entry_point = entry_point
        self._first = Growing.first(program, entry_point, facts)
        self._grown: OrderedDict[Genome, Growing] = OrderedDict()
        self._measured: dict[Genome, Evolved] = {}
        self._places: dict[Genome, dict[str, list[Site]]] = {}
        self._named: dict[Genome, Mapping[str, str]] = {}
        self.applications = 0
        self.original = self.evolved(())

    def evolved(self, genome: Genome) -> Evolved:
        """What a genome makes; genes that don't apply are dropped from it."""
        grown, genome = self._replayed(genome)
        found = self._measured.get(genome)
        if found is None:
            found = self._measured[genome] = _measured(grown, genome)
        return found

    def _replayed(self, genome: Genome) -> tuple[Growing, Genome]:
        """The program of a genome, from the longest beginning of it that is still there."""
        start = next((length for length in range(len(genome), 0, -1) if genome[:length] in self._grown), 0)
        kept = genome[:start]
        grown = self._kept(kept)
        further = None
        for gene in genome[start:]:
            if self.limits.allow((further or grown).used, gene.code):
                further = further or grown.copied()
                if self._applied(further, gene):
                    kept = (*kept, gene)
        if further is None or len(kept) == start:
            return grown, kept
        self._keep(kept, further)
        return further, kept

    def _kept(self, genome: Genome) -> Growing:
        if not genome:
            return self._first
        self._grown.move_to_end(genome)
        return self._grown[genome]

    def _keep(self, genome: Genome, grown: Growing) -> None:
        self._grown[genome] = grown
        while len(self._grown) > _KEPT:
            self._grown.popitem(last=False)

    def _applied(self, grown: Growing, gene: Gene) -> bool:
        """Apply a gene to a program; whether it has the place."""
        grown.begin(f"{gene.code} {gene.site.origin} {gene.site.way} {gene.seed}")
        try:
            EVOLVERS[gene.code].apply(grown, gene.site)
        except Inapplicable:
            return False
        self.applications += 1
        grown.used[gene.code] = grown.used.get(gene.code, 0) + 1
        return True

    def proposed(self, genome: Genome, random: Random) -> Gene | None:
        """A gene that can be appended: a drawn operator that has a place left, at a drawn place."""
        grown, kept = self._replayed(genome)
        for code in random.sample(self.codes, len(self.codes)):
            if self.limits.allow(grown.used, code):
                every = self._sites_of(grown, kept, code)
                sites = [site for site in every if not self.limits.is_rare(code, site.way)]
                if sites:
                    origins = list(dict.fromkeys(site.origin for site in sites))
                    origin = random.choice(origins)
                    ways = [site for site in sites if site.origin == origin]
                    return Gene(code, random.choice(ways), random.randrange(SEEDS))
        return None

    def renamed(self, genome: Genome, random: Random) -> Genome:
        """A genome with as many renamings behind it as there are places for: they change no measure but the names."""
        for code in RENAMING:
            while True:
                grown, kept = self._replayed(genome)
                sites = self._sites_of(grown, kept, code) if self.limits.allow(grown.used, code) else []
                longer = (*kept, Gene(code, random.choice(sites), random.randrange(SEEDS))) if sites else kept
                genome = self.evolved(longer).genome
                if len(genome) == len(kept):
                    break
        return genome

    def grown(self, genome: Genome) -> Growing:
        """A copy of the program of a genome, as trees, with the names that it was given."""
        grown = self._replayed(genome)[0].copied()
        rename(grown.trees, grown.modules, self._named.get(genome, {}))
        return grown

    def named(self, genome: Genome, names: Mapping[str, str]) -> Evolved:
        """What a genome makes, in which names that it has brought are others from now on."""
        self._named[genome] = names
        return _measured(self.grown(genome), genome)

    def text(self, grown: Growing) -> str:
        """A program as one text that runs."""
        texts = grown.texts
        return packed(texts[0], dict(zip(grown.modules, texts[1:], strict=True)))

    def without_each(self, genome: Genome) -> list[str]:
        """The programs that a genome's gives when one of the statements that it added is deleted.

        In place of a statement that is known to be needed stands "".
        """
        grown, _ = self._replayed(genome)
        made = []
        for place, (_, statement) in enumerate(_added(grown)):
            if is_needed(statement):
                made.append("")
                continue
            copy = grown.copied()
            block, node = _added(copy)[place]
            rest = [one for one in block if one is not node]
            block[:] = rest or [ast.Pass(lineno=0)]
            made.append(self.text(copy))
        return made

    @cached_property
    def lines(self) -> dict[int, int]:
        """The line of the first program, as it is shown, for each origin."""
        nodes = ast.walk(ast.parse(self.original.main))
        return {number: getattr(node, "lineno", 0) for number, node in enumerate(nodes)}

    def _sites_of(self, grown: Growing, genome: Genome, code: str) -> list[Site]:
        """The places that an operator has in a program that is kept."""
        known = self._places.setdefault(genome, {})
        if code not in known:
            known[code] = EVOLVERS[code].sites(grown)
        return known[code]

    def sites(self) -> dict[str, list[Site]]:
        """The places that each operator has in the first program."""
        return {code: EVOLVERS[code].sites(self._first) for code in self.codes}


def _measured(grown: Growing, genome: Genome) -> Evolved:
    texts = grown.texts
    names = ("main", *grown.modules)
    return Evolved(
        genome, tuple(zip(names, texts, strict=True)),
        complexity(grown.tree, grown.modules), readability(texts, grown.trees),
        sum(len(tokens_of(text)) for text in texts), tuple(grown.guards))


def crossed(one: Genome, other: Genome, random: Random) -> Genome:
    """The beginning of one genome and the end of another, each cut at a drawn point."""
    return (*one[: random.randint(0, len(one))], *other[random.randint(0, len(other)) :])


def mutated(genome: Genome, soil: Soil, random: Random) -> Genome:
    """A genome with one gene more, one less, or one that is another."""
    way = random.random()
    if way < APPEND or not genome:
        gene = soil.proposed(genome, random)
        return genome if gene is None else (*genome, gene)
    place = random.randrange(len(genome))
    if way < APPEND + REMOVE:
        return (*genome[:place], *genome[place + 1 :])
    before = genome[:place]
    gene = soil.proposed(before, random) if random.random() < 0.5 else None
    changed = gene or Gene(genome[place].code, genome[place].site, random.randrange(SEEDS))
    return (*before, changed, *genome[place + 1 :])


def _added(growing: Growing) -> list[tuple[list[ast.stmt], ast.stmt]]:
    """The statements of a program that come from no node of the first one, each with the block that it stands in."""
    found = []
    for tree in growing.trees:
        for node in walk(tree):
            for _, value in ast.iter_fields(node):
                if isinstance(value, list):
                    found += [(value, one) for one in value if isinstance(one, ast.stmt) and origin_of(one) is None]
    return found
