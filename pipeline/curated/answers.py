"""Blind answers: what people and programs wrote who saw nothing but the prompt, as evidence that the text is enough.

They are lines of JSON: the `task`, the `solver` (a pseudonym), the `attempt` (from 1), the digest of the `prompt` that
was seen, the `answer`, code alone, and perhaps a `rating`: how hard the solver found it. An answer to another prompt
than the task has now says nothing about it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from harness.answers.samples import Sample
from harness.errors import UserError
from harness.languages import Machine
from harness.prompts import prompt
from harness.records import BLIND, Difficulty, Sufficiency, Task, digest
from harness.releases.veil import MARK, unveil, veil
from harness.scoring.judging import judge_all
from pipeline import store
from pipeline.curated.files import text_of
from pipeline.store import write_bytes

_RATINGS = ("", *Difficulty)
NO_RATINGS: Mapping[int, str] = {}
FILE = "blind.parquet"
"""The file of a release that has the answers to its tasks."""


@dataclass(frozen=True)
class BlindAnswer:
    """One answer, and what its solver had seen."""

    task: str
    solver: str
    attempt: int
    prompt: str
    answer: str
    rating: str = ""


def prompt_digest(task: Task) -> str:
    """What ties an answer to what its solver was asked."""
    asked = prompt(task)
    return digest(asked.system, asked.user)[:16]


def load_answers(path: Path) -> dict[str, list[BlindAnswer]]:
    """The answers of a file by task; one that is not there has none. Raises `UserError`."""
    found: dict[str, list[BlindAnswer]] = defaultdict(list)
    if not path.is_file():
        return found
    seen = set[tuple[str, str, int]]()
    for number, line in enumerate(text_of(path).splitlines(), 1):
        one = _read(line)
        if one is None:
            raise UserError(f"{path}, line {number}, is no blind answer: remove it, and record it with `review`.")
        key = (one.task, one.solver, one.attempt)
        if key in seen:
            raise UserError(f"{path}, line {number}, has attempt {one.attempt} of {one.solver} once more: remove it.")
        seen.add(key)
        found[one.task].append(one)
    return found


def _read(line: str) -> BlindAnswer | None:
    try:
        one = BlindAnswer(**json.loads(line))
    except (ValueError, TypeError):
        return None
    texts = (one.task, one.solver, one.prompt, one.answer)
    fits = isinstance(one.attempt, int) and all(isinstance(text, str) for text in texts) and one.rating in _RATINGS
    return one if fits else None


def load_ratings(path: Path) -> dict[int, str]:
    """How hard solvers found their tasks, by the lines of their file (from 1), which may say `rating`, as it is
    recorded, or `difficulty`; the file's form is known to be right. Raises `UserError`.
    """
    found = {}
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        said = json.loads(line) if line.strip() else {}
        name = "rating" if "rating" in said else "difficulty"
        rating = said.get(name, "")
        if rating not in _RATINGS:
            raise UserError(
                f"{path}, line {number}: {name} must be one of {', '.join(Difficulty)}, or left out.")
        found[number] = rating
    return found


def add_answers(
    path: Path, samples: Iterable[Sample], tasks: Sequence[Task], solver: str, ratings: Mapping[int, str] = NO_RATINGS
) -> list[BlindAnswer]:
    """Record answers behind those that the file holds, and give them; the earlier ones of the solver count on.

    `ratings` say how hard the solver found a task, by the line of the answer.
    """
    known = load_answers(path)
    by_id = {task.task_id: task for task in tasks}
    added = []
    for sample in samples:
        own = known[sample.task_id]
        attempt = 1 + max((one.attempt for one in own if one.solver == solver), default=0)
        seen = prompt_digest(by_id[sample.task_id])
        added.append(BlindAnswer(
            sample.task_id, solver, attempt, seen, sample.code, ratings.get(sample.line, "")))
        own.append(added[-1])
    write_bytes(path, as_lines(one for task in sorted(known) for one in known[task]).encode())
    return added


def as_lines(answers: Iterable[BlindAnswer]) -> str:
    """The text of a file with these answers."""
    return "".join(f"{json.dumps(_as_line(one), ensure_ascii=False)}\n" for one in answers)


def _as_line(one: BlindAnswer) -> dict[str, object]:
    return {name: value for name, value in asdict(one).items() if name != "rating" or value}


def ratings_of(task: Task, known: Mapping[str, Sequence[BlindAnswer]]) -> tuple[str, ...]:
    """How hard those found a task who answered the prompt that it has now, as far as they say so."""
    return tuple(one.rating for one in current(task, known) if one.rating)


def current(task: Task, known: Mapping[str, Sequence[BlindAnswer]]) -> list[BlindAnswer]:
    """The recorded answers to the prompt that a task has now."""
    return [one for one in known.get(task.task_id, ()) if one.prompt == prompt_digest(task)]


def publish(folder: Path, answers: Sequence[BlindAnswer], key: str = "") -> None:
    """Write the answers into a release's folder, if there are any; with a key they are no plain text."""
    if answers:
        hidden = [replace(one, answer=veil(one.answer, key, _place(one))) if key else one for one in answers]
        store.write(folder / FILE, BlindAnswer, hidden)


def published(folder: Path, key: str = "") -> list[BlindAnswer]:
    """The answers of a release's folder; raises `UserError` where they can't be read with the key."""
    path = folder / FILE
    found: list[BlindAnswer] = list(store.read(path, BlindAnswer)) if path.is_file() else []
    return [
        replace(one, answer=unveil(one.answer, key, _place(one))) if one.answer.startswith(MARK) else one
        for one in found]


def _place(one: BlindAnswer) -> str:
    return f"{one.task}/{one.solver}/{one.attempt}"


def tried(
    tasks: Sequence[Task], known: Mapping[str, Sequence[BlindAnswer]], machine: Machine
) -> dict[str, Sufficiency]:
    """What the recorded answers to the prompts of these tasks are worth, by task; nothing where there are none."""
    jobs = [(task, one) for task in tasks for one in current(task, known)]
    verdicts = judge_all([(task, one.answer) for task, one in jobs], machine, tasks=tasks)
    solved: dict[str, list[bool]] = defaultdict(list)
    solvers: dict[str, dict[str, None]] = defaultdict(dict)
    for (task, one), verdict in zip(jobs, verdicts, strict=True):
        solved[task.task_id].append(verdict.perfect)
        solvers[task.task_id][f"{BLIND}{one.solver}"] = None
    return {key: Sufficiency(tuple(solvers[key]), len(passed), sum(passed)) for key, passed in solved.items()}
