"""Names that say of two values which is the lower bound and which the upper one: `start` and `end`, `x1` and `x2`."""

from __future__ import annotations

import re

from pipeline.suites.rules import finds

_LOW = ("start", "start", "earliest", "low", "lo", "min", "minimum", "begin", "lower", "since")


_HIGH = ("end", "stop", "latest", "high", "hi", "max", "maximum", "end", "upper", "until")


@finds("names: pairs", list)
def paired_names(names: list[str]) -> list[tuple[str, str]]:
    """Pairs of parameters whose names say that the first is the lower bound and the second the upper one."""
    pairs = []
    for low, high in zip(_LOW, _HIGH, strict=True):
        for name in names:
            parts = name.split("_")
            other = "_".join(high if part == low else part for part in parts)
            if low in parts and other in names:
                pairs.append((name, other))
    corners = [(name, name[:-1] + "2") for name in names if re.fullmatch(r"[a-z]_?1", name)]
    return pairs + [pair for pair in corners if pair[1] in names]
