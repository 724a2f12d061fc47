"""The published rows: a task, its cases, where it came from, and the verdict on an answer to it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar

SCHEMA_VERSION = 6
"""The version of the rows that are written now."""
PLAIN_VERSION, FRAMED_VERSION = 4, 5
"""Versions of rows from before `SHOWN` was told: without a frame, and of tasks whose answers stand in one."""
VERSIONS = (PLAIN_VERSION, FRAMED_VERSION, SCHEMA_VERSION)
SHOWN = ("not_before", "state")
"""What provenance tells since version 6, and in no version before."""
FIRST_LANGUAGE = "python"
"""The language of a release whose manifest has one runtime and does not say for which language."""
FIRST_FAMILY = "function"
LAYERED_FAMILY = "lsc"
WHOLE_FAMILY = "whole"
OUTPUT_FAMILY, INPUT_FAMILY, OUTCOME_FAMILY = "output", "input", "outcome"
TRANSLATION = "translation"
"""The family of a track whose name has none."""
MAINTAINER = "maintainer"
"""Who instructed, or judged, where it was done by hand."""
BLIND = "blind:"
"""What stands before the pseudonyms of those who answered a task blind, among its solvers."""
CANARY = "code2bench-canary 6b1f0c52-7f0e-4f5e-9a53-0d6c4be1a2f7"

Json = Any
"""A value that `json.dumps` takes: what `harness.values.encode` gives."""


class Dependence(StrEnum):
    """What a program may depend on (paper, section 2.2): on nothing but its language, or on some libraries too."""

    SC = "sc"
    WSC = "wsc"


class Track(str):
    """A configuration of the published dataset, by its name: `sc-python`, or with a family `completion-sc-python`.

    It says `family`, `dependence` (None for families that have all in one track, such as `method-python`) and
    `language`; raises `ValueError` for a name of another form.
    """

    __slots__ = ("dependence", "family", "language")

    SC_PYTHON: ClassVar[Track]
    WSC_PYTHON: ClassVar[Track]

    dependence: Dependence | None
    language: str
    family: str

    def __new__(cls, name: str) -> Track:
        """The track of a name."""
        *rest, language = name.split("-")
        made = super().__new__(cls, name)
        made.dependence = Dependence(rest.pop()) if rest and rest[-1] in set(Dependence) else None
        made.language, made.family = language, rest[0] if rest else FIRST_FAMILY
        if made != cls.named(made.family, made.dependence, language) or not (made.family and language):
            raise ValueError(f"{name!r} is no track; one is called like sc-python")
        return made

    @staticmethod
    def named(family: str, dependence: Dependence | None, language: str) -> str:
        """The name of the track of a family, a dependence and a language."""
        parts = ["" if family == FIRST_FAMILY and dependence else family, dependence or "", language]
        return "-".join(part for part in parts if part)


Track.SC_PYTHON, Track.WSC_PYTHON = Track("sc-python"), Track("wsc-python")


class Difficulty(StrEnum):
    """How hard a task is (paper, Tables 7 and 8)."""

    EASY = "Easy"
    MEDIUM = "Medium"
    HARD = "Hard"


class Spectrum(StrEnum):
    """What became of an answer, from worst to best: the paper's places (section 4.2), and two that it counts to others.

    `NoAnswer` is an answer that is missing or holds no code, for the paper a `SyntaxErr`; `Timeout` is code that passes
    no case and only hung, for the paper a `LogicErr`.
    """

    NO_ANSWER = "NoAnswer"
    SYNTAX_ERR = "SyntaxErr"
    RUNTIME_ERR = "RuntimeErr"
    TIMEOUT = "Timeout"
    LOGIC_ERR = "LogicErr"
    FAIL = "Fail"
    PARTIAL_LOW = "PartialLow"
    PARTIAL_HIGH = "PartialHigh"
    NEAR_PERF = "NearPerf"
    PERFECT = "Perfect"

    @property
    def in_paper(self) -> Spectrum:
        """The place among the paper's eight."""
        return {Spectrum.NO_ANSWER: Spectrum.SYNTAX_ERR, Spectrum.TIMEOUT: Spectrum.LOGIC_ERR}.get(self, self)


