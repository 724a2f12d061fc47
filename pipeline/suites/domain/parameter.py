"""A parameter of a function: what it may be, whether it may be left out, and what it has to do with another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pipeline.suites.domain.spec import Spec


@dataclass(frozen=True)
class Relation:
    """What the value of `target` has to do with that of `source`, in the share of the inputs that it says.

    `kind` is `index` (a place in it), `size` (about its length), `key` (of it or of its items), `part` (contained in
    it), `members` (made of what it holds), `above` (not below it), `length` (as long as it), `count` (its length),
    `shared` (has something in common) or `similar`. `others` are further parameters to which it relates in that way,
    one of which stands for the source now and then.
    """

    kind: str
    target: str
    source: str
    share: float = 0.5
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class Asked:
    """Strategies that a language model has written: sources of functions without arguments, called `asked_1` and so on.

    Each gives a strategy for dictionaries with a value for each of the parameters called `names`.
    """

    functions: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @staticmethod
    def name(number: int) -> str:
        """The name of a function, by its number from 1 on."""
        return f"asked_{number}"


NOBODY_ASKED = Asked()


@dataclass(frozen=True)
class Parameter:
    """A parameter, what it may be, and why that is thought.

    `kind` is `positional`, `keyword`, `variadic` (`*args`) or `keywords` (`**kwargs`); `optional` says that it has a
    default, which `default` is where it is a literal; `declared` says that annotation or docstring name the type;
    `relation` is how it relates to another one; `examples` are values that the documentation shows; `annotated` says
    that it is the annotation that names the type.
    """

    name: str
    kind: str
    spec: Spec
    optional: bool = False
    default: Any = None
    declared: bool = False
    evidence: tuple[str, ...] = ()
    relation: Relation | None = None
    examples: tuple[Any, ...] = ()
    annotated: bool = False
