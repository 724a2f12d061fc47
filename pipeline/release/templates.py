"""The hand-written texts of `dataset_cards/`, and how values get into them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from jinja2 import Environment, StrictUndefined

from pipeline.release.statistics import share
from pipeline.shipped import shipped


def text_of(name: str) -> str:
    """The text of a file of `dataset_cards/`."""
    return shipped(f"dataset_cards/{name}").read_text("utf-8")


def render(name: str, **values: Any) -> str:
    """A template with its values; a name that is not given is an error."""
    environment = Environment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    environment.filters.update(quoted=quoted, cell=_cell, cells=_cells, counted=_counted, share=share, number=_number)
    return environment.from_string(text_of(name)).render(**values)


def quoted(text: str) -> str:
    """A text that YAML reads as it is: JSON's texts are YAML's."""
    return json.dumps(text, ensure_ascii=False)


def _cell(text: str) -> str:
    """A text that stays in its cell of a Markdown table."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def _cells(texts: Iterable[str]) -> str:
    """Neighbouring cells of a table."""
    return " | ".join(texts)


def _counted(found: Iterable[tuple[str, int]]) -> str:
    """Names with how often each occurs."""
    return ", ".join(f"{name} ({count:,})" for name, count in found)


def _number(count: int) -> str:
    return f"{count:,}"
