"""Choosing repositories of GitHub: those that meet the criteria, drawn evenly over the domains (paper, appendix H)."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace

from harness.errors import UserError
from harness.locations import Location, remove_folder
from harness.records import canonical_json, digest
from pipeline import progress, store
from pipeline.config import GithubConfig, ReleaseConfig
from pipeline.languages.registry import languages
from pipeline.progress import Progress
from pipeline.records import DEFAULT_LANGUAGE, Reason, Rejection
from pipeline.sources import Unusable
from pipeline.sources.criteria import active_since, check_facts, look_closer
from pipeline.sources.domains import domain_of, read_rules
from pipeline.sources.github import GitHub, token_from
from pipeline.sources.lists import DOMAINS
from pipeline.sources.repositories import Repository, search
from pipeline.stage import Context, Output, Shard, run_shard

Strata = dict[str, deque[Repository]]
Results = dict[str, Repository | Rejection]


@dataclass(frozen=True)
class ChooseStage:
    """Repository -> Repository with its domain and commit: `size` of them, one of each domain in turn.

    The order within a domain is drawn by the seed and the repositories' numbers alone, and only as many are looked at
    closer as are needed.
    """

    github: GitHub
    config: GithubConfig = field(default_factory=GithubConfig)
    name: str = "choose"
    takes: type = Repository
    gives: type = Repository
    shard_size: int = 0
    fan_out: bool = False

    def run(self, records: Sequence[Repository], context: Context) -> Iterator[Repository | Rejection]:
        """Yield what became of each repository, in the given order."""
        results: Results = {}
        strata: Strata = {domain: deque() for domain in DOMAINS}
        rules = read_rules(context.data / self.config.domains)
        for record in sorted(records, key=lambda r: (context.seed_for("choose", r.id), r.id)):
            try:
                check_facts(record, self.config)
                domain = domain_of(rules, record.name.partition("/")[2], record.description, record.topics)
                if not domain:
                    raise Unusable(Reason.NO_DOMAIN, ", ".join(record.topics) or "it has no topics")
                strata[domain].append(replace(record, domain=domain))
            except Unusable as error:
                results[record.id] = _reject(record, error.reason, error.evidence)
        with Progress("choose", self.config.size) as bar:
            self._fill(strata, results, context, bar)
        yield from (results[record.id] for record in records)

    def _fill(self, strata: Strata, results: Results, context: Context, bar: Progress) -> None:
        taken: Counter[str] = Counter()
        while taken.total() < self.config.size and any(strata.values()):
            for domain, stratum in strata.items():
                if taken.total() < self.config.size and self._take(stratum, results, context):
                    taken[domain] += 1
                    bar.advance(1)
        for domain, stratum in strata.items():
            for record in stratum:
                why = f"{taken[domain]} of {domain} were taken before it"
                results[record.id] = _reject(record, Reason.NOT_SAMPLED, why)

    def _take(self, stratum: deque[Repository], results: Results, context: Context) -> bool:
        """Take the next repository of a stratum that stands a closer look; says whether there was one."""
        while stratum:
            record = stratum.popleft()
            try:
                results[record.id] = look_closer(self.github, record, self.config, context.until)
                return True
            except Unusable as error:
                results[record.id] = _reject(record, error.reason, error.evidence)
        return False


def _reject(record: Repository, reason: Reason, evidence: str) -> Rejection:
    return Rejection(
        "choose", "source", record.id, record.name, "", record.name, 0, reason.name.lower(), evidence, "", record.domain
    )


@dataclass(frozen=True)
class Choice:
    """What was chosen: the list that was written, the folder whose funnel says why the others were not, how many."""

    path: Location
    folder: Location
    chosen: int


def choose(config: ReleaseConfig, context: Context, path: Location, folder: Location, refresh: bool = False) -> Choice:
    """Choose repositories for a release and write them as a source list; a run that was stopped goes on where it was.

    Answers of earlier runs count, unless `refresh` forgets them first.
    """
    github = GitHub(
        config.github.address, context.cache, context.offline, token_from(os.environ, config.github.address)
    )
    read_rules(context.data / config.github.domains)
    if refresh and not context.offline:
        shutil.rmtree(github.folder, ignore_errors=True)
    if not github.token and not context.offline:
        progress.say("Without GITHUB_TOKEN, GitHub answers 60 questions an hour in place of 5,000: this takes longer.")
    found = search(github, config.github, active_since(context.until, config.github.active_months), context.until)
    stage = ChooseStage(github, config.github)
    output = folder / "stages" / "01-choose"
    remove_folder(output)
    key = digest(*(canonical_json(asdict(record)) for record in found), canonical_json(asdict(config.github)))
    shard = Shard(0, tuple(found), output, key)
    store.write_bytes(output / "stage.json", canonical_json({"key": key, "done": False}).encode())
    run_shard((stage, context, shard))
    store.write_bytes(output / "stage.json", canonical_json({"key": key, "done": True}).encode())
    chosen = list(Output(stage, output, key).records())
    if not chosen:
        raise UserError(f"No repository meets the criteria: `code2bench status {folder}` says why, [github] sets them.")
    store.write_bytes(path, list_of(chosen, config, context).encode())
    if github.asked["kept"] and not context.offline:
        progress.say(f"{github.asked['kept']:,} of the answers are from an earlier run; --refresh asks for them again.")
    return Choice(path, folder, len(chosen))


def list_of(chosen: Iterable[Repository], config: ReleaseConfig, context: Context) -> str:
    """The source list of the repositories, by domain and name: the same text for the same choice."""
    about = config.github
    lines = [
        f"# Drawn by `code2bench choose` for {context.after}..{context.until} with the seed {context.seed}:",
        f"# repositories in {about.language} with at least {about.min_stars} stars, active, tested, permissive.",
        "# `commit` was the newest before the window's end, and is what a build of that window reads;",
        "# `id` is what a repository keeps when it is renamed.",
        "",
        'kind = "git"',
    ]
    spoken = about.language.lower()
    if spoken != DEFAULT_LANGUAGE and spoken in {one.name for one in languages()}:
        lines.append(f'language = "{spoken}"')
    for one in sorted(chosen, key=lambda r: (DOMAINS.index(r.domain), r.name.lower())):
        entry = {
            "name": one.name, "domain": one.domain, "location": one.location, "id": one.number, "commit": one.commit,
            "licence": one.licence, "stars": one.stars,
        }  # fmt: skip
        lines += ["", "[[source]]", *(f"{key} = {json.dumps(value)}" for key, value in entry.items())]
    return "\n".join(lines) + "\n"
