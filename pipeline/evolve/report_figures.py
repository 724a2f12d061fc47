"""The figures of an evolved release: measures before and after (Fig. 1 and 7), and operators (Fig. 8)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness.errors import UserError
from pipeline.evolve.report import boxes, frequencies
from pipeline.evolve.rows import EvolvedProgram


def draw(rows: Sequence[EvolvedProgram], folder: Path) -> list[Path]:
    """Write the figures into a folder; raises `UserError` where nothing can draw them."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise UserError("Figures need matplotlib: pip install 'code2bench[report]'.") from None
    folder.mkdir(parents=True, exist_ok=True)
    found = boxes(rows)
    figure = Figure(figsize=(3.2 * len(found), 3.2), layout="constrained")
    for place, (version, columns) in enumerate(found.items()):
        axes = figure.add_subplot(1, len(found), place + 1)
        axes.boxplot(columns, tick_labels=[f"C{number}" for number in range(1, 8)])
        axes.set_title(version)
    made = [folder / "measures.png", folder / "operators.png"]
    figure.savefig(made[0])
    used = [one for one in frequencies(rows) if one.uses]
    bars = Figure(figsize=(6, 0.3 * len(used) + 1), layout="constrained")
    axes = bars.add_subplot()
    axes.barh([f"{one.code} {one.name}" for one in used][::-1], [one.uses for one in used][::-1])
    axes.set_xlabel("applications")
    bars.savefig(made[1])
    return made
