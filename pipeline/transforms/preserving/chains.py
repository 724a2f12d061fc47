"""Chains: operators one after the other, which make a variant of a program; the same seed makes the same one."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import StringIO
from pathlib import Path
from random import Random
from string import punctuation
from token import DEDENT, ENDMARKER, INDENT, NEWLINE, NL
from tokenize import generate_tokens

from harness.errors import UserError, guess
from harness.records import digest
from pipeline.records import Reason
from pipeline.transforms.preserving.adversarial import MisleadingComments, MisleadingHints, MisleadingNames
from pipeline.transforms.preserving.annotations import Untyped
from pipeline.transforms.preserving.assignments import AssignUnfold, AugUnfold, Swap, Ternary2If
from pipeline.transforms.preserving.branches import CondAug
from pipeline.transforms.preserving.comprehensions import Comp2Loop
from pipeline.transforms.preserving.conditions import DeMorgan, IfReverse, OperandSwap
from pipeline.transforms.preserving.constants import ConstUnfold, StringUnfold
from pipeline.transforms.preserving.dead import DeadBranch, DeadStore
from pipeline.transforms.preserving.draft import Draft, Inapplicable, Layout, Operator, shown
from pipeline.transforms.preserving.layout import BlankLines, SplitLines, Tabs
from pipeline.transforms.preserving.loops import For2While, While2For
from pipeline.transforms.preserving.names import FuncNorm, VarNormI, VarNormII
from pipeline.transforms.preserving.proof import SUITE, proof_of
from pipeline.transforms.preserving.reflection import check_told
from pipeline.transforms.preserving.words import FILES, text_of

_USUAL: Sequence[Operator] = (
    VarNormI(), VarNormII(), FuncNorm(), ConstUnfold(), For2While(), While2For(), CondAug(),
)  # fmt: skip
_FURTHER: Sequence[Operator] = (
    OperandSwap(), IfReverse(), DeMorgan(), DeadStore(), DeadBranch(), StringUnfold(), AugUnfold(), AssignUnfold(),
    Comp2Loop(), Ternary2If(), Swap(), Untyped(),
)  # fmt: skip
_LAYOUTS: Sequence[Layout] = BlankLines(), Tabs(), SplitLines()
_MISLEADING: Sequence[Operator | Layout] = MisleadingNames(), MisleadingComments(), MisleadingHints()
OPERATORS: Mapping[str, Operator | Layout] = {
    one.name: one for one in (*_USUAL, *_FURTHER, *_LAYOUTS, *_MISLEADING)
}
ADVERSARIAL = tuple(one.name for one in _MISLEADING)
"""Operators and chains that mislead on purpose, which tables keep apart from the others."""
ALTERED = "Altered"
"""What stands in place of a chain where the program means something else on purpose."""
CHAINS: Mapping[str, tuple[str, ...]] = {
    "Plain": (),
    **{one.name: (one.name,) for one in _USUAL},
    "FUV": ("For2While", "ConstUnfold", "VarNormII"),
    "AUV": ("CondAug", "ConstUnfold", "VarNormI"),
    "AFU": ("CondAug", "For2While", "ConstUnfold"),
    "All": ("CondAug", "For2While", "While2For", "ConstUnfold", "VarNormII", "FuncNorm"),
    **{one.name: (one.name,) for one in (*_FURTHER, *_LAYOUTS, *_MISLEADING)},
}
"""Names of chains, and the operators of each, as they follow one another."""
USUAL = tuple(name for name, steps in CHAINS.items() if {one.name for one in _USUAL}.issuperset(steps))
"""The chains that are made of a program unless others are named."""
_WITHIN = frozenset({"VarNormI", "VarNormII", "ConstUnfold", "For2While", "While2For", "CondAug"})
"""Operators that leave what stands around the entry point as it is, unless they say so."""
LONGEST = 4
"""A variant has at most so many times the tokens of its origin."""


@dataclass(frozen=True)
class Variant:
    """What a chain made of a program.

    `origin` is the program as it is shown beside it, `renames` gives the entry point's parameters their new names,
    `sites` is how many places each operator has changed, and `proofs` how each step was proved.
    """

    chain: str
    seed: int
    origin: str
    program: str
    entry_point: str
    renames: dict[str, str]
    sites: dict[str, int]
    proofs: dict[str, str]

    @property
    def proof(self) -> str:
        """That of the whole chain: `suite` where one of its steps is left to the cases."""
        kinds = sorted(set(self.proofs.values()))
        return SUITE if SUITE in kinds else "+".join(kinds) or "bytecode"


@dataclass(frozen=True)
class Refused:
    """Why a chain makes no variant of a program."""

    chain: str
    reason: Reason
    evidence: str


def chain_named(name: str, *others: str) -> str:
    """The name, where there is such a chain, or it is one of `others`; raises `UserError` with the nearest ones."""
    known = (*CHAINS, *others)
    if name not in known:
        raise UserError(f"There is no chain {name!r}{guess(name, known)}: name one of {', '.join(known)}.")
    return name


def dose_of(sites: int) -> int:
    """The number of places that each operator changes at most, 0 for all; raises `UserError` for one below."""
    if sites < 0:
        raise UserError("Operators can't change fewer than no places: give --sites a number from 1, or 0 for all.")
    return sites


def vary(
    program: str, entry_point: str, chain: str, seed: int, parts: Sequence[str] = (), most: int = 0
) -> Variant | Refused:
    """What a chain makes of a program; `parts` say beside the seed what it is drawn for, such as a task.

    Each operator changes at most so many places, all of them by default. It draws for itself, so that no draw depends
    on another operator.
    """
    origin = _origin(program, entry_point)
    if refusal := origin.refused(chain):
        return refusal
    text, name = origin.text, entry_point
    proofs, renames, sites = dict[str, str](), dict[str, str](), dict[str, int]()
    for step in CHAINS[chain]:
        draft = Draft.of(text, name, Random("\n".join((str(seed), *parts, chain, step))), most)
        before, text = text, _applied(OPERATORS[step], draft)
        renames = {old: draft.renames.pop(new, new) for old, new in renames.items()} | draft.renames
        name = draft.entry_point
        proofs[step] = proof_of(step, before, text)
        sites[step] = draft.changed if most else origin.sites[step]
    if CHAINS[chain] and text == origin.text:
        return Refused(chain, Reason.NOT_DIVERGENT, "It is the same program as before.")
    if _may_have_more(text, LONGEST * origin.tokens) and len(tokens(text)) > LONGEST * origin.tokens:
        return Refused(chain, Reason.VARIANT_TOO_LONG, f"It has more than {LONGEST} times the tokens.")
    return Variant(chain, seed, origin.text, text, name, renames, sites, proofs)


def _applied(operator: Operator | Layout, draft: Draft) -> str:
    if isinstance(operator, Layout):
        return operator.write(draft)
    operator.apply(draft)
    return draft.text_around if operator.name in _WITHIN and not draft.beyond else draft.text


class _Origin:
    """A program as it is shown, with what each operator finds in it, or why it leaves it alone."""

    def __init__(self, program: str, entry_point: str) -> None:
        self.text = shown(program)
        self.tokens = len(tokens(self.text))
        self.sites: dict[str, int] = {}
        self._draft: Draft | None = None
        self._refusals: dict[str, tuple[Reason, str]] = {}
        try:
            self._draft = Draft.of(self.text, entry_point, Random(0))
            check_told(self._draft, "__doc__" in program and ast.get_docstring(ast.parse(program)) is not None)
        except Inapplicable as refusal:
            self._refusals[""] = refusal.reason, str(refusal)

    def refused(self, chain: str) -> Refused | None:
        """Why a chain can't be applied: one operator of it is enough, as none lives of what another one brings."""
        for name in CHAINS[chain]:
            self._look(name)
        for name in CHAINS[chain]:
            if self.sites.get(name) == 0:
                return Refused(chain, Reason.NOT_APPLICABLE, f"There is nothing for {name} to change.")
        for name in ("", *CHAINS[chain]):
            if name in self._refusals:
                return Refused(chain, *self._refusals[name])
        return None

    def _look(self, name: str) -> None:
        """Let an operator look at the program, unless it has."""
        if self._draft is not None and name not in self.sites and name not in self._refusals:
            try:
                self.sites[name] = OPERATORS[name].sites(self._draft)
            except Inapplicable as refusal:
                self._refusals[name] = refusal.reason, str(refusal)


@lru_cache(maxsize=16)
def _origin(program: str, entry_point: str) -> _Origin:
    """Read a program once for all chains."""
    return _Origin(program, entry_point)


_UNMARKED = str.maketrans("", "", punctuation.replace("_", ""))
_LAYOUT = frozenset({DEDENT, ENDMARKER, INDENT, NEWLINE, NL})


@lru_cache(maxsize=64)
def tokens(program: str) -> tuple[str, ...]:
    """The tokens of a program, without those that only lay it out."""
    return tuple(one.string for one in generate_tokens(StringIO(program).readline) if one.type not in _LAYOUT)


def _may_have_more(program: str, count: int) -> bool:
    """Whether a program may have more tokens than this: each is a word, parted by marks and blanks, or holds a mark."""
    return len(program.split()) + 2 * (len(program) - len(program.translate(_UNMARKED))) > count


def version() -> str:
    """A text that changes with what operators and proofs do, for stages whose variants depend on it."""
    code = (file.read_text("utf-8") for file in sorted(Path(__file__).parent.glob("*.py")))
    return digest(*code, *map(text_of, FILES))
