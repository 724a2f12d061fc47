"""The place of an answer in the spectrum of outcomes (paper, section 4.2)."""

from __future__ import annotations

from collections.abc import Sequence

from harness.records import CaseResult, Spectrum

NOT_RUN = frozenset({Spectrum.NO_ANSWER, Spectrum.SYNTAX_ERR, Spectrum.RUNTIME_ERR, Spectrum.TIMEOUT})
"""The places of an answer of which no case was run, since it holds no code or does not load."""
_TIERS = (
    (1.0, Spectrum.PERFECT), (0.98, Spectrum.NEAR_PERF), (0.6, Spectrum.PARTIAL_HIGH), (0.2, Spectrum.PARTIAL_LOW),
)


def spectrum(cases: Sequence[CaseResult]) -> Spectrum:
    """The place of loaded code in the spectrum (paper, section 4.2), by the share of cases that it passes.

    `Perfect` is all of them, `NearPerf` at least 98%, `PartialHigh` 60%, `PartialLow` 20%, `Fail` less, but not none.
    Of code that passes none, `RuntimeErr` is what gave no value at all and raised or crashed at least once, `Timeout`
    what only hung, and `LogicErr` what gave wrong values.
    """
    statuses = [case.status for case in cases]
    passed = statuses.count("passed")
    if passed:
        return next((tier for share, tier in _TIERS if passed >= share * len(cases)), Spectrum.FAIL)
    gave_values = any(status in ("wrong", "unencodable") for status in statuses)
    died = any(status in ("raised", "crashed") for status in statuses)
    if gave_values:
        return Spectrum.LOGIC_ERR
    return Spectrum.RUNTIME_ERR if died else Spectrum.TIMEOUT
