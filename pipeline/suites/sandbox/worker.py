"""The program inside the sandbox: builds one suite per candidate, each in a fork of this warm process.

It reads one JSON document (requests and limits) from its standard input and writes a line per request: id and draft.
It runs under the runtime's Python: our packages and tools come last on the path, so that the runtime's libraries win.
"""

from __future__ import annotations

import gc
import json
import os
import random
import resource
import select
import signal
import sys
import time
import traceback
from collections.abc import Iterable
from dataclasses import dataclass, replace

from pipeline.config import SuiteConfig
from pipeline.suites import rules
from pipeline.suites.domain.scale import SCALES, Scale
from pipeline.suites.drafts import Ablation, Draft, Refused, SuiteDraft, SuiteRequest, read, written
from pipeline.suites.engine import build, cover
from pipeline.suites.instrument import fuel
from pipeline.suites.instrument.branch_coverage import verdict
from pipeline.suites.instrument.fatal_calls import Page, Watch, learnt
from pipeline.suites.property_run import prepare
from pipeline.suites.subject import Subject

_FATAL = frozenset((signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT, signal.SIGVTALRM))
"""What ends a process whose compiled code has gone wrong."""
CHANNEL = 250
"""The number of the file through which a fork reports: one that no usual input names."""


@dataclass(frozen=True)
class Way:
    """How all requests of a document are tried."""

    config: SuiteConfig
    ablation: Ablation | None = None


def main() -> None:
    """Serve the document on the standard input."""
    job = json.loads(sys.stdin.buffer.read())
    output = os.fdopen(os.dup(1), "wb")
    _preload(job["preload"])
    # What is loaded stays: collections in the forks would only copy its pages.
    gc.freeze()
    config = SuiteConfig(**job["config"])
    ablation = Ablation(**job["ablation"]) if job["ablation"] else None
    rules.leave_out(ablation.without if ablation else ())
    for document in job["requests"]:
        request = SuiteRequest.of(document)
        draft = _forked(request, Way(config, ablation))
        output.write(f"{json.dumps(request.id)}\t{written(draft)}\n".encode("ascii"))
        output.flush()


def _preload(modules: Iterable[str]) -> None:
    """Import libraries once, so that the forks need not."""
    for name in modules:
        try:
            __import__(name)
        except Exception:
            # The candidate that needs it will say so.
            continue
    prepare()
    # coverage.py looks at the stack when it starts, which reads all modules that are loaded, the first time.
    verdict(Subject.of("def first(value):\n    return value\n", "first"), lambda function: function(0))


def _forked(request: SuiteRequest, way: Way) -> Draft:
    """Build one suite in a process of its own; what that process can't say is said for it.

    Where a call has ended the process, another one begins anew and leaves out all calls of that kind; where one is
    slow, another one begins with smaller inputs.
    """
    page, deadly, cpu, scales = Page(), list[str](), 0.0, list(SCALES)
    while True:
        draft, status, seconds = _once(request, way, Watch(page, deadly), scales[0])
        cpu += seconds
        died, again = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0, False
        slow = isinstance(draft, Refused) and draft.slow
        if slow or (died == signal.SIGVTALRM and page.read().startswith("reference")):
            again = len(scales) > 1
            scales = scales[1:] or scales
        elif died in _FATAL or (os.WIFEXITED(status) and os.WEXITSTATUS(status)):
            # A fork ends with the code 0; with another one some call has ended it.
            last = learnt(page.read(), deadly)
            again = last is not None
            deadly += [last] if last is not None else []
        if not again or cpu > way.config.cpu_seconds:
            return replace(_smaller(draft, scales), cpu_seconds=round(cpu, 4))


def _smaller(draft: Draft, scales: list[Scale]) -> Draft:
    """The draft, which says where a reason holds for small inputs alone."""
    if isinstance(draft, SuiteDraft) or scales[0] is SCALES[0] or draft.slow:
        return draft
    said = f"larger inputs take too long, and with small ones alone there is {draft.reason}: {draft.evidence}"
    return replace(draft, reason="crashed", evidence=said)


def _once(request: SuiteRequest, way: Way, watch: Watch, scale: Scale) -> tuple[Draft, int, float]:
    """What one process says, how it ended, and its CPU seconds."""
    end, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(end)
        _child(request, way, write, watch, scale)
    os.close(write)
    data, ending = _collected(end, way.config.wall_seconds)
    if ending:
        os.kill(child, signal.SIGKILL)
    _, status, usage = os.wait4(child, 0)
    cpu = usage.ru_utime + usage.ru_stime
    try:
        return read(data), status, cpu
    except ValueError:
        return Refused.of("crashed", ending or _death(status)), status, cpu


def _collected(read: int, seconds: float) -> tuple[bytes, str]:
    parts: list[bytes] = []
    deadline = time.monotonic() + seconds
    with os.fdopen(read, "rb", buffering=0) as stream:
        while True:
            ready, _, _ = select.select([stream], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                return b"", "it used all of its wall-clock time"
            part = stream.read(1 << 20)
            if not part:
                return b"".join(parts), ""
            parts.append(part)


def _death(status: int) -> str:
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        out_of_time = name in ("SIGXCPU", "SIGKILL")
        return "the search used all of its CPU time" if out_of_time else f"the process died of {name}"
    code = os.WEXITSTATUS(status)
    return f"the process ended with code {code}" if code else "it closed the file through which its process reports"


def _child(request: SuiteRequest, way: Way, write: int, watch: Watch, scale: Scale) -> None:
    try:
        null = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(null, number)
        # A function that takes paths may be given a number, which names an open file.
        os.dup2(write, CHANNEL, inheritable=False)
        os.close(write)
        cpu = int(way.config.cpu_seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
        fuel.limit(way.config.memory_bytes)
        _seed(request.seed)
        data = written(_guarded(request, way, watch, scale)).encode("ascii")
        signal.setitimer(signal.ITIMER_PROF, 0)
        with os.fdopen(CHANNEL, "wb") as stream:
            stream.write(data)
    finally:
        # No handlers, threads or buffers of the candidate's may run on.
        os._exit(0)


def _seed(seed: int) -> None:
    """Seed what a candidate may draw from, so that the search is the same each time even for those that must leave."""
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed % 2**32)


def _guarded(request: SuiteRequest, way: Way, watch: Watch, scale: Scale) -> Draft:
    """A suite, whatever happens: a mistake of ours on one candidate must not be told as the candidate's silence."""
    try:
        if way.ablation is None:
            return build(request, way.config, watch, scale)
        make = cover if way.ablation.coverage_alone else build
        return replace(make(request, way.config, watch, scale), fired=rules.fired())
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{place.filename.rsplit('/', 1)[-1]}, line {place.lineno}"
        return Refused.of("crashed", f"the search itself failed on it: {type(error).__name__}: {error} ({where})")


if __name__ == "__main__":
    main()
