"""What a stage is: records go in, each comes out kept or rejected; shards make it parallel and resumable."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol


@dataclass(frozen=True)
class Context:
    """What a stage may know besides its records and its own configuration.

    `seed` drives all choices; `cache` is the folder for downloads, shared by builds; `runtime` is the locked list of the runtime's libraries; `data` is the folder of the
    project's lists (allowed libraries, exclusions, ...); `after` and `until` bound the window, ISO dates, UTC.
    """

    seed: int
    cache: Path
    runtime: Path
    data: Path
    after: str
    until: str
    offline: bool = False

    def seed_for(self, *parts: str) -> int:
        """A seed that depends on the build's seed and the parts alone (63 bits)."""
        text = "\x1f".join((str(self.seed), *parts))
        return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "big") >> 1


class Stage(Protocol):
    """A step of the flow. Implementations are frozen dataclasses that can be pickled.

    `shard_size`: how many records one call of `run` gets; 0 means all of them, for stages that compare records.
    `fan_out`: whether one record in may give many out (then sources are accounted for, not functions).
    """

    name: str
    takes: type
    gives: type
    shard_size: int
    fan_out: bool
    config: Any

    def run(self, records: Sequence[Any], context: Context) -> Iterator[Any]:
        """Yield for each record what became of it: a record of type `gives`, or a `Rejection`."""
        ...
