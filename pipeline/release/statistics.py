"""What a release holds, in numbers: the quantities of the paper's Table 2, and what the card adds to them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import mean, median

from harness.records import Difficulty, Task
from harness.releases.ages import Age, Cutoff, first_public
from harness.releases.cutoffs import Model


@dataclass(frozen=True)
class Row:
    """One line of the table: what is counted, and its value in each column."""

    what: str
    values: tuple[str, ...]


def table(columns: Sequence[Sequence[Task]]) -> list[Row]:
    """The rows of the table of statistics; a column is the tasks of one track, or of all."""
    return [Row(what, tuple(value(tasks) for tasks in columns)) for what, value in _ROWS.items()]


def share(part: float) -> str:
    """A share in per cent; only nothing is 0% and only all of it is 100%."""
    if part in (0, 1):
        return f"{part:.0%}"
    return f"{min(max(round(100 * part, 1), 0.1), 99.9):g}%"


def margin(tasks: int) -> float:
    """Half the width of the 95% interval of a Pass@1 of one half, in points: what a difference has to exceed."""
    return 100 * 1.96 * math.sqrt(0.25 / tasks)


def knowledge(models: Iterable[Model], tasks: Sequence[Task]) -> list[Age]:
    """For each model how many tasks are younger than its knowledge, the latest cutoff first."""
    cutoffs = [Cutoff(model.name, model.last_day, model.said) for model in models]
    ages = [Age(one, sum(not one.excludes(task) for task in tasks), len(tasks)) for one in cutoffs]
    return sorted(sorted(ages, key=lambda age: age.cutoff.what), key=lambda age: age.cutoff.day, reverse=True)


def shown(tasks: Iterable[Task], after: str) -> int:
    """How many tasks are shown to be younger than the first day of a window."""
    return sum(first_public(task) >= after for task in tasks)


def libraries(tasks: Iterable[Task]) -> list[tuple[str, int]]:
    """The libraries that references use (of a dotted name the first part), each with the number of its tasks."""
    return by_number(name for task in tasks for name in {module.partition(".")[0] for module in task.libraries})


def by_number(names: Iterable[str]) -> list[tuple[str, int]]:
    """How often each name occurs, the most frequent first."""
    return sorted(Counter(names).items(), key=lambda one: (-one[1], one[0]))


def _ratio(tasks: Sequence[Task]) -> str:
    counts = Counter(task.difficulty for task in tasks)
    return " : ".join(f"{counts[level] / len(tasks):.2f}" for level in Difficulty)


def _spread(numbers: Sequence[int]) -> str:
    return f"{median(numbers):g} ({min(numbers)} to {max(numbers)})"


def _lite(tasks: Sequence[Task]) -> str:
    sizes = [len(task.lite) for task in tasks if task.lite is not None]
    return _spread(sizes) if sizes else "not made"


def _lowest_coverage(tasks: Sequence[Task]) -> str:
    return share(min(task.strength.branch_coverage for task in tasks))


def _scores(scores: Iterable[float | None]) -> str:
    known = [score for score in scores if score is not None]
    return f"{_cut(median(known))}, {_cut(min(known))}" if known else "not measured"


def _cut(score: float) -> str:
    """Two digits, cut off and not rounded, so that only a whole 1 is 1.00."""
    return f"{math.floor(round(100 * score, 6)) / 100:.2f}"


_ROWS: dict[str, Callable[[Sequence[Task]], str]] = {
    "Tasks": lambda tasks: f"{len(tasks):,}",
    "Lines of code, mean": lambda tasks: f"{mean(task.measures.lines for task in tasks):.1f}",
    "Cyclomatic complexity, mean": lambda tasks: f"{mean(task.measures.complexity for task in tasks):.1f}",
    "Easy : Medium : Hard": _ratio,
    "Cases per task, median (range)": lambda tasks: _spread([len(task.cases) for task in tasks]),
    "Lite cases per task, median (range)": _lite,
    "Branch coverage, lowest": _lowest_coverage,
    "Mutation score, median and lowest": lambda tasks: _scores(task.strength.mutation_score for task in tasks),
    "The same with several changes at once": lambda tasks: _scores(task.strength.higher_order_score for task in tasks),
    "Repositories or packages": lambda tasks: f"{len({task.provenance.project for task in tasks}):,}",
    "Domains": lambda tasks: str(len({task.domain for task in tasks})),
    "Libraries": lambda tasks: str(len(libraries(tasks))),
}
