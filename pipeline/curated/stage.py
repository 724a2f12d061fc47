"""The stage behind the screen: functions get their public names, and what maintainers have written for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from pipeline.config import CurateConfig
from pipeline.curated.checks import fault_of
from pipeline.curated.files import CuratedFile, load_curated, reference_digest
from pipeline.curated.naming import published
from pipeline.languages.programs import Unreadable
from pipeline.progress import say
from pipeline.records import Candidate, Reason, Rejection, reject_function
from pipeline.stage import Context


@dataclass(frozen=True)
class CurateStage:
    """Names the candidates as tasks will call them, and adds what the files of the data folder say of them."""

    config: CurateConfig = field(default_factory=CurateConfig)
    name: str = "curate"
    takes: type = Candidate
    gives: type = Candidate
    shard_size: int = 0
    fan_out: bool = False

    def run(self, records: Sequence[Candidate], context: Context) -> Iterator[Candidate | Rejection]:
        """Yield each candidate under its public name; one whose file can't be used leaves."""
        known = load_curated(context.data / self.config.files) if self.config.files else {}
        for record in records:
            yield self.curated(record, known.get(record.id))

    def curated(self, candidate: Candidate, found: CuratedFile | None) -> Candidate | Rejection:
        """One candidate with its file; a stale one is told and left out."""
        if found is not None and found.reference != reference_digest(candidate):
            say(f"Note: {found.path} is stale, since {candidate.function.name} has changed: "
                f"its reference is {reference_digest(candidate)} now.")
            found = None
        if found is None:
            try:
                return published(candidate)
            except Unreadable:
                return candidate
        try:
            named = published(candidate, found.curated.name)
        except Unreadable as error:
            return self._refused(candidate, f"its name: {error}")
        fault = fault_of(found.curated, named)
        return self._refused(candidate, fault) if fault else replace(named, curated=found.curated)

    def _refused(self, candidate: Candidate, evidence: str) -> Rejection:
        return reject_function(self.name, candidate.function, Reason.UNFIT_CURATION, evidence, candidate.track)
