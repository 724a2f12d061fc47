"""Who said what in a build: language models by the stage's exchanges, the rules by judging the same candidates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from harness.errors import UserError
from harness.locations import Location, near
from pipeline import store
from pipeline.agreement.kappa import Rater, together
from pipeline.config import JudgeConfig
from pipeline.config_file import load_config
from pipeline.judge import Refusal
from pipeline.judge.models import DIFFICULTY, SUITABILITY, Level, Suitability, middle
from pipeline.judge.rules import RuleJudge
from pipeline.languages.registry import language
from pipeline.llm import Exchange
from pipeline.llm.structured import Misfit, read
from pipeline.progress import Progress
from pipeline.records import Candidate, Judgement
from pipeline.release.funnel import stage_folders


@dataclass(frozen=True)
class Subject:
    """A candidate as people label it; `code` is what the models were shown."""

    id: str
    track: str
    project: str
    name: str
    code: str


@dataclass
class Voice:
    """What one model said: `asked` are the candidates that it was shown, `faults` counts answers that don't count."""

    name: str
    asked: set[str] = field(default_factory=set)
    suitable: dict[str, str] = field(default_factory=dict)
    difficulty: dict[str, str] = field(default_factory=dict)
    faults: int = 0

    @property
    def rater(self) -> Rater:
        """Its answers that count."""
        return Rater(self.name, self.suitable, self.difficulty)

    def hear(self, exchange: Exchange) -> None:
        """Take an exchange into account, if it is about the candidate and not something else."""
        prompt = exchange.prompt.partition("@")[0]
        if prompt not in (*SUITABILITY.values(), *DIFFICULTY.values()):
            return
        self.asked.add(exchange.record_id)
        try:
            if exchange.fault:
                raise Misfit(exchange.fault)
            if prompt in SUITABILITY.values():
                self.suitable[exchange.record_id] = "yes" if read(exchange.answer, Suitability).suitable else "no"
            else:
                self.difficulty[exchange.record_id] = read(exchange.answer, Level).difficulty
        except Misfit:
            self.faults += 1


def voices(exchanges: Iterable[Exchange]) -> list[Voice]:
    """What each model said, in the order of their names."""
    found: dict[str, Voice] = {}
    for one in exchanges:
        found.setdefault(one.model, Voice(one.model)).hear(one)
    return [found[name] for name in sorted(found)]


def majority(raters: Sequence[Rater]) -> Rater:
    """The models as one judge, as the stage takes them: a tie is a no, of two difficulties the harder counts."""
    def suitable(said: Sequence[str]) -> str:
        return "yes" if 2 * said.count("yes") > len(said) else "no"

    return together(raters, "the majority", {"suitable": suitable, "difficulty": middle})


@dataclass(frozen=True)
class Panel:
    """The judges of a finished judge stage: `folder` is the stage's, `before` that of the stage that feeds it."""

    build: Location
    folder: Location
    before: Location

    @cached_property
    def voices(self) -> list[Voice]:
        """The models; raises `UserError` where none was asked."""
        found = voices(self._exchanges())
        if not found:
            what = f"No language model judged in {self.build}, its judge was the rules"
            raise UserError(f"{what}: name models in [judge].")
        return found

    @cached_property
    def majority(self) -> Rater:
        """The models as one judge."""
        return majority([voice.rater for voice in self.voices])

    def candidates(self) -> Iterator[Candidate]:
        """What went into the stage."""
        with near(self.before, "*.kept.parquet") as here:
            for path in sorted(here.glob("*.kept.parquet")):
                yield from store.read(path, Candidate)

    def ids(self) -> frozenset[str]:
        """The ids of what went into the stage."""
        with near(self.before, "*.kept.parquet") as here:
            rows = store.query("select function.id as id from read_parquet(?)", str(here / "*.kept.parquet"))
            return frozenset(row["id"] for row in rows)

    def subjects(self) -> list[Subject]:
        """The candidates that models have an opinion on."""
        return [_subject(one) for one in self.candidates() if one.id in self.majority.suitable]

    def _exchanges(self) -> Iterator[Exchange]:
        with near(self.folder, "*.asked.parquet") as here:
            for path in sorted(here.glob("*.asked.parquet")):
                yield from store.read(path, Exchange)


def panel(build: Location) -> Panel:
    """The judges of a build; raises `UserError` for one that has not come so far."""
    folders = stage_folders(build)
    for before, folder in pairwise(folders):
        if folder.name.endswith("-judge"):
            return Panel(build, folder, before)
    raise UserError(f"{build} holds no finished judge stage: build it, with --until-stage judge if that will do.")


def _subject(candidate: Candidate) -> Subject:
    function = candidate.function
    code = language(function.language).programs.plain(candidate.program)
    return Subject(candidate.id, candidate.track, function.provenance.project, function.qualified, code)


@dataclass(frozen=True)
class Disagreement:
    """A candidate that rules and models see differently; `evidence` is the rules', where they say no."""

    id: str
    name: str
    project: str
    rules: str
    models: str
    evidence: str


@dataclass(frozen=True)
class Rules:
    """The rules as a rater, on the candidates that models judged; `settings` says where the thresholds are from."""

    rater: Rater
    settings: str
    disagreements: tuple[Disagreement, ...]


def rules(here: Panel) -> Rules:
    """What the rules say of the candidates that models judged."""
    config, settings = _settings(here.build)
    said, judge = Voice("the rules"), RuleJudge(config)
    against = []
    with Progress("rules", len(here.majority.suitable)) as progress:
        for candidate in here.candidates():
            if candidate.id not in here.majority.suitable:
                continue
            opinion = judge.judge(candidate)
            said.suitable[candidate.id] = "no" if isinstance(opinion, Refusal) else "yes"
            if isinstance(opinion, Judgement):
                said.difficulty[candidate.id] = opinion.difficulty
            if said.suitable[candidate.id] != here.majority.suitable[candidate.id]:
                against.append(_disagreement(candidate, opinion))
            progress.advance(1)
    return Rules(said.rater, settings, tuple(against))


def _disagreement(candidate: Candidate, opinion: Judgement | Refusal) -> Disagreement:
    function = candidate.function
    own, models, evidence = ("no", "yes", opinion.evidence) if isinstance(opinion, Refusal) else ("yes", "no", "")
    return Disagreement(candidate.id, function.qualified, function.provenance.project, own, models, evidence)


def _settings(build: Location) -> tuple[JudgeConfig, str]:
    """The rules' thresholds: those of the release, where the build has come so far."""
    with near(build / "release", "release.toml") as here:
        path: Path = here / "release.toml"
        with suppress(UserError):
            if path.is_file():
                return load_config(path).judge, "with the settings of its release.toml"
    return JudgeConfig(), "with default settings"
