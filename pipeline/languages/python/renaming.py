"""A function's tokens with its own names replaced, so that a function whose variables were renamed stays the same.

Replaced are the names that it binds: parameters, variables, the functions and classes in it, aliases of its imports.
They become numbers in the order in which they first occur. What it takes from elsewhere stays: globals, builtins,
attributes, the names of keyword arguments. All scopes inside a function count as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

_WITH_TARGET = frozenset((
    b"(assignment", b"(augmented_assignment", b"(named_expression", b"(default_parameter", b"(as_pattern_target",
    b"for", b"as", b"def", b"class",
))  # fmt: skip
"""The tokens that something bound comes after."""
_PARAMETERS = frozenset((b"(parameters", b"(lambda_parameters"))
_PATTERNS = frozenset((b"(case_pattern", b"(keyword_pattern", b"(splat_pattern"))
_GLOBAL = b"(global_statement"
_BINDERS = _WITH_TARGET | _PARAMETERS | _PATTERNS | {_GLOBAL}
_HOLDERS = frozenset((b"(tuple", b"(list", b"(list_splat", b"(dictionary_splat_pattern"))
"""The nodes of a target that hold targets; an attribute or an element that is assigned to binds no name."""
_DOTTED = b"(dotted_name"
_FIELD = re.compile(rb"\{[^}]*\}")


def renamed(tokens: list[bytes]) -> list[bytes]:
    """The tokens of a function with numbers in the place of the names that it binds."""
    bound = _bound(tokens)
    numbers = {name: b"$%d" % number for number, name in enumerate(dict.fromkeys(filter(bound.__contains__, tokens)))}
    specifiers = {token: _FIELD.sub(b"{}", token) for token in tokens if token[:1] == b":" and b"{" in token}
    new = numbers | specifiers
    return [new.get(token, token) for token in tokens]


def _bound(tokens: list[bytes]) -> set[bytes]:
    found: set[bytes] = set()
    elsewhere: set[bytes] = set()
    for at in [at for at, token in enumerate(tokens) if token in _BINDERS]:
        token = tokens[at]
        if token in _WITH_TARGET:
            found.update(_targets(tokens, at + 1))
        elif token in _PARAMETERS:
            found.update(_names(_inside(tokens, at)))
        elif token == _GLOBAL:
            elsewhere.update(_inside(tokens, at))
        else:
            found.update(_names(_captured(tokens, at)))
    return found - elsewhere


def _targets(tokens: list[bytes], at: int) -> Iterator[bytes]:
    """The names that the target at a place binds."""
    first = tokens[at : at + 1]
    yield from _names(_inside(tokens, at) if first and first[0] in _HOLDERS else first)


def _inside(tokens: list[bytes], at: int) -> Iterator[bytes]:
    """The tokens of the node that opens at a place, and of those in it that hold targets."""
    depth = skipped = 0
    for token in tokens[at:]:
        if token[:1] == b"(" and len(token) > 1:
            depth += 1
            if not skipped and depth > 1 and token not in _HOLDERS:
                skipped = depth
        elif token[:1] == b")" and len(token) > 1:
            skipped = 0 if skipped == depth else skipped
            depth -= 1
            if not depth:
                return
        elif not skipped:
            yield token


def _captured(tokens: list[bytes], at: int) -> Sequence[bytes]:
    """What a pattern of `match` captures: a single name, perhaps behind a keyword or stars."""
    start = at + {b"(case_pattern": 1, b"(splat_pattern": 2, b"(keyword_pattern": 3}[tokens[at]]
    if tokens[start : start + 1] != [_DOTTED]:
        return tokens[start : start + 1] if tokens[at] == b"(splat_pattern" else ()
    return tokens[start + 1 : start + 2] if tokens[start + 2 : start + 3] == [b")dotted_name"] else ()


def _names(tokens: Iterable[bytes]) -> Iterator[bytes]:
    return (token for token in tokens if token[:1].isalpha() or token[:1] == b"_" or token[:1] >= b"\x80")
