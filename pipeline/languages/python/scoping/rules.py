"""How Python looks names up, as data."""

from __future__ import annotations

from types import MappingProxyType

from pipeline.languages.python.scoping.builtin_names import BUILTINS, MODULE_NAMES
from pipeline.languages.scoping import Resume, ScopeRules

MODULE, CLASS, FUNCTION, COMPREHENSION, TYPES = "module", "class", "function", "comprehension", "type parameters"

RULES = ScopeRules(
    root=MODULE,
    builtins=BUILTINS,
    opaque=frozenset({"__import__", "eval", "exec", "globals"}),
    of_class=frozenset({"super"}),
    closed=frozenset({CLASS}),
    transparent=frozenset({TYPES}),
    ordered=MappingProxyType({CLASS: Resume.ROOT}),
    lifted=MappingProxyType({"walrus": frozenset({COMPREHENSION})}),
    implicit=MappingProxyType({MODULE: MODULE_NAMES, CLASS: frozenset({"__module__", "__qualname__"})}),
    granted=MappingProxyType({CLASS: frozenset({"__class__"})}),
)
