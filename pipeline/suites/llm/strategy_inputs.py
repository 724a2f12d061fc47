"""Inputs from strategies that a language model or a maintainer has written: drawn in a sandbox, twice, to compare."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from harness.errors import SandboxFailed
from harness.languages import Machine
from harness.records import Json
from harness.sandbox import Ending, Limits, Program
from harness.values import canonical
from pipeline.suites.sandbox import strategy_worker
from pipeline.suites.sandbox.start import sandboxed

COUNT = 300
"""How many inputs are drawn."""
COMPARED = 50
"""How many of them are drawn a second time."""
MOST_CHARS = 2_000_000
"""Characters of all inputs together."""
LIMITS = Limits(cpu_seconds=20.0, wall_seconds=300.0, memory_bytes=1024**3, output_bytes=8 * 1024**2, processes=8)
"""Some hundred inputs take a second or two; so much more that no machine is too slow for them."""
_ENDINGS = {
    Ending.CPU_LIMIT: f"To draw {COUNT} inputs takes more than {LIMITS.cpu_seconds:.0f} CPU seconds.",
    Ending.WALL_LIMIT: f"To draw {COUNT} inputs takes more than {LIMITS.wall_seconds:.0f} seconds.",
    Ending.MEMORY_LIMIT: "The strategies need too much memory.",
    Ending.OUTPUT_LIMIT: "The inputs are too long.",
    Ending.PROCESS_LIMIT: "The strategies start processes.",
}
_HARMLESS = "def harmless():\n    from hypothesis import strategies as st\n    return st.just({'x': 1})"


@dataclass(frozen=True)
class Source:
    """Strategies as the source of a function `name` without arguments, for parameters of these names.

    `count` is how many inputs are drawn, or fewer where there are `enough` different ones before.
    """

    source: str
    name: str
    names: tuple[str, ...]
    seed: int
    count: int = COUNT
    enough: int = COUNT


@dataclass(frozen=True)
class Drawn:
    """Inputs, each with an encoded value for each parameter, or `fault`, a sentence that says why there are none.

    `remark` tells what was left out, if anything.
    """

    inputs: tuple[dict[str, Json], ...] = ()
    fault: str = ""
    remark: str = ""


def draw(source: Source, machine: Machine, *, proved: bool = False) -> Drawn:
    """What the strategies give; raises `SandboxFailed` where none at all can be run.

    Nothing that comes out is trusted: it is a list of inputs, which are looked at like any others. What differs the
    second time is refused, because a suite has to be the same each time; what depends on more than Hypothesis differs
    among the first inputs. What was `proved` before to give the same each time is drawn once.
    """
    first = _run(source, machine)
    if proved or first.fault in _ENDINGS.values():
        return first
    second = _run(source, machine, None if first.fault else COMPARED)
    if second.fault != first.fault or not _agree(first, second):
        return Drawn(fault="The strategies give other inputs each time: they must depend on nothing but Hypothesis.")
    return first


def draw_each(sources: Sequence[Source], machine: Machine) -> list[Drawn]:
    """As `draw` of each, in two starts of the sandbox for all; what gives nothing there, or differs, is drawn alone."""
    first, second = (_run_all(sources, machine, most) for most in (None, COMPARED))
    return [
        one if one.inputs and other.inputs and _agree(one, other) else draw(source, machine)
        for source, one, other in zip(sources, first, second, strict=True)
    ]


def _agree(first: Drawn, second: Drawn) -> bool:
    return second.inputs == first.inputs[: len(second.inputs)]


def _run_all(sources: Sequence[Source], machine: Machine, most: int | None) -> list[Drawn]:
    """What each gives beside the others, where it gives anything."""
    count = len(sources)
    if count < 2:
        return [Drawn()] * count
    limits = replace(LIMITS, cpu_seconds=count * LIMITS.cpu_seconds, output_bytes=count * LIMITS.output_bytes)
    lines = machine.sandbox.run(_program(sources, machine, most), limits).stdout.split(b"\n")
    read = [_read(line, source) or Drawn() for line, source in zip(lines, sources, strict=False)]
    return read + [Drawn()] * (count - len(read))


def _program(sources: Sequence[Source], machine: Machine, most: int | None) -> Program:
    jobs = [{"source": one.source, "name": one.name, "names": one.names, "seed": one.seed, "count": one.count,
             "enough": one.enough, "most": most} for one in sources]
    document = {"jobs": jobs, "cpu_seconds": int(LIMITS.cpu_seconds)}
    return sandboxed(strategy_worker.main, machine, json.dumps(document).encode("ascii"))


def _run(source: Source, machine: Machine, most: int | None = None) -> Drawn:
    """What they give, up to so many draws, where all are the same whether or not it ends there."""
    outcome = machine.sandbox.run(_program([source], machine, most), LIMITS)
    if outcome.ending in _ENDINGS:
        return Drawn(fault=_ENDINGS[outcome.ending])
    drawn = _read(outcome.stdout, source)
    if drawn is not None:
        return drawn
    if source.source != _HARMLESS:
        _run(Source(_HARMLESS, "harmless", ("x",), 0), machine)
        return Drawn(fault="The strategies end the process that draws from them.")
    last = outcome.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["no message"]
    raise SandboxFailed(f"Hypothesis does not draw under the runtime's Python: {last[0]}")


def _read(data: bytes, source: Source) -> Drawn | None:
    """What a process has said; None where it is nothing of that form."""
    try:
        said: Any = json.loads(data)
        if said.get("fault"):
            # Addresses differ from time to time.
            return Drawn(fault=re.sub(r" at 0x[0-9a-f]+", "", str(said["fault"]))[:1000])
        inputs = tuple(said["inputs"])
        if not inputs or len(inputs) > source.count or any(set(one) != set(source.names) for one in inputs):
            return None
        if sum(len(canonical(one)) for one in inputs) > MOST_CHARS:
            return Drawn(fault="The inputs are too long, all together.")
        return Drawn(inputs, "", _remark(said))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _remark(said: dict[str, Any]) -> str:
    refused = [f"Some inputs were left out: the value of {reason[:500]}." for reason in said["refused"][:1]]
    long = int(said["long"])
    return " ".join([*refused, *([f"{long} inputs were left out because they are too long."] if long else [])])
