"""Copies of packages with the bytecode of a runtime's Python, made once: no start of the sandbox compiles them."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

from harness.languages.python.kits import made_once
from harness.languages.python.runtime import PythonRuntime
from pipeline.suites.property_run import prepare

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
