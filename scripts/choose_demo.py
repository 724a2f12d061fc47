"""Choose the projects of a small release by what they give: each is read, and what is left after the judge is weighed.

One project after the other goes from the lock to the judge, those with the smallest archives first. What is found is
appended to the file of results at once, so that a stopped run goes on where it was; refused projects stand in it, too.
Then the projects are ranked and chosen under the limits; `--rank-only` does no more than that.

A project's score is the summed worth of its best candidates: of those that are worth `--least` at least, and of four
times as many as the release takes of one project, since most candidates become no task; those with helpers, and those
without, for themselves, as the release takes of them. Its cost is the share that it
takes of each limit: bytes, CPU seconds, projects. The domains take turns, each with the project that has most score for
its cost and still fits.

Example: python scripts/choose_demo.py data/releases/2611.toml --results /tmp/demo.jsonl --offline
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import mean
from typing import Any

from harness.errors import UserError
from harness.records import canonical_json
from pipeline.config import ReleaseConfig, WorthConfig
from pipeline.config_file import load_config
from pipeline.flow import Options, context_of, lock_path, stages
from pipeline.progress import Progress, say
from pipeline.records import Candidate, LockedSource, Rejection, Source
from pipeline.sources.lists import read_sources
from pipeline.sources.lock import read_lock
from pipeline.stage import Context, Stage, key_of
from pipeline.worth import measure, version

WAY = ("lock", "mine", "classify", "screen", "dedupe", "judge")
"""The stages that tell what a project gives."""
PER_TASK = 4
"""How many candidates of a project count for each task that a release takes of it."""


@dataclass(frozen=True)
class Found:
    """A candidate that the judge kept."""

    name: str
    worth: float
    lines: int
    complexity: int
    layers: int = 0


@dataclass(frozen=True)
class Measured:
    """What a project costs and gives: bytes of its archives, CPU seconds of mining, records kept by each stage.

    `refused` says why the lock or the mining refused it, "" where neither did.
    """

    project: str
    domain: str
    bytes: int = 0
    seconds: float = 0.0
    refused: str = ""
    kept: tuple[int, ...] = ()
    candidates: tuple[Found, ...] = ()

    @property
    def functions(self) -> int:
        """Its new functions."""
        return self.kept[1] if len(self.kept) > 1 else 0

    def upper_half(self) -> Sequence[Found]:
        """The better half of its candidates by worth, the middle one included."""
        ordered = sorted(self.candidates, key=lambda one: -one.worth)
        return ordered[: (len(ordered) + 1) // 2]

    def score(self, least: float, most: int) -> float:
        """The summed worth of its best candidates, `most` of each family, that are worth `least` at least."""
        worth = [sorted((one.worth for one in self.candidates if one.worth >= least and bool(one.layers) is layered),
                        reverse=True)[:most] for layered in (False, True)]
        return sum(map(sum, worth))


@dataclass(frozen=True)
class Limits:
    """What the chosen projects may cost together, and what counts."""

    bytes: float
    seconds: float
    projects: int
    least: float
    most: int

    def cost(self, one: Measured) -> float:
        """The share of each limit that a project takes, added up."""
        return one.bytes / self.bytes + one.seconds / self.seconds + 1 / self.projects

    def allow(self, taken: Sequence[Measured]) -> bool:
        """Whether these projects are within all limits."""
        return (
            len(taken) <= self.projects
            and sum(one.bytes for one in taken) <= self.bytes
            and sum(one.seconds for one in taken) <= self.seconds
        )


def choose(measured: Sequence[Measured], limits: Limits) -> list[Measured]:
    """The projects under the limits: domains in turn, each with what gives most for its cost and still fits."""
    domains: dict[str, list[Measured]] = defaultdict(list)
    for one in sorted(measured, key=lambda one: (one.domain, -value(one, limits), one.project)):
        if value(one, limits) > 0:
            domains[one.domain].append(one)
    taken: list[Measured] = []
    while any(domains.values()):
        for queue in domains.values():
            fits = next((one for one in queue if limits.allow([*taken, one])), None)
            if fits is None:
                queue.clear()
            else:
                queue.remove(fits)
                taken.append(fits)
    return taken


def value(one: Measured, limits: Limits) -> float:
    """A project's score for its cost."""
    return one.score(limits.least, limits.most) / limits.cost(one)


