"""What a `release.toml` says, as dataclasses, one for each stage; `config_file` reads them."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any

HOW = {"how": True}
"""The mark of a setting that says how something is done, on which what comes out does not depend."""
NAMES_MODELS = {"models": True}
"""The mark of a setting that names language models of `[models]`."""
STRUCTURED = ("schema", "object", "text")
LANGUAGES = {"de": "German", "zh": "Chinese", "fr": "French"}


@dataclass(frozen=True)
class Window:
    """The time that a release covers: code first seen on or after `after` and before `until`, ISO dates, UTC.

    `models` may stand in place of `after`: then the latest knowledge cutoff among them counts. `strict` leaves out what
    is not shown to be younger than the window's start, by an archive or commit from inside it that lacks the function.
    """

    after: str = ""
    until: str = ""
    models: tuple[str, ...] = ()
    strict: bool = False


@dataclass(frozen=True)
class SourcesConfig:
    """Which projects are read: source lists (paths relative to the configuration), and a selection from them.

    In place of lists, `source = "github"` chooses repositories as `[github]` says; the lock then keeps the choice.
    """

    source: str = ""
    lists: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    limit: int = 0


@dataclass(frozen=True)
class GithubConfig:
    """Which repositories `code2bench choose` takes, and how many (paper, appendix H).

    `address` is that of the REST API, for GitHub Enterprise `https://HOST/api/v3`. A repository needs `min_stars`, a
    commit in the `active_months` before the window's end, and a file that one of the patterns in `tests` matches (none:
    no tests are needed). `unwanted_names` are whole words of the name or the topics, `unwanted_phrases` of the
    description or the beginning of the README, `excluded` are repositories by name. `domains` is relative to the data
    folder.
    """

    address: str = "https://api.github.com"
    language: str = "Python"
    size: int = 220
    min_stars: int = 500
    active_months: int = 3
    forks: bool = False
    archived: bool = False
    mirrors: bool = False
    templates: bool = False
    domains: str = "domains.toml"
    tests: tuple[str, ...] = (
        "test/*", "tests/*", "*/test/*", "*/tests/*", "test_*.py", "*/test_*.py", "*_test.py", "conftest.py",
        "*/conftest.py", "pytest.ini", "tox.ini", "noxfile.py", "*Test.java",
    )
    excluded: tuple[str, ...] = ()
    unwanted_names: tuple[str, ...] = (
        "100 days", "advent of code", "assignment", "assignments", "awesome", "bootcamp", "cheat sheet",
        "cheatsheet", "cheatsheets", "codewars", "course", "courses", "coursework", "curriculum", "dotfiles",
        "exercises", "hackerrank", "homework", "interview", "interviews", "kata", "katas", "learn python", "learn java",
        "lectures", "leetcode", "roadmap", "tutorial", "tutorials",
    )
    unwanted_phrases: tuple[str, ...] = (
        "advent of code", "assignment", "assignments", "awesome list", "cheat sheet", "cheatsheet", "code examples for",
        "collection of awesome", "course", "courses", "coursework", "curated list", "exercises", "hackerrank",
        "homework", "interview questions", "learn python", "learn java", "lecture notes", "leetcode", "list of awesome",
        "tutorial", "tutorials",
    )


@dataclass(frozen=True)
class MineConfig:
    """Limits of reading; sizes in bytes.

    Old is a function that shares `modification_similarity` of its words, or of its text with the documentation, with an
    older one of its name, or `copy_similarity` of its words with any older one: then it was renamed, or cut out of a
    larger one. Words count that stand in 5-token shingles which both have.

    Of a registry, `baseline_archives` of the last `baseline_months` before the window are compared with, and
    `dating_archives` from inside the window tell when a function came: the first decides whether it is shown to be
    younger than the window's start, each further one tells more of cutoffs within it, for 5 to 10% of the time.

    At most `fetches` sources are fetched at a time on a machine, repositories each in `fetch_seconds` and to
    `max_repository_bytes`; a transfer that stands still for `stall_seconds`, or fails in a way that may pass, is tried
    `fetch_attempts` times.
    """

    max_archive_bytes: int = 100_000_000
    max_unpacked_bytes: int = 600_000_000
    max_files: int = 20_000
    max_file_bytes: int = 1_000_000
    max_repository_bytes: int = 5_000_000_000
    fetches: int = field(default=4, metadata=HOW)
    fetch_seconds: float = field(default=3600.0, metadata=HOW)
    stall_seconds: int = field(default=120, metadata=HOW)
    fetch_attempts: int = field(default=4, metadata=HOW)
    baseline_months: int = 24
    baseline_archives: int = 6
    dating_archives: int = 1
    modification_similarity: float = 0.5
    copy_similarity: float = 0.8
    allowed_decorators: tuple[str, ...] = (
        "staticmethod", "functools.lru_cache", "lru_cache", "functools.cache", "cache",
    )


@dataclass(frozen=True)
class DedupeConfig:
    """Near duplicates between projects: MinHash over 5-token shingles, Jaccard similarity.

    `known` is the index of known benchmarks that `code2bench index` fills, relative to the data folder.
    """

    similarity: float = 0.8
    permutations: int = 128
    known: str = "known.jsonl"


@dataclass(frozen=True)
class ClassifyConfig:
    """The list of allowed libraries, relative to the data folder; other languages' lists end in `-LANGUAGE`.

    A function takes along at most `max_members` statements of its project, at most `max_layers` calls away.
    """

    libraries: str = "libraries.toml"
    max_members: int = 24
    max_layers: int = 6


@dataclass(frozen=True)
class ScreenConfig:
    """The range of McCabe complexity that is kept, both ends included.

    It is the function's own that counts, because its helpers are given; with them it has at most
    `max_bundle_complexity`.
    """

    min_complexity: int = 2
    max_complexity: int = 10
    max_bundle_complexity: int = 25


@dataclass(frozen=True)
class WorthConfig:
    """How much each part counts in what a function is worth (`pipeline.worth`); only how they compare matters.

    `helpers` is how much what other functions of a program hold counts beside the entry function, from 0 to 1. `spread`
    is how much more a function counts whose kinds of operations none of those taken before it from its project has.
    """

    complexity: float = 3.0
    length: float = 2.0
    loops: float = 2.0
    variety: float = 3.0
    helpers: float = 0.5
    spread: float = 0.5


@dataclass(frozen=True)
class SampleConfig:
    """How many candidates go on, how large a share of them one project may have, and what makes one worth taking.

    `helpers_share` is the share that functions with helpers of their project have at least, if there are so many.
    """

    size: int = 1000
    max_share: float = 0.05
    helpers_share: float = 0.0
    worth: WorthConfig = field(default_factory=WorthConfig)


@dataclass(frozen=True)
class ModelConfig:
    """A language model behind an OpenAI-compatible server, as `[models.NAME]`; stages name it by NAME.

    `base_url` ends in `/v1` mostly; `key` names the environment variable that holds the key, none where the server asks
    for none. Answers are kept under the address and the model, or under `identity`, so that a server may move.
    `structured` is what is tried first: a JSON schema, any JSON object, or text; what the server refuses is left out.
    Prices are in US dollars per million tokens. `seconds` is the longest that one answer may take, and what fails in a
    way that may pass is tried `attempts` times. Limits per minute hold for all processes of a build; 0 is none.
    """

    model: str
    base_url: str
    key: str = field(default="", metadata=HOW)
    identity: str = ""
    max_answer_tokens: int = 4096
    structured: str = field(default="schema", metadata=HOW)
    input_price: float = 0.0
    output_price: float = 0.0
    seconds: float = field(default=300.0, metadata=HOW)
    attempts: int = field(default=5, metadata=HOW)
    concurrency: int = field(default=8, metadata=HOW)
    requests_per_minute: int = field(default=0, metadata=HOW)
    tokens_per_minute: int = field(default=0, metadata=HOW)


@dataclass(frozen=True)
class LlmConfig:
    """Limits of asking language models: tokens and US dollars for the whole build (0: none), repairs of an answer.

    What is wrong with an answer goes back to its model at most `repairs` times.
    """

    budget_tokens: int = field(default=0, metadata=HOW)
    budget_dollars: float = field(default=0.0, metadata=HOW)
    repairs: int = 3


@dataclass(frozen=True)
class JudgeConfig:
    """Thresholds of the rule judge: words of description, lines of logic.

    Where `models` names language models, their majority takes the place of the rules on meaning and description, and of
    the formula for the difficulty; rules on what can be built and carried go on to hold.

    `undocumented` admits functions without a docstring, or with too short a one, where name and types speak for
    themselves. A model has to write their instruction: without one they leave as underspecified.
    """

    min_description_words: int = 6
    min_statements: int = 3
    max_namesake_similarity: float = 0.35
    undocumented: bool = False
    models: tuple[str, ...] = field(default=(), metadata=NAMES_MODELS)


@dataclass(frozen=True)
class SuiteConfig:
    """Budgets of the search for inputs. `budget` is work (calls of the reference), never time.

    `model` names a language model that is asked for strategies where the search leaves branches out.

    `wall_seconds` is for candidates that sleep: far above `cpu_seconds`, so that a loaded machine decides nothing.
    """

    cases: int = 500
    min_cases: int = 20
    budget: int = 16_000
    max_raising: float = 0.3
    max_same_answer: float = 0.9
    min_mutation_score: float = 0.75
    wall_seconds: float = 400.0
    cpu_seconds: float = 100.0
    memory_bytes: int = 2 * 1024**3
    model: str = field(default="", metadata=NAMES_MODELS)


@dataclass(frozen=True)
class InstructConfig:
    """How many examples an instruction shows, how long one is, and how much of the body may stand in the text.

    `model` names a language model that writes the instructions; where what it writes does not pass the checks, the
    author's text is taken. `solvers` implement each function from its instruction, each `solver_attempts` times: the
    first time at temperature 0, then at `solver_temperature`. `levels` asks for the three prompt levels, `rephrasings`
    for so many of each level, `languages` (de, zh, fr) for translations there and back; a text is kept where `model`
    finds that it means the same. `answers` is the file of recorded blind answers, relative to the data folder.
    """

    examples: int = 8
    max_example_chars: int = 300
    max_overlap_tokens: int = 12
    model: str = field(default="", metadata=NAMES_MODELS)
    solvers: tuple[str, ...] = field(default=(), metadata=NAMES_MODELS)
    solver_attempts: int = 3
    solver_temperature: float = 0.8
    levels: bool = False
    rephrasings: int = 0
    languages: tuple[str, ...] = ()
    answers: str = "curated/answers.jsonl"


@dataclass(frozen=True)
class FamiliesConfig:
    """Which families of tasks a release takes, the first that can use a function first; without names the usual one."""

    take: tuple[str, ...] = ()


@dataclass(frozen=True)
class CurateConfig:
    """The folder of the maintainers' texts, relative to the data folder; "" is none."""

    files: str = "curated"


