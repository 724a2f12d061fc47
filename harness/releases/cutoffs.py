"""Knowledge cutoffs of well-known models, so that a day can be given by their names."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from harness.errors import UserError, guess
from harness.shipped import shipped


@dataclass(frozen=True)
class Model:
    """A model and when its knowledge ends: `cutoff` is YYYY-MM or YYYY-MM-DD, `source` says who says so.

    `looked_up` is the day on which the source was read, "" where nobody has: the cutoff is not verified then, which
    whoever shows it has to say.
    """

    name: str
    cutoff: str
    source: str
    looked_up: str = ""

    @property
    def verified(self) -> bool:
        """Whether somebody has read the source."""
        return bool(self.looked_up)

    @property
    def said(self) -> str:
        """The source, with the day on which it was read."""
        return f"{self.source}, {f'read on {self.looked_up}' if self.verified else 'not verified'}"

    @property
    def new_from(self) -> str:
        """The first day of which the model knows nothing: the one after its cutoff, or after the cutoff's month."""
        if len(self.cutoff) > len("2025-06"):
            return (date.fromisoformat(self.cutoff) + timedelta(days=1)).isoformat()
        year, month = map(int, self.cutoff.split("-"))
        return date(year + month // 12, month % 12 + 1, 1).isoformat()

    @property
    def last_day(self) -> str:
        """The last day of which the model may know something: the one before `new_from`."""
        return (date.fromisoformat(self.new_from) - timedelta(days=1)).isoformat()


def models_file() -> Path:
    """The project's own list."""
    return shipped("data/models.toml")


def read_models(path: Path, instead: str = "window.after as a date instead of window.models") -> dict[str, Model]:
    """The models of `data/models.toml`, by name; `instead` says in an error what can be given in place of a name."""
    if not path.is_file():
        raise UserError(f"There is no list of models {path}: give {instead}.")
    try:
        raw = tomllib.loads(path.read_text("utf-8"))
        models = [Model(**entry) for entry in raw["model"]]
        return {model.name: model for model in models if model.new_from and _is_told_when(model)}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError, ValueError) as error:
        raise UserError(
            f"{path} is no list of models ({error}): it takes [[model]] tables with name, cutoff (2025-06) and source, "
            'and looked_up = "2026-11-25" where somebody has read that.'
        ) from error


def _is_told_when(model: Model) -> bool:
    """Whether the day on which the source was read is one, or left out; raises `ValueError` or `TypeError`."""
    return not model.looked_up or date.fromisoformat(model.looked_up) is not None


def find_model(name: str, known: dict[str, Model], otherwise: str) -> Model:
    """The model of that name; raises `UserError` with the nearest name, if there is one, and the cure `otherwise`."""
    if name not in known:
        raise UserError(f"The knowledge cutoff of {name!r} is not known{guess(name, known)}: {otherwise}.")
    return known[name]


def cutoff_of(names: Sequence[str], path: Path) -> str:
    """The first day that is after the knowledge of all these models, as an ISO date."""
    known = read_models(path)
    otherwise = f"add it to {path.name} or give window.after"
    return max(find_model(name, known, otherwise).new_from for name in names)