def run(source: Source, config: ReleaseConfig, context: Context) -> Measured:
    """Send one project from the lock to the judge."""
    records: list[Any] = [source]
    result = Measured(source.name, source.domain)
    for stage in way(config):
        began = _cpu()
        out = list(stage.run(records, context))
        records = [one for one in out if isinstance(one, stage.gives)]
        result = replace(result, kept=(*result.kept, len(records)))
        if stage.name == "lock":
            result = replace(result, bytes=sum(map(_bytes, records)))
        if stage.name == "mine":
            result = replace(result, seconds=round(_cpu() - began, 2))
        refusals = [one for one in out if isinstance(one, Rejection) and one.unit == "source"]
        if refusals:
            return replace(result, refused=f"{refusals[0].reason}: {refusals[0].evidence}")
    return replace(result, candidates=tuple(_found(one, config.sample.worth) for one in records))


def way(config: ReleaseConfig) -> list[Stage]:
    """The stages that a project goes through."""
    return [stage for stage in stages(config) if stage.name in WAY]


def _found(candidate: Candidate, config: WorthConfig) -> Found:
    assert candidate.measures is not None, "the screen measures candidates"
    program = measure(candidate.program, candidate.function.name, candidate.function.language)
    measures = candidate.measures
    worth, layers = round(program.worth(config), 4), candidate.layers or 0
    return Found(candidate.function.qualified, worth, measures.lines, measures.complexity, layers)


def _bytes(locked: LockedSource) -> int:
    return locked.upper.size + sum(archive.size for archive in locked.baseline)


def _cpu() -> float:
    """The CPU seconds of this process and of those that it waited for."""
    return sum(os.times()[:4])


class Results:
    """The file of results: a line that says what they were made with, then one for each project."""

    def __init__(self, path: Path, key: str) -> None:
        self._path = path
        if not path.is_file():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps({"key": key}) + "\n", "utf-8")
        self.there = list(self._read(key))

    def _read(self, key: str) -> Iterator[Measured]:
        text = self._path.read_text("utf-8")
        if not text.endswith("\n"):  # a run was killed while it wrote
            self._path.write_text(text[: text.rfind("\n") + 1], "utf-8")
        first, *rest = self._path.read_text("utf-8").splitlines() or ["null"]
        if json.loads(first) != {"key": key}:
            raise UserError(f"{self._path} was made with other code or settings: name another file, or remove it.")
        for line in rest:
            raw = json.loads(line)
            found = tuple(Found(**one) for one in raw.pop("candidates"))
            yield Measured(**{**raw, "kept": tuple(raw["kept"]), "candidates": found})

    def add(self, one: Measured) -> None:
        """Keep a project's result."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(one)) + "\n")
        self.there.append(one)


def key(config: ReleaseConfig, context: Context) -> str:
    """What the results depend on: the stages' code and settings, the window, the weights of worth."""
    found = canonical_json(asdict(config.sample.worth)) + version()
    for stage in way(config):
        found = key_of(stage, context, found)
    return found


def measure_all(config: ReleaseConfig, context: Context, results: Results, seconds: float) -> None:
    """Measure what the results lack, small archives first, until so many seconds are over; 0 is without end."""
    done = {one.project for one in results.there}
    rest = [source for source in _by_size(config) if source.name not in done]
    until = time.monotonic() + seconds if seconds else float("inf")
    missing = 0
    with Progress("measure", len(rest) + len(done), "projects") as progress:
        progress.skip(len(done))
        for source in rest:
            if time.monotonic() > until:
                break
            try:
                results.add(run(source, config, context))
            except UserError:
                if not context.offline:
                    raise
                missing += 1
            progress.advance(1)
    if missing:
        say(f"{missing} projects are not in the cache, and so not in the results.")


