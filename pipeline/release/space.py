"""A static Space beside the dataset: one page of plain HTML about a release, with an explorer of its tasks.

The prose is by hand in `dataset_cards/space/`, every number from the release. Texts of tasks were mined from strangers'
projects, so they never become part of the page's HTML: they lie in `tasks.js`, in ASCII and without `<`, `>` and `&`,
and `explorer.js` sets them as text. The page's Content-Security-Policy allows no other script and no inline one. The
tasks are a script and no JSON to fetch, so that the page also works when its file is opened without a server.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, StrictUndefined

from harness.analysis.robustness import ORIGIN
from harness.families.registry import family_of
from harness.records import CANARY, Difficulty, Provenance, Task
from harness.releases.ages import first_public
from harness.releases.cutoffs import Model
from harness.releases.dataset import Release
from harness.releases.hub import Advisory, Listed
from harness.rewordings import has_rewordings, read_rewordings
from pipeline import store
from pipeline.records import Reason
from pipeline.release.inline import figures_of
from pipeline.release.statistics import by_number, share, table
from pipeline.release.templates import quoted, text_of

TASKS = "tasks.js"
MODELS = "models.toml"
COPIED = ("style.css", "python.js", "explorer.js")
PAPER = "https://arxiv.org/abs/2508.07180"
TEXTS = ("LICENSES.txt", "NOTICE.txt")
"""Files of the release that have to go along with its code."""

_URL = re.compile(r"https?://[A-Za-z0-9.-]+(:\d+)?(/[A-Za-z0-9._~!$&()*+,;=:@%/?-]*)?")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_VERSION = re.compile(r"[A-Za-z0-9._-]+/[A-Za-z0-9.!+_-]+")


@dataclass(frozen=True)
class StageRow:
    """A line of the funnel as the page shows it; `part` is the share kept, 0 to 1, None where nothing was read.

    `reasons` are (records, name, sentence), `domains` (name, records to draw from, records drawn).
    """

    stage: str
    unit: str
    read: int
    kept: int
    part: float | None
    tracks: tuple[tuple[str, int], ...]
    reasons: tuple[tuple[int, str, str], ...]
    domains: tuple[tuple[str, int, int], ...]


def write_space(
    release: Release, folder: Path, dataset: str, withdrawn: Sequence[Advisory] = (), others: Sequence[Listed] = ()
) -> None:
    """Write the files of a Space about the release, which lies on the Hub as `dataset` (`ORG/NAME` or `ORG/NAME@TAG`).

    The same release gives the same bytes. A task without a reference is shown without one, as are all of a release
    whose answers are veiled. Of a task that was `withdrawn` only id, day and reason are shown. `others`
    are the dataset's other releases, which the page links to.
    """
    ids = {task.task_id for task in release.tasks}
    gone = [one for one in withdrawn if one.task_id in ids]
    readable = replace(release, tasks=_readable(release, {one.task_id for one in gone}))
    values = _values(readable, dataset) | {"withdrawn": gone, "others": others}
    written = {
        "index.html": _render("index.html", values, html=True).encode(),
        "README.md": _render("README.md", values, html=False).encode(),
        TASKS: tasks_script(readable.tasks, models_of(release), wordings_of(release)),
    }
    written |= {name: text_of(f"space/{name}").encode() for name in COPIED}
    written |= {name: (release.folder / name).read_bytes() for name in TEXTS if name in release.manifest["files"]}
    for name, data in sorted(written.items()):
        store.write_bytes(folder / name, data)


def _readable(release: Release, withdrawn: Collection[str]) -> tuple[Task, ...]:
    """The tasks that everybody may read here, without what the release veils."""
    tasks = (task for task in release.tasks if task.task_id not in withdrawn)
    return tuple(replace(task, reference="") for task in tasks) if "veil" in release.manifest else tuple(tasks)


def _render(name: str, values: dict[str, Any], html: bool) -> str:
    environment = Environment(
        autoescape=html, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    environment.filters.update(quoted=quoted, number="{:,}".format, percent=share)
    return environment.from_string(text_of(f"space/{name}")).render(values)


def _values(release: Release, dataset: str) -> dict[str, Any]:
    """What the templates are filled with."""
    repository, _, revision = dataset.partition("@")
    tracks = {track: [t for t in release.tasks if t.track == track] for track in sorted(release.manifest["tracks"])}
    return {
        "title": release.manifest.get("title") or release.name,
        "name": release.name,
        "dataset": dataset,
        "repository": repository,
        "address": f"https://huggingface.co/datasets/{repository}",
        "paper": PAPER,
        "figures": figures_of(release),
        "revision": revision,
        "window": release.manifest["window"],
        "python": release.manifest["runtime"]["python"],
        "total": len(release.tasks),
        "projects": len({t.provenance.project for t in release.tasks}),
        "tracks": {track: table([tasks]) for track, tasks in tracks.items() if tasks},
        "licences": by_number(t.provenance.licence for t in release.tasks),
        "domains": by_number(t.domain for t in release.tasks),
        "stages": [stage_row(row) for row in release.manifest.get("funnel", ())],
        "texts": [name for name in TEXTS if name in release.manifest["files"]],
        "chains": any(t.variation is not None for t in release.tasks),
        "references": any(t.reference for t in release.tasks),
        "canary": CANARY,
        "models": models_of(release),
        "citation": citation(release),
    }


def citation(release: Release) -> str:
    """The BibTeX entries of the release and of the paper."""
    values = {"config": {"name": release.name, "title": release.manifest.get("title") or release.name}}
    text = Environment(autoescape=False, undefined=StrictUndefined).from_string(text_of("citation.bib"))
    return text.render(**values, window=release.manifest["window"]).strip()


def models_of(release: Release) -> list[Model]:
    """The models whose cutoffs the release names, by name."""
    if MODELS not in release.manifest["files"]:
        return []
    rows = tomllib.loads((release.folder / MODELS).read_bytes().decode("utf-8"))["model"]
    return sorted((Model(**row) for row in rows), key=lambda model: model.name)


def stage_row(row: dict[str, Any]) -> StageRow:
    """A line of the manifest's funnel, as `pipeline.release.funnel.as_json` writes it, for the page."""
    reasons = sorted(row["reasons"].items(), key=lambda one: (-one[1], one[0]))
    return StageRow(
        row["stage"], row["unit"], row["read"], row["kept"],
        row["kept"] / row["read"] if row["read"] else None,
        tuple(sorted(row["tracks"].items())),
        tuple((count, name, _sentence(name)) for name, count in reasons),
        tuple((name, there, drawn) for name, (there, drawn) in sorted(row.get("domains", {}).items())),
    )  # fmt: skip


