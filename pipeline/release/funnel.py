"""The data funnel (paper, Table 14): a query over the stages' files, never a count kept by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from harness.errors import UserError
from harness.locations import Location, near
from harness.records import FIRST_FAMILY, Dependence, Track
from pipeline import store
from pipeline.records import DEFAULT_LANGUAGE, Reason
from pipeline.release.asked import all_totals, totals
from pipeline.suites.llm.resort import rescued

_TRACK_OF = {"track": "track", "candidate": "candidate.track", "suite": "suite.candidate.track"}
"""Where the track stands in a stage's rows, by the column that leads to it."""

_MEASURES_OF = {"candidate": "candidate.measures", "suite": "suite.candidate.measures", "measures": "measures"}
"""Where the measures of the entry function stand in a stage's rows, by the column that leads to them."""

_DRAWN = {"choose": "domain", "sample": "function.provenance.domain"}
"""Where the domain stands in the rows of the stages that draw from strata."""


@dataclass(frozen=True)
class FunnelRow:
    """One stage: records read, kept (by track, where one is known), and rejected by reason.

    Of a stage that draws from strata, `domains` has for each domain how many there were to draw from, and were drawn.
    `asked` has the totals of what language models were asked; of the stage that makes suites, `helped` has for how many
    functions strategies were asked for, and how many have a suite by that. `means` has for `lines` and `complexity` the
    mean of what came in, None where nothing was measured yet, and of what stayed. `further` are those of the read ones
    that the stage itself has made of others, which are asked about in a further way.
    """

    stage: str
    unit: str
    read: int
    kept: int
    tracks: dict[str, int]
    reasons: dict[str, int]
    domains: dict[str, tuple[int, int]] = field(default_factory=dict)
    asked: dict[str, Any] = field(default_factory=dict)
    helped: tuple[int, int] = (0, 0)
    means: dict[str, tuple[float | None, float]] = field(default_factory=dict)
    further: int = 0


def stage_folders(build: Location) -> list[Location]:
    """The folders of a build's finished stages, in order."""
    found: list[Location] = sorted((build / "stages").glob("[0-9][0-9]-*"))
    done = [f for f in found if json.loads((f / "stage.json").read_text("utf-8")).get("done")]
    if not done:
        raise UserError(f"{build} holds no finished stage: build it with `code2bench build`, or give a build's folder.")
    return done


def funnel(build: Location) -> list[FunnelRow]:
    """The rows of a build's funnel, in the order of its stages."""
    rows: list[FunnelRow] = []
    before: dict[str, float] = {}
    for folder in stage_folders(build):
        came = next((row for row in reversed(rows) if row.unit == "function"), None)
        with near(folder) as here:
            for row in _rows(here, before):
                rows.append(replace(row, further=row.read - came.kept) if came and row.unit == came.unit else row)
            before = _means(here)
    return rows


def choice(build: Location) -> list[FunnelRow]:
    """How a build chose its repositories; nothing where a list or a lock names them."""
    return funnel(build / "choose") if (build / "choose" / "stages").is_dir() else []


def _rows(folder: Path, before: dict[str, float]) -> list[FunnelRow]:
    """The rows of one stage; `before` are the means of what it read."""
    stage = folder.name.split("-", 1)[1]
    kept = _kept(folder)
    found = store.query(
        "select unit, reason, count(*) as n from read_parquet(?) group by all order by unit, n desc, reason",
        str(folder / "*.rejected.parquet"),
    )
    main = "source" if stage in ("choose", "lock") else "function"
    rows: list[FunnelRow] = []
    for unit in sorted({r["unit"] for r in found} | {main}, reverse=True):
        reasons = {r["reason"]: r["n"] for r in found if r["unit"] == unit}
        here = kept if unit == main else {}
        total = sum(here.values())
        tracks = {t: n for t, n in here.items() if t}
        domains = _domains(folder, _DRAWN[stage]) if stage in _DRAWN and unit == main else {}
        asked = totals(folder) if unit == main else {}
        helped = rescued(folder) if stage == "suite" and asked else (0, 0)
        means = {name: (before.get(name), mean) for name, mean in _means(folder).items()} if unit == main else {}
        read = total + sum(reasons.values())
        rows.append(FunnelRow(stage, unit, read, total, tracks, reasons, domains, asked, helped, means))
    return rows


def _domains(folder: Path, column: str) -> dict[str, tuple[int, int]]:
    """For each domain the number of records that were to be drawn from, and of those that were drawn."""
    kept, rejected = str(folder / "*.kept.parquet"), str(folder / "*.rejected.parquet")
    found = store.query(
        f"select domain, count(*) as n, count(*) filter (drawn) as drawn from ("
        f"select {column} as domain, true as drawn from read_parquet(?) union all "
        "select domain, false from read_parquet(?) where reason = 'not_sampled') group by all order by domain",
        kept, rejected,
    )  # fmt: skip
    return {r["domain"]: (r["n"], r["drawn"]) for r in found}


