"""Public names: a task calls a function without the underscores that say that it is its project's own."""

from __future__ import annotations

from dataclasses import replace

from pipeline.languages.programs import Unreadable
from pipeline.languages.registry import language
from pipeline.records import Candidate


def published(candidate: Candidate, name: str = "") -> Candidate:
    """The candidate under its public name, or under the one that is given; raises `Unreadable` where that can't be."""
    old = candidate.function.name
    new = name or old.strip("_")
    if new == old:
        return candidate
    programs = language(candidate.function.language).programs
    program = programs.renamed(candidate.program, old, new)
    before = programs.renamed(candidate.before, old, new) if candidate.before else ""
    if not program.startswith(before):
        raise Unreadable(f"{old} can't be told from what stands before it")
    return replace(
        candidate, function=replace(candidate.function, name=new), program=program, before=before, original=old)
