"""The card's figures: bar charts as SVG, written by hand so that the same numbers give the same bytes.

A figure brings its own background. Where the reader's system is dark, the style sheet inside the SVG takes the dark
colours for background and text alike; where it is not asked (the page's theme was set by hand, the style sheet is
refused), the light colours stand. So text never meets a background that it was not chosen for, which a pair of files
behind `<picture>` can't promise: it follows the system, and the Hub has a theme of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from harness.records import Difficulty, Task
from pipeline.release.funnel import FunnelRow
from pipeline.release.statistics import by_number, share

WIDTH = 760
_PAD, _ROW, _BAR, _HEAD = 20, 28, 14, 30
_CHARACTER, _WIDE = 8.3, 13.0
"""About how wide characters of 13 pixels are in the widest of the usual fonts: most of them, and the widest."""
_LONGEST = 330.0
"""The width that a bar's name may take, in pixels."""

_COLOURS = {
    "panel": ("#ffffff", "#111827"),
    "edge": ("#d1d5db", "#374151"),
    "text": ("#1f2937", "#e5e7eb"),
    "quiet": ("#4b5563", "#9ca3af"),
    "empty": ("#e5e7eb", "#374151"),
    "bar": ("#2563eb", "#60a5fa"),
}
"""What each part of a figure is painted with, in light and in dark."""


@dataclass(frozen=True)
class Bar:
    """One bar: its name, how much of the full width it takes (0 to 1), and the number in words behind it."""

    name: str
    part: float
    note: str


@dataclass(frozen=True)
class Group:
    """Bars under a heading, which is "" where there is only one group."""

    heading: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True)
class Figure:
    """A chart: the name of its file, its title, its bars."""

    name: str
    title: str
    groups: tuple[Group, ...]

    @property
    def path(self) -> str:
        """Where it lies in a release."""
        return f"figures/{self.name}.svg"

    @property
    def alt(self) -> str:
        """All of it in words, for those who can't see it."""
        told = ((g.heading + ": " if g.heading else "") + "; ".join(f"{b.name} {b.note}" for b in g.bars)
                for g in self.groups)
        return f"{self.title}. {'. '.join(told)}."


def figures(tasks: Sequence[Task], funnel: Sequence[FunnelRow]) -> list[Figure]:
    """The figures of a card."""
    return [_funnel(funnel), _difficulty(tasks), _domains(tasks)]


def _funnel(rows: Sequence[FunnelRow]) -> Figure:
    bars = tuple(
        Bar(row.stage, row.kept / row.read, f"{row.kept:,} of {row.read:,} ({share(row.kept / row.read)})")
        for row in rows if row.unit == "function" and row.read
    )  # fmt: skip
    return Figure("funnel", "Functions that each stage kept, of those that it read", (Group("", bars),))


def _difficulty(tasks: Sequence[Task]) -> Figure:
    groups = []
    for track in sorted({task.track for task in tasks}):
        own = [task for task in tasks if task.track == track]
        counts = Counter(task.difficulty for task in own)
        bars = tuple(_part(level.value, counts[level], len(own)) for level in Difficulty)
        groups.append(Group(f"{track}, {len(own):,} tasks", bars))
    return Figure("difficulty", "Difficulty by track", tuple(groups))


def _domains(tasks: Sequence[Task]) -> Figure:
    counted = by_number(task.domain for task in tasks)
    bars = tuple(_part(name, count, len(tasks)) for name, count in counted)
    return Figure("domains", "Tasks by domain of their project", (Group("", bars),))


def _part(name: str, count: int, of: int) -> Bar:
    return Bar(name, count / of, f"{count:,} ({share(count / of)})")


def as_svg(figure: Figure) -> str:
    """The figure as an SVG document."""
    names = [_cut(bar.name) for group in figure.groups for bar in group.bars]
    notes = [bar.note for group in figure.groups for bar in group.bars]
    left = _PAD + _width(names) + 12
    full = WIDTH - left - 12 - _width(notes) - _PAD
    body: list[str] = []
    top = _PAD + _HEAD
    for group in figure.groups:
        if group.heading:
            body.append(_text(_PAD, top + 14, group.heading, "quiet", weight="600"))
            top += _ROW
        for bar in group.bars:
            body += _drawn(bar, left, full, top)
            top += _ROW
    return _document(figure, body, top + _PAD - 6)


def _drawn(bar: Bar, left: float, full: float, top: float) -> list[str]:
    middle, y = top + 14, top + 14 - _BAR / 2 - 4
    filled = max(full * bar.part, 2.0 if bar.part else 0.0)
    return [
        _text(left - 12, middle, _cut(bar.name), "text", anchor="end"),
        _box("empty", left, y, full, _BAR),
        _box("bar", left, y, filled, _BAR),
        _text(left + full + 12, middle, bar.note, "text"),
    ]


def _document(figure: Figure, body: Sequence[str], height: float) -> str:
    edge, panel = _COLOURS["edge"][0], _COLOURS["panel"][0]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:g}" viewBox="0 0 {WIDTH} {height:g}" '
        'role="img" aria-labelledby="title desc" '
        'font-family="system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif" font-size="13">',
        f'<title id="title">{escape(figure.title)}</title>',
        f'<desc id="desc">{escape(figure.alt)}</desc>',
        f"<style>{_dark()}</style>",
        f'<rect class="panel edge" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1:g}" rx="8" '
        f'fill="{panel}" stroke="{edge}"/>',
        _text(_PAD, _PAD + 12, figure.title, "text", weight="600"),
        *body,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _dark() -> str:
    rules = (f".{name}{{{'stroke' if name == 'edge' else 'fill'}:{dark}}}" for name, (_, dark) in _COLOURS.items())
    return f"@media (prefers-color-scheme:dark){{{''.join(rules)}}}"


def _box(kind: str, x: float, y: float, width: float, height: float) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height}"'
    return f'<rect class="{kind}" {place} rx="2" fill="{_COLOURS[kind][0]}"/>'


def _text(x: float, y: float, text: str, kind: str, anchor: str = "start", weight: str = "400") -> str:
    return (
        f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}" '
        f'fill="{_COLOURS[kind][0]}">{escape(text)}</text>'
    )


def _cut(name: str) -> str:
    """The name, or as much of its beginning as there is room for."""
    if _width([name]) <= _LONGEST:
        return name
    while _width([name + "…"]) > _LONGEST:
        name = name[:-1]
    return name.rstrip() + "…"


def _width(texts: Sequence[str]) -> float:
    """About how wide the widest of the texts is."""
    return max((sum(map(_character, text)) for text in texts), default=0)


def _character(one: str) -> float:
    return _WIDE if one in "MWmw@%&…" or one > "\u2e80" else _CHARACTER
