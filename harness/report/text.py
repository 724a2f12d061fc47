"""An evaluation as a table for people."""

from __future__ import annotations

from harness.evaluate import Evaluation
from harness.metrics import Interval, Score


def render(evaluation: Evaluation) -> str:
    """The numbers by track and over all, then what they were measured with."""
    columns = {**evaluation.tracks, "all": evaluation.score} if len(evaluation.tracks) > 1 else evaluation.tracks
    rows = [("", list(columns)), *_rows(list(columns.values()))]
    left = max(len(name) for name, _ in rows)
    widths = [max(len(cells[n]) for _, cells in rows) for n in range(len(columns))]
    table = [
        "  ".join([name.ljust(left), *(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))]).rstrip()
        for name, cells in rows
    ]
    return "\n".join([*table, "", *_about(evaluation)])


def _rows(scores: list[Score]) -> list[tuple[str, list[str]]]:
    rows = [("tasks", [str(s.tasks) for s in scores]), ("samples", [str(s.samples) for s in scores])]
    for k in sorted({k for s in scores for k in s.pass_at}):
        rows.append((f"pass@{k}", [_percent(s.pass_at[k]) if k in s.pass_at else "-" for s in scores]))
    rows += [
        ("  95% (Wilson)", [_interval(s.wilson) for s in scores]),
        ("  95% (bootstrap over tasks)", [_interval(s.bootstrap) for s in scores]),
        ("near-perfect", [_percent(s.near_perfect) for s in scores]),
        ("cases passed", [_percent(s.case_pass_rate) for s in scores]),
    ]
    return rows + [(outcome, [_percent(s.outcomes[outcome]) for s in scores]) for outcome in scores[0].outcomes]


def _about(evaluation: Evaluation) -> list[str]:
    run = evaluation.run
    revision = f" at {run.revision}" if run.revision else ""
    lines = [
        f"release {run.release}{revision} (manifest {run.manifest_sha256[:12]}), code2bench {run.harness}, "
        f"prompts {run.prompts_sha256[:12]}",
        f"runtime Python {run.runtime} (lock {run.runtime_sha256[:12]}), isolation: {run.isolation}",
    ]
    if evaluation.taken_over:
        lines.append(f"{evaluation.taken_over} verdicts were in the results file already.")
    return [*lines, *evaluation.notes]


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def _interval(interval: Interval) -> str:
    return f"{100 * interval.low:.1f}-{100 * interval.high:.1f}%"
