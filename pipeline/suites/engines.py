"""Who builds suites for functions in which language.

An engine belongs to a language, but lies with the suites, since no language knows of stages.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from harness.languages import Machine
from pipeline.config import SuiteConfig
from pipeline.suites.drafts import Draft, SuiteRequest
from pipeline.suites.sandbox.start import build_suites


class SuiteEngine(Protocol):
    """What the suite stage asks of a language."""

    @property
    def language(self) -> str:
        """The language whose functions it takes."""
        ...

    def build(self, requests: Sequence[SuiteRequest], config: SuiteConfig, machine: Machine) -> list[Draft]:
        """What became of each request, in their order; raises `SandboxFailed`."""
        ...


class PythonEngine:
    """Searches under the runtime's own Python, in the sandbox."""

    language = "python"

    def build(self, requests: Sequence[SuiteRequest], config: SuiteConfig, machine: Machine) -> list[Draft]:
        """One start of the sandbox for all requests."""
        return build_suites(requests, config, machine)


_ENGINES: tuple[SuiteEngine, ...] = (PythonEngine(),)


def engine(language: str) -> SuiteEngine:
    """The engine of a language; raises `KeyError` where there is none."""
    return {one.language: one for one in _ENGINES}[language]


def build_each(
    requests: Sequence[SuiteRequest], languages: Sequence[str], config: SuiteConfig, machine: Machine
) -> list[Draft]:
    """What became of each request, in their order; those in one language go to its engine together."""
    made: dict[int, Draft] = {}
    for language in dict.fromkeys(languages):
        places = [place for place, own in enumerate(languages) if own == language]
        found = engine(language).build([requests[place] for place in places], config, machine)
        made.update(zip(places, found, strict=True))
    return [made[place] for place in range(len(requests))]
