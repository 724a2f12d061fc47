"""A file of answers, JSON lines of `task_id` and `solution`: read whole, with a sentence about whatever is odd.

In place of `solution` there may be `completion`, as HumanEval calls it; lm-eval's logs of samples are read, too.
"""

from __future__ import annotations

import codecs
import json
import os
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from harness.answers.extraction import extract
from harness.answers.peers import is_whole, of_folder, of_text
from harness.errors import UserError
from harness.files import chunks, lines
from harness.prompts import prompt
from harness.records import Task

_ANSWERS = ("solution", "completion")
"""Under which keys an answer may stand, the first that is there: as in EvalPlus and BigCodeBench, as in HumanEval."""
_LONGEST = 256 * 1024**2
"""Bytes of a line; answers that are far shorter are too long to be run."""


@dataclass(frozen=True)
class Sample:
    """One answer: the `number`th to its task (from 0), its code ("" for none), its line in the file (from 1).

    `variant` is the id of the task's variant that it answers, "" for the task itself.
    """

    task_id: str
    number: int
    code: str
    line: int
    variant: str = ""


@dataclass(frozen=True)
class Samples:
    """All answers that can be judged, in the order of the file, and sentences about what a person should know."""

    answers: tuple[Sample, ...]
    notes: tuple[str, ...]


def read_samples(
    path: Path, tasks: Sequence[Task], partial: bool = False, left_out: Collection[str] = frozenset(),
    variants: Mapping[tuple[str, str], Task] | None = None,
) -> Samples:
    """Read a file of answers to the tasks.

    Several lines with one `task_id` are several samples of it. A file with lines that can't be read is refused as a
    whole (`UserError`); unknown and missing tasks, uneven numbers of samples and answers without code become notes.
    Answers to the tasks whose ids are `left_out` are not wanted: they are passed over without a note. Where there are
    `variants`, by the ids of task and variant, lines answer them, and name theirs as `variant`.
    """
    ids = {*left_out, *(task.task_id for task in tasks)}
    lines = [line for line in _lines(path, ids) if line.task_id not in left_out]
    by_place = {(task.task_id, ""): task for task in tasks} if variants is None else variants
    known = [line for line in lines if line.place in by_place]
    unknown = [line for line in lines if line.place not in by_place]
    if not known and variants is not None:
        raise UserError(
            f"{path} answers none of the {len(variants)} questions that are asked here: answer what "
            "`code2bench prompts` prints for this release, and name the `variant` of each answer.")
    if not known:
        which = f"{len(tasks)} tasks that are scored" if left_out else f"release's {len(tasks)} tasks"
        theirs = f"it answers {unknown[0].task_id!r}" if unknown else "it answers tasks that are left out"
        raise UserError(
            f"{path} answers none of the {which} ({theirs}): name the release that it is for, or answer what "
            "`code2bench prompts` prints."
        )
    if all(line.text == prompt(by_place[line.place]).completion for line in known):
        raise UserError(f"{path} holds the prompts, and no answers to them; put what a model says under `solution`.")
    seen: Counter[tuple[str, str]] = Counter()
    answers = []
    for line in known:
        code = extract(line.text, by_place[line.place])
        answers.append(Sample(line.task_id, seen[line.place], code, line.number, line.variant))
        seen[line.place] += 1
    notes = (
        _about_unknown(unknown), _about_missing(by_place, seen, partial), _about_uneven(answers, seen),
        _about_no_code([answer for answer in answers if not answer.code]),
    )
    return Samples(tuple(answers), tuple(note for note in notes if note))


class _Line(NamedTuple):
    """A line's number, the task and the variant that it answers, "" for the task itself, and the answer."""

    number: int
    task_id: str
    variant: str
    text: str

    @property
    def place(self) -> tuple[str, str]:
        """What it answers."""
        return self.task_id, self.variant


def _lines(path: Path, ids: Collection[str]) -> list[_Line]:
    """Each answer of the lines that are not empty; one sentence about all that can't be read."""
    if os.path.isdir(path):
        raise UserError(f"{path} {of_folder(path)}.")
    found: list[_Line] = []
    broken: list[str] = []
    numbered = _numbered(path)
    for number, line in numbered:
        if not found and not broken and (other := _other(line, numbered, ids)):
            raise UserError(f"{path} {other}.")
        parsed = _parse(line)
        if isinstance(parsed, str):
            broken.append(f"line {number}: {parsed}")
        else:
            found += [_Line(number, *one) for one in parsed]
    if broken:
        raise UserError(
            f"{path} can't be judged as it is ({_some(broken)}); each line should be an object with the texts "
            "`task_id` and `solution`: mend or remove the lines, what was judged before is kept."
        )
    if not found:
        raise UserError(f"{path} is empty; each line should be an object with the texts `task_id` and `solution`.")
    return found