@dataclass(frozen=True)
class PackageConfig:
    """What a release takes: tasks per project and family, those of most worth, and the share of one domain in them.

    `exclusions` are the maintainers', relative to the data folder. Tasks with one of the flags in `leave_out`
    (`pipeline.packaging.flags`) stay out; no release is made where more than the share `max_flagged` has any flag.
    Where tasks are to be `apart`, one stays out whose answer is a part of the answer to another one.
    With `whole_runtime`, answers get all that the release was built with, and not only what its tasks' libraries need.
    """

    max_per_project: int = 4
    max_domain_share: float = 1.0
    worth: WorthConfig = field(default_factory=WorthConfig)
    exclusions: str = "exclusions.toml"
    leave_out: tuple[str, ...] = ()
    max_flagged: float = 1.0
    apart: bool = False
    whole_runtime: bool = False


@dataclass(frozen=True)
class VaryConfig:
    """Which variants of its tasks a derived release asks about, and about how many cases of each task.

    `draws` are made of each chain, every one with cases of its own. `proof_inputs` is how many inputs besides the
    suite's cases a variant has to answer as its origin does. `reasoned` asks solvers to reason first. `sites` is how
    many places each operator changes at most, 0 for all.

    `strategies` put the tasks' questions otherwise: each in at most `variants` ways, `rate` of the words that can be
    changed at a time, with `synonyms` of these sources. `model` writes paraphrases and summaries, before those of
    rules.
    """

    seed: int = 0
    draws: int = 1
    chains: tuple[str, ...] = (
        "Plain", "VarNormI", "VarNormII", "ConstUnfold", "For2While", "CondAug", "FUV", "AUV", "AFU", "While2For",
        "All", "Altered",
    )
    families: tuple[str, ...] = ("output", "input", "outcome")
    cases: int = 5
    proof_inputs: int = 200
    reasoned: bool = False
    sites: int = 0
    strategies: tuple[str, ...] = ()
    variants: int = 10
    rate: float = 0.3
    synonyms: tuple[str, ...] = ("curated",)
    model: str = field(default="", metadata=NAMES_MODELS)


