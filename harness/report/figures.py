"""Figures of analyses as SVG, with matplotlib (the extra `report`): the same numbers give the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, TypeVar

from harness.analysis.rewordings import Sensitivity
from harness.analysis.robustness import Drop
from harness.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes

_R = TypeVar("_R")
_COLOURS = ("#0b6e99", "#c2571a", "#4d7c2a", "#8c3b7e", "#7a6a00", "#444b54")
"""Told apart by people who don't see all colours, and in print."""
_ROW = 0.32
"""Inches of height for each bar."""


def of_programs(rows: Sequence[Drop], folder: Path) -> list[Path]:
    """What changes of programs cost, by chain, and how far models lie apart (Dynamic Benchmarking, Figure 4)."""
    made = []
    for family in sorted({row.family for row in rows}):
        own = [row for row in rows if row.family == family]
        made.append(_written(folder / f"{family}-changes.svg", own, len({row.chain for row in own}), _changes))
        made.append(_written(folder / f"{family}-models.svg", own, len({row.chain for row in own}) + 1, _models))
    return made


def of_questions(rows: Sequence[Sensitivity], folder: Path) -> list[Path]:
    """The mean size of changes by strategy and model, beside what chance gives (Prompt mutation, Figure 4)."""
    strategies = len({row.strategy for row in rows})
    return [
        _written(folder / "questions-sizes.svg", rows, strategies, _sizes),
        _written(folder / "questions-changes.svg", rows, strategies, _changes_of_questions),
    ]


def of_leaks(same: Sequence[Drop], fresh: Sequence[Drop], folder: Path) -> Path:
    """What who has read the questions gets right, in the same cases and in fresh ones (the paper's Figure 5)."""
    named = [("same cases", row) for row in same] + [("fresh cases", row) for row in fresh]
    return _written(folder / "contamination.svg", named, len({row.chain for row in same}), _leaks)


def _written(path: Path, rows: Sequence[_R], groups: int, drawn: Callable[[Axes, Sequence[_R]], None]) -> Path:
    """One figure, whose height fits the number of groups of bars."""
    with _drawing() as plotting:
        figure, axes = plotting.subplots(figsize=(7.5, 1.2 + _ROW * 1.6 * max(2, groups)))
        drawn(axes, rows)
        axes.spines[["top", "right"]].set_visible(False)
        axes.invert_yaxis()
        figure.tight_layout()
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})
        plotting.close(figure)
    return path


@contextmanager
def _drawing() -> Iterator[Any]:
    """Matplotlib without a screen, and with ids that don't change; raises `UserError` where it is missing."""
    try:
        import matplotlib
    except ImportError:
        raise UserError("Figures need matplotlib: pip install 'code2bench[report]', or leave --figures out.") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    settings: dict[Any, Any] = {
        "svg.hashsalt": "code2bench", "svg.fonttype": "none", "font.size": 9.0, "axes.grid": True,
        "axes.grid.axis": "x", "grid.color": "#d9dde3", "axes.axisbelow": True,
    }
    with matplotlib.rc_context(settings):
        yield pyplot


def _changes(axes: Axes, rows: Sequence[Drop]) -> None:
    _intervals(axes, [(row.chain, row.model, row.difference, row.interval.low, row.interval.high) for row in rows])
    axes.set_xlabel("pass@1 of the variant less that of the origin, points, with 95% interval over tasks")


def _changes_of_questions(axes: Axes, rows: Sequence[Sensitivity]) -> None:
    told = [(row.strategy, row.model, row.change, row.interval.low, row.interval.high) for row in rows]
    _intervals(axes, told)
    axes.set_xlabel("pass@1 in other words less that of the initial question, points, with 95% interval over tasks")


def _intervals(axes: Axes, rows: Sequence[tuple[str, str, float, float, float]]) -> None:
    """A point with its interval for each group and model."""
    groups, models = _named([row[0] for row in rows]), _named([row[1] for row in rows])
    for place, model in enumerate(models):
        own = [row for row in rows if row[1] == model]
        at = [groups.index(row[0]) + _shift(place, len(models)) for row in own]
        points = [100 * row[2] for row in own]
        around = [[100 * (row[2] - row[3]) for row in own], [100 * (row[4] - row[2]) for row in own]]
        axes.errorbar(points, at, xerr=around, fmt="o", markersize=4, color=_colour(place), label=model)
    axes.axvline(0, color="#444b54", linewidth=0.8)
    _told(axes, groups, models)


def _models(axes: Axes, rows: Sequence[Drop]) -> None:
    """A box over models for the origin and each chain, with the models as points."""
    chains, models = _named([row.chain for row in rows]), _named([row.model for row in rows])
    origin = [fmean([row.origin for row in rows if row.model == model]) for model in models]
    rates = [origin, *([row.rate for row in rows if row.chain == chain] for chain in chains)]
    values = [[100 * rate for rate in own] for own in rates]
    axes.boxplot(values, positions=range(len(values)), orientation="horizontal", widths=0.5, showfliers=False,
                 medianprops={"color": "#c2571a"})
    for place, model in enumerate(models):
        named = {row.chain: row.rate for row in rows if row.model == model}
        own = [(0, origin[place]), *((at, named[one]) for at, one in enumerate(chains, 1) if one in named)]
        axes.plot([100 * rate for _, rate in own], [at for at, _ in own], "o", markersize=4, color=_colour(place),
                  label=model)
    axes.set_xlabel("pass@1, %, a box over models")
    _told(axes, ["origin", *chains], models)


def _sizes(axes: Axes, rows: Sequence[Sensitivity]) -> None:
    """Bars of MB, with a mark where chance alone would be."""
    strategies, models = _named([row.strategy for row in rows]), _named([row.model for row in rows])
    height = 0.8 / len(models)
    for place, model in enumerate(models):
        own = [row for row in rows if row.model == model]
        at = [strategies.index(row.strategy) + _shift(place, len(models)) for row in own]
        axes.barh(at, [100 * row.mean_change for row in own], height=height, color=_colour(place), label=model)
        floors = [(100 * row.floor, one) for row, one in zip(own, at, strict=True) if row.floor is not None]
        axes.plot([floor for floor, _ in floors], [one for _, one in floors], "|", color="black", markersize=11,
                  markeredgewidth=1.6, label="by chance alone" if place == 0 else None)
    axes.set_xlabel("MB, points: the mean size of a task's changes")
    _told(axes, strategies, models)


def _leaks(axes: Axes, rows: Sequence[tuple[str, Drop]]) -> None:
    chains, kinds = _named([row.chain for _, row in rows]), _named([kind for kind, _ in rows])
    for place, kind in enumerate(kinds):
        own = [row for one, row in rows if one == kind]
        at = [chains.index(row.chain) + _shift(place, len(kinds)) for row in own]
        axes.barh(at, [100 * row.rate for row in own], height=0.8 / len(kinds), color=_colour(place), label=kind)
    axes.set_xlabel("pass@1 of who has read the questions about the origins with their answers, %")
    _told(axes, chains, kinds)


def _told(axes: Axes, groups: Sequence[str], models: Sequence[str]) -> None:
    axes.set_yticks(range(len(groups)), groups)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=min(3, 1 + len(models)), frameon=False)


def _shift(place: int, models: int) -> float:
    return 0.8 * ((place + 0.5) / models - 0.5)


def _colour(place: int) -> str:
    return _COLOURS[place % len(_COLOURS)]


def _named(names: Sequence[str]) -> list[str]:
    """Each name once, in the order in which they come."""
    return list(dict.fromkeys(names))
