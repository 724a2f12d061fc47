"""The stage that decides what is read of each project, and the file that makes the decision repeatable."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from harness.errors import UserError
from harness.locations import Location
from pipeline import store
from pipeline.config import MineConfig
from pipeline.languages.registry import language
from pipeline.records import DEFAULT_LANGUAGE, Archive, LockedSource, Rejection, Source
from pipeline.sources import Reading, Unusable
from pipeline.sources.adapters import adapter
from pipeline.stage import Context

Decisions = Mapping[str, LockedSource | Rejection]


@dataclass(frozen=True)
class LockStage:
    """Source -> LockedSource. A source that `lock` names, the file of an earlier build, is not looked up again."""

    config: MineConfig = field(default_factory=MineConfig)
    lock: Path | None = None
    name: str = "lock"
    takes: type = Source
    gives: type = LockedSource
    shard_size: int = 8
    fan_out: bool = False

    def run(self, records: Sequence[Source], context: Context) -> Iterator[LockedSource | Rejection]:
        """Lock each source, or say why there is nothing to read; several at a time, because most of it is waiting.

        What is going to be read is fetched here too. Raises `UserError` where the lock is of another window.
        """
        known: Decisions = {}
        if self.lock is not None and self.lock.is_file():
            known = _known_in(self.lock)
            check_window(self.lock, known.values(), (context.after, context.until))
        with ThreadPoolExecutor(self.config.fetches) as pool:
            yield from pool.map(lambda source: self._lock(source, known, context), records)

    def _lock(self, source: Source, known: Decisions, context: Context) -> LockedSource | Rejection:
        place = adapter(source.kind)
        locked = known.get(source.id) or place.lock(source, self.config, context)
        if isinstance(locked, LockedSource):
            with suppress(Unusable):  # who reads it will say so
                place.fetch(Reading(locked, self.config, context, language(source.language).layout.suffixes))
        return locked


def check_window(path: Location, decisions: Iterable[LockedSource | Rejection], window: tuple[str, str]) -> None:
    """Raise `UserError` where a lock was made for another window, or holds an archive that does not fit this one."""
    made_for = window_of(path)
    if made_for is not None and made_for != window:
        raise UserError(
            f"{path} was made for the window from {made_for[0]} to {made_for[1]}, not from {window[0]} to {window[1]}: "
            "remove it to lock anew, or give the configuration the lock's window."
        )
    for locked in decisions:
        if isinstance(locked, LockedSource) and (misfit := _misfit(locked, *window)):
            raise UserError(
                f"{path} does not fit the window from {window[0]} to {window[1]} ({locked.source.name}: {misfit}): "
                "remove it to lock anew, or give the configuration the lock's window."
            )


def _misfit(locked: LockedSource, after: str, until: str) -> str:
    """What a locked source holds that contradicts the window, "" where nothing does.

    An ancestor of an old commit is old whatever its date, so baselines of repositories may say anything.
    """
    inside = [("the upper end", locked.upper), *(("what lies in between", archive) for archive in locked.between)]
    for what, archive in inside:
        if not after <= archive.uploaded < until:
            return f"{what}, {archive.version}, is of {archive.uploaded[:10]}"
    if locked.earliest and locked.earliest < after:
        return f"its first release in the window is of {locked.earliest[:10]}"
    for archive in locked.baseline if locked.source.kind == "pypi" else ():
        if archive.uploaded >= after:
            return f"{archive.version} of the baseline is of {archive.uploaded[:10]}"
    return ""


def write_lock(
    path: Location, locked: Iterable[LockedSource], rejected: Iterable[Rejection] = (),
    window: tuple[str, str] | None = None,
) -> None:  # fmt: skip
    """Write a lock: JSON for people and programs, sorted, the same bytes for the same decisions."""
    text = {
        **({"window": {"after": window[0], "until": window[1]}} if window else {}),
        "sources": [_entry(s) for s in sorted(locked, key=lambda s: s.id)],
        "rejected": [asdict(r) for r in sorted(rejected, key=lambda r: r.record_id)],
    }
    store.write_bytes(path, (json.dumps(text, indent=1, ensure_ascii=False) + "\n").encode())


def _entry(locked: LockedSource) -> dict[str, Any]:
    entry = asdict(locked)
    for key, usual in (("commit", ""), ("number", 0), ("language", DEFAULT_LANGUAGE)):
        if entry["source"][key] == usual:
            del entry["source"][key]
    if not entry["between"]:
        del entry["between"]
    return entry


def read_lock(path: Location) -> list[LockedSource | Rejection]:
    """The decisions that a lock holds: inverse of `write_lock`."""
    try:
        raw = json.loads(path.read_text("utf-8"))
        return [_locked(entry) for entry in raw["sources"]] + [Rejection(**entry) for entry in raw["rejected"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path} is no lock of sources ({error}): restore it, or remove it to lock anew.") from error


def window_of(path: Location) -> tuple[str, str] | None:
    """The window that a lock was made for, as its two days; None where it does not say."""
    try:
        said = json.loads(path.read_text("utf-8")).get("window")
        return (str(said["after"]), str(said["until"])) if said is not None else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(f"{path} is no lock of sources ({error}): restore it, or remove it to lock anew.") from error


def refused(decision: Rejection) -> Source:
    """The source that a lock has refused; where it lies is not told, since it is not read."""
    kind = decision.record_id.partition(":")[0]
    return Source(kind, decision.project, decision.domain, "")


def _known_in(path: Path) -> dict[str, LockedSource | Rejection]:
    state = path.stat()
    return _known(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=4)
def _known(path: Path, changed: int, size: int) -> dict[str, LockedSource | Rejection]:  # noqa: ARG001
    return {d.id if isinstance(d, LockedSource) else d.record_id: d for d in read_lock(path)}


def _locked(entry: dict[str, Any]) -> LockedSource:
    parts = {
        "source": Source(**entry["source"]),
        "upper": Archive(**entry["upper"]),
        "baseline": tuple(Archive(**a) for a in entry["baseline"]),
        "between": tuple(Archive(**a) for a in entry.get("between", ())),
    }
    return LockedSource(**{**entry, **parts})