@dataclass(frozen=True)
class EvolveConfig:
    """How programs of a release are evolved, and what is asked about them.

    Of each program `versions` are made, by searches of at most so many `evaluations` with a `population`, by a
    `strategy`; without `operators` all are used, each as often as those `limits` in `data/operators.toml` say.
    A program is taken by `pick`: `readable` is the most complex one whose relative readability is at least so large a
    share of the original's, `paper` the most complex one.

    Bounds that are kept: `longest` times the original's tokens, `slowest` times its CPU time, the share of added
    statements that nothing depends on at most `dead`. `proof_inputs` is as for variants. Of each program `cases` are
    asked about by the families; with `shots` a prompt shows a worked example. `model` names what was added.
    """

    seed: int = 0
    versions: int = 3
    operators: tuple[str, ...] = ()
    strategy: str = "nsga2"
    profile: str = "paper"
    limits: str = "usual"
    evaluations: int = 240
    population: int = 24
    readability: float = 0.88
    pick: str = "readable"
    longest: float = 6.0
    slowest: float = 10.0
    dead: float = 0.5
    proof_inputs: int = 200
    families: tuple[str, ...] = ("output", "input", "repair", "translation")
    cases: int = 3
    shots: int = 0
    model: str = field(default="", metadata=NAMES_MODELS)


