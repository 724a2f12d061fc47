"""What the Hub shows of a release: prose by hand in `dataset_cards/`, every number from the release.

Besides README.md it writes the figures that it shows, `LICENSE` that it links to, `eval.yaml` by which the Hub knows a
benchmark, and `croissant.json`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from harness.records import CANARY, SCHEMA_VERSION, Task
from harness.releases.cutoffs import Model
from harness.releases.hub import tag_of
from harness.releases.rows import schema_of
from pipeline import store
from pipeline.config import ReleaseConfig
from pipeline.packaging.flags import blind_answers, flags_of
from pipeline.release.asked import ANSWERS
from pipeline.release.attribution import Attribution, licence
from pipeline.release.changes import Changes, summary
from pipeline.release.compared import Compared
from pipeline.release.croissant import FILE, About, croissant
from pipeline.release.fields import fields
from pipeline.release.figures import as_svg, figures
from pipeline.release.funnel import FunnelRow, as_text, asked, means_in_words
from pipeline.release.inputs import ANSWERS_LOCK, RUNTIME_LOCK
from pipeline.release.statistics import by_number, knowledge, libraries, margin, shown, table
from pipeline.release.templates import render, text_of

CARD = "README.md"
KEYWORDS = ("benchmark", "code", "code-generation", "evaluation", "python")
_SOMEWHERE = "ORG/code2bench"
"""What stands in the examples for the dataset on the Hub, where it is not known."""


@dataclass(frozen=True)
class Facts:
    """All that a card tells of a release.

    `after` and `until` bound its window; `models` are those whose knowledge is compared with it; `changes` are those
    since the last release, None where none was given to compare with; `repository` is `ORG/NAME` on the Hub, or "".
    `key` opens the answers where they are veiled. `compared` is what functions were compared with besides their own
    projects, None in a release of which that is not known.
    """

    config: ReleaseConfig
    after: str
    until: str
    tasks: Sequence[Task]
    funnel: Sequence[FunnelRow]
    attributions: Sequence[Attribution]
    models: Sequence[Model]
    changes: Changes | None = None
    repository: str = ""
    key: str = ""
    compared: Compared | None = None

    @property
    def tracks(self) -> dict[str, list[Task]]:
        """The tasks of each track, by its name."""
        names = sorted({task.track for task in self.tasks})
        return {name: [task for task in self.tasks if task.track == name] for name in names}


def write_card(folder: Path, facts: Facts) -> None:
    """Write the card and what belongs to it into a folder that holds the tracks already."""
    for name, data in card_files(folder, facts).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        store.write_bytes(folder / name, data)


def card_files(folder: Path, facts: Facts) -> dict[str, bytes]:
    """The card and what belongs to it, by name, for a folder that holds the tracks."""
    values = _values(facts) | {"lock": ANSWERS_LOCK if (folder / ANSWERS_LOCK).is_file() else RUNTIME_LOCK}
    drawn = figures(facts.tasks, facts.funnel)
    about = _about(facts, values)
    texts = {
        **{figure.path: as_svg(figure) for figure in drawn},
        "LICENSE": licence(facts.config.name, facts.tasks),
        "eval.yaml": render("eval.yaml", **values),
        CARD: render("release.md", figures={one.name: one for one in drawn}, **values),
    }
    described = croissant(folder, about, list(facts.tracks))
    return {name: text.encode() for name, text in texts.items()} | {FILE: described}


def _values(facts: Facts) -> dict[str, Any]:
    """What the templates may name."""
    tasks, tracks = facts.tasks, facts.tracks
    named: dict[str, Any] = {
        "config": facts.config,
        "window": {"after": facts.after, "until": facts.until},
        "repository": facts.repository or _SOMEWHERE,
        "tag": tag_of(facts.config.name),
        "canary": CANARY,
        "key": facts.key,
        "keywords": KEYWORDS,
        "size": size_category(len(tasks)),
        "total": len(tasks),
        "tracks": list(tracks),
        "columns": [f"`{track}`" for track in tracks],
        "projects": len(facts.attributions),
        "cases": f"{median(len(task.cases) for task in tasks):g}",
    }
    return named | {
        "description": " ".join(render("description.txt", **named).split()),
        "citation": render("citation.bib", **named).rstrip(),
        "statistics": table([*tracks.values(), tasks]),
        "margin": margin(len(tasks)),
        "libraries": libraries(tasks),
        "licences": by_number(task.provenance.licence for task in tasks),
        "domains": by_number(task.domain for task in tasks),
        "judges": by_number(task.judged_by for task in tasks),
        "writers": by_number(task.instructed_by for task in tasks),
        "flags": by_number(flag for task in tasks for flag in flags_of(task)),
        "blind": sum(map(blind_answers, tasks)),
        "kinds": sorted({task.provenance.source for task in tasks}),
        "ages": knowledge(facts.models, tasks),
        "shown": shown(tasks, facts.after),
        "dated": any(task.schema_version == SCHEMA_VERSION for task in tasks),
        "fields": fields(schema_of(tasks)),
        "stages": _stages(facts),
        "funnel": as_text(facts.funnel),
        "answers": ANSWERS if asked(facts.funnel) else "",
        "attributions": facts.attributions,
        "compared": facts.compared,
        "changes": facts.changes,
        "summary": summary(facts.changes) if facts.changes else "",
    }


def _stages(facts: Facts) -> list[dict[str, Any]]:
    """The stages that functions went through; a stage that knows no tracks has empty cells for them."""
    sentences = tomllib.loads(text_of("stages.toml"))
    return [
        {
            "stage": row.stage, "does": sentences[row.stage], "read": row.read, "kept": row.kept,
            "means": means_in_words(row),
            "by_track": [f"{row.tracks.get(track, 0):,}" if row.tracks else "" for track in facts.tracks],
        }
        for row in facts.funnel if row.unit == "function"
    ]  # fmt: skip


def _about(facts: Facts, values: dict[str, Any]) -> About:
    licences = sorted(name for name, _ in values["licences"])
    window = f"{facts.after}/{facts.until}"
    citation = values["citation"]
    return About(facts.config.name, facts.config.title, values["description"], window, licences, KEYWORDS, citation)


def size_category(rows: int) -> str:
    """The Hub's name for so many rows."""
    for limit, name in ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K")):
        if rows < limit:
            return name
    return "100K<n<1M"
