"""Operators that give a function's variables, or the function itself, other names."""

from __future__ import annotations

import ast
import keyword
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from string import ascii_lowercase, digits
from typing import NamedTuple

from pipeline.records import Reason
from pipeline.transforms.bound_names import COMPREHENSIONS, FIELDS, Scope, bound, parameter_names, walk
from pipeline.transforms.preserving.draft import Draft, Inapplicable
from pipeline.transforms.preserving.reflection import check_names

_ASKING = frozenset("getattr attrgetter methodcaller import_module __import__ modules __dict__ vars".split())
"""What finds a function by its name."""
_NO_PARTS = frozenset({"annotation", "returns", "op", "ops"})
_PARTS = {kind: tuple(field for field in fields if field[0] not in _NO_PARTS) for kind, fields in FIELDS.items()}
_SCOPES = frozenset({ast.FunctionDef, ast.Lambda, ast.ClassDef, ast.AsyncFunctionDef, *COMPREHENSIONS})
_BINDING = frozenset({
    ast.alias, ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping, ast.Nonlocal, ast.Global,
})  # fmt: skip
_NAMING = _BINDING | {ast.Name, ast.JoinedStr}
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class Occurrence(NamedTuple):
    """A place where a variable of the function stands: its name, where in the text, and what writes another one."""

    name: str
    place: tuple[int, int]
    write: Callable[[str], None]
    binds: bool


class _Own(NamedTuple):
    """The names that a scope binds, imports, and shares with the scope around it or with the module."""

    bound: set[str]
    imported: set[str]
    shared: set[str]
    module: set[str]


def occurrences(function: ast.FunctionDef) -> list[Occurrence]:
    """All places where variables of a function stand, inner functions included, in no order; raises `Inapplicable`.

    What the function imports or takes from around it is none of its variables.
    """
    found: list[Occurrence] = []
    _Walk(found).scope(function, frozenset())
    return found


class _Walk:
    """Walks through scopes; `known` are the variables that can be seen, those of scopes around included."""

    def __init__(self, found: list[Occurrence]) -> None:
        self.found = found

    def note(self, node: ast.AST, field: str, binds: bool) -> None:
        place = (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))
        self.found.append(Occurrence(getattr(node, field), place, partial(setattr, node, field), binds))

    def scope(self, node: Scope, known: frozenset[str]) -> None:
        """A function or lambda: what surrounds its body belongs to the scope outside."""
        arguments = node.args
        for default in (*arguments.defaults, *filter(None, arguments.kw_defaults)):
            self.visit(default, known)
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        own = _own(body)
        variables = {*parameter_names(node), *(own.bound - own.imported)} - own.shared
        inside = (known | variables) - own.module
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
        for argument in filter(None, every):
            self.note(argument, "arg", True)
        for part in body:
            self.visit(part, inside)

    def comprehension(self, node: _Comprehension, known: frozenset[str]) -> None:
        inside = known | _own([generator.target for generator in node.generators]).bound
        for place, generator in enumerate(node.generators):
            self.visit(generator.iter, inside if place else known)
            self.visit(generator.target, inside)
            for condition in generator.ifs:
                self.visit(condition, inside)
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        for part in parts:
            self.visit(part, inside)

    def visit(self, node: ast.AST, known: frozenset[str]) -> None:
        kind = type(node)
        if kind in _SCOPES:
            self.inner(node, known)
            return
        if kind in _NAMING:
            self.named(node, known)
        for field, several in _PARTS[kind]:
            value = getattr(node, field, None)
            for part in (value or ()) if several else (value,):
                if part is not None:
                    self.visit(part, known)

    def inner(self, node: ast.AST, known: frozenset[str]) -> None:
        """A function, lambda, comprehension or class."""
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            if isinstance(node, ast.FunctionDef):
                for decorator in node.decorator_list:
                    self.visit(decorator, known)
                self.name(node, "name", known, True)
            self.scope(node, known)
        elif isinstance(node, COMPREHENSIONS):
            self.comprehension(node, known)
        else:
            kind = "a class" if isinstance(node, ast.ClassDef) else "a coroutine"
            raise Inapplicable(Reason.UNSUPPORTED_SYNTAX, f"It holds {kind}, whose names are found in another way.")

    def named(self, node: ast.AST, known: frozenset[str]) -> None:
        """What a node that has no scope of its own gives a name to, or shows."""
        if isinstance(node, ast.Name):
            self.name(node, "id", known, not isinstance(node.ctx, ast.Load))
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            self.name(node, "name", known, True)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            self.name(node, "rest", known, True)
        elif isinstance(node, ast.Nonlocal):
            for place, name in enumerate(node.names):
                write = partial(node.names.__setitem__, place)
                self.found.append(Occurrence(name, (node.lineno, node.col_offset), write, False))
        elif isinstance(node, ast.JoinedStr):
            _check_text(node)

    def name(self, node: ast.AST, field: str, known: frozenset[str], binds: bool) -> None:
        if getattr(node, field) in known:
            self.note(node, field, binds)


