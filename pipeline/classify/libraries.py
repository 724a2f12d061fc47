"""The list of allowed libraries: what may be used of each, and why the rest may not."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

from harness.errors import UserError
from pipeline.records import DEFAULT_LANGUAGE

_KEYS = {"only": list, "deny": list, "seeded": list, "distribution": str}
_TOP = {"typing", "annotations", "whole", "standard", "third-party", "refused"}


@dataclass(frozen=True)
class Library:
    """One allowed module. `only` is None where everything is allowed that `deny` does not name (with its reason)."""

    module: str
    distribution: str = ""
    only: frozenset[str] | None = None
    deny: tuple[tuple[str, str], ...] = ()
    seeded: frozenset[str] = frozenset()

    @property
    def restricted(self) -> bool:
        """Whether a part of it is not allowed."""
        return self.only is not None or bool(self.deny)

    def refusal(self, member: str, arguments: int | None) -> str:
        """Why a member (dotted, inside the module) may not be used; nothing when it may."""
        if any(_within(member, name) for name in self.seeded):
            return "" if arguments else "It has to be called with a seed."
        for name, why in self.deny:
            if _within(member, name):
                return why
        if self.only is not None and not any(_within(member, name) for name in self.only):
            return "It is not among the parts of the module that are allowed."
        return ""


class Verdict(Enum):
    """What the list says of a dotted name."""

    ALLOWED = "allowed"
    REFUSED = "refused"
    UNSURE = "unsure"


@dataclass(frozen=True)
class Ruling:
    """The verdict on a dotted name: under which listed module it falls, and why it is refused."""

    verdict: Verdict
    module: str = ""
    why: str = ""


@dataclass(frozen=True)
class Libraries:
    """All allowed modules, with the modules that are for typing alone and the well-known ones that are refused."""

    modules: Mapping[str, Library]
    refused: Mapping[str, str]
    typing: frozenset[str]
    annotations: frozenset[str]

    def knows(self, dotted: str) -> bool:
        """Whether a name lies in an allowed module, so that importing it works in the runtime."""
        return self._listed(dotted) is not None

    def rule(self, dotted: str, arguments: int | None = None) -> Ruling:
        """Whether a dotted name may be used as a value; `arguments` is None where it is not called at once."""
        library = self._listed(dotted)
        if library is None:
            return Ruling(Verdict.REFUSED, "", self._why(dotted))
        member = dotted[len(library.module) + 1:]
        if not member:
            if library.restricted:
                return Ruling(Verdict.UNSURE, library.module, "As a value, the module leads to parts that are refused.")
            return Ruling(Verdict.ALLOWED, library.module)
        why = library.refusal(member, arguments)
        if why and library.only is not None:
            why = self.refused.get(library.module, why)
        return Ruling(Verdict.REFUSED if why else Verdict.ALLOWED, library.module, why)

    def is_typing(self, dotted: str) -> bool:
        """Whether a name comes from a module for typing alone."""
        return any(_within(dotted, module) for module in self.typing)

    def is_hint(self, dotted: str) -> bool:
        """Whether a name in an annotation says nothing of a library that must be known."""
        return self.is_typing(dotted) or any(_within(dotted, module) for module in self.annotations)

    def _listed(self, dotted: str) -> Library | None:
        """The module under which a name falls: the longest that is listed."""
        parts = dotted.split(".")
        for count in range(len(parts), 0, -1):
            found = self.modules.get(".".join(parts[:count]))
            if found is not None:
                return found
        return None

    def _why(self, dotted: str) -> str:
        parts = dotted.split(".")
        for count in range(len(parts), 0, -1):
            why = self.refused.get(".".join(parts[:count]))
            if why is not None:
                return why
        return "It is not on the list of allowed libraries."


def _within(dotted: str, outer: str) -> bool:
    return dotted == outer or dotted.startswith(outer + ".")


def list_of(name: str, language: str) -> str:
    """The file with the libraries of a language: `libraries.toml` for Python, `libraries-java.toml` for Java."""
    path = PurePosixPath(name)
    return name if language == DEFAULT_LANGUAGE else str(path.with_stem(f"{path.stem}-{language}"))


@lru_cache(maxsize=4)
def load(path: Path) -> Libraries:
    """Read the list; what is wrong in it is told in one sentence that names the key."""
    if not path.is_file():
        raise UserError(f"There is no list of libraries {path}: give the path of one, such as data/libraries.toml.")
    try:
        raw = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path} is no TOML: {error}; mend it there.") from error
    unknown = sorted(raw.keys() - _TOP)
    if unknown:
        raise UserError(f"{path} has an unknown key {unknown[0]!r}: expected one of {', '.join(sorted(_TOP))}.")
    typing = _names(path, "typing", raw.get("typing", []))
    whole = _names(path, "whole", raw.get("whole", []))
    modules = {name: Library(name) for name in (*typing, *whole)}
    for group in ("standard", "third-party"):
        for name, entry in _table(path, group, raw.get(group, {})).items():
            modules[name] = _library(path, f"{group}.{name}", name, entry)
    refused = _table(path, "refused", raw.get("refused", {}))
    for name, why in refused.items():
        _expect(path, f"refused.{name}", why, str)
    annotations = _names(path, "annotations", raw.get("annotations", []))
    return Libraries(modules, refused, frozenset(typing), frozenset(annotations))


def _expect(path: Path, key: str, value: Any, kind: type) -> None:
    if not isinstance(value, kind):
        raise UserError(f"{path}: expected a {kind.__name__} for {key}, but got {value!r}.")


def _table(path: Path, key: str, value: Any) -> dict[str, Any]:
    _expect(path, key, value, dict)
    return dict(value)


def _names(path: Path, key: str, value: Any) -> tuple[str, ...]:
    _expect(path, key, value, list)
    for name in value:
        _expect(path, f"an entry of {key}", name, str)
        if not all(part.isidentifier() for part in name.split(".")):
            raise UserError(f"{path}: {name!r} in {key} is no dotted name.")
    return tuple(value)


def _library(path: Path, key: str, module: str, entry: Any) -> Library:
    _expect(path, key, entry, dict)
    for name, value in entry.items():
        if name not in _KEYS:
            raise UserError(f"{path}: {key} has an unknown key {name!r}: expected one of {', '.join(sorted(_KEYS))}.")
        _expect(path, f"{key}.{name}", value, _KEYS[name])
    if key.startswith("third-party") and not entry.get("distribution"):
        raise UserError(f"{path}: {key} does not say by which `distribution` it is installed.")
    only = _names(path, f"{key}.only", entry["only"]) if "only" in entry else None
    return Library(
        module, entry.get("distribution", ""), None if only is None else frozenset(only),
        tuple(_denied(path, f"{key}.deny", entry.get("deny", []))),
        frozenset(_names(path, f"{key}.seeded", entry.get("seeded", []))),
    )


def _denied(path: Path, key: str, groups: Iterable[Any]) -> Iterable[tuple[str, str]]:
    for group in groups:
        _expect(path, f"an entry of {key}", group, dict)
        if group.keys() != {"names", "why"} or not isinstance(group["why"], str):
            raise UserError(f"{path}: each entry of {key} has `names` and `why`, but one has {sorted(group)}.")
        yield from ((name, group["why"]) for name in _names(path, f"{key}.names", group["names"]))
