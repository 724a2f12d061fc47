"""The figures: well-formed, legible in light and dark, and with all of their numbers in words."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pipeline.release import figures as made
from pipeline.release.figures import Bar, Figure, Group, as_svg, figures
from tests.pipeline.release.making import FUNNEL, tasks

SVG = "{http://www.w3.org/2000/svg}"
ALL = figures(tasks(), FUNNEL)
NAMES = ["x", "Data Science & Machine Learning", "A <very> long name of a domain that nobody has ever thought of before",
         "W" * 60, "数据科学与机器学习" * 6]


def luminance(colour: str) -> float:
    parts = (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, two: str) -> float:
    """The contrast ratio of WCAG 2."""
    high, low = sorted((luminance(one), luminance(two)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def chart(*bars: Bar) -> ElementTree.Element:
    return ElementTree.fromstring(as_svg(Figure("x", "A chart", (Group("", bars),))))


@pytest.mark.parametrize("figure", ALL, ids=lambda f: f.name)
def test_all_that_is_drawn_is_told_in_words(figure: Figure) -> None:
    root = ElementTree.fromstring(as_svg(figure))
    assert root.findtext(f"{SVG}title") == figure.title and root.findtext(f"{SVG}desc") == figure.alt
    drawn = [text.text or "" for text in root.iter(f"{SVG}text")]
    assert all(text in figure.alt for text in drawn)


@pytest.mark.parametrize("figure", ALL, ids=lambda f: f.name)
def test_a_figure_is_its_numbers_alone(figure: Figure) -> None:
    assert as_svg(figure) == as_svg(figure)
    assert not re.search(r"20\d\d-\d\d|http(?!://www.w3.org)|<script|href", as_svg(figure))


def test_the_numbers_are_the_release_s() -> None:
    told = {figure.name: figure.alt for figure in ALL}
    assert "mine 40 of 1,200 (3.3%)" in told["funnel"] and "package 5 of 7 (71.4%)" in told["funnel"]
    assert "sc-python, 3 tasks: Easy 1 (33.3%); Medium 1 (33.3%); Hard 1 (33.3%)" in told["difficulty"]
    assert "Text Processing & NLP 4 (80%); Data Science & Machine Learning 1 (20%)" in told["domains"]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("kind", ["text", "quiet"])
def test_text_can_be_read_on_its_background(theme: int, kind: str) -> None:
    assert contrast(made._COLOURS[kind][theme], made._COLOURS["panel"][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("ground", ["panel", "empty"])
def test_bars_can_be_told_from_what_is_behind_them(theme: int, ground: str) -> None:
    assert contrast(made._COLOURS["bar"][theme], made._COLOURS[ground][theme]) >= 3


def test_every_part_that_is_painted_has_a_dark_colour() -> None:
    root = ElementTree.fromstring(as_svg(ALL[1]))
    style = root.findtext(f"{SVG}style") or ""
    used = {name for part in root.iter() for name in part.get("class", "").split()}
    assert used == set(made._COLOURS) and all(f".{name}{{" in style for name in used)


@pytest.mark.parametrize("name", NAMES)
def test_names_of_any_length_stay_beside_their_bars(name: str) -> None:
    root = chart(Bar(name, 0.5, "1,234 of 2,468 (50%)"))
    label, note = [text for text in root.iter(f"{SVG}text") if text.text != "A chart"]
    empty = next(box for box in root.iter(f"{SVG}rect") if box.get("class") == "empty")
    left, width = float(empty.get("x", "")), float(empty.get("width", ""))
    assert float(label.get("x", "")) < left and float(label.get("x", "")) - made._width([label.text or ""]) >= 0
    assert float(note.get("x", "")) > left + width and width > 100
    assert float(note.get("x", "")) + made._width([note.text or ""]) <= made.WIDTH


def test_bars_are_as_long_as_their_shares() -> None:
    root = chart(Bar("none", 0, "0"), Bar("half", 0.5, "1"), Bar("all", 1, "2"), Bar("hardly", 0.0001, "3"))
    widths = [float(box.get("width", "")) for box in root.iter(f"{SVG}rect") if box.get("class") == "bar"]
    assert widths[0] == 0 and widths[2] == pytest.approx(2 * widths[1], abs=0.2) and widths[3] == 2


def test_a_figure_lies_where_the_card_looks_for_it() -> None:
    assert all(Path(figure.path).parts == ("figures", f"{figure.name}.svg") for figure in ALL)
