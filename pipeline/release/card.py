"""The dataset card: prose by hand in `dataset_cards/`, every number from the release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from statistics import mean, median
from typing import Any

from jinja2 import Environment, StrictUndefined

from harness.records import CANARY, Difficulty, Task
from pipeline import store
from pipeline.config import ReleaseConfig
from pipeline.release.funnel import FunnelRow, as_text


def write_card(folder: Path, config: ReleaseConfig, tasks: Sequence[Task], funnel: Sequence[FunnelRow]) -> None:
    """Write README.md from the template and the release's own numbers."""
    environment = Environment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    template = environment.from_string(_template())
    tracks = {t: [x for x in tasks if x.track == t] for t in sorted({x.track for x in tasks})}
    text = template.render(
        config=config,
        canary=CANARY,
        tracks={name: statistics(own) for name, own in tracks.items()},
        licences=Counter(t.provenance.licence for t in tasks).most_common(),
        domains=sorted(Counter(t.domain for t in tasks).items()),
        projects=len({t.provenance.project for t in tasks}),
        size=_size_category(len(tasks)),
        total=len(tasks),
        funnel=as_text(funnel),
    )
    store.write_bytes(folder / "README.md", text.encode())


def _template() -> str:
    beside = Path(__file__).resolve().parents[2] / "dataset_cards" / "release.md"
    if beside.is_file():
        return beside.read_text("utf-8")
    return files("pipeline").joinpath("dataset_cards", "release.md").read_text("utf-8")


def statistics(tasks: Sequence[Task]) -> dict[str, Any]:
    """The quantities of the paper's Table 2 for the tasks of one track."""
    by_difficulty = Counter(t.difficulty for t in tasks)
    return {
        "tasks": len(tasks),
        "lines": round(mean(t.measures.lines for t in tasks), 1),
        "complexity": round(mean(t.measures.complexity for t in tasks), 1),
        "difficulty": ":".join(f"{by_difficulty[d] / len(tasks):.2f}" for d in Difficulty),
        "cases": int(median(len(t.cases) for t in tasks)),
        "coverage": f"{min(t.strength.branch_coverage for t in tasks):.0%}",
        "mutation": _median_and_lowest(t.strength.mutation_score for t in tasks),
        "higher_order": _median_and_lowest(t.strength.higher_order_score for t in tasks),
        "libraries": len({library for t in tasks for library in t.libraries}),
        "projects": len({t.provenance.project for t in tasks}),
    }


def _median_and_lowest(scores: Iterable[float | None]) -> str:
    known = [score for score in scores if score is not None]
    return f"{median(known):.2f}, {min(known):.2f}" if known else "not measured"


def _size_category(rows: int) -> str:
    for limit, name in ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K")):
        if rows < limit:
            return name
    return "100K<n<1M"