@dataclass(frozen=True)
class Answer:
    """What one call gave: a value or an exception, and the arguments where the call changed them.

    `value` and `mutated` are encoded with `harness.values`. `mutated` is the list of all positional arguments
    followed by the keyword-only ones in the case's order after the call, or None where none of them changed.
    """

    kind: str  # "returned" or "raised"
    value: Json = None
    exception: str = ""
    message: str = ""
    mutated: Json = None


@dataclass(frozen=True)
class Case:
    """One input and the reference's answer to it; everything in it is encoded with `harness.values`."""

    args: tuple[Json, ...]
    kwargs: dict[str, Json]
    expected: Answer


@dataclass(frozen=True)
class Comparison:
    """When two answers are the same, as data on the task.

    `unordered`: top-level lists compare as multisets, because the reference's order comes from a set.
    `messages`: exceptions must agree in their text too, because the instruction promises it.
    `mutation`: arguments must be left as the reference leaves them.
    """

    relative: float = 1e-9
    absolute: float = 1e-12
    unordered: bool = False
    messages: bool = False
    mutation: bool = False


@dataclass(frozen=True)
class Provenance:
    """Where a function came from, what shows that it is new, and under which licence it is.

    Dates are ISO 8601 in UTC. `revision` is the released version, or the commit that brought the function;
    `revision_date` its upload time or committer date; `author_date` is empty for registries. `baseline` names what the
    function was compared with, and `similarity` (0 to 1, 5-token shingles) is that to its nearest baseline function.

    `first_seen` is the time of the first archive or commit that was read and has the function, `not_before` that of the
    newest before it, in which the function was looked for and not found; "" where there is none, and in rows of
    versions before 6. `state` is the released version or the commit in whose file `path` the lines are, "" in rows of
    versions before 6.
    """

    source: str
    project: str
    domain: str
    url: str
    path: str
    line_start: int
    line_end: int
    revision: str
    revision_date: str
    author_date: str
    archive: str
    archive_sha256: str
    first_seen: str
    baseline: tuple[str, ...]
    similarity: float
    nearest: str
    licence: str
    licence_source: str
    not_before: str = ""
    state: str = ""


@dataclass(frozen=True)
class Member:
    """Something of its project that a function needs, and where it stands: a `constant`, a `function` or a `class`.

    `names` are those that it defines, separated by commas; lines count from 1. `licence` is that of its file. `new`
    says of a function whether it is new since the cutoff, by the rules that hold for those that are asked for.
    """

    names: str
    kind: str
    path: str
    line_start: int
    line_end: int
    fingerprint: str
    licence: str
    new: bool | None = None


@dataclass(frozen=True)
class Measures:
    """Numbers about a reference answer: lines of code, McCabe complexity, nesting depth, branches."""

    lines: int
    complexity: int
    depth: int
    branches: int


@dataclass(frozen=True)
class Strength:
    """How sharp a suite is: the shares of wrong variants of the reference that some case tells from it.

    `mutation_score` is of variants with one change, None until they were run; `survivors` are those that no case tells.
    `higher_order_score` is of variants with two or three changes, None where there are fewer than two statements to
    change.
    """

    branch_coverage: float
    mutation_score: float | None = None
    survivors: tuple[str, ...] = ()
    higher_order_score: float | None = None


@dataclass(frozen=True)
class Sufficiency:
    """Whether somebody who sees the instruction alone can implement it: what became of `solvers`' attempts at it.

    Of `attempts` answers `solved` passed all cases. `mended` says that the instruction told too little at first and was
    written anew with what was missing. Where nobody solved it, a hint on the behaviour did not help either.
    """

    solvers: tuple[str, ...]
    attempts: int
    solved: int
    mended: bool = False


@dataclass(frozen=True)
class Wording:
    """Another wording of an instruction, which asks for the same function; `text` is all of it, examples left out.

    `kind` is `level` (how much is told: `level` 1 the purpose, 2 the behaviour, 3 the steps, with names),
    `rephrasing` (of that level, `number` counts them from 1), or `translation` (there and back, by way of `language`).
    """

    kind: str
    level: int
    number: int
    language: str
    text: str
    author: str


@dataclass(frozen=True)
class Frame:
    """Code that stands around an answer: the program that runs is `before`, the answer, and `after`."""

    before: str = ""
    after: str = ""


