"""An evaluation as one JSON object for programs."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from harness.scoring.evaluate import Evaluation
from harness.scoring.metrics import Score, in_paper


def render(evaluation: Evaluation) -> str:
    """The same as the tables, with full precision and names instead of layout.

    `younger_than`, `lite_agreement` and `failures` are null where they were not asked for or can't be told.
    """
    age, both, failures = evaluation.age, evaluation.agreement, evaluation.failures
    return json.dumps({
        "run": asdict(evaluation.run),
        "score": _score(evaluation.score),
        "tracks": _scores(evaluation.tracks),
        "slices": {by: _scores(parts) for by, parts in evaluation.slices.items()},
        "younger_than": age and {**asdict(age.cutoff), "tasks": age.tasks, "of": age.of},
        "lite_agreement": both and {**asdict(both), "agree": both.agree, "share": both.agree / both.answers},
        "failures": None if failures is None else [asdict(one) for one in failures],
        "taken_over": evaluation.taken_over,
        "notes": list(evaluation.notes),
    })


def _scores(parts: dict[str, Score]) -> dict[str, Any]:
    return {name: _score(part) for name, part in parts.items()}


def _score(score: Score) -> dict[str, Any]:
    plain = asdict(score)
    plain["pass_at"] = {str(k): value for k, value in score.pass_at.items()}
    plain["spectrum"] = in_paper(score.outcomes)
    return plain