def _own(body: Sequence[ast.AST]) -> _Own:
    """The names of a scope whose body this is; what inner functions and comprehensions bind is theirs."""
    found = _Own(set(), set(), set(), set())
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                found.bound.add(node.id)
        elif isinstance(node, ast.FunctionDef):
            found.bound.add(node.name)
        elif isinstance(node, ast.comprehension):
            waiting += (node.iter, *node.ifs)
        elif not isinstance(node, ast.Lambda):
            if type(node) in _BINDING:
                _note_own(node, found)
            for field, several in _PARTS[type(node)]:
                value = getattr(node, field, None)
                waiting += filter(None, (value or ()) if several else (value,))
    return found


def _note_own(node: ast.AST, found: _Own) -> None:
    if isinstance(node, ast.alias):
        found.imported.add((node.asname or node.name).split(".")[0])
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
        found.bound.add(node.name)
    elif isinstance(node, ast.MatchMapping) and node.rest:
        found.bound.add(node.rest)
    elif isinstance(node, ast.Nonlocal):
        found.shared.update(node.names)
    elif isinstance(node, ast.Global):
        found.module.update(node.names)


def _check_text(node: ast.JoinedStr) -> None:
    """Raise `Inapplicable` for a text that shows an expression beside its value, as `{x=}` does."""
    for before, value in zip(node.values, node.values[1:], strict=False):
        if isinstance(before, ast.Constant) and isinstance(value, ast.FormattedValue):
            told = str(before.value).rstrip()
            if told.endswith("=") and told[:-1].rstrip().endswith(ast.unparse(value.value)):
                raise Inapplicable(Reason.INTROSPECTIVE, "A text shows an expression in its own words, as `{x=}` does.")


class Renaming:
    """Renames all variables of the entry point, each to the next of `names_for`."""

    name = ""
    version = 1

    def sites(self, draft: Draft) -> int:
        """How many variables there are; raises `Inapplicable` where a program looks at them by name."""
        check_names(draft)
        return len({one.name for one in occurrences(draft.function)})

    def apply(self, draft: Draft) -> None:
        """Rename all of them at once."""
        found = occurrences(draft.function)
        old = draft.chosen(_in_order(draft.function, found))
        new = dict(zip(old, self.names_for(draft, old, _others(draft, old, found)), strict=True))
        _rename(draft, found, new)

    def names_for(self, _draft: Draft, old: Sequence[str], taken: set[str]) -> Iterator[str]:
        """A new name for each of the old ones, none of which is taken."""
        raise NotImplementedError


def rename_variables(draft: Draft, new: Mapping[str, str]) -> None:
    """Give variables of the entry point names that are not in use, wherever they stand; the others keep theirs."""
    _rename(draft, occurrences(draft.function), new)


def _rename(draft: Draft, found: Iterable[Occurrence], new: Mapping[str, str]) -> None:
    draft.renames = {name: new[name] for name in parameter_names(draft.function) if name in new}
    _rename_keywords(draft, new)
    for one in found:
        one.write(new.get(one.name, one.name))


def rename_function(draft: Draft, new: str) -> None:
    """Give the entry point a name that is not in use, and call it by that."""
    old, function = draft.entry_point, draft.function
    calls = [node for node in draft.nodes if isinstance(node, ast.Name) and node.id == old]
    hidden = {id(node) for node in _hidden(draft.tree, function, old)} if calls else ()
    for node in calls:
        if id(node) not in hidden:
            node.id = new
    function.name = new
    draft.entry_point = new