def _numbered(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that are not empty."""
    try:
        for number, line in enumerate(lines(chunks(path), _LONGEST), 1):
            text = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
            if text.strip():
                yield number, text
    except OSError as error:
        raise UserError(f"{path} can't be read ({error.strerror}); give a file of answers as JSON lines.") from None


def _other(line: bytes, rest: Iterator[tuple[int, bytes]], ids: Collection[str]) -> str:
    """What a file is that begins with this line and goes on, where its lines are no answers, with the cure; else ""."""
    if not is_whole(line):
        return of_text(line, ids)
    parts, size = [line], len(line)
    for _, text in rest:
        parts.append(text)
        size += len(text)
        if size > _LONGEST:
            break
    return of_text(b"".join(parts), ids)


def _parse(line: bytes) -> list[tuple[str, str, str]] | str:
    """The answers of a line, each with its task and variant, or what is wrong with it."""
    try:
        value: Any = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        return "not UTF-8"
    except json.JSONDecodeError as error:
        return f"no JSON, {error.msg.removesuffix(' at')} in column {error.colno}"
    except (ValueError, RecursionError):
        return "no JSON that can be read, a number is too long or it is nested too deep"
    if not isinstance(value, dict):
        return f"a {type(value).__name__}, not an object"
    if isinstance(value.get("doc"), dict) and isinstance(value.get("resps"), list):
        return _logged(value)
    if not isinstance(value.get("task_id"), str):
        return "no text under 'task_id'"
    given = [value[key] for key in _ANSWERS if key in value]
    if given and given[0] is None:
        given = [""]  # no answer came
    if not given or not isinstance(given[0], str):
        return f"no text under {_ANSWERS[0]!r}" + ("" if given else f" or {_ANSWERS[1]!r}")
    variant = value.get("variant", "")
    return [(value["task_id"], variant, given[0])] if isinstance(variant, str) else "no text under 'variant'"


def _logged(value: dict[str, Any]) -> list[tuple[str, str, str]] | str:
    """The answers in a line of lm-eval's own log of samples."""
    task_id, answers = value["doc"].get("task_id"), [one for several in value["resps"] for one in several]
    variant = str(value["doc"].get("variant") or "")
    if not isinstance(task_id, str) or not all(isinstance(one, str) for one in answers):
        return "a line of lm-eval's log, but of no task of ours"
    return [(task_id, variant, one) for one in answers]


def _about_unknown(unknown: Sequence[_Line]) -> str:
    if not unknown:
        return ""
    where = _some([f"{_named(line.place)} in line {line.number}" for line in unknown])
    return f"{_count(unknown, 'line')} not judged, because the release has no such task ({where}); wrong release?"


def _named(place: tuple[str, str]) -> str:
    return "/".join(filter(None, place))


def _about_missing(wanted: Iterable[tuple[str, str]], seen: Counter[tuple[str, str]], partial: bool) -> str:
    missing = [_named(place) for place in wanted if place not in seen]
    if not missing:
        return ""
    what = "left out of the score" if partial else "counted as not passed; --partial leaves them out of the score"
    return f"{_count(missing, 'task')} without an answer ({_some(missing)}): {what}."


def _about_uneven(answers: Sequence[Sample], seen: Counter[tuple[str, str]]) -> str:
    fewest = min(seen.values())
    if max(seen.values()) == fewest:
        return ""
    lines = defaultdict(list)
    for answer in answers:
        lines[answer.task_id, answer.variant].append(str(answer.line))
    more = [f"{_named(place)} in lines {_some(lines[place])}" for place in seen if seen[place] > fewest]
    return (
        f"{_count(more, 'task')} with more answers than the others ({_some(more)}): each counts as a sample, and a "
        "task's score is their mean; remove duplicates that are no samples."
    )


def _about_no_code(answers: Sequence[Sample]) -> str:
    if not answers:
        return ""
    where = _some([f"line {answer.line}" for answer in answers])
    return f"{_count(answers, 'answer')} without any code ({where}): counted as NoAnswer; look at what was answered."


def _count(things: Sequence[object], noun: str) -> str:
    return f"{len(things)} {noun}{'' if len(things) == 1 else 's'}"


def _some(texts: Sequence[str]) -> str:
    return ", ".join(texts[:3]) + (f" and {len(texts) - 3} more" if len(texts) > 3 else "")
