"""Tracks: the configurations of a published data set, as data of family, dependence and language."""

from __future__ import annotations

from dataclasses import dataclass

DEPENDENCES = ("sc", "wsc")
"""What an answer may depend on: the language alone (self-contained), or allowed libraries too (weakly)."""


@dataclass(frozen=True, order=True)
class Track:
    """Which tasks stand together; `prefix` is that of the family's name, "" for the family of plain functions."""

    prefix: str
    dependence: str
    language: str

    def __str__(self) -> str:
        return "-".join(part for part in (self.prefix, self.dependence, self.language) if part)

    @property
    def self_contained(self) -> bool:
        """Whether an answer needs no library."""
        return self.dependence == "sc"

    @staticmethod
    def of(name: str) -> Track:
        """The track of that name: inverse of `str`; raises `ValueError`."""
        head, _, language = name.rpartition("-")
        prefix, _, dependence = head.rpartition("-")
        if dependence not in DEPENDENCES or not language:
            raise ValueError(f"there is no track {name!r}")
        return Track(prefix, dependence, language)
