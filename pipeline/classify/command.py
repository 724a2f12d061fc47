"""`code2bench classify`: the class of every function under some paths, one line each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from harness.errors import UserError
from harness.telling import say
from pipeline.classify import rules
from pipeline.classify.libraries import Libraries, list_of, load
from pipeline.classify.module import Module, read_module
from pipeline.classify.rules import PD
from pipeline.config import MineConfig
from pipeline.languages import Language
from pipeline.languages.reading import Definition
from pipeline.languages.registry import language_of, languages
from pipeline.records import Reason
from pipeline.shipped import LIBRARIES, shipped

_BESIDES = {"method": Reason.METHOD, "nested": Reason.NESTED}
MISSING = "There is no such file or folder: give one that exists."


@dataclass(frozen=True)
class Classified:
    """The class of one function; `reason` and `evidence` say what stands against it."""

    path: str
    name: str
    line: int
    label: str
    libraries: tuple[str, ...] = ()
    unresolved: tuple[str, ...] = ()
    reason: str = ""
    evidence: str = ""

    def as_json(self) -> str:
        """The record on one line, its class under the key `class`."""
        row = asdict(self)
        return json.dumps({("class" if key == "label" else key): value for key, value in row.items()})


@dataclass(frozen=True)
class Unread:
    """A file that could not be read, and why, in one sentence."""

    path: str
    why: str


def classify_paths(paths: Sequence[Path], listed: Path) -> Iterator[Classified | Unread]:
    """Classify all functions of files, and of those files in folders that can be read, in the order of paths and lines.

    A file whose name says nothing of its language is read as the first that there is. `listed` is the list of allowed
    libraries of that one; the others' lie beside it.
    """
    limit = MineConfig().max_file_bytes
    for root in paths:
        if not root.exists():
            yield Unread(str(root), MISSING)
            continue
        for path in _files(root):
            yield from _classify_file(path, root, listed, limit)


def _files(root: Path) -> Iterable[Path]:
    if root.is_file():
        return [root]
    return sorted(path for path in root.rglob("*") if language_of(path.name) is not None and path.is_file())


def _classify_file(path: Path, root: Path, listed: Path, limit: int) -> Iterator[Classified | Unread]:
    spoken = language_of(path.name) or languages()[0]
    text, why = _text(path, limit, spoken)
    if why:
        yield Unread(str(path), why)
        return
    definitions = spoken.reading.definitions(text)
    module = read_module(text, spoken.naming)
    own, libraries = _own(path, root, spoken), load(listed.with_name(list_of(listed.name, spoken.name)))
    for definition in definitions:
        yield _classified(str(path), definition, module, libraries, own)
    if not spoken.reading.is_sound(text):
        damaged = sum(not definition.intact for definition in definitions)
        yield Unread(str(path), f"It has syntax errors, in or around {damaged} of {len(definitions)} functions.")


def _text(path: Path, limit: int, spoken: Language) -> tuple[str, str]:
    """The text of a file, or in one sentence why there is none."""
    try:
        if path.stat().st_size > limit:
            return "", f"It is larger than {limit:,} bytes, the limit for a file."
        return spoken.reading.decode(path.read_bytes()), ""
    except UnicodeDecodeError as error:
        return "", f"It is no text in the encoding that it claims: {error.reason}."
    except OSError as error:
        return "", f"It can't be read: {error.strerror}."


def _own(path: Path, root: Path, spoken: Language) -> frozenset[str]:
    """The names under which a file's own package is imported: its outermost folder with an `__init__` file."""
    folder = path.parent.resolve()
    outermost = path.stem
    while any((folder / f"__init__{suffix}").is_file() for suffix in spoken.layout.suffixes) and folder.name:
        outermost, folder = folder.name, folder.parent
    if root.is_file() or outermost != path.stem:
        return frozenset({outermost})
    return spoken.layout.own_packages(root.resolve().name, path.relative_to(root).as_posix())


def _classified(
    path: str, definition: Definition, module: Module, libraries: Libraries, own: frozenset[str]
) -> Classified:
    place = (path, definition.qualified, definition.line_start)
    unit = module.unit(definition.qualified, definition.line_start)
    reason = _reason(definition)
    if unit is None or reason is not None:
        reason = reason or Reason.UNPARSABLE
        return Classified(*place, PD, reason=reason.name.lower(), evidence=reason.value)
    found = rules.classify(module, unit, libraries, own)
    word = found.reason.name.lower() if found.reason is not None else ""
    used = found.libraries if found.label != PD else ()
    return Classified(*place, found.label, used, found.unresolved, word, found.evidence)


def _reason(definition: Definition) -> Reason | None:
    """Why a function is none that could be taken, whatever it depends on."""
    if not definition.intact:
        return Reason.UNPARSABLE
    if definition.kind in _BESIDES:
        return _BESIDES[definition.kind]
    if definition.is_async or definition.is_generator:
        return Reason.ASYNC if definition.is_async else Reason.GENERATOR
    allowed = MineConfig().allowed_decorators
    return None if all(name in allowed for name in definition.decorators) else Reason.DECORATED


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--libraries", "listed", default=lambda: shipped(LIBRARIES), type=click.Path(path_type=Path),
              help="The list of allowed libraries; the project's own by default.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per function.")
def classify(paths: tuple[Path, ...], listed: Path, as_json: bool) -> None:
    """Say of every function in files or folders whether it is SC, WSC, or depends on its project (PD).

    Example: code2bench classify src/ --json
    """
    if not any(path.exists() for path in paths):
        raise UserError(f"There is no file or folder {paths[0]}: give one that exists.")
    unread = []
    for found in classify_paths(paths, listed):
        if isinstance(found, Unread):
            unread.append(found)
            say(f"{found.path}: {found.why}", err=True)
        else:
            say(found.as_json() if as_json else _line(found))
    if unread:
        say(f"{len(unread)} paths were not read in full; the sentences above say why.", err=True)
    if any(each.why == MISSING for each in unread):
        raise click.exceptions.Exit(2)


def _line(found: Classified) -> str:
    detail = found.evidence or ", ".join(found.libraries)
    return f"{found.label:<3} {found.path}:{found.line} {found.name}" + (f"  {detail}" if detail else "")
