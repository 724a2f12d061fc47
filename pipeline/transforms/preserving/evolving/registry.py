"""All 22 operators by their codes, and how often each may be applied."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from harness.errors import UserError, guess
from harness.records import digest
from pipeline.shipped import shipped
from pipeline.transforms.preserving.evolving.augmented import TransformAugAssignment
from pipeline.transforms.preserving.evolving.bundling import CreateModuleDependencies
from pipeline.transforms.preserving.evolving.compound import TransformPrimToCompound
from pipeline.transforms.preserving.evolving.decorating import IntroduceDecorator
from pipeline.transforms.preserving.evolving.extraction import CreateFunction
from pipeline.transforms.preserving.evolving.growing import Evolver
from pipeline.transforms.preserving.evolving.handlers import AddTryExcept
from pipeline.transforms.preserving.evolving.hoisted import (
    AddBase64,
    AddCrypto,
    AddDatetime,
    AddDateutil,
    AddHttp,
    AddScipy,
    AddSklearn,
    AddTime,
)
from pipeline.transforms.preserving.evolving.nested import AddNestedFor, AddNestedIf, AddNestedWhile
from pipeline.transforms.preserving.evolving.numeric import ReplaceNumpy
from pipeline.transforms.preserving.evolving.recursion import TransformLoopToRecursion
from pipeline.transforms.preserving.evolving.renaming import RenameFunction, RenameVariable
from pipeline.transforms.preserving.evolving.threads import AddThread
from pipeline.transforms.preserving.words import VARIABLES, text_of

FILE, USUAL = "data/operators.toml", "usual"
_ALL: Sequence[Evolver] = (
    AddNestedFor(), AddNestedIf(), AddNestedWhile(), AddThread(), AddTryExcept(), CreateFunction(),
    CreateModuleDependencies(), IntroduceDecorator(), ReplaceNumpy(), TransformAugAssignment(),
    TransformLoopToRecursion(), TransformPrimToCompound(), AddBase64(), AddCrypto(), AddDatetime(), AddDateutil(),
    AddHttp(), AddScipy(), AddSklearn(), AddTime(), RenameVariable(), RenameFunction(),
)  # fmt: skip
EVOLVERS: Mapping[str, Evolver] = {one.code: one for one in _ALL}


@dataclass(frozen=True)
class Limits:
    """How often each operator may be applied, and how often those that bring a library may in all.

    What is `rare` (the code of an operator, or that and the beginning of a way) is for one program in `rich`, by its
    seed: persons hardly write it, but all operators are to be seen.
    """

    each: Mapping[str, int]
    libraries: int
    rare: tuple[str, ...] = ()
    rich: int = 1

    def allow(self, used: Mapping[str, int], code: str) -> bool:
        """Whether an operator may be applied once more."""
        brought = sum(count for one, count in used.items() if one.startswith("A"))
        return used.get(code, 0) < self.each[code] and not (code.startswith("A") and brought >= self.libraries)

    def of(self, seed: int) -> Limits:
        """The limits of the program that is made by a seed."""
        return replace(self, rare=() if seed % self.rich == 0 else self.rare)

    def is_rare(self, code: str, way: str) -> bool:
        """Whether an operator is kept from a place by what is rare."""
        return any(f"{code} {way} ".startswith(f"{one} ") for one in self.rare)


@cache
def limits(name: str = USUAL) -> Limits:
    """Those of that name in the file of data; raises `UserError` where it has none."""
    every = tomllib.loads(shipped(FILE).read_text("utf-8"))
    if name not in every:
        raise UserError(f"There are no limits {name!r}{guess(name, every)}: name some of {', '.join(every)}.")
    told = every[name]
    uses = told["uses"]
    each = {code: uses.get(code, uses.get(code[0], uses["other"])) for code in EVOLVERS}
    return Limits(each, told["libraries"], tuple(told.get("rare", ())), told.get("rich", 1))


def evolvers_named(codes: Sequence[str]) -> tuple[str, ...]:
    """The operators of these codes, all without any; raises `UserError`."""
    for code in codes:
        if code not in EVOLVERS:
            near = guess(code, EVOLVERS)
            raise UserError(f"There is no operator {code!r}{near}: name some of {', '.join(EVOLVERS)}.")
    return tuple(code for code in EVOLVERS if code in codes) if codes else tuple(EVOLVERS)


def version() -> str:
    """A text that changes with what the operators do."""
    here = Path(__file__).parent
    files = [*sorted(here.glob("*.py")), *sorted(here.parent.glob("*.py")), shipped(FILE)]
    return digest(*(file.read_text("utf-8") for file in files), text_of(VARIABLES))
