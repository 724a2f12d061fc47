"""An evaluation as one JSON object for programs."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from harness.evaluate import Evaluation
from harness.metrics import Score


def render(evaluation: Evaluation) -> str:
    """The same as the table, with full precision and names instead of layout."""
    return json.dumps({
        "run": asdict(evaluation.run),
        "score": _score(evaluation.score),
        "tracks": {track: _score(part) for track, part in evaluation.tracks.items()},
        "taken_over": evaluation.taken_over,
        "notes": list(evaluation.notes),
    })


def _score(score: Score) -> dict[str, Any]:
    plain = asdict(score)
    plain["pass_at"] = {str(k): value for k, value in score.pass_at.items()}
    return plain