def _sentence(reason: str) -> str:
    member = Reason.__members__.get(reason.upper())
    return member.value if member else ""


def wordings_of(release: Release) -> dict[str, list[Any]]:
    """For each task its question in other words: by which strategy, what it tells, and what takes the place of what."""
    found: dict[str, list[Any]] = {}
    for row in read_rewordings(release) if has_rewordings(release) else ():
        if row.edits and not row.reason:
            edits = [[one.start, len(one.before), one.after] for one in row.edits]
            found.setdefault(row.task_id, []).append([f"{row.strategy} {row.number}", row.information, edits])
    return found


def tasks_script(
    tasks: Sequence[Task], models: Sequence[Model] = (), wordings: Mapping[str, Sequence[Any]] | None = None
) -> bytes:
    """A script that holds the tasks by name; in it nothing of a task's text can end a string, a script or a comment."""
    ordered = sorted(tasks, key=lambda task: (task.entry_point.casefold(), task.task_id))
    origins = {_asked(task): task.task_id for task in tasks if task.variation and task.variation.chain == ORIGIN}
    words = wordings or {}
    told = ({"wordings": words[task.task_id]} if task.task_id in words else {} for task in ordered)
    rows = ",\n".join(
        _ascii(shown(task) | _about(task, origins) | own) for task, own in zip(ordered, told, strict=True))
    levels = _ascii([str(level) for level in Difficulty])
    known = _ascii([[model.name, model.last_day, model.verified] for model in models])
    constants = f"const LEVELS = {levels};\nconst MODELS = {known};\nconst TASKS = [\n{rows}\n];\n"
    return f"// {CANARY}\n{constants}".encode("ascii")


