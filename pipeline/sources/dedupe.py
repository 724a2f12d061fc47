"""The stage that leaves the earliest of near duplicates between projects, and none that a known benchmark has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.config import DedupeConfig
from pipeline.languages.registry import language
from pipeline.records import Candidate, Function, Reason, Rejection, reject_function
from pipeline.sources.known import Known, read_known
from pipeline.stage import Context

if TYPE_CHECKING:
    from datasketch import MinHash


class NearDuplicates:
    """An index of functions by MinHash; what MinHash finds is confirmed by the exact Jaccard similarity.

    Other collections than the projects', such as known benchmarks, can be added under their own names as owners.
    """

    def __init__(self, config: DedupeConfig) -> None:
        # It loads SciPy, which takes half a second that most commands have no need of.
        from datasketch import MinHash, MinHashLSH

        self._config = config
        # MinHash only proposes, and misses less when it looks a little below the limit.
        self._lsh = MinHashLSH(threshold=max(config.similarity - 0.1, 0.1), num_perm=config.permutations)
        self._empty = MinHash(num_perm=config.permutations, seed=1)
        self._known: dict[str, Known] = {}

    def add(self, known: Known) -> None:
        """Take something into the index."""
        key = str(len(self._known))
        self._known[key] = known
        self._lsh.insert(key, self._sketch(known.shingles))

    def nearest(self, owner: str, shingles: frozenset[int]) -> tuple[float, Known] | None:
        """What is nearly the same and somebody else's, with its similarity; the most alike, then the first added."""
        found = []
        for key in self._lsh.query(self._sketch(shingles)):
            known = self._known[key]
            similarity = _jaccard(known.shingles, shingles)
            if known.owner != owner and similarity >= self._config.similarity:
                found.append((-similarity, int(key)))
        if not found:
            return None
        similarity, index = min(found)
        return -similarity, self._known[str(index)]

    def _sketch(self, shingles: frozenset[int]) -> MinHash:
        sketch = self._empty.copy()
        sketch.update_batch([(s & 0xFFFFFFFFFFFFFFFF).to_bytes(8, "big") for s in sorted(shingles)])
        return sketch


def _jaccard(one: frozenset[int], other: frozenset[int]) -> float:
    union = len(one | other)
    return len(one & other) / union if union else 1.0


@dataclass(frozen=True)
class DedupeStage:
    """Candidate -> Candidate: near duplicates leave that another project had earlier, or a benchmark that is known."""

    config: DedupeConfig = field(default_factory=DedupeConfig)
    name: str = "dedupe"
    takes: type = Candidate
    gives: type = Candidate
    shard_size: int = 0
    fan_out: bool = False

    def run(self, records: Sequence[Candidate], context: Context) -> Iterator[Candidate | Rejection]:
        """Yield the records in their order, duplicates as rejections."""
        comparing = _Comparing(NearDuplicates(self.config), read_known(context.data / self.config.known))
        rejected: dict[int, Rejection] = {}
        for position in sorted(range(len(records)), key=lambda i: _age(records[i].function)):
            record = records[position]
            if why := comparing.why(record.function):
                rejected[position] = reject_function(self.name, record.function, *why, record.track)
        for position, record in enumerate(records):
            yield rejected.get(position, record)


class _Comparing:
    """Functions go by, each compared with those before it and with the known benchmarks."""

    def __init__(self, index: NearDuplicates, benchmarks: Sequence[Known]) -> None:
        self._index = index
        self._benchmarks = set(benchmarks)
        self._shapes = {known.shape: known for known in reversed(benchmarks) if known.shape}
        for known in benchmarks:
            index.add(known)

    def why(self, function: Function) -> tuple[Reason, str] | None:
        """Why a function leaves; one that stays is compared with from now on."""
        where, reader = function.provenance, language(function.language).reading
        [definition, *_] = reader.definitions(function.source)
        shingles = frozenset(reader.shingles(definition.tokens))
        if twin := self._index.nearest(where.project, shingles):
            similarity, known = twin
            evidence = f"{similarity:.0%} alike: {known.label}"
            if known in self._benchmarks:
                return Reason.KNOWN_BENCHMARK, f"{evidence} of {known.owner}"
            return Reason.DUPLICATE, evidence
        if renamed := self._shapes.get(definition.shape):
            what = f"{renamed.label} of {renamed.owner}"
            return Reason.KNOWN_BENCHMARK, f"the same but for the names of its variables as {what}"
        label = f"{function.qualified} in {where.project} {where.revision}, {where.path}"
        self._index.add(Known(where.project, label, shingles))
        return None


def _age(function: Function) -> tuple[str, str, str, int]:
    where = function.provenance
    return where.revision_date, where.project, where.path, where.line_start
