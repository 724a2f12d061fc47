"""A small release's card for tests: the tasks' answers are recorded by running them."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.records import Sufficiency, Task, Wording
from harness.releases.cutoffs import Model
from harness.releases.rows import write_track
from pipeline.config import ReleaseConfig, Window
from pipeline.records import Archive, LockedSource, Source
from pipeline.release.attribution import attributions
from pipeline.release.card import Facts, write_card
from pipeline.release.funnel import FunnelRow
from tests.harness.make_release import make_tasks

MODELS = (
    Model("early", "2025-06", "its maker"),
    Model("between", "2026-06-10", "its maker"),
    Model("late", "2026-12", "its maker"),
)
FUNNEL = (
    FunnelRow("lock", "source", 2, 2, {}, {}),
    FunnelRow("mine", "function", 1200, 40, {}, {"prior_to_cutoff": 1160}),
    FunnelRow("classify", "function", 40, 7, {"sc-python": 4, "wsc-python": 3}, {"unsure": 33}),
    FunnelRow("package", "function", 7, 5, {"sc-python": 3, "wsc-python": 2}, {"excluded": 2}),
)
_PLACES = (
    ("alpha", "Text Processing & NLP", "Easy", "MIT", "2026-06-01"),
    ("alpha", "Text Processing & NLP", "Medium", "BSD-3-Clause", "2026-06-01"),
    ("beta", "Data Science & Machine Learning", "Hard", "Apache-2.0", "2026-07-01"),
)


def tasks() -> list[Task]:
    """Five tasks of two tracks and two projects; one has a licence of its own, one other wordings."""
    made = [task for track in ("sc-python", "wsc-python") for task in make_tasks(track)]
    placed = [_placed(task, _PLACES[number % 3]) for number, task in enumerate(made)]
    wording = Wording("level", 1, 0, "", placed[0].instruction, "llm:small")
    return [replace(placed[0], variants=(wording,), sufficiency=Sufficiency(("small",), 3, 2)), *placed[1:]]


def _placed(task: Task, place: tuple[str, ...]) -> Task:
    project, domain, difficulty, licence, day = place
    dated = {"first_seen": f"{day}T00:00:00Z", "revision_date": f"{day}T00:00:00Z"}
    origin = replace(task.provenance, project=project, domain=domain, licence=licence, **dated)
    strength = replace(task.strength, mutation_score=0.996, higher_order_score=1.0)
    return replace(task, provenance=origin, domain=domain, difficulty=difficulty, strength=strength)


def locked(name: str, licence: str, url: str) -> LockedSource:
    """A source of the lock."""
    archive = Archive("1.0", f"{name}-1.0.tar.gz", "0" * 64, "2026-06-01", 1)
    return LockedSource(Source("pypi", name, "testing", name), url, licence, "pypi", archive, ())


LOCKED = (
    locked("beta", "Apache-2.0", "https://example.org/beta"),
    locked("alpha", "MIT", "https://example.org/alpha"),
    locked("unused", "MIT", "https://example.org/unused"),
)


def facts(own: Sequence[Task] | None = None, title: str = "Made for tests", **others: Any) -> Facts:
    """What the card of these tasks is made from."""
    used = tasks() if own is None else list(own)
    config = ReleaseConfig("2611", title, Path("2611.toml"), Window("2026-05-01", "2026-11-01"))
    entries = [entry for _, entry in attributions(used, LOCKED)]
    told: dict[str, Any] = {"models": MODELS, **others}
    return Facts(config, "2026-05-01", "2026-11-01", used, FUNNEL, entries, **told)


def write(folder: Path, given: Facts) -> Path:
    """Write the tracks and the card; gives the folder back."""
    for track, own in given.tracks.items():
        write_track(own, folder / track / "test-00000-of-00001.parquet")
    write_card(folder, given)
    return folder


def hashes(folder: Path) -> dict[str, str]:
    """The hash of each file by its path."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
