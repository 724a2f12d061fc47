"""One start of the sandbox for a few candidates: requests go in, what the worker made of each comes out."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import harness
import pipeline
from harness.errors import SandboxFailed, UserError
from harness.languages import Machine
from harness.languages.python.kits import made_once
from harness.languages.python.runtime import PythonRuntime, python_of
from harness.sandbox import Limits, Outcome, Program
from pipeline.config import SuiteConfig
from pipeline.suites.drafts import Ablation, Draft, Refused, SuiteRequest, read
from pipeline.suites.property_run import prepare
from pipeline.suites.sandbox import worker

_PASSED_OVER = shutil.ignore_patterns("__pycache__", "*.pyc")


@cache
def kit(runtime: PythonRuntime, packages: tuple[Path, ...]) -> Path:
    """A folder that holds the packages as they are now; one that is a single file is taken as such."""
    found = [file for package in packages for file in (sorted(package.rglob("*")) or [package])]
    files = [file for file in found if file.suffix in (".py", ".so", ".json")]
    contents = [part for file in files for part in (str(file), file.read_bytes().hex())]

    def fill(folder: Path) -> None:
        for package in packages:
            if package.is_file():
                shutil.copy(package, folder / package.name)
            else:
                shutil.copytree(package, folder / package.name, ignore=_PASSED_OVER)
        _tabulate(folder, runtime)

    return made_once("kits", runtime, contents, fill)


def for_hypothesis(folder: Path) -> dict[str, str]:
    """The environment in which Hypothesis finds what it would tabulate anew at each start, and loads no plugins."""
    return {"HYPOTHESIS_STORAGE_DIRECTORY": str(folder / "tables"), "HYPOTHESIS_NO_PLUGINS": "1"}


def _tabulate(folder: Path, runtime: PythonRuntime) -> None:
    """Keep Hypothesis' tables of characters: to make them takes a second."""
    start = f"import sys; sys.path.append({str(folder)!r}); from {prepare.__module__} import prepare; prepare()"
    command = [str(runtime.python), "-s", "-S", "-P", "-B", "-c", start]
    subprocess.run(command, env={**os.environ, **for_hypothesis(folder)}, check=False, capture_output=True)


TOOLS = ("coverage", "docstring_parser", "hypothesis", "_hypothesis_globals", "sortedcontainers")
_MARGIN = 30.0


def build_suites(
    requests: Sequence[SuiteRequest], config: SuiteConfig, machine: Machine, ablation: Ablation | None = None
) -> list[Draft]:
    """The drafts of each request, in their order; raises `SandboxFailed`.

    A request that brings the whole worker down leaves the others unanswered, so they are tried again alone.
    """
    answers = _run(requests, config, machine, ablation)
    made = []
    for request in requests:
        answer = answers.get(request.id)
        if answer is None and len(requests) > 1:
            answer = _run([request], config, machine, ablation).get(request.id)
        made.append(answer or Refused.of("crashed", "it brought the whole worker down"))
    return made


def _run(
    requests: Sequence[SuiteRequest], config: SuiteConfig, machine: Machine, ablation: Ablation | None
) -> dict[str, Draft]:
    document = {
        "requests": [asdict(request) for request in requests],
        "config": asdict(config),
        "preload": sorted({name for request in requests for name in request.preload}),
        "ablation": asdict(ablation) if ablation else None,
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


def _answers(outcome: Outcome) -> dict[str, Draft]:
    found = {}
    for line in outcome.stdout.splitlines():
        name, _, draft = line.partition(b"\t")
        with suppress(ValueError):
            found[str(json.loads(name))] = read(draft)
    return found


def sandboxed(main: Callable[[], None], machine: Machine, document: bytes) -> Program:
    """A module's `main` under the runtime's Python; our packages and tools come last on its path."""
    runtime = python_of(machine.runtime)
    folder = kit(runtime, (_package(harness), _package(pipeline), *map(_place, TOOLS)))
    paths = [str(runtime.site_packages), str(folder)]
    start = f"import sys; sys.path += {paths!r}; from {main.__module__} import main; main()"
    environment = {
        **dict(runtime.environment), **for_hypothesis(folder), "PYTHONHASHSEED": "0", "TZ": "UTC",
        "LC_ALL": "C.UTF-8", "HOME": "/tmp",
    }
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