@dataclass(frozen=True)
class ReleaseConfig:
    """A whole `release.toml`. `path` is the file that it was read from; `runtime` is a lock in the data folder.

    Without a table `vary`, no variants are made of its tasks.
    """

    name: str
    title: str
    path: Path
    window: Window
    seed: int = 0
    executor: str = "local"
    runtime: str = "runtimes/python-3.11.txt"
    sources: SourcesConfig = field(default_factory=SourcesConfig)
    github: GithubConfig = field(default_factory=GithubConfig)
    mine: MineConfig = field(default_factory=MineConfig)
    dedupe: DedupeConfig = field(default_factory=DedupeConfig)
    classify: ClassifyConfig = field(default_factory=ClassifyConfig)
    screen: ScreenConfig = field(default_factory=ScreenConfig)
    curate: CurateConfig = field(default_factory=CurateConfig)
    sample: SampleConfig = field(default_factory=SampleConfig)
    judge: JudgeConfig = field(default_factory=JudgeConfig)
    suite: SuiteConfig = field(default_factory=SuiteConfig)
    instruct: InstructConfig = field(default_factory=InstructConfig)
    families: FamiliesConfig = field(default_factory=FamiliesConfig)
    package: PackageConfig = field(default_factory=PackageConfig)
    llm: LlmConfig = field(default_factory=LlmConfig)
    vary: VaryConfig = field(default_factory=lambda: VaryConfig(chains=()))
    evolve: EvolveConfig = field(default_factory=lambda: EvolveConfig(versions=0))
    models: dict[str, ModelConfig] = field(default_factory=dict)


def models_named(config: Any) -> tuple[str, ...]:
    """The language models that a stage's settings name."""
    found: list[str] = []
    for one in fields(config) if is_dataclass(config) else ():
        if one.metadata.get("models"):
            value = getattr(config, one.name)
            found += [value] if isinstance(value, str) else value
    return tuple(name for name in found if name)


def what_of(config: Any) -> dict[str, Any]:
    """The settings of a stage that decide what comes out."""
    return {f.name: getattr(config, f.name) for f in fields(config) if not f.metadata.get("how")}