@dataclass(frozen=True)
class Variation:
    """Of which variant of a task's program something is asked, and about which of its cases.

    `chain` names the operators, "" where a description is shown in place of a program; `seed` and `draw` repeat the
    variant. `case` is the place of the case in the task `origin`, whose digest was `origin_digest`. `prior` is the
    share of that task's cases that give the same answer as the origin there, 0 to 1. `reasoned` says that solvers are
    asked to reason first; the paper lets them answer at once. `steps` is how many statements the program that is shown
    executes in the case, 0 where none is shown or nobody has counted.
    """

    chain: str
    draw: int
    seed: int
    origin_digest: str
    case: int
    prior: float
    reasoned: bool = False
    steps: int = 0


@dataclass(frozen=True)
class Task:
    """One row of a release: all that is needed to ask for an answer and to judge it.

    `sufficiency` is None where no solver was asked; `variants` are other wordings of the instruction. `given` is what
    is given besides the instruction, None where that is nothing. `undrawn` are the branches and statements of the
    reference that the strategies do not take, None where they take all.

    Of a function that needs more of its project, `members` are that, given or part of the reference, and `layers` is 0
    where all of them are constants, else the number of calls from the function down to the last of them. `excused` are
    branches of members that are proved out of reach, with the proofs; `entry_score` is the mutation score of the
    function alone. `origin` is the id of the task that asks about the same function in another way, None where this one
    is the function's own. `contract` are the conditions on the parameters that every case keeps, as Python: a
    maintainer's, else what annotations say, None where neither says any; `original` is the function's name in its
    project, None where that is the entry point. `variation` says what a task that asks about programs asks about;
    `shots` are the worked examples that its prompt shows, as JSON (`harness/shots.py`), None where there are none.
    """

    task_id: str
    task_digest: str
    track: str
    language: str
    family: str
    entry_point: str
    signature: str
    imports: tuple[str, ...]
    libraries: tuple[str, ...]
    instruction: str
    difficulty: str
    domain: str
    reference: str
    cases: tuple[Case, ...]
    lite: tuple[int, ...] | None
    strategies: str
    comparison: Comparison
    measures: Measures
    strength: Strength
    raising: float
    usual: float
    judged_by: str
    instructed_by: str
    provenance: Provenance
    sufficiency: Sufficiency | None
    variants: tuple[Wording, ...]
    schema_version: int = SCHEMA_VERSION
    canary: str = CANARY
    given: Frame | None = None
    undrawn: tuple[str, ...] | None = None
    layers: int | None = None
    members: tuple[Member, ...] | None = None
    excused: tuple[str, ...] | None = None
    entry_score: float | None = None
    origin: str | None = None
    contract: tuple[str, ...] | None = None
    original: str | None = None
    variation: Variation | None = None
    shots: str | None = None

    @property
    def id(self) -> str:
        """The task's id, under the name that all records of the flow have for theirs."""
        return self.task_id

    @property
    def program(self) -> str:
        """The reference with what is given around it: a program that runs."""
        frame = self.given or Frame()
        return frame.before + self.reference + frame.after


@dataclass(frozen=True)
class Program:
    """A variant of a task's program with what shows that it means the same, or why a chain makes none.

    `renames` gives the entry point's parameters their new names, `sites` is how many places each operator has changed.
    `proof` is `bytecode`, `inverse`, `suite`, or `altered` for a program that means something else on purpose; `cases`
    and `inputs` are how many cases of the suite and further inputs it answered as its origin does, to the last bit.
    Against the origin, by tokens: `bleu` (0 to 100), `edit` (distance, 0 to 1), `shingles` (share of the origin's
    5-token runs that are left), and `ten_gram`, whether any run of 10 is. Where there is none, `reason` is why, with
    the `evidence`, and `program` is "".
    """

    variant_id: str
    task_id: str
    task_digest: str
    track: str
    chain: str
    operators: tuple[str, ...]
    draw: int
    seed: int
    entry_point: str = ""
    program: str = ""
    renames: Json = None
    sites: Json = None
    proof: str = ""
    cases: int = 0
    inputs: int = 0
    bleu: float = 0.0
    edit: float = 0.0
    shingles: float = 0.0
    ten_gram: bool = False
    lines: int = 0
    tokens: int = 0
    reason: str = ""
    evidence: str = ""


