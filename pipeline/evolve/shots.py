"""One worked example for each question about an evolved program or its original (GeneBench, section 5.4.1).

Who predicts sees another program of the same task's front, which means the same, in a call that gives another value;
who repairs sees how the task whose instruction is most alike was repaired. The two sides of a pair see the same.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from harness.evolved import REPAIR_FAMILY, version
from harness.families.repair import faulty
from harness.languages.registry import language
from harness.records import INPUT_FAMILY, OUTPUT_FAMILY, Task
from harness.shots import Shot, with_shots
from harness.values import canonical
from pipeline.config import EvolveConfig
from pipeline.evolve.items import about_version
from pipeline.evolve.proof import proving
from pipeline.evolve.rows import EvolvedProgram
from pipeline.evolve.stage import EvolvedTask
from pipeline.stage import seed_of
from pipeline.vary.items import Drawn, readable

MOST = 1
"""How many examples a prompt shows at most."""
_WORD = re.compile(r"[A-Za-z]+|\d+")


def shown(evolved: Sequence[EvolvedTask], origins: Mapping[str, Task], config: EvolveConfig) -> Iterator[Task]:
    """The rows of evolved tasks, each with an example where there is one; `origins` are the first tasks by id."""
    repaired = _Repaired(evolved, origins)
    for one in evolved:
        examples = _Examples(one, origins[one.id], config)
        for item in one.items:
            found = repaired.example(item) if item.family == REPAIR_FAMILY else examples.example(item)
            yield with_shots(item, () if found is None else (found,))


@dataclass(frozen=True)
class _Examples:
    """The programs of a task that mean the same, and its cases."""

    evolved: EvolvedTask
    task: Task
    config: EvolveConfig

    def example(self, item: Task) -> Shot | None:
        """Another program than all that are asked about, else another than this one, in a case with another value."""
        about = item.variation
        assert about is not None
        random = Random(seed_of(self.config.seed, "shots", self.task.task_id, item.family, str(about.case)))
        rows = self._others(item)
        if not rows:
            return None
        row = random.choice(rows)
        places = proving(self.task)
        asked = canonical(item.cases[0].expected.value)
        for place in random.sample(places, len(places)):
            right = self.task.cases[place].expected
            if right.kind == "returned" and right.mutated is None and canonical(right.value) != asked:
                other = about_version(self.task, row, Drawn(place, 0.0), OUTPUT_FAMILY, self.config)
                if readable(other):
                    return _shot(other, item.family)
        return None

    def _others(self, item: Task) -> list[EvolvedProgram]:
        versions = [row for row in self.evolved.programs if row.program]
        asked = {row.program for row in versions}
        front = [row for row in self.evolved.front if row.program not in asked]
        return front or [row for row in versions if row.version != version(item)]


def _shot(other: Task, family: str) -> Shot:
    of = language(other.language).predicting
    assert of is not None and other.given is not None
    call, value = of.call(other), of.value(other)
    question = of.assertion(f"{other.entry_point}(...)", value) if family == INPUT_FAMILY else of.assertion(call, "")
    return Shot(other.given.before, question, of.assertion(call, value))


class _Repaired:
    """What is to be repaired in all tasks, and how alike their instructions are."""

    def __init__(self, evolved: Sequence[EvolvedTask], origins: Mapping[str, Task]) -> None:
        self.items = {one.id: [item for item in one.items if item.family == REPAIR_FAMILY] for one in evolved}
        ids = sorted(task for task, items in self.items.items() if items)
        self.origins = {task: origins[task] for task in ids}
        self.vectors = dict(zip(ids, tf_idf([origins[task].instruction for task in ids]), strict=True))

    def example(self, item: Task) -> Shot | None:
        """The repair of the nearest other task that does not speak of the item's function."""
        own = str(item.origin)
        others = [task for task in self.vectors if task != own and not _speaks_of(self.origins[task], item.entry_point)]
        if not others:
            return None
        nearest = max(others, key=lambda task: (cosine(self.vectors[own], self.vectors[task]), task))
        made = min(self.items[nearest], key=lambda other: _distance(item, other))
        return Shot(faulty(made), made.instruction, made.reference)


def _speaks_of(task: Task, name: str) -> bool:
    """Whether a program has a function of another task, which must not be shown before that is asked about."""
    return re.search(rf"\b{re.escape(name)}\b", task.program) is not None


def _distance(item: Task, other: Task) -> tuple[bool, int, str]:
    """Originals come first, with faults of as many parts; their `case` is the number of these."""
    assert item.variation is not None and other.variation is not None
    return version(other) != "original", abs(item.variation.case - other.variation.case), other.task_id


def tf_idf(texts: Sequence[str]) -> list[dict[str, float]]:
    """For each text the weights of its words: how often they stand there, times how rare they are in the others."""
    counts = [Counter(word.lower() for word in _WORD.findall(text)) for text in texts]
    holding = Counter(word for one in counts for word in one)
    return [{word: count * math.log((1 + len(texts)) / (1 + holding[word])) for word, count in sorted(one.items())}
            for one in counts]


def cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """How alike two texts are by the weights of their words, 0 to 1."""
    length = math.sqrt(math.fsum(w**2 for w in one.values()) * math.fsum(w**2 for w in other.values()))
    return math.fsum(weight * other.get(word, 0.0) for word, weight in one.items()) / length if length else 0.0
