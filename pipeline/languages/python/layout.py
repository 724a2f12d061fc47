"""How Python projects lay out their files."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

_FILES = (
    (re.compile(r"^(test_.*|.*_tests?|tests?|conftest)\.py$"), "tests"),
    (re.compile(r"^(.*_pb2(_grpc)?|_version|versioneer|parsetab|lextab|.*_generated)\.py$"), "generated code"),
)
_FILES_AT_ROOT = (*_FILES, (re.compile(r"^(setup|noxfile|fabfile|tasks|dodo)\.py$"), "packaging"))
_OUTSIDE = frozenset({"", ".", "src", "lib", "python", "py", "source", "sources", "packages"})
"""Folders that hold packages and are none."""


class PythonLayout:
    """Where Python's files lie, and what their names say."""

    suffixes: tuple[str, ...] = (".py",)

    def excluded_as(self, name: str, at_root: bool) -> str:
        """What a file's name says that it holds in place of a project's code."""
        return next((kind for pattern, kind in (_FILES_AT_ROOT if at_root else _FILES) if pattern.match(name)), "")

    def is_test(self, path: str) -> bool:
        """Whether a file tests others, by its name or its folder."""
        place = PurePosixPath(path)
        named = place.name.startswith("test_") or place.stem.endswith("_test")
        return named or bool({"test", "tests"} & set(place.parts))

    def module(self, path: str) -> str:
        """The last part of a module's dotted name; of a package that of its folder."""
        place = PurePosixPath(path)
        return place.parent.name if place.stem == "__init__" else place.stem

    def own_packages(self, project: str, path: str) -> frozenset[str]:
        """The names under which a project imports itself: its name, and the outermost folder or file of its code."""
        names = {project.rpartition("/")[2].lower().replace("-", "_").replace(".", "_")}
        parts = path.removesuffix(".py").split("/")
        names.update(next(([part] for part in parts if part not in _OUTSIDE), []))
        return frozenset(names - {""})
