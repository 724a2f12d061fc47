"""A release's figures as parts of a page: what draws stays, the page's style sheet gives the colours."""

from __future__ import annotations

from xml.etree import ElementTree

from harness.releases.dataset import Release

FOLDER = "figures/"
_DRAWN = {
    "svg": ("viewBox", "role", "font-family", "font-size"),
    "title": (),
    "desc": (),
    "rect": ("class", "x", "y", "width", "height", "rx"),
    "text": ("class", "x", "y", "text-anchor", "font-weight"),
}
"""The elements that a figure of a card has, with the attributes that a page needs of them; others don't get there."""


def figures_of(release: Release) -> list[str]:
    """The figures of a release as elements of HTML."""
    names = (name for name in sorted(release.manifest["files"]) if name.startswith(FOLDER) and name.endswith(".svg"))
    found = (inline((release.folder / name).read_bytes(), f"figure-{place}") for place, name in enumerate(names, 1))
    return [one for one in found if one]


def inline(svg: bytes, name: str) -> str:
    """An SVG document as an element of HTML whose ids begin with a name; "" where it is none that can be shown."""
    try:
        root = ElementTree.fromstring(svg) if b"<!DOCTYPE" not in svg else None
    except ElementTree.ParseError:
        return ""
    drawn = _drawn(root, name) if root is not None else None
    if drawn is None or drawn.tag != "svg":
        return ""
    drawn.set("aria-labelledby", f"{name}-title")
    drawn.set("aria-describedby", f"{name}-desc")
    return ElementTree.tostring(drawn, encoding="unicode")


def _drawn(element: ElementTree.Element, name: str) -> ElementTree.Element | None:
    """The element without what the page has no use for; None where it is not one of those that are drawn."""
    tag = element.tag.rpartition("}")[2]
    if tag not in _DRAWN:
        return None
    made = ElementTree.Element(tag, {key: element.attrib[key] for key in _DRAWN[tag] if key in element.attrib})
    if tag in ("title", "desc"):
        made.set("id", f"{name}-{tag}")
    made.text, made.tail = element.text, "\n"
    made.extend(one for one in (_drawn(child, name) for child in element) if one is not None)
    return made
