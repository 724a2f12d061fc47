"""Answerers that are no models: what each gets right is known, so that a table can be held to it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from harness.analysis.robustness import ORIGIN
from harness.errors import UserError, guess
from harness.records import Task, canonical_json
from harness.releases.dataset import Release

EXACT = 1e-9
"""How far a table may be from what is known of an answerer, by rounding."""
WRONG = "'neither this nor that'"


@dataclass(frozen=True)
class Answerer:
    """One of them: whether it gets a task right, and what it says where it doesn't."""

    name: str
    right: Callable[[Task], bool]
    otherwise: Callable[[Task], str] = lambda _: WRONG

    def answer(self, task: Task) -> str:
        """What it says."""
        return task.reference if self.right(task) else self.otherwise(task)


def _program(task: Task) -> ast.Module:
    return ast.parse(task.given.before if task.given is not None else "")


def _in_words(task: Task) -> bool:
    """Whether at least half of a program's variables are called by something without digits."""
    parts = [node for node in ast.walk(_program(task)) if isinstance(node, ast.Name)]
    names = {node.id for node in parts if isinstance(node.ctx, ast.Store)}
    names |= {node.arg for node in ast.walk(_program(task)) if isinstance(node, ast.arg)}
    return 2 * sum(not any(map(str.isdigit, name)) for name in names) >= len(names)


def _without_sums(task: Task) -> bool:
    """Whether a program computes or compares nothing of two constants."""
    for node in ast.walk(_program(task)):
        sides: list[ast.expr] = []
        if isinstance(node, ast.BinOp):
            sides = [node.left, node.right]
        elif isinstance(node, ast.Compare):
            sides = [node.left, node.comparators[0]]
        if sides and all(isinstance(side, ast.Constant) for side in sides):
            return False
    return True


def _without_while(task: Task) -> bool:
    """Whether a program has no `while`."""
    return not any(isinstance(node, ast.While) for node in ast.walk(_program(task)))


def _always(_: Task) -> bool:
    return True


def _never(_: Task) -> bool:
    return False


SCRIPTED: Mapping[str, Answerer] = {one.name: one for one in (
    Answerer("oracle", _always),
    Answerer("stub", _never),
    Answerer("namer", _in_words),
    Answerer("literal", _without_sums),
    Answerer("looper", _without_while),
)}  # fmt: skip
TRACER = "tracer"
"""The answerer that follows a program for so many steps, and no further."""


def scripted(name: str, steps: int) -> Answerer:
    """The one of that name, `steps` being how far one of them goes; raises `UserError`."""
    known = (*SCRIPTED, TRACER)
    if name not in known:
        raise UserError(f"There is no answerer {name!r}{guess(name, known)}: name one of {', '.join(known)}.")
    return tracer(steps) if name == TRACER else SCRIPTED[name]


def tracer(most: int) -> Answerer:
    """One that gets right what takes at most so many steps."""
    return Answerer(TRACER, lambda task: task.variation is not None and task.variation.steps <= most)


def reciter(leaked: Release) -> Answerer:
    """One that has read a release's questions about origins with their answers, and nothing else, and can't read code.

    It knows a function by its name's task and a case by its arguments, and gives the answer that it has read.
    """
    known = {_asked(task): task.reference for task in _origins(leaked.tasks)}

    def said(task: Task) -> str:
        return known.get(_asked(task), WRONG)

    return Answerer("reciter", lambda task: said(task) == task.reference, said)


def _asked(task: Task) -> tuple[str, str]:
    """The function and the arguments that a task asks about, whatever their names."""
    case = task.cases[0]
    return str(task.origin), canonical_json([list(case.args), list(case.kwargs.values())])


def _origins(tasks: Iterable[Task]) -> Iterable[Task]:
    return (task for task in tasks if task.variation is not None and task.variation.chain == ORIGIN)
