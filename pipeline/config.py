"""`release.toml` as dataclasses: one for each stage, unknown keys refused by name."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Window:
    """The time that a release covers: code first seen on or after `after` and before `until`, ISO dates, UTC.

    `models` may stand in place of `after`: then the latest knowledge cutoff among them counts.
    """

    after: str = ""
    until: str = ""
    models: tuple[str, ...] = ()


@dataclass(frozen=True)
class SourcesConfig:
    """Which projects are read: source lists (paths relative to the configuration), and a selection from them."""

    lists: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    limit: int = 0


@dataclass(frozen=True)
class MineConfig:
    """Limits of reading; sizes in bytes."""

    max_archive_bytes: int = 100_000_000
    max_unpacked_bytes: int = 600_000_000
    max_files: int = 20_000
    max_file_bytes: int = 1_000_000
    baseline_months: int = 24
    baseline_archives: int = 6
    modification_similarity: float = 0.5
    allowed_decorators: tuple[str, ...] = (
        "staticmethod", "functools.lru_cache", "lru_cache", "functools.cache", "cache",
    )


@dataclass(frozen=True)
class DedupeConfig:
    """Near duplicates between projects: MinHash over 5-token shingles, Jaccard similarity."""

    similarity: float = 0.8
    permutations: int = 128


@dataclass(frozen=True)
class ClassifyConfig:
    """The list of allowed libraries, relative to the data folder."""

    libraries: str = "libraries.toml"


@dataclass(frozen=True)
class ScreenConfig:
    """The range of McCabe complexity that is kept, both ends included."""

    min_complexity: int = 2
    max_complexity: int = 10


@dataclass(frozen=True)
class SampleConfig:
    """How many candidates go on, and how large a share of them one project may have."""

    size: int = 1000
    max_share: float = 0.05


@dataclass(frozen=True)
class JudgeConfig:
    """Thresholds of the rule judge: words of description, lines of logic."""

    min_description_words: int = 6
    min_statements: int = 3


@dataclass(frozen=True)
class SuiteConfig:
    """Budgets of the search for inputs. `budget` is work (calls of the reference), never time."""

    cases: int = 500
    min_cases: int = 20
    budget: int = 4000
    max_raising: float = 0.3
    max_same_answer: float = 0.9
    wall_seconds: float = 60.0
    cpu_seconds: float = 30.0
    memory_bytes: int = 2 * 1024**3


@dataclass(frozen=True)
class InstructConfig:
    """How many examples an instruction shows, and how much of the body may stand in it."""

    examples: int = 3
    max_example_chars: int = 300
    max_overlap_tokens: int = 12


@dataclass(frozen=True)
class PackageConfig:
    """What a release takes: tasks per project, and the maintainers' exclusions, relative to the data folder."""

    max_per_project: int = 4
    exclusions: str = "exclusions.toml"


@dataclass(frozen=True)
class ReleaseConfig:
    """A whole `release.toml`. `path` is the file that it was read from; `runtime` is a lock in the data folder."""

    name: str
    title: str
    path: Path
    window: Window
    seed: int = 0
    executor: str = "local"
    runtime: str = "runtimes/python-3.11.txt"
    sources: SourcesConfig = field(default_factory=SourcesConfig)
    mine: MineConfig = field(default_factory=MineConfig)
    dedupe: DedupeConfig = field(default_factory=DedupeConfig)
    classify: ClassifyConfig = field(default_factory=ClassifyConfig)
    screen: ScreenConfig = field(default_factory=ScreenConfig)
    sample: SampleConfig = field(default_factory=SampleConfig)
    judge: JudgeConfig = field(default_factory=JudgeConfig)
    suite: SuiteConfig = field(default_factory=SuiteConfig)
    instruct: InstructConfig = field(default_factory=InstructConfig)
    package: PackageConfig = field(default_factory=PackageConfig)
