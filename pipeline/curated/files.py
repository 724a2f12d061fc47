"""Maintainers' texts as files: Markdown with a header in TOML, one for each function, in a folder of the data.

The header has the function's `id`, the digest of its `reference` (a changed reference makes the file stale), and may
have a public `name`, a `contract` (list of conditions), `strategies` (a module in Python), `examples` (calls to be
shown), and a `difficulty`; `family = "whole"` says that the text is enough to write the function with all that it
calls, so that nothing is given. `unreachable` lists branches of members that no call can take, in the words of the
gates, each with a colon and the reason, where no rule proves it. Below it stands the docstring, without examples, and
below that, behind a heading, wrong answers that the cases have to refuse, each a fenced program.
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.errors import UserError
from harness.records import WHOLE_FAMILY, Difficulty, digest
from pipeline.records import Candidate, Curated
from pipeline.store import write_bytes

FENCE = "+++"
_LISTS = ("contract", "examples", "unreachable")
_ORDER = ("id", "reference", "name", "family", "difficulty", *_LISTS, "remarks", "strategies")
WRONG = "## Wrong answers"
_PROGRAM = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FORM = re.compile(rf"{re.escape(FENCE)}\n(.*?)\n{re.escape(FENCE)}\n(.*)", re.DOTALL)


@dataclass(frozen=True)
class CuratedFile:
    """A file: of which function it speaks, for which text of it, and what it says; `remarks` are for maintainers."""

    id: str
    reference: str
    curated: Curated
    remarks: str = ""
    path: Path | None = None


def reference_digest(candidate: Candidate) -> str:
    """What ties a file to the text of a function and of all that it needs of its project."""
    return digest(candidate.program)[:16]


def load_curated(folder: Path) -> dict[str, CuratedFile]:
    """The files of a folder by function; one that is not there has none. Raises `UserError`."""
    found: dict[str, CuratedFile] = {}
    for path in sorted(folder.glob("*.md")):
        one = read_file(path)
        if one.id in found:
            raise UserError(f"{path} and {found[one.id].path} speak of {one.id}: remove one of them.")
        found[one.id] = one
    return found


def read_file(path: Path) -> CuratedFile:
    """One file; raises `UserError` with what is wrong in it."""
    return parsed(text_of(path), path)


def text_of(path: Path) -> str:
    """What stands in a file, whatever it is; raises `UserError` for what is no text."""
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        raise UserError(f"{path} is no text in UTF-8: save it as that.") from None


def parsed(text: str, path: Path) -> CuratedFile:
    """The file that a text is; `path` is told in errors."""
    form = _FORM.fullmatch(text.replace("\r\n", "\n"))
    if form is None:
        raise UserError(f"{path} has no header: begin it with a line {FENCE}, TOML, and another line {FENCE}.")
    try:
        header = tomllib.loads(form[1])
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"The header of {path} is no TOML ({error}): mend that line.") from None
    unknown = sorted(set(header) - set(_ORDER))
    if unknown:
        raise UserError(f"{path} has the unknown key {unknown[0]!r}: it knows {', '.join(_ORDER)}.")
    for name, value in header.items():
        fits = isinstance(value, list) and all(isinstance(one, str) for one in value)
        if not (fits if name in _LISTS else isinstance(value, str)):
            raise UserError(f"{path}: {name} must be a {'list of texts' if name in _LISTS else 'text'}.")
    for name in ("id", "reference"):
        if not header.get(name):
            raise UserError(f"{path} lacks {name}: `code2bench review BUILD FUNCTION --edit` writes it.")
    if header.get("difficulty", "") not in ("", *Difficulty):
        raise UserError(f"{path}: difficulty must be one of {', '.join(Difficulty)}, or left out.")
    if header.get("family", "") not in ("", WHOLE_FAMILY):
        raise UserError(f"{path}: family must be {WHOLE_FAMILY}, or left out.")
    said: dict[str, Any] = {name: header.get(name, "") for name in ("strategies", "name", "difficulty", "family")}
    said |= {name: tuple(header.get(name, ())) for name in _LISTS}
    docstring, heading, rest = f"\n{form[2]}".partition(f"\n{WRONG}\n")
    wrong = tuple(program.strip() for program in _PROGRAM.findall(rest))
    if heading and _PROGRAM.sub("", rest).strip():
        raise UserError(f"{path}: below {WRONG!r} stand programs alone, each between a line ```python and a line ```.")
    curated = Curated(docstring.strip(), wrong=wrong, **said)
    return CuratedFile(header["id"], header["reference"], curated, header.get("remarks", ""), path)


def written(one: CuratedFile) -> str:
    """The text of a file, the inverse of `parsed`."""
    curated = one.curated
    values = {"id": one.id, "reference": one.reference, "remarks": one.remarks}
    values |= {name: getattr(curated, name) for name in ("name", "family", "difficulty", "strategies")}
    lines = []
    for name in _ORDER:
        if name == "unreachable" and not curated.unreachable:
            continue
        if name in _LISTS:
            items = getattr(curated, name)
            lines += [f"{name} = [", *(f"    {_text(item)}," for item in items), "]"] if items else [f"{name} = []"]
        elif name == "strategies":
            lines.append(f"{name} = '''\n{values[name].strip()}\n'''")
        elif values[name] or name == "name":
            lines.append(f"{name} = {_text(values[name])}")
    wrong = [f"```python\n{program.strip()}\n```\n" for program in curated.wrong]
    return "\n".join([FENCE, *lines, FENCE, "", curated.text.strip(), "", *([WRONG, "", *wrong] if wrong else ())])


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def save(one: CuratedFile, folder: Path, name: str) -> Path:
    """Write a file for a function of that name; gives its path."""
    path = folder / f"{name.strip('_')}.{one.id.removeprefix('c2b-')}.md"
    write_bytes(path, written(one).encode())
    return path