def _means(folder: Path) -> dict[str, float]:
    """The mean lines and complexity of the entry functions that were kept; empty before they are measured."""
    files = str(folder / "*.kept.parquet")
    place = _place(files, _MEASURES_OF)
    if not place:
        return {}
    [found] = store.query(
        f"select round(avg({place}.lines), 2) as lines, round(avg({place}.complexity), 2) as complexity "
        "from read_parquet(?)", files,
    )  # fmt: skip
    return {name: mean for name, mean in found.items() if mean is not None}


def _place(files: str, places: dict[str, str]) -> str:
    """Where something stands in the rows of these files, "" where nowhere."""
    columns = {r["column_name"] for r in store.query("describe select * from read_parquet(?)", files)}
    return next((path for column, path in places.items() if column in columns), "")


def _kept(folder: Path) -> dict[str, int]:
    """The number of kept records by track; the track is "" before one is known."""
    files = str(folder / "*.kept.parquet")
    track = _place(files, _TRACK_OF) or "''"
    found = store.query(f"select {track} as track, count(*) as n from read_parquet(?) group by all order by 1", files)
    return {r["track"]: r["n"] for r in found}


def asked(rows: Sequence[FunnelRow]) -> dict[str, Any]:
    """What language models were asked in all, and per accepted task; empty where nobody was."""
    tasks = sum(row.kept for row in rows if row.stage == "package")
    helped = next((row.helped for row in rows if row.helped[0]), (0, 0))
    return all_totals({row.stage: row.asked for row in rows if row.asked}, tasks, helped)


def as_json(rows: Sequence[FunnelRow]) -> list[dict[str, object]]:
    """The funnel for programs and for the manifest."""
    return [{name: value for name, value in vars(row).items() if name != "further" or value} for row in rows]


def as_text(rows: Sequence[FunnelRow]) -> str:
    """The funnel for people: a line per stage, and under it the reasons with their sentences."""
    columns = _columns(rows)
    heads = "".join(f"{head:>{wide}}" for head, wide in columns.values())
    lines = [f"{'stage':<10}{'unit':<10}{'read':>9}{'kept':>9}{heads}"]
    for row in rows:
        cells = (f"{row.tracks.get(name, 0) if row.tracks else '':>{wide}}" for name, (_, wide) in columns.items())
        lines.append(f"{row.stage:<10}{row.unit:<10}{row.read:>9,}{row.kept:>9,}" + "".join(cells))
        if row.further:
            lines.append(f"{'':<20}{row.further:>9,}  of them ask in a further way about a function that was read, too")
        for reason, count in sorted(row.reasons.items(), key=lambda one: (-one[1], one[0])):
            lines.append(f"{'':<20}{count:>9,}  {reason:<22} {_sentence(reason)}")
        if row.means:
            lines.append(f"{'':<20}mean of the functions: {means_in_words(row)}")
        if row.domains:
            lines.append(f"{'':<20}breadth first, one of each domain in turn:")
        for domain, (there, drawn) in row.domains.items():
            lines.append(f"{'':<20}{drawn:>9,}  of {there:>7,} {domain}")
    return "\n".join(lines)


def means_in_words(row: FunnelRow) -> str:
    """What the stage did to the mean lines and complexity: before and after, "" where nothing is measured."""
    return ", ".join(
        f"{name} {stayed:.1f}" if came is None else f"{name} {came:.1f} -> {stayed:.1f}"
        for name, (came, stayed) in sorted(row.means.items())
    )


def _columns(rows: Sequence[FunnelRow]) -> dict[str, tuple[str, int]]:
    """The head and the width of each track's column, by its name; of one language alone the language is not told."""
    found = {Track(name) for row in rows for name in row.tracks if name}
    split = {(track.language, track.family) for track in found if track.dependence}
    kinds = sorted(split) or [(DEFAULT_LANGUAGE, FIRST_FAMILY)]
    named = {Track.named(family, one, language): str(one) for language, family in kinds for one in Dependence}
    named |= {track: track.family for track in sorted(found) if not track.dependence}
    alone = len({track.language for track in found}) < 2 and len(kinds) == 1
    heads = {name: (short if alone else name).upper() for name, short in named.items()}
    return {name: (head, max(8, len(head) + 2)) for name, head in heads.items()}


def _sentence(reason: str) -> str:
    member = Reason.__members__.get(reason.upper())
    return member.value if member else ""
