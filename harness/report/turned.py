"""Cases that a model gets right of the origin and wrong of a variant, side by side (Dynamic Benchmarking, Figure 6)."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Iterator, Sequence

from harness.analysis.robustness import ALTERED, ORIGIN
from harness.languages.registry import language
from harness.records import Task, Verdict
from harness.releases.dataset import Release
from harness.scoring.results import Results

EACH = 2
"""How many are shown of each chain."""


def turned(results: Results, release: Release) -> Iterator[tuple[Task, Task, Verdict]]:
    """The question on the origin, the one on a variant in the same case, and the wrong verdict on that; short first."""
    latest = {(key.task_id, key.number): verdict for key, verdict in results.verdicts.items()}
    verdicts: dict[str, list[Verdict]] = defaultdict(list)
    for (task_id, _), verdict in latest.items():
        verdicts[task_id].append(verdict)
    asked = {(str(task.origin), task.family, task.variation.draw, task.variation.case, task.variation.chain): task
             for task in release.tasks if task.variation is not None}
    for (origin, family, draw, case, chain), task in sorted(asked.items(), key=lambda one: len(one[1].program)):
        first = asked.get((origin, family, draw, case, ORIGIN))
        if first is None or chain in (ORIGIN, ALTERED, ""):
            continue
        before, after = verdicts[first.task_id], verdicts[task.task_id]
        if before and after and all(one.perfect for one in before) and not any(one.perfect for one in after):
            yield first, task, after[0]


def as_markdown(results: Sequence[Results], release: Release) -> str:
    """Of each model and chain the first ones, as Markdown."""
    parts = [f"# Right of the origin, wrong of a variant: {release.name}"]
    for one in results:
        seen: dict[str, int] = defaultdict(int)
        model = one.run.model or one.path.stem.removesuffix(".results")
        for first, task, verdict in turned(one, release):
            assert task.variation is not None
            chain = f"{task.family} {task.variation.chain}"
            seen[chain] += 1
            if seen[chain] <= EACH:
                parts.append(_shown(model, chain, first, task, verdict))
    if len(parts) == 1:
        parts.append("There is none.")
    return "\n\n".join(parts) + "\n"


def _shown(model: str, chain: str, first: Task, task: Task, verdict: Verdict) -> str:
    of = language(task.language).predicting
    assert of is not None
    before, after = (one.given.before.splitlines() if one.given else [] for one in (first, task))
    lines = difflib.unified_diff(before, after, "origin", chain, lineterm="", n=100)
    said = verdict.failure.got if verdict.failure and verdict.failure.got else "no value"
    return "\n".join([
        f"## {chain}: {task.entry_point}, {model}", "", "```diff", *lines, "```", "",
        f"`{of.assertion(of.call(task), of.value(task))}`", "", f"It says `{said}`."])
