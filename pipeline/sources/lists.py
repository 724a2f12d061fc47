"""Source lists: TOML files that name projects and the paper's domain of each."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from harness.errors import UserError
from pipeline.languages.registry import languages
from pipeline.records import DEFAULT_LANGUAGE, Source
from pipeline.sources.adapters import KINDS

DOMAINS = (
    "Web Development",
    "Data Science & Machine Learning",
    "System Utilities",
    "Network & Protocol",
    "Security & Cryptography",
    "Database & Storage",
    "Text Processing & NLP",
    "Media & Graphics",
    "Scientific Computing",
    "Development Tools",
)
"""The ten domains of the paper (appendix H)."""

_KEYS = ("name", "domain", "location")
_ABOUT = {"commit": str, "id": int, "licence": str, "stars": int}
"""What a list of repositories may tell besides, as `code2bench choose` does; licence and stars are for people."""


def read_sources(path: Path) -> list[Source]:
    """The projects of a source list, in its order; what is wrong in it is told in one sentence.

    A list says its `kind` once, and its `language` where that is not Python, and has a table `[[source]]` for each
    project, with `name`, `domain` and, where it is not the name, `location`. A location that starts with `.` is a path
    relative to the list.
    """
    raw = _read(path)
    for key in raw:
        if key not in ("kind", "language", "source"):
            raise UserError(f"{path.name} has an unknown key {key!r}: it takes kind, language and [[source]] tables.")
    kind = raw.get("kind", "")
    if kind not in KINDS:
        raise UserError(f"{path.name} has kind = {kind!r}: set it to one of {', '.join(KINDS)}.")
    language = raw.get("language", DEFAULT_LANGUAGE)
    known = [one.name for one in languages()]
    if language not in known:
        raise UserError(f"{path.name} has language = {language!r}: set it to one of {', '.join(known)}.")
    entries = raw.get("source", [])
    if not isinstance(entries, list) or not entries:
        raise UserError(f"{path.name} names no project: add [[source]] tables with name and domain.")
    sources = [replace(_source(kind, entry, path), language=language) for entry in entries]
    _refuse_doubles(sources, path)
    return sources


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise UserError(f"There is no source list {path}: correct [sources], or make it by `code2bench choose`.")
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path} is no valid TOML ({error}): correct it there.") from error


def _source(kind: str, entry: Any, path: Path) -> Source:
    if not isinstance(entry, dict):
        raise UserError(f"{path.name}: {entry!r} is no [[source]] table.")
    types: dict[str, type] = {**dict.fromkeys(_KEYS, str), **(_ABOUT if kind == "git" else {})}
    for key, value in entry.items():
        if key not in types:
            raise UserError(f"{path.name} has an unknown key {key!r} in a source: it takes {', '.join(types)}.")
        if type(value) is not types[key] or (isinstance(value, str) and not value.strip()):
            wanted = "a text" if types[key] is str else "a number"
            raise UserError(f"{path.name}: {key} of a source must be {wanted}, but it is {value!r}.")
    name, domain = str(entry.get("name", "")), str(entry.get("domain", ""))
    if not name or not domain:
        raise UserError(f"{path.name}: the source {entry!r} lacks {'name' if not name else 'domain'!r}: add it.")
    if domain not in DOMAINS:
        near = get_close_matches(domain, DOMAINS, 1, 0.4)
        cure = f"did you mean {near[0]!r}?" if near else f"the domains are {', '.join(DOMAINS)}."
        raise UserError(f"{path.name}: {name} has an unknown domain {domain!r}: {cure}")
    commit = str(entry.get("commit", ""))
    if commit and not re.fullmatch(r"[0-9a-f]{40}", commit):
        raise UserError(f"{path.name}: commit of {name} must be a whole hash of 40 digits, but it is {commit!r}.")
    return Source(kind, name, domain, _location(entry.get("location", name), path), commit, entry.get("id", 0))


def _location(text: str, path: Path) -> str:
    return str((path.parent / text).resolve()) if text.startswith(".") else text


def _refuse_doubles(sources: list[Source], path: Path) -> None:
    seen: set[str] = set()
    for source in sources:
        if source.name.lower() in seen:
            raise UserError(f"{path.name} names {source.name!r} twice: remove one of them.")
        seen.add(source.name.lower())
