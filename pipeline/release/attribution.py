"""Whose code a release holds: one entry per project, from which NOTICE.txt, LICENSE and the card's table are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from harness.records import Task
from pipeline.records import LockedSource


@dataclass(frozen=True)
class Attribution:
    """A project that tasks were taken from: the version that was read, its licences, its address, how many tasks.

    `licences` begins with the project's own; others follow where a file's header says otherwise.
    """

    project: str
    version: str
    licences: tuple[str, ...]
    url: str
    tasks: int

    @property
    def licence(self) -> str:
        """The licences as a text."""
        return ", ".join(self.licences)

    @property
    def title(self) -> str:
        """The line by which NOTICE.txt and LICENSES.txt name it."""
        return f"{self.project} {self.version} ({self.licence}) {self.url}"


def attributions(tasks: Sequence[Task], locked: Iterable[LockedSource]) -> list[tuple[LockedSource, Attribution]]:
    """The sources that tasks came from, by id, each with its entry."""
    own: dict[str, list[Task]] = {}
    for task in tasks:
        own.setdefault(task.provenance.project, []).append(task)
    used = sorted((source for source in locked if source.source.name in own), key=lambda source: source.id)
    return [(source, _entry(source, own[source.source.name])) for source in used]


def _entry(source: LockedSource, tasks: Sequence[Task]) -> Attribution:
    others = sorted({task.provenance.licence for task in tasks} - {source.licence})
    return Attribution(source.source.name, source.upper.version, (source.licence, *others), source.url, len(tasks))


def notice(name: str, entries: Sequence[Attribution]) -> str:
    """The text of NOTICE.txt."""
    return "\n".join([_NOTICE.format(name=name), *(f"{e.title}\n    tasks: {e.tasks}" for e in entries)]) + "\n"


def licence(name: str, tasks: Sequence[Task]) -> str:
    """The text of LICENSE, which the Hub links to: what is under which licence, and where the texts are."""
    counts = Counter(task.provenance.licence for task in tasks)
    lines = [f"    {key}: {count}" for key, count in sorted(counts.items(), key=lambda one: (-one[1], one[0]))]
    return _LICENCE.format(name=name, licences="\n".join(lines))


_NOTICE = """Code2Bench release {name}

The reference answers and parts of the instructions were taken from the projects below, each under its own licence;
the licences' texts are in LICENSES.txt. Each row names its project, version, path, lines and licence.
"""

_LICENCE = """Code2Bench release {name}

There is no single licence. Each task was made from a function of an open-source project, and is under the licence of
that project, which its row names in provenance.licence (an SPDX identifier). Tasks by licence:

{licences}

The full texts, with the projects' copyright notices, are in LICENSES.txt. Whose code it is, is in NOTICE.txt.
"""
