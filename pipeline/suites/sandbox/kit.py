"""Copies of packages with the bytecode of a runtime's Python, made once: no start of the sandbox compiles them."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

from harness.languages.python.kits import made_once
from harness.languages.python.runtime import PythonRuntime

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

    return made_once("kits", runtime, contents, fill)
