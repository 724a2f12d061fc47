"""An evaluation as tables for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.releases.lite import Agreement
from harness.report.layout import count, interval, percent, table
from harness.scoring.evaluate import Evaluation
from harness.scoring.explain import Explanation
from harness.scoring.metrics import Score
from harness.telling import printable

MAX_EXPLAINED = 100
"""Failed tasks that are shown; JSON has all of them."""


def render(evaluation: Evaluation) -> str:
    """The numbers by track and over all, slices and explanations that were asked for, what they were measured with."""
    columns = {**evaluation.tracks, "all": evaluation.score} if len(evaluation.tracks) > 1 else evaluation.tracks
    parts = [table([["", *columns], *_rows(list(columns.values()))])]
    parts += [_slices(by, scores) for by, scores in evaluation.slices.items()]
    parts += [] if evaluation.failures is None else [list(_explained(evaluation.failures))]
    return "\n\n".join("\n".join(map(printable, part)) for part in [*parts, _about(evaluation)])


def _rows(scores: list[Score]) -> Iterator[list[str]]:
    yield ["tasks", *(str(s.tasks) for s in scores)]
    yield ["samples", *(str(s.samples) for s in scores)]
    for k in sorted({k for s in scores for k in s.pass_at}):
        yield [f"pass@{k}", *(percent(s.pass_at[k]) if k in s.pass_at else "-" for s in scores)]
    yield ["  95% (Wilson)", *(interval(s.wilson) for s in scores)]
    yield ["  95% (bootstrap over tasks)", *(interval(s.bootstrap) for s in scores)]
    yield ["near-perfect", *(percent(s.near_perfect) for s in scores)]
    yield ["cases passed", *(percent(s.case_pass_rate) for s in scores)]
    for outcome in scores[0].outcomes:
        yield [outcome, *(percent(s.outcomes[outcome]) for s in scores)]


def _slices(by: str, scores: dict[str, Score]) -> list[str]:
    head = [f"by {by}", "tasks", "pass@1", "95% (Wilson)", "near-perfect", "cases passed"]
    return table([head, *([name, *_slice(score)] for name, score in scores.items())])


def _slice(s: Score) -> list[str]:
    rates = percent(s.near_perfect), percent(s.case_pass_rate)
    return [str(s.tasks), percent(s.pass_at[1]), interval(s.wilson), *rates]


def _explained(failures: Sequence[Explanation]) -> Iterator[str]:
    if not failures:
        yield "No answer failed."
        return
    yield f"{count(len(failures), 'task')} with a failed answer; of each the failing case with the smallest arguments:"
    for one in failures[:MAX_EXPLAINED]:
        which = f", sample {one.sample} of {one.samples}, {one.perfect} of them perfect" if one.samples > 1 else ""
        yield f"{one.task_id}  {one.entry_point}  ({one.outcome}, {one.passed} of {one.total} cases passed{which})"
        yield from (f"    {line}" for line in _case(one))
    if len(failures) > MAX_EXPLAINED:
        yield f"... and {len(failures) - MAX_EXPLAINED} more; --json has all of them."


def _case(one: Explanation) -> Iterator[str]:
    if not one.call:
        yield one.detail
        return
    yield one.call
    yield f"expected: {one.expected}"
    yield f"got:      {one.got or ': '.join(filter(None, (one.status, one.detail)))}"
    if one.status == "wrong" and "characters left out" in one.expected + one.got:
        yield f"where:    {one.detail}"
    if one.shrunk is not None:
        asked, expected, got = one.shrunk
        yield "a smaller input, which is no case:"
        yield from (f"    {asked}", f"    expected: {expected}", f"    got:      {got}")


def _about(evaluation: Evaluation) -> list[str]:
    run = evaluation.run
    revision = f" at {run.revision}" if run.revision else ""
    lines = [
        f"release {run.release}{revision} (manifest {run.manifest_sha256[:12]}), code2bench {run.harness}, "
        f"prompts {run.prompts_sha256[:12]}",
        f"runtime Python {run.runtime} (lock {run.runtime_sha256[:12]}), isolation: {run.isolation}",
    ]
    if run.model:
        said = ", ".join(part for part in (run.model, run.model_revision, run.sampling) if part)
        lines.insert(0, f"answers of {said}")
    if run.cases == "lite":
        lines.append("Only the lite selection of each task's cases was run (all cases where a task has none).")
    if evaluation.age:
        age = evaluation.age
        source = f" (cutoff: {age.cutoff.source})" if age.cutoff.source else ""
        lines.append(f"Scored: {age.tasks} of {age.of} tasks, those younger than {age.cutoff.told}{source}.")
    if evaluation.agreement:
        lines.append(_agreement(evaluation.agreement))
    if evaluation.taken_over:
        lines.append(f"{evaluation.taken_over} verdicts were in the results file already.")
    return [*lines, *evaluation.notes]


def _agreement(both: Agreement) -> str:
    return (
        f"Lite and full agree (perfect or not) on {both.agree} of {count(both.answers, 'answer')} "
        f"({percent(both.agree / both.answers)}): {both.lite_perfect} are perfect in lite, {both.full_perfect} in full."
    )