def _in_order(function: ast.FunctionDef, found: Iterable[Occurrence]) -> list[str]:
    """The variables by where they are bound first, parameters before all others."""
    own = parameter_names(function)
    places = {name: (0, place, 0) for place, name in enumerate(own)}
    for one in sorted(found, key=lambda one: (not one.binds, one.place)):
        places.setdefault(one.name, (1, *one.place))
    return sorted(places, key=lambda name: places[name])


def _rename_keywords(draft: Draft, new: Mapping[str, str]) -> None:
    """Give arguments by keyword their parameters' new names, where the entry point or an inner function is called."""
    calls = [one for one in draft.nodes if isinstance(one, ast.Call) and one.keywords]
    if not calls:
        return
    function = draft.function
    inner: dict[str, Scope] = {one.name: one for one in walk(function) if isinstance(one, ast.FunctionDef)}
    for one in walk(function):
        if isinstance(one, ast.Assign) and isinstance(one.value, ast.Lambda):
            inner |= {target.id: one.value for target in one.targets if isinstance(target, ast.Name)}
    within = set(map(id, walk(function)))
    for call in calls:
        if not isinstance(call.func, ast.Name):
            continue
        called = inner.get(call.func.id) if id(call) in within or call.func.id == function.name else None
        parameters = () if called is None else parameter_names(called)
        for given in call.keywords:
            if given.arg in parameters:
                given.arg = new.get(str(given.arg), given.arg)
                draft.beyond |= id(call) not in within


class VarNormI(Renaming):
    """Variables become `var1`, `var2`, ... in the order in which they are bound first."""

    name = "VarNormI"

    def names_for(self, _draft: Draft, old: Sequence[str], taken: set[str]) -> Iterator[str]:
        """The next number that is not in use."""
        number = 0
        for _ in old:
            number += 1
            while f"var{number}" in taken:
                number += 1
            yield f"var{number}"


class VarNormII(Renaming):
    """Variables become five random letters and digits, the first a letter, another a digit, so that none is a word."""

    name = "VarNormII"

    def names_for(self, draft: Draft, old: Sequence[str], taken: set[str]) -> Iterator[str]:
        """Words that are not in use."""
        for _ in old:
            word = ""
            while not word or word in taken or keyword.iskeyword(word) or not re.search("[0-9]", word):
                first = draft.random.choice(ascii_lowercase)
                word = first + "".join(draft.random.choice(ascii_lowercase + digits) for _ in range(4))
            taken.add(word)
            yield word


def _others(draft: Draft, old: Iterable[str], found: Iterable[Occurrence]) -> set[str]:
    """All names but the old ones that are variables of the function, and nothing else anywhere."""
    counts, every = Counter(one.name for one in found), Counter(draft.named)
    return draft.taken - {name for name in old if counts[name] == every[name]}


class FuncNorm:
    """The entry point is called `f`."""

    name = "FuncNorm"
    version = 1

    def sites(self, draft: Draft) -> int:
        """One, for the function; raises `Inapplicable` where it may be found by a text with its name."""
        check_names(draft, functions=True)
        word = re.compile(rf"\b{re.escape(draft.entry_point)}\b")
        asks = any(getattr(node, "id", getattr(node, "attr", "")) in _ASKING for node in draft.nodes)
        for node in draft.nodes:
            told = isinstance(node, ast.Constant) and isinstance(node.value, str) and word.search(node.value)
            if asks and told:
                raise Inapplicable(Reason.UNSUPPORTED_SYNTAX, f"A text holds the name {draft.entry_point}.")
            if isinstance(node, ast.Global) and draft.entry_point in node.names:
                raise Inapplicable(Reason.UNSUPPORTED_SYNTAX, f"It gives {draft.entry_point} another value.")
        return int(draft.entry_point != "f")

    def apply(self, draft: Draft) -> None:
        """Rename the function with all calls of it."""
        draft.chosen([draft.function])
        rename_function(draft, draft.fresh("f"))


def _hidden(tree: ast.Module, function: ast.FunctionDef, name: str) -> Iterator[ast.AST]:
    """The names that are variables of a function, and not the entry point."""
    for outer in tree.body:
        for node in walk(outer):
            if isinstance(node, (ast.FunctionDef, ast.Lambda)) and node is not function:
                body = [node.body] if isinstance(node, ast.Lambda) else node.body
                if name in parameter_names(node) or any(name in bound(part) for part in body):
                    yield from walk(node)
    if name in parameter_names(function) or any(name in bound(part) for part in function.body):
        yield from (node for part in function.body for node in walk(part))
