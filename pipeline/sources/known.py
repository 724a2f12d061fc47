"""Functions of known benchmarks, so that nothing which a model may have learnt from them becomes a task again.

The index is a file of JSON lines that a user fills, one per function: whose it is, what it is called there, its
shingles, 16 hex digits each, and its shape. No text of a benchmark is in it.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from harness.errors import UserError
from pipeline import store
from pipeline.languages import Language
from pipeline.languages.registry import language_of, languages
from pipeline.sources.novelty import shape_of

_DIGITS = 16
_JOINED = tuple((head, "canonical_solution") for head in ("prompt", "complete_prompt", "code_prompt"))
"""Columns that make one text: benchmarks whose prompt is the head of a function keep its body apart."""
_IDS = ("task_id", "question_id", "id", "name")
_TESTS = re.compile(r"(^|_)(tests?|check|assertions?)(_|$)")
"""Columns with tests of a benchmark's functions, and the functions in them: nobody's task."""
_FEWEST = 10
"""Shingles below which a function is too short to be anybody's."""


@dataclass(frozen=True)
class Known:
    """Something that is compared with: whose it is (a project, a benchmark), what it is called, shingles, shape."""

    owner: str
    label: str
    shingles: frozenset[int]
    shape: str = ""


def read_known(path: Path) -> list[Known]:
    """What an index holds, nothing where there is none."""
    if not path.is_file():
        return []
    try:
        return [_known(line) for line in path.read_text("utf-8").split("\n") if line]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path} is no index of known functions ({error}): remove it, and add its files.") from None


def write_known(path: Path, known: Iterable[Known]) -> None:
    """Write an index: sorted, each function once, the same bytes for the same functions."""
    lines = sorted({_line(one) for one in known})
    store.write_bytes(path, "".join(line + "\n" for line in lines).encode())


def known_in(path: Path, owner: str, fields: Sequence[str] = ()) -> list[Known]:
    """The functions of a file in a language, or of the rows of a benchmark (JSON, JSON lines, Parquet).

    `fields` are the columns whose texts make a program, one after the other; without them, all texts of a row but those
    of tests are looked through. Raises `UserError` where there is no function.
    """
    found = [one for label, text, spoken in _texts(path, fields) for one in _functions(owner, label, text, spoken)]
    if not found:
        where = f"the columns {', '.join(fields)}" if fields else "it"
        raise UserError(f"{path} has no function in {where}: name the columns with code by --field.")
    return found


def _functions(owner: str, label: str, text: str, spoken: Language) -> Iterator[Known]:
    reader = spoken.reading
    for one in reader.definitions(text):
        shingles = reader.shingles(one.tokens) if one.intact else ()
        if len(set(shingles)) >= _FEWEST and not _TESTS.search(one.name.lower()):
            yield Known(owner, f"{label} {one.qualified}".strip(), frozenset(shingles), shape_of(one, shingles))


def _texts(path: Path, fields: Sequence[str]) -> Iterator[tuple[str, str, Language]]:
    """Programs of a file, each with what its row is called and its language."""
    spoken = language_of(path.name)
    if spoken is not None:
        yield "", _read(path), spoken
        return
    for number, row in enumerate(_rows(path)):
        label = next((str(row[key]) for key in _IDS if row.get(key) is not None), f"row {number}")
        for text, found in _programs(row, fields):
            yield label, text, found


def _programs(row: Mapping[str, Any], fields: Sequence[str]) -> Iterator[tuple[str, Language]]:
    """The texts of a row that define functions in a language that can be read."""
    joined = [fields] if fields else [*_JOINED, *((key,) for key in row if not _TESTS.search(key.lower()))]
    for keys in joined:
        columns = [_strings(row.get(key)) for key in keys]
        for text in map("".join, product(*columns)):
            spoken = _language_in(text)
            if spoken is not None:
                yield text, spoken


def _strings(value: Any) -> list[str]:
    """The texts in a column: one, or a list of solutions, which some benchmarks write as JSON."""
    if isinstance(value, str) and value.startswith("["):
        with suppress(ValueError):
            return _strings(json.loads(value)) or [value]
    if isinstance(value, list | tuple):
        return [one for one in value if isinstance(one, str)]
    return [value] if isinstance(value, str) else []


def _language_in(text: str) -> Language | None:
    """The first language in which a text defines functions and has no fault."""
    return next((one for one in languages() if one.reading.definitions(text) and not one.programs.fault(text)), None)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    if path.suffix == ".parquet":
        yield from store.query("select * from read_parquet(?)", str(path))
        return
    text = _read(path)
    try:
        whole = ".json" in path.suffixes
        rows = json.loads(text) if whole else [json.loads(line) for line in text.split("\n") if line.strip()]
    except ValueError as error:
        raise UserError(f"{path} is no JSON ({error}): give a .py, .json, .jsonl or .parquet file.") from None
    for row in rows.values() if isinstance(rows, dict) else rows:
        if isinstance(row, dict):
            yield row


def _read(path: Path) -> str:
    try:
        data = path.read_bytes()
        return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise UserError(f"{path} can't be read ({error}): give a text in UTF-8, plain or as .gz.") from None


def _line(known: Known) -> str:
    shingles = "".join(f"{one:0{_DIGITS}x}" for one in sorted(known.shingles))
    row = {"owner": known.owner, "label": known.label, "shingles": shingles, "shape": known.shape}
    return json.dumps(row, ensure_ascii=False)


def _known(line: str) -> Known:
    row = json.loads(line)
    text = row["shingles"]
    shingles = (int(text[at : at + _DIGITS], 16) for at in range(0, len(text), _DIGITS))
    return Known(str(row["owner"]), str(row["label"]), frozenset(shingles), str(row.get("shape", "")))
