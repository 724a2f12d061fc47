"""Drafts: what goes into the sandbox for one suite, and what comes out, as records that cross its border as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

from harness.records import Json
from pipeline.records import Reason
from pipeline.suites.domain.parameter import NOBODY_ASKED, Asked

MAX_EVIDENCE = 1500

@dataclass(frozen=True)
class Further:
    """What somebody else gives a search; inputs have an encoded value for each parameter.

    Where a language model was asked, `found` are inputs of the search before, one for each branch or so, and `drawn`
    come from its strategies. `typical` says that a maintainer wrote these: what they give is as callers pass it, and
    they alone are published.
    """

    found: tuple[dict[str, Json], ...] = ()
    drawn: tuple[dict[str, Json], ...] = ()
    asked: Asked = NOBODY_ASKED
    typical: bool = False


@dataclass(frozen=True)
class SuiteRequest:
    """A function to build a suite for: `seed` decides all choices, `preload` are the libraries that it imports.

    `calls` are the arguments of calls with literals elsewhere in its project, as source text. `contract` are conditions
    that every input keeps (`pipeline.suites.domain.contract`), `examples` calls that become cases where they can.
    `unreachable` are the claims of a `Subject`, `wrong` programs that the cases have to refuse.
    """

    id: str
    program: str
    entry_point: str
    seed: int
    preload: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    further: Further | None = None
    contract: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    unreachable: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> SuiteRequest:
        """The request that `asdict` has made a document of."""
        further = document["further"]
        if further is not None:
            found, drawn, asked = (further[name] for name in ("found", "drawn", "asked"))
            asked = Asked(tuple(asked["functions"]), tuple(asked["names"]))
            further = Further(tuple(found), tuple(drawn), asked, document["further"]["typical"])
        names = ("preload", "calls", "contract", "examples", "unreachable", "wrong")
        lists = {name: tuple(document[name]) for name in names}
        return cls(**{**document, **lists, "further": further})


@dataclass(frozen=True)
class DescribedParameter:
    """A parameter in words: its `kind`, its `type` as annotations have it, and why that is thought."""

    name: str
    kind: str
    type: str
    declared: bool
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ablation:
    """How a search is tried that no suite is needed of: without some rules, and up to the phase `cover` alone.

    The draft of such a search is refused, without a reason where all branches are covered.
    """

    without: tuple[str, ...] = ()
    coverage_alone: bool = True


@dataclass(frozen=True)
class Reached:
    """How far a search without a suite has come: `coverage` is a share of the branches (statements without any).

    `missing` are pairs of lines, `uncovered` the same in words. Another search may go on from `inputs`, one for each
    branch that was taken; `wanted` are the parameters for which values can be built.
    """

    branches: int
    coverage: float
    uncovered: tuple[str, ...]
    missing: tuple[tuple[int, int], ...]
    inputs: tuple[dict[str, Json], ...]
    wanted: tuple[str, ...]


@dataclass(frozen=True)
class Offered:
    """What became of the inputs that a language model's strategies have drawn: outcomes and exceptions, in counts."""

    outcomes: dict[str, int] = field(default_factory=dict)
    nonsense: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Asking:
    """That a model was asked: how many answers it gave, why the search alone had failed, branches that it left out."""

    model: str
    answers: int
    reason: str
    left_out: int


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What suites and refusals have in common: what is known of the parameters, and what it has cost in CPU seconds.

    `steps` are the seconds of each phase; `told` says, for whoever reads why a function left, that a model was asked;
    `fired` are the rules that have found or changed anything, where an ablation asks for them.
    """

    parameters: tuple[DescribedParameter, ...] = ()
    steps: dict[str, float] = field(default_factory=dict)
    cpu_seconds: float = 0.0
    offered: Offered | None = None
    asked: Asking | None = None
    told: str = ""
    fired: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Refused(Outcome):
    """Why there is no suite; `reason` is the name of a `Reason` in lower case, `slow` that smaller inputs may do."""

    reason: str
    evidence: str
    reached: Reached | None = None
    slow: bool = False

    @classmethod
    def of(
        cls, reason: str, evidence: str, parameters: tuple[DescribedParameter, ...] = (),
        reached: Reached | None = None,
    ) -> Refused:
        """A refusal; what differs from machine to machine is cut from the evidence."""
        evidence = re.sub(r"(?<![\w.])/(?:[\w.+-]+/)+", "", re.sub(r" at 0x[0-9a-f]+", "", evidence))
        return cls(reason=reason, evidence=evidence[:MAX_EVIDENCE], parameters=parameters, reached=reached)

    @property
    def why(self) -> Reason:
        """The reason as those that read rejections know it."""
        return Reason[self.reason.upper()]


@dataclass(frozen=True)
class DraftCase:
    """An input without its answer: encoded arguments, the goals and outcomes of conditions that it covers, by number.

    `kind` is `returned` or `raised`; `usual` says that it is as callers pass it.
    """

    args: tuple[Json, ...]
    kwargs: dict[str, Json]
    covered: tuple[int, ...]
    conditions: tuple[int, ...]
    kind: str
    usual: bool


@dataclass(frozen=True)
class Easiest:
    """The shortcut answer that passes the most cases, and the share of them."""

    stub: str
    share: float


@dataclass(frozen=True, kw_only=True)
class SuiteDraft(Outcome):
    """A suite whose answers are not recorded yet.

    `goals` are branches and statements as pairs of lines, `conditions` the line, the text and the outcome of each;
    `unmet` are outcomes that no case has; `lite` are places of cases; `alive` are mutants that no case kills;
    `branches` and `taken` are coverage.py's numbers; `unsettled` inputs were left out because rounding decides their
    answers; `calls` and `outcomes` are what the search did; `undrawn` are branches and statements, in words, that the
    printed test does not take; `excused` are branches and statements of members that are proved out of reach, each with
    its proof.
    """

    reason: ClassVar[str] = ""
    evidence: ClassVar[str] = ""
    cases: tuple[DraftCase, ...]
    goals: tuple[tuple[int, int], ...]
    conditions: tuple[tuple[int, str, str], ...]
    unmet: tuple[str, ...]
    lite: tuple[int, ...]
    mutants: int
    alive: tuple[str, ...]
    easiest: Easiest
    branches: int
    taken: int
    unsettled: int
    distinct: int
    calls: int
    outcomes: dict[str, int]
    strategies: str
    undrawn: tuple[str, ...] = ()
    excused: tuple[str, ...] = ()

    @property
    def raising(self) -> int:
        """How many cases raise."""
        return sum(case.kind == "raised" for case in self.cases)

    @property
    def usual(self) -> int:
        """How many cases are as callers pass them."""
        return sum(case.usual for case in self.cases)


Draft = SuiteDraft | Refused


def written(draft: Draft) -> str:
    """A draft as one line of JSON, in ASCII."""
    return json.dumps({"draft": type(draft).__name__, **vars(draft)}, default=vars)


def read(line: str | bytes) -> Draft:
    """The draft of such a line; raises `ValueError` where it is none."""
    try:
        document = json.loads(line)
        kind = document.pop("draft")
        fields = {name: _READERS.get(name, _as_it_is)(value) for name, value in document.items()}
        return SuiteDraft(**fields) if kind == "SuiteDraft" else Refused(**fields)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"This is no draft of a suite: {error}") from error


def specification(draft: SuiteDraft) -> dict[str, Json]:
    """What a release publishes of how the cases were found."""
    found: dict[str, Json] = {
        "parameters": [asdict(one) for one in draft.parameters],
        "goals": [list(goal) for goal in draft.goals],
        "search": {"calls": draft.calls, "outcomes": draft.outcomes},
        "unmet": list(draft.unmet),
        "easiest": asdict(draft.easiest),
    }
    return found | ({"asked": asdict(draft.asked)} if draft.asked else {})


def _as_it_is(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _pairs(value: Any) -> Any:
    return tuple(tuple(one) for one in value)


def _reached(value: Any) -> Reached | None:
    if value is None:
        return None
    lists = {name: tuple(value[name]) for name in ("uncovered", "inputs", "wanted")}
    return Reached(value["branches"], value["coverage"], missing=_pairs(value["missing"]), **lists)


def _parameters(value: Any) -> tuple[DescribedParameter, ...]:
    return tuple(DescribedParameter(**{**one, "evidence": tuple(one["evidence"])}) for one in value)


def _cases(value: Any) -> tuple[DraftCase, ...]:
    lists = ("args", "covered", "conditions")
    return tuple(DraftCase(**{**one, **{name: tuple(one[name]) for name in lists}}) for one in value)


_READERS: dict[str, Callable[[Any], Any]] = {
    "parameters": _parameters, "cases": _cases, "reached": _reached, "goals": _pairs, "conditions": _pairs,
    "offered": lambda value: value and Offered(value["outcomes"], _pairs(value["nonsense"])),
    "asked": lambda value: value and Asking(**value), "easiest": lambda value: Easiest(**value),
}
