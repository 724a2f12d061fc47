"""What maintainers have taken out, and why: `data/exclusions.toml`, read by every build and written by `review`."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from harness.errors import UserError
from pipeline.store import write_bytes


@dataclass(frozen=True)
class Exclusion:
    """A task (its id) that no release may hold, the reason in a sentence, and where it was discussed."""

    task: str
    reason: str
    link: str = ""


def load_exclusions(path: Path) -> dict[str, Exclusion]:
    """The exclusions by task; a file that is not there excludes nothing. Raises `UserError`."""
    if not path.is_file():
        return {}
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path} is no TOML ({error}): mend that line.") from None
    unknown = sorted(set(content) - {"exclusion"})
    if unknown:
        raise UserError(f"{path} has the unknown key {unknown[0]!r}: write each entry under [[exclusion]].")
    entries = content.get("exclusion", [])
    if not isinstance(entries, list):
        raise UserError(f"{path} has one [exclusion] table: write it as [[exclusion]].")
    found: dict[str, Exclusion] = {}
    for number, entry in enumerate(entries, 1):
        exclusion = _entry(path, number, entry)
        if exclusion.task in found:
            raise UserError(f"{path} excludes {exclusion.task} twice: remove entry {number}.")
        found[exclusion.task] = exclusion
    return found


def add_exclusion(path: Path, exclusion: Exclusion) -> None:
    """Write one more exclusion behind what the file holds; raises `UserError` where the task is excluded already."""
    if not exclusion.task or not exclusion.reason:
        raise UserError("An exclusion needs a task and a reason: give both.")
    if exclusion.task in load_exclusions(path):
        raise UserError(f"{path} excludes {exclusion.task} already: edit its entry to change the reason.")
    before = path.read_text("utf-8") if path.is_file() else ""
    write_bytes(path, f"{before.rstrip()}\n\n{as_text([exclusion])}".lstrip().encode())


def as_text(exclusions: Iterable[Exclusion]) -> str:
    """The text of a file with these exclusions."""
    return "\n".join(map(_as_entry, exclusions))


def _as_entry(exclusion: Exclusion) -> str:
    values = {"task": exclusion.task, "reason": exclusion.reason, "link": exclusion.link}
    lines = [f"{key} = {_toml_text(value)}\n" for key, value in values.items() if value]
    return "".join(["[[exclusion]]\n", *lines])


def _entry(path: Path, number: int, entry: Any) -> Exclusion:
    where = f"{path}, entry {number}"
    if not isinstance(entry, dict):
        raise UserError(f"{where} is no table: write it under [[exclusion]].")
    known = {field.name for field in fields(Exclusion)}
    for key, value in entry.items():
        if key not in known:
            raise UserError(f"{where} has the unknown key {key!r}: the keys are task, reason and link.")
        if not isinstance(value, str):
            raise UserError(f"{where}: {key} is no text: put it in quotes.")
    for key in ("task", "reason"):
        if not entry.get(key, "").strip():
            raise UserError(f"{where} lacks {key}: add it.")
    return Exclusion(**entry)


def _toml_text(value: str) -> str:
    """A TOML basic string; JSON's escapes are TOML's, except for DEL, which TOML wants escaped."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
