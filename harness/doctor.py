"""What works on this machine, and what to do where it does not."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness import __version__
from harness.errors import SandboxFailed, UserError
from harness.releases.snapshots import DEFAULT_RELEASE
from harness.sandbox.choice import BUBBLEWRAP, choose

if TYPE_CHECKING:
    from harness.sandbox.self_check import Result


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: whether it is as it should be, and what there is to say of it."""

    what: str
    ok: bool
    says: str


def examine(release: str | None = None, sandbox: str = BUBBLEWRAP) -> list[Finding]:
    """Look at everything that judging needs; where no release is named, for the one that lm-eval takes by default."""
    checks: list[tuple[str, Callable[[], str]]] = [
        ("code2bench", lambda: f"{__version__} on Python {platform.python_version()}, {sys.platform}"),
        ("isolation", lambda: _isolation(sandbox)),
        ("memory", lambda: _memory(sandbox)),
        ("speed", lambda: _warm(sandbox)),
        ("lm-eval", _lm_eval),
        ("runtime", lambda: _runtime(release or DEFAULT_RELEASE)),
    ]
    return [_finding(what, check) for what, check in checks]


def _finding(what: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(what, True, check())
    except (UserError, SandboxFailed) as error:
        return Finding(what, False, str(error))


def _isolation(kind: str) -> str:
    from harness.sandbox.self_check import check

    sandbox = choose(kind=kind)
    return f"{sandbox.name}: {sandbox.isolation} ({_seen(sandbox.name, check(sandbox))})"


def _memory(kind: str) -> str:
    """How the memory of what runs is counted, and what of it is not."""
    from harness.sandbox import groups

    counted = "pages of all processes with their tables, sockets (as if full) and the number of files are counted"
    if kind != BUBBLEWRAP:
        return f"{counted}; the control group of the container limits what the kernel holds, to twice as much"
    if groups.there_are():
        late = "of a process of its own not in its first 0.1 s"
        return f"{counted}; a control group counts what else the kernel holds, {late}"
    return (
        f"{counted}; not what else the kernel holds (mappings, sets of events), since no control group for memory can "
        "be had here: that needs root, or one that is delegated to you"
    )


def _warm(kind: str) -> str:
    from harness.sandbox.self_check import OF_JOBS, AsJobs, check
    from harness.sandbox.warm import Warming

    sandbox = choose(kind=kind)
    if not isinstance(sandbox, Warming):
        return "none: each answer gets a process of its own"
    try:
        jobs = AsJobs(sandbox)
    except SandboxFailed as error:
        return f"none, so each answer gets a process of its own, which is slower: {error}"
    try:
        return f"forks of warm processes show the same ({_seen('a fork', check(jobs, OF_JOBS))})"
    finally:
        jobs.close()


def _seen(name: str, results: Sequence[Result]) -> str:
    from harness.sandbox.self_check import KNOWN

    known = KNOWN.get(name, {})
    missing = [result.behaviour.name for result in results if not result.ok]
    unknown = [behaviour for behaviour in missing if behaviour not in known]
    if unknown:
        raise UserError(f"{name} runs, but not all of what it must do was seen: {'; '.join(unknown)}.")
    instead = "".join(f"; not that {behaviour}: {known[behaviour]}" for behaviour in missing)
    return f"{len(results) - len(missing)} behaviours seen{instead}"


def _lm_eval() -> str:
    from harness.lm_eval.install import installed, target

    if not installed():
        raise UserError("its tasks folder lacks ours, or has old ones: run `code2bench install-lm-eval`.")
    return f"the tasks are in {target()}"


def _runtime(release: str) -> str:
    from harness.releases.dataset import load_release
    from harness.runtime import find_runtime

    locks = load_release(release, tracks=()).locks
    return "; ".join(find_runtime(lock, name).describe() for name, lock in sorted(locks.items()))
