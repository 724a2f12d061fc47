"""Small wrong variants of a function, each with a name: what a sharp suite has to tell from the reference."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from random import Random
from types import CodeType

from pipeline.transforms.altering.members import Member, in_words, members_of
from pipeline.transforms.altering.predicates import predicates
from pipeline.transforms.altering.sites import Seen, Site, changed, find, sites, unparsed, writer
from pipeline.transforms.altering.unseen_members import unseen_members

Unfit = Callable[[ast.Module, ast.FunctionDef], Callable[[], bool]]
"""For a function of a program what says, of the function as it then stands, that it is no mutant."""


def all_fit(_tree: ast.Module, _function: ast.FunctionDef) -> Callable[[], bool]:
    """Whatever a change makes is a mutant."""
    return lambda: False


@dataclass(frozen=True)
class Mutant:
    """A changed program: the operator's name, the line of the original that it changed, and the text.

    `member` names the function that was changed where that is not the entry point; of several changes the first counts.
    """

    operator: str
    line: int
    program: str
    member: str = ""

    def __str__(self) -> str:
        return f"{in_words(self.line, self.member)}: {self.operator}"


class _Part:
    """One function of a program with its mutants."""

    def __init__(
        self, tree: ast.Module, function: ast.FunctionDef, statement: ast.stmt, unfit: Unfit, name: str = "",
        predicate: bool = False,
    ) -> None:
        self.function, self.name = function, name
        self.write = writer(tree, statement)
        self.seen = Seen(function, unfit(tree, function), predicate)


class Mutants:
    """The first-order mutants of a program by their places: those of its function, then those of its members.

    Those that are proved to do the same as the program or an earlier mutant are left out: they are compiled to the
    same bytecode, or have the same normal form. So are those in `dead` lines, which no call comes to, and
    those that are `unfit`. The first `own` of the sites are the function's. Members that no answer shows have none, and
    none has any without `members`. With `misread` the function's misreadings are among them.
    """

    def __init__(
        self, program: str, entry_point: str, dead: Collection[int] = (), unfit: Unfit = all_fit, *,
        members: bool = True, misread: bool = False,
    ) -> None:
        self._tree = ast.parse(program)
        self.function = find(self._tree, entry_point)
        self.sites: list[Site] = []
        self.own = 0
        self._parts: dict[int, _Part] = {}
        self._drawn: set[frozenset[int]] = set()
        if self.function is None:
            return
        self._add(_Part(self._tree, self.function, self.function, unfit), dead, misread)
        self.own = len(self.sites)
        found = seen_members(self._tree, self.function) if members else []
        tests = predicates(self._tree, found)
        for one in found:
            self._add(_Part(self._tree, one.node, one.statement, unfit, one.name, one.name in tests), dead)

    def _add(self, part: _Part, dead: Collection[int], misread: bool = False) -> None:
        # Statements have numbers of their own in each function.
        first = 1 + max((site.statement for site in self.sites), default=-1)
        for site in sites(part.function, misread):
            if site.line not in dead and part.seen.is_new(site):
                made = replace(site, statement=first + site.statement)
                self.sites.append(made)
                self._parts[id(made)] = part

    def member(self, site: Site) -> str:
        """The name of the member in which a change is, "" for the function itself."""
        return self._parts[id(site)].name

    def is_new(self, *places: Site) -> bool:
        """Whether these changes do what none before them did; if so, it is known from now on."""
        parts = self._by_part(places)
        if len(parts) == 1:
            return parts[0][0].seen.is_new(*places)
        if any(len(inside) > 1 and not part.seen.is_new(*inside) for part, inside in parts):
            return False
        key = frozenset(map(id, places))
        new = key not in self._drawn
        self._drawn.add(key)
        return new

    def _by_part(self, places: Sequence[Site]) -> list[tuple[_Part, list[Site]]]:
        parts = {id(part): part for part in (self._parts[id(site)] for site in places)}
        return [(part, [site for site in places if self._parts[id(site)] is part]) for part in parts.values()]

    def written(self, *places: Site) -> list[Mutant]:
        """The mutant with these changes, none where its text is no Python."""
        parts = self._by_part(places)
        with ExitStack() as stack:
            for part, inside in parts:
                stack.enter_context(changed(part.function, *inside))
            text = parts[0][0].write() if len(parts) == 1 else unparsed(self._tree)
        operators = " + ".join(site.operator for site in places)
        return [Mutant(operators, places[0].line, text, self.member(places[0]))] if text else []


def fairly(own: int, others: int, most: int, seed: int) -> list[int]:
    """At most so many places among the function's own and, after them, those of its members, drawn by the seed.

    At least half of them are the function's own where it has as many.
    """
    if own + others <= most:
        return list(range(own + others))
    share = min(own, max(most // 2, round(most * own / (own + others)), most - others))
    random = Random(seed)
    mine = sorted(random.sample(range(own), share))
    return mine + [own + place for place in sorted(random.sample(range(others), most - share))]


def mutants(program: str, entry_point: str, unfit: Unfit = all_fit) -> list[Mutant]:
    """All first-order mutants of a function; each parses and differs from the program."""
    found = Mutants(program, entry_point, unfit=unfit)
    return [mutant for site in found.sites for mutant in found.written(site)]


def variants(
    function: ast.FunctionDef, prepare: Callable[[ast.FunctionDef], None] | None = None,
    unfit: Callable[[], bool] = lambda: False,
) -> Iterator[tuple[str, int, CodeType]]:
    """Change the function in place, one mutant after the other: the operator, the line, and the compiled definition.

    The tree holds a mutant until the next one is asked for, and is as it was before when there are no more. What
    `prepare` adds to the tree is in all mutants and is changed in none.
    """
    places = sites(function)
    if prepare is not None:
        prepare(function)
    seen = Seen(function, unfit)
    for site in places:
        with changed(function, site) as code:
            if code is not None and seen.is_new_code(code, site):
                yield site.operator, site.line, code


def seen_members(tree: ast.Module, entry: ast.FunctionDef) -> list[Member]:
    """The members of a program that some answer may show."""
    members = members_of(tree, entry)
    unseen = unseen_members(tree, members)
    return [member for member in members if member.name not in unseen]


class MembersMutants:
    """The mutants of the members of a tree, in the order of its text: what `prepare` adds to it is changed in none."""

    def __init__(
        self, tree: ast.Module, members: Sequence[Member], prepare: Callable[[ast.AST], None], dead: Collection[int],
        unfit: Unfit = all_fit,
    ) -> None:
        self._tree = tree
        places = [(one, [site for site in sites(one.node) if site.line not in dead]) for one in members]
        tests = predicates(tree, members)
        prepare(tree)
        self.sites = [
            (one, site)
            for one, found in places
            for site in _new(Seen(one.node, unfit(tree, one.node), one.name in tests), found)
        ]

    def code(self, member: Member, site: Site) -> CodeType:
        """The compiled program with one change."""
        with changed(member.node, site):
            return compile(self._tree, "mutant", "exec", dont_inherit=True)


def _new(seen: Seen, places: Sequence[Site]) -> Iterator[Site]:
    yield from (site for site in places if seen.is_new(site))
