"""Scores by a property of the tasks: track, difficulty, library, domain, month; of variants the chain."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from harness.records import Difficulty, Task, Verdict
from harness.releases.ages import first_public
from harness.scoring.metrics import Score, score_by

NO_LIBRARY = "(none)"
NO_CHAIN = "(description)"

SLICES: dict[str, Callable[[Task], Sequence[str]]] = {
    "track": lambda task: (task.track,),
    "difficulty": lambda task: (task.difficulty,),
    "library": lambda task: task.libraries or (NO_LIBRARY,),
    "domain": lambda task: (task.domain,),
    "month": lambda task: (first_public(task)[:7],),
    "chain": lambda task: (task.variation.chain or NO_CHAIN,) if task.variation else (),
}
"""What a task counts under: in each of its libraries (modules as the row names them), in the month (UTC) in which it
can first have been public."""

_RANKS = {str(difficulty): rank for rank, difficulty in enumerate(Difficulty)}


def slices(verdicts: Iterable[Verdict], tasks: Iterable[Task], by: str) -> dict[str, Score]:
    """The scores by one property, a key of `SLICES`; difficulties from easy to hard, all else sorted by name."""
    parts = score_by(verdicts, {task.task_id: SLICES[by](task) for task in tasks})
    return {key: parts[key] for key in sorted(parts, key=lambda key: (_RANKS.get(key, 0), key))}