def _by_size(config: ReleaseConfig) -> list[Source]:
    """The sources of a configuration's lists, those with small archives first, as far as its lock knows them."""
    base, lock = config.path.resolve().parent, lock_path(config)
    known = read_lock(lock) if lock.is_file() else []
    sizes = {one.id: _bytes(one) for one in known if isinstance(one, LockedSource)}
    sources = [source for name in config.sources.lists for source in read_sources(base / name)]
    return sorted(sources, key=lambda source: sizes.get(source.id, sys.maxsize))


def table(measured: Sequence[Measured], chosen: Sequence[Measured], limits: Limits) -> Iterator[str]:
    """The projects by score, those that were chosen with a star, as a table in Markdown."""
    yield "| | project | domain | MB | mining CPU s | new | judged | score | half: worth | lines | complexity |"
    yield "|---|---|---|---|---|---|---|---|---|---|---|"
    for one in sorted(measured, key=lambda one: (-one.score(limits.least, limits.most), one.project)):
        half = one.upper_half()
        means = [f"{mean(values):.{digits}f}" if half else "" for digits, values in (
            (2, [found.worth for found in half]), (1, [found.lines for found in half]),
            (1, [found.complexity for found in half]))]
        cells = ("*" if one in chosen else "", one.project, one.domain, f"{one.bytes / 1e6:.1f}", f"{one.seconds:.1f}",
                 str(one.functions), str(len(one.candidates)), f"{one.score(limits.least, limits.most):.2f}", *means)
        yield f"| {' | '.join(cells)} |"


def selection(chosen: Sequence[Measured]) -> Iterator[str]:
    """The chosen projects as `only` of a configuration, by domain."""
    domains: dict[str, list[str]] = defaultdict(list)
    for one in chosen:
        domains[one.domain].append(one.project)
    yield "only = ["
    for domain, names in domains.items():
        yield f"    # {domain}"
        yield "    " + ", ".join(f'"{name}"' for name in sorted(names)) + ","
    yield "]"


def main() -> None:
    """Measure what is not measured yet, then print the table and the choice."""
    options = _options()
    config = load_config(options.config)
    context = context_of(config, Options(offline=options.offline))
    results = Results(options.results, key(config, context))
    if not options.rank_only:
        measure_all(config, context, results, options.seconds)
    most = PER_TASK * config.package.max_per_project
    limits = Limits(options.max_megabytes * 1e6, options.max_cpu, options.projects, options.least, most)
    read = [one for one in results.there if not one.refused]
    chosen = choose(read, limits)
    print("\n".join((*table(read, chosen, limits), "", *selection(chosen), "")))
    print(f"{len(chosen)} of {len(results.there)} projects ({len(results.there) - len(read)} were refused): "
          f"{sum(one.bytes for one in chosen) / 1e6:.0f} MB, {sum(one.seconds for one in chosen):.0f} CPU seconds, "
          f"{sum(len(one.candidates) for one in chosen)} candidates, "
          f"score {sum(one.score(options.least, most) for one in chosen):.1f}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", type=Path, help="a release configuration whose lists and window count")
    parser.add_argument("--results", type=Path, required=True, help="the file of results, outside of the repository")
    parser.add_argument("--projects", type=int, default=34, help="how many are chosen at most")
    parser.add_argument("--max-megabytes", type=float, default=175.0, help="how large their archives may be together")
    parser.add_argument("--max-cpu", type=float, default=180.0, help="CPU seconds that mining them may take")
    parser.add_argument("--least", type=float, default=0.4, help="the worth from which on a candidate counts")
    parser.add_argument("--seconds", type=float, default=0.0, help="begin no project after so many seconds; 0: all")
    parser.add_argument("--offline", action="store_true", help="read what is in the cache, and leave out the rest")
    parser.add_argument("--rank-only", action="store_true", help="measure nothing")
    return parser.parse_args()


if __name__ == "__main__":
    try:
        main()
    except UserError as error:
        sys.exit(str(error))
