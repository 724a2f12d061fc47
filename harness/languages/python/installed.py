"""The Python code that an environment brings: the standard library, and each installed distribution."""

from __future__ import annotations

import os
from functools import lru_cache
from importlib.metadata import Distribution, distributions
from pathlib import Path

from harness.languages.running import Library

_NOT_EVERYWHERE = {
    "dist-packages", "site-packages", "test", "tests", "idlelib", "tkinter", "turtledemo", "ensurepip", "lib2to3",
    "distutils", "__pycache__",
}  # fmt: skip
"""Folders of an installation that are no part of the standard library, or that distributors leave out."""

_OF_A_MACHINE = ("_sysconfigdata", "sitecustomize", "usercustomize")


def standard_library(folder: Path, version: str) -> Library:
    """The modules that every installation of a version has, whoever made it."""
    files = []
    for place, inner, names in os.walk(folder):
        inner[:] = [name for name in inner if name not in _NOT_EVERYWHERE and not name.startswith("config-")]
        found = [Path(place, name) for name in names if name.endswith(".py") and not name.startswith(_OF_A_MACHINE)]
        files += [(file.relative_to(folder).as_posix(), file) for file in found]
    return Library(f"the standard library of Python {version}", "", tuple(sorted(files)))


@lru_cache(maxsize=4)
def installed(folder: Path) -> tuple[Library, ...]:
    """The distributions in the folder of an environment, by name; one that was made stays as it is."""
    found = (_library(one) for one in distributions(path=[str(folder)]))
    return tuple(sorted((one for one in found if one.files), key=lambda one: one.project))


def _library(one: Distribution) -> Library:
    files = sorted(
        (file.as_posix(), Path(str(one.locate_file(file)))) for file in one.files or ()
        if file.suffix == ".py" and ".." not in file.parts
    )  # fmt: skip
    return Library(f"{one.name} {one.version}", one.name, tuple(files))