@dataclass(frozen=True)
class Translation:
    """A program that is to be written in another language, or why it can't be asked for.

    It is the program of `chain` and `draw`. `signature` is the method in that language, with types that hold every
    value of the suite; of its `total` cases `cases` are the numbers of those that can be carried exactly. `system` and
    `user` are what is asked. Nothing is `scored` yet. Where there is none, `reason` is why, with the `evidence`.
    """

    item_id: str
    variant_id: str
    task_id: str
    task_digest: str
    track: str
    chain: str
    draw: int
    language: str
    entry_point: str = ""
    signature: str = ""
    cases: tuple[int, ...] = ()
    total: int = 0
    system: str = ""
    user: str = ""
    scored: bool = False
    reason: str = ""
    evidence: str = ""


@dataclass(frozen=True)
class Edit:
    """A change of a text: what stood at `start` (characters from the text's beginning), and what stands there now."""

    start: int
    before: str
    after: str


@dataclass(frozen=True)
class PromptVariant:
    """Another way to put a task's question, or why a strategy makes none.

    (Prompt mutation.) `number` counts the variants of a strategy from 1; `seed` and `rate` (the share of words that
    were changed, 0 to 1) repeat it. `entry_point`, `signature`, `instruction` and `reference` are those of the task
    that is asked, "" where they are the first task's; `renames` gives parameters their new names. `edits` are the
    changes of the instruction's text. `shown` are the numbers of the cases that its examples show, `scored` those that
    count in all variants of the task: the ones that none of them shows.

    `information` says whether it tells as much as the first instruction (`same`), `more` or `less`. `meaning` says what
    shows that it asks for the same: `construction`, `rules`, `checked:MODEL`, or `unchecked`. `author` is `rules` or
    `llm:MODEL`, `similarity` that of both texts by words (0 to 1). Where there is none, `reason` is why, with the
    `evidence`.
    """

    variant_id: str
    task_id: str
    task_digest: str
    track: str
    strategy: str
    number: int
    seed: int
    rate: float = 0.0
    entry_point: str = ""
    signature: str = ""
    instruction: str = ""
    reference: str = ""
    renames: Json = None
    edits: tuple[Edit, ...] = ()
    shown: tuple[int, ...] = ()
    scored: tuple[int, ...] = ()
    information: str = "same"
    meaning: str = "construction"
    author: str = "rules"
    similarity: float = 1.0
    reason: str = ""
    evidence: str = ""


@dataclass(frozen=True)
class CaseResult:
    """What became of one case: `passed`, `wrong`, `raised`, `timeout`, `crashed`, or `unencodable`."""

    status: str
    detail: str = ""


@dataclass(frozen=True)
class Failure:
    """The failed case with the smallest arguments: its place in the task's cases, and what the answer gave, for people.

    `got` is Python where a value has a short text, and "" where the answer gave none.
    """

    case: int
    got: str = ""


@dataclass(frozen=True)
class Verdict:
    """The judgement on one answer to one task; `cases` are in the order of the task's cases."""

    task_id: str
    task_digest: str
    outcome: Spectrum
    passed: int
    total: int
    detail: str = ""
    cases: tuple[CaseResult, ...] = field(default=(), repr=False)
    failure: Failure | None = None

    @property
    def pass_rate(self) -> float:
        """The share of cases that passed, 0 to 1."""
        return self.passed / self.total if self.total else 0.0

    @property
    def perfect(self) -> bool:
        """Whether every case passed."""
        return self.outcome is Spectrum.PERFECT


def canonical_json(value: Json) -> str:
    """One text per value: keys in their own order (it is part of the value), no spaces, ASCII only."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def digest(*parts: str) -> str:
    """SHA-256 (hex) over the parts, each preceded by its length, so that no two lists of parts collide."""
    h = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        h.update(f"{len(data)}:".encode())
        h.update(data)
    return h.hexdigest()


def task_id(language: str, name: str, normalised: str, family: str = "") -> str:
    """The id of a function: it depends on content alone, so it survives from release to release.

    With a family it is that of a task of which the function itself is the origin.
    """
    return f"c2b-{digest(language, name, normalised, *filter(None, (family,)))[:16]}"
