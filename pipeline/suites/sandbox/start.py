"""One start of the sandbox for a few candidates: requests go in, what the worker made of each comes out."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import harness
import pipeline
from harness.errors import SandboxFailed, UserError
from harness.languages import Machine
from harness.languages.python.runtime import python_of
from harness.records import Json
from harness.sandbox import Limits, Outcome, Program
from pipeline.config import SuiteConfig
from pipeline.suites.domain.spec import NOBODY_ASKED, Asked
from pipeline.suites.sandbox import worker
from pipeline.suites.sandbox.kit import kit

TOOLS = ("coverage", "docstring_parser")
_MARGIN = 30.0


@dataclass(frozen=True)
class Further:
    """Where a search goes on after a language model was asked; inputs have an encoded value for each parameter.

    `found` are inputs of the search before, one for each branch or so; `drawn` come from the model's strategies.
    """

    found: tuple[dict[str, Json], ...] = ()
    drawn: tuple[dict[str, Json], ...] = ()
    asked: Asked = NOBODY_ASKED


@dataclass(frozen=True)
class Request:
    """A function to build a suite for: `seed` decides all choices, `preload` are the libraries that it imports.

    `calls` are the arguments of calls with literals elsewhere in its project, as source text.
    """

    id: str
    program: str
    entry_point: str
    seed: int
    preload: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    further: Further | None = None


def build_suites(requests: Sequence[Request], config: SuiteConfig, machine: Machine) -> list[dict[str, Any]]:
    """What the worker says of each request, in their order; raises `SandboxFailed`.

    A request that brings the whole worker down leaves the others unanswered, so they are tried again alone.
    """
    answers = _run(requests, config, machine)
    made = []
    for request in requests:
        answer = answers.get(request.id)
        if answer is None and len(requests) > 1:
            answer = _run([request], config, machine).get(request.id)
        made.append(answer or {"reason": "crashed", "evidence": "it brought the whole worker down", "parameters": []})
    return made


def _run(requests: Sequence[Request], config: SuiteConfig, machine: Machine) -> dict[str, dict[str, Any]]:
    document = {
        "candidates": [asdict(request) for request in requests],
        "config": asdict(config),
        "preload": sorted({name for request in requests for name in request.preload}),
    }
    count = len(requests)
    limits = Limits(
        cpu_seconds=count * (config.cpu_seconds + 2) + _MARGIN,
        wall_seconds=count * config.wall_seconds + _MARGIN,
        memory_bytes=2 * config.memory_bytes,
        processes=32,
    )
    outcome = machine.sandbox.run(sandboxed(worker.main, machine, json.dumps(document).encode("ascii")), limits)
    answers = _answers(outcome)
    if not answers and outcome.stderr and b"Traceback" in outcome.stderr:
        raise SandboxFailed("the worker failed: " + outcome.stderr.decode("utf-8", "replace").strip().splitlines()[-1])
    return answers


def _answers(outcome: Outcome) -> dict[str, dict[str, Any]]:
    found = {}
    for line in outcome.stdout.splitlines():
        try:
            answer = json.loads(line)
        except ValueError:
            continue
        if isinstance(answer, dict) and isinstance(answer.get("id"), str):
            found[answer["id"]] = answer
    return found


def sandboxed(main: Callable[[], None], machine: Machine, document: bytes, tools: tuple[str, ...] = TOOLS) -> Program:
    """A module's `main` under the runtime's Python; our packages and tools come last on its path."""
    runtime = python_of(machine.runtime)
    folder = kit(runtime, (_package(harness), _package(pipeline), *map(_place, tools)))
    paths = [str(runtime.site_packages), str(folder)]
    start = f"import sys; sys.path += {paths!r}; from {main.__module__} import main; main()"
    environment = {**dict(runtime.environment), "PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C.UTF-8", "HOME": "/tmp"}
    return Program(
        (str(runtime.python), "-s", "-S", "-P", "-B", "-c", start), (*runtime.readable, folder), document, environment,
        "/tmp", runtime.hidden,
    )


def _package(module: Any) -> Path:
    return Path(module.__file__).resolve().parent


def _place(name: str) -> Path:
    """The folder of a package, or the file of a module that is none."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise UserError(f"Building suites needs {name}: install the extra, `pip install 'code2bench[build]'`.")
    file = Path(spec.origin).resolve()
    return file.parent if file.name == "__init__.py" else file
