"""How well a program keeps to Python's conventions: pylint's score, in this process."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

_OPTIONS = (
    "--rcfile=", "--persistent=n", "--score=y", "--reports=n", "--max-line-length=120",
    # Programs are shown without documentation; libraries of theirs are not where pylint runs.
    "--disable=missing-module-docstring,missing-function-docstring,missing-class-docstring,import-error,"
    "no-name-in-module",
)


def score(files: Sequence[tuple[str, str]]) -> float:
    """The score of modules, by their names and texts, 10 at best."""
    return _scored(tuple(files))


@cache
def _scored(files: tuple[tuple[str, str], ...]) -> float:
    with TemporaryDirectory(prefix="code2bench-") as folder:
        paths = [Path(folder) / f"{name}.py" for name, _ in files]
        for path, (_, text) in zip(paths, files, strict=True):
            path.write_text(text, "utf-8", "surrogatepass")
        return _run([*_OPTIONS, *map(str, paths)], folder)


def _run(arguments: list[str], folder: str) -> float:
    before = os.environ.get("PYLINTHOME")
    os.environ["PYLINTHOME"] = folder
    try:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            made: Any = _pylint()(arguments, exit=False)
        return round(float(made.linter.stats.global_note), 4)
    finally:
        if before is None:
            del os.environ["PYLINTHOME"]
        else:
            os.environ["PYLINTHOME"] = before


@cache
def _pylint() -> Any:
    from pylint.lint import Run

    return Run