def _ascii(value: Any) -> str:
    """JSON that is JavaScript too, wherever it stands: ASCII only, and no `<`, `>` or `&`."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def shown(task: Task) -> dict[str, Any]:
    """What the explorer shows of a task; the key `reference` is left out where there is none to show."""
    row: dict[str, Any] = {
        "id": task.task_id,
        "name": task.entry_point,
        "track": task.track,
        "domain": task.domain,
        "difficulty": task.difficulty,
        "libraries": list(task.libraries),
        "month": task.provenance.first_seen[:7],
        "since": first_public(task),
        "project": task.provenance.project,
        "signature": task.signature,
        "instruction": task.instruction,
        "size": vars(task.measures),
        "suite": _suite(task),
        "judged": task.judged_by,
        "instructed": task.instructed_by,
        "origin": _origin(task.provenance),
    }
    if task.sufficiency:
        row["solved"] = [task.sufficiency.solved, task.sufficiency.attempts, list(task.sufficiency.solvers)]
    if task.given is not None:
        row["given"] = task.given.before
    if task.reference:
        row["reference"] = task.reference
    return row


def _about(task: Task, origins: Mapping[tuple[object, ...], str]) -> dict[str, Any]:
    """What a task asks about a program, and the id of the one that asks it about the program's origin, if any."""
    if task.variation is None:
        return {}
    about = {"chain": task.variation.chain, "seed": task.variation.seed, "question": family_of(task).question(task)}
    beside = origins.get(_asked(task), "")
    return {"about": about | ({"beside": beside} if beside not in ("", task.task_id) else {})}


def _asked(task: Task) -> tuple[object, ...]:
    """What tasks on variants of one program have in common that ask about it in the same case."""
    about = task.variation
    return (task.origin, task.family, about.draw, about.case) if about else (task.task_id,)


def _suite(task: Task) -> dict[str, Any]:
    return {
        "cases": len(task.cases),
        "lite": None if task.lite is None else len(task.lite),
        "coverage": task.strength.branch_coverage,
        "mutation": task.strength.mutation_score,
        "several": task.strength.higher_order_score,
        "raising": task.raising,
    }


def _origin(origin: Provenance) -> dict[str, Any]:
    return {
        "url": safe_url(origin.url),
        "file": _permalink(origin) or _inspector(origin),
        "archive": origin.archive,
        "path": origin.path,
        "lines": [origin.line_start, origin.line_end],
        "revision": origin.revision,
        "date": origin.revision_date[:10],
        "licence": origin.licence,
        "first": origin.first_seen[:10],
        "absent": origin.not_before[:10],
        "baseline": list(origin.baseline),
        "similarity": origin.similarity,
        "nearest": origin.nearest,
    }


def safe_url(url: str) -> str:
    """The URL where it is one of http or https without anything odd in it, else ""."""
    return url if _URL.fullmatch(url) else ""


def _inspector(origin: Provenance) -> str:
    """The page that shows the files of the version's archives, where the project is on PyPI."""
    named = f"{origin.project}/{origin.state or origin.revision}"
    there = origin.source == "pypi" and _VERSION.fullmatch(named)
    return f"https://inspector.pypi.io/project/{named}/" if there else ""


def _permalink(origin: Provenance) -> str:
    """The lines at their commit, where the project is on GitHub and a commit is known."""
    commit = origin.state or origin.revision
    if not (origin.url.startswith("https://github.com/") and _COMMIT.fullmatch(commit)):
        return ""
    lines = f"#L{origin.line_start}-L{origin.line_end}"
    page = safe_url(f"{origin.url.rstrip('/')}/blob/{commit}/{quote(origin.path)}")
    return page and page + lines
