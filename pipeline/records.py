"""One frozen dataclass per arrow of the data flow, and the reasons for which a record leaves it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from harness.records import (
    Case,
    Comparison,
    Dependence,
    Frame,
    Measures,
    Member,
    Provenance,
    Strength,
    Sufficiency,
    Wording,
)

DEFAULT_LANGUAGE = "python"
"""The language of source lists that name none."""
NAMED = 6
"""How many commits of a baseline a row names."""


@dataclass(frozen=True)
class Source:
    """A project that functions may come from, as a source list names it.

    `kind` names the module in `pipeline.sources`; `location` is what that module understands: a registry's project
    name, a path, or a URL. `commit` is where a repository is to be read, "" for its newest state in the window. Files
    in `language` are read.
    """

    kind: str
    name: str
    domain: str
    location: str
    commit: str = ""
    number: int = 0
    language: str = DEFAULT_LANGUAGE

    @property
    def id(self) -> str:
        """The key by which reports name it."""
        return f"{self.kind}:{self.name}"


@dataclass(frozen=True)
class Archive:
    """One source archive of a registry, or one commit of a repository (then `sha256` is the commit's hash)."""

    version: str
    file_name: str
    sha256: str
    uploaded: str
    size: int


@dataclass(frozen=True)
class LockedSource:
    """A source with everything decided that a repeated build needs: what is read, and what it is compared with.

    `earliest` is when the first release since the cutoff was uploaded. `between` are archives from inside the window
    that are older than the upper end, oldest first: they tell when a function came, and nothing is old by them.
    """

    source: Source
    url: str
    licence: str
    licence_source: str
    upper: Archive
    baseline: tuple[Archive, ...]
    earliest: str = ""
    between: tuple[Archive, ...] = ()

    @property
    def id(self) -> str:
        """The key by which reports name it."""
        return self.source.id

    @property
    def compared_with(self) -> tuple[str, ...]:
        """The archives or commits of the baseline; of a repository with many branches some, and their number."""
        names = [a.file_name or a.version for a in self.baseline]
        more = (f"and {len(names) - NAMED} more",) if len(names) > NAMED else ()
        return (*names[:NAMED], *more)


@dataclass(frozen=True)
class Function:
    """A function that is new since the cutoff.

    `id` is made from content (`harness.records.task_id`); `source` is the function's own text, dedented, decorators
    included; `module` is the whole text of its file; `qualified` is the dotted name inside the module. `calls` are the
    arguments of calls with literals elsewhere in the project, its tests included, as the language writes them; they
    are read for what the sample has drawn.
    """

    id: str
    language: str
    name: str
    qualified: str
    source: str
    module: str
    fingerprint: str
    provenance: Provenance
    calls: tuple[str, ...] = ()


@dataclass(frozen=True)
class Judgement:
    """A judge's opinion on a candidate: how hard it is, and why; `judge` names who said it.

    `undescribed` says why the author's description alone is not enough, "" where it may be.
    """

    judge: str
    difficulty: str
    reasons: tuple[str, ...]
    undescribed: str = ""


@dataclass(frozen=True)
class Curated:
    """What a maintainer has written for a function: `text` is the docstring of its task, examples left out.

    `contract` are the conditions that callers keep, `strategies` a module that gives the inputs that they pass, in the
    form that language models are asked for. `examples` are calls to be shown, as arguments in Python. `name` is what
    the task calls the function. `family` is the one that the text is for, "" for the first that can ask. `unreachable`
    are branches of members that no call takes, each with the reason, where no rule can prove it. `wrong` are programs
    that somebody could write and that are wrong: the cases refuse each of them, as far as inputs that callers pass do.
    """

    text: str
    contract: tuple[str, ...] = ()
    strategies: str = ""
    examples: tuple[str, ...] = ()
    name: str = ""
    difficulty: str = ""
    family: str = ""
    unreachable: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()


@dataclass(frozen=True)
class Candidate:
    """A function whose dependencies are known: runnable as `program` (imports, then the function, undecorated).

    `imports` are the import statements that it needs, one line each, `typing` hints included; `libraries` are the
    allowed modules that it uses, sorted, none for SC.

    Of one that needs more of its project, `before` is the part of the program that stands before the function: imports
    and `members`. `layers` is then 0 where all of them are constants, else the number of calls from the function down
    to the last member. `origin` is the id of the candidate that it is another form of, "" where it is none. `curated`
    is what a maintainer has written for it, and `original` its name in its project, "" where the task has the same.
    """

    function: Function
    track: str
    libraries: tuple[str, ...]
    imports: tuple[str, ...]
    program: str
    measures: Measures | None = None
    judgement: Judgement | None = None
    before: str = ""
    members: tuple[Member, ...] = ()
    layers: int | None = None
    origin: str = ""
    curated: Curated | None = None
    original: str = ""

    @property
    def id(self) -> str:
        """The id of its function."""
        return self.function.id

    @property
    def dependence(self) -> Dependence:
        """Whether it needs libraries."""
        return Dependence.WSC if self.libraries else Dependence.SC

    @property
    def given(self) -> Frame | None:
        """What stands around the function, None where nothing does."""
        return Frame(self.before) if self.before else None

    @property
    def answer(self) -> str:
        """The function's own part of the program."""
        return self.program.removeprefix(self.before)


@dataclass(frozen=True)
class Suite:
    """A candidate with its frozen cases and the strategies that they came from.

    `specification` is JSON for people: each parameter's inferred type with its evidence, and under `asked` what a
    language model has added: its name, how many `answers` it gave, and the `reason` for which the search had failed by
    itself, with the number of branches that it had `left_out`. `strategies` is runnable
    Hypothesis source. `covered` has for each case the numbers of the goals that it reaches; the goals (branches and
    statements, as pairs of lines) are listed in `specification` under `goals`; under `unmet` there are the outcomes of
    conditions and loops that no case has, in words. `lite` are the places of a few cases that do nearly as well.
    The first `usual` cases are as callers pass them, or stand in the project itself. `family` is the one that it was
    chosen for, "" before that. `undrawn` are the goals, in words, that the strategies do not take. Of a function with
    members, `excused` are branches of these that are proved out of reach, and `entry_score` is the mutation score of
    the function alone. `contract` are conditions on the parameters that every case keeps.
    """

    candidate: Candidate
    cases: tuple[Case, ...]
    comparison: Comparison
    strength: Strength
    strategies: str
    specification: str
    lite: tuple[int, ...] | None = None
    covered: tuple[tuple[int, ...], ...] = ()
    usual: int = 0
    family: str = ""
    undrawn: tuple[str, ...] = ()
    excused: tuple[str, ...] = ()
    entry_score: float | None = None
    contract: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The id of its function."""
        return self.candidate.id


@dataclass(frozen=True)
class Instruction:
    """A suite with the text that asks for the function: imports, signature, docstring, nothing of the body.

    `ratings` say how hard those found it who answered blind.
    """

    suite: Suite
    signature: str
    text: str
    author: str
    sufficiency: Sufficiency | None = None
    variants: tuple[Wording, ...] = ()
    ratings: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The id of its function."""
        return self.suite.id


class Reason(Enum):
    """Why a record left the flow; the value is the sentence that people read."""

    # choose
    FORK = "It is a fork of another repository."
    ARCHIVED = "It is archived, so nobody works on it."
    MIRROR = "It is a mirror of a repository elsewhere."
    TEMPLATE = "It is a template that others start from."
    NO_PROJECT = "It is course work, a tutorial, a collection of links or the like."
    INACTIVE = "It has no commit in the months before the window's end."
    NO_TESTS = "It has no identifiable test suite."
    NO_DOMAIN = "The rules find none of the domains in its topics, name and description."
    # lock
    PROJECT_GONE = "The project, or the file that it should give, is no longer there."
    NO_ANSWER = "Its server did not answer, or not in time."
    NO_NEW_RELEASE = "The project has nothing new inside the window: no final release, or no commit."
    NO_BASELINE = "There is nothing from before the cutoff to compare with."
    LICENCE = "The licence is unknown or not one of the permissive ones."
    # mine: whole sources and files
    CORRUPT_SOURCE = "The source archive or repository is damaged, or breaks the limits on its contents."
    NO_FUNCTIONS = "The source holds no function in the language that is read."
    UNDECODABLE = "The file is no text in a known encoding."
    TOO_LARGE = "The file is larger than the limit."
    UNPARSABLE = "The file has syntax errors around the function or throughout, or is written for a newer language."
    # mine: functions
    EXCLUDED_FOLDER = "The file lies in a folder of tests, documentation, examples, vendored or generated code."
    GENERATED = "The file says that it was generated."
    FILE_LICENCE = "The file's own header names another licence, which is not permissive."
    METHOD = "It is a method, so it needs an object of the project."
    NESTED = "It is defined inside another function."
    ASYNC = "It is asynchronous."
    GENERATOR = "It is a generator."
    DECORATED = "It has a decorator that changes what it does."
    PRIOR_TO_CUTOFF = "The same code, or a version of it, existed before the cutoff."
    DUPLICATE = "The same or nearly the same function is in the project twice, or another project had it earlier."
    KNOWN_BENCHMARK = "The same or nearly the same function is in a benchmark that is known already."
    KNOWN_ELSEWHERE = "It stood in another project before the cutoff, in the standard library or in a library."
    NOT_SHOWN = "Nothing from inside the window was read that lacks it, so it may be older than the window."
    SECRET = "The text holds what looks like a key, a password or a personal address."
    # classify
    PROJECT_DEPENDENT = "It uses names of its own project."
    LIBRARY_NOT_ALLOWED = "It uses a library that is not on the list of allowed ones."
    UNSURE = "What a name refers to can't be decided."
    REBOUND = "A name of its project that it needs is bound twice, or under a condition."
    COMPUTED_CONSTANT = "A constant of its project that it needs is computed there, or changed later."
    UNFIT_HELPER = "A function of its project that it calls is decorated, asynchronous or a generator."
    PROJECT_CLASS = "It needs a class of its project that does more than hold data."
    PROJECT_MODULE = "It needs a module of its project as a whole, or one that is not read."
    TOO_MANY_MEMBERS = "It needs more of its project than a task may show."
    NAME_CLASH = "What it needs comes from several files in which a name has different meanings."
    # screen
    NO_RETURN = "No path returns a value."
    CONSTANT_RETURN = "What it returns does not depend on its parameters."
    NO_PARAMETERS = "It takes no parameters."
    TOO_SIMPLE = "Its cyclomatic complexity is below the range."
    TOO_COMPLEX = "Its cyclomatic complexity is above the range."
    IMPURE = "It reads or writes something besides its parameters."
    NONDETERMINISTIC_CALL = "It calls something that gives another answer each time."
    # sample
    NOT_SAMPLED = "The sample was full, or its project's share was."
    # judge
    TRIVIAL = "There is too little logic in it to test anything."
    NOT_CONSTRUCTIBLE = "Its parameters can't be built from plain values."
    UNDESCRIBED = "It has no description, or too short a one."
    TOO_SPECIAL = "It needs knowledge of its own project that the description does not give."
    # suite
    COVERAGE_BELOW_100 = "No inputs were found that take every branch."
    UNREACHABLE_BRANCH = "A branch can't be taken by any input."
    NONDETERMINISTIC = "Two runs of the reference gave different answers."
    FEW_CASES = "Too few distinct valid inputs were found."
    DEGENERATE = "Its answers are nearly all the same."
    ILL_CONDITIONED = "Rounding decides its answers."
    WEAK_SUITE = "Too many wrong variants of the reference pass its suite."
    MOSTLY_ERRORS = "Most of its inputs raise an exception."
    NOT_ENCODABLE = "Its inputs or answers can't be carried as plain values."
    CRASHED = "The reference crashed, hung or used too much memory, or it or the search for its inputs took too long."
    # instruct
    NO_FAMILY = "None of the families of tasks that the release takes can use it."
    UNDERSPECIFIED = "The description is not enough to implement it."
    LEAKS_BODY = "The description contains lines of the body."
    # members
    OLD_HELPER = "A function that it calls is older than the window, so it can only be given."
    # curate
    UNFIT_CURATION = "What a maintainer has written for it can't be used."
    # package
    EXCLUDED = "A maintainer has excluded it."
    DRY_RUN_FAILED = "The reference did not score 1, or a stub did not score 0."
    FLAGGED = "Something is wrong with it by what its row tells, and the release leaves such tasks out."
    NOT_SELECTED = "Its project, or its domain, already gives as many tasks of its family as the release allows."
    # vary
    NOT_APPLICABLE = "The program has nothing that an operator of the chain changes."
    INTROSPECTIVE = "The program looks at its own names or text."
    UNSUPPORTED_SYNTAX = "The program holds what the operator can't rewrite safely."
    NOT_EQUIVALENT = "The variant gave another answer than its origin."
    NOT_DIVERGENT = "The variant is the same program as its origin."
    VARIANT_TOO_LONG = "The variant is several times as long as its origin."
    NO_COUNTERFACTUAL = "No change of the program gives another value for the cases that were drawn."
    NO_CASE_TO_PREDICT = "None of its cases has a call and a value that are short enough to be written."
    NOT_CARRIED = "Too few of its cases have values that the other language carries exactly."
    NO_WORD_TO_CHANGE = "The question has nothing that the strategy could put otherwise."
    MEANING_CHANGED = "The new words may ask for something else."
    NO_CASE_TO_SCORE = "All of its cases would be shown by some variant."


@dataclass(frozen=True)
class Rejection:
    """A record that left the flow: where, why, and the evidence. `unit` is `source`, `file` or `function`."""

    stage: str
    unit: str
    record_id: str
    project: str
    path: str
    name: str
    line: int
    reason: str
    evidence: str
    track: str = ""
    domain: str = ""


def reject_function(stage: str, function: Function, reason: Reason, evidence: str, track: str = "") -> Rejection:
    """The rejection of a function (or of what became of it) at a stage."""
    where = function.provenance
    return Rejection(
        stage, "function", function.id, where.project, where.path, function.qualified, where.line_start,
        reason.name.lower(), evidence, track, where.domain,
    )


def reject_source(stage: str, source: Source, reason: Reason, evidence: str) -> Rejection:
    """The rejection of a whole source at a stage."""
    return Rejection(
        stage, "source", source.id, source.name, "", source.name, 0, reason.name.lower(), evidence, "", source.domain,
    )
