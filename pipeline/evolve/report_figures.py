"""The figures of an evolved release: measures (Fig. 1 and 7), operators (Fig. 8), and what is lost (Fig. 10)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.errors import UserError
from pipeline.evolve.report import Fates, boxes, frequencies
from pipeline.evolve.rows import EvolvedProgram

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(rows: Sequence[EvolvedProgram], folder: Path, fates: Sequence[Fates] = ()) -> list[Path]:
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
    told = [one for one in fates if one.kept and one.lost]
    if told:
        made.append(folder / "lost.png")
        _lost(told, Figure(figsize=(2.4 * len(told), 3.2), layout="constrained")).savefig(made[-1])
    return made


def _lost(fates: Sequence[Fates], figure: Figure) -> Figure:
    """Relative complexity of the programs of which all was kept beside those of which something was lost."""
    for place, one in enumerate(fates):
        axes = figure.add_subplot(1, len(fates), place + 1)
        axes.boxplot([one.kept, one.lost], tick_labels=["kept", "lost"])
        axes.set_title(f"{one.model}, {one.family}", fontsize="small")
        axes.set_ylabel("RC" if not place else "")
    return figure
