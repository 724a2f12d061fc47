"""Fuel: work that is counted and not timed, passes of loops and calls of functions; and how much memory calls take."""

from __future__ import annotations

import ast
import mmap
import resource
from collections.abc import Iterator
from itertools import chain, repeat
from operator import length_hint
from typing import Any

MOST = 10_000
"""Passes of one call."""
AT_LOADING = 1_000_000
"""Passes of what runs when a program is loaded, as where tables are made."""

_TICK = "_code2bench_tick"
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_COMPREHENDED = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class TooMuchWork(BaseException):
    """A call has had as many passes as a call may have."""


class Passes:
    """The passes of calls of one program, whose names are in `namespace`; `begin` comes before each call."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self._namespace = namespace
        self.begin(AT_LOADING)

    def begin(self, most: int = MOST) -> None:
        """Let the next call have so many passes."""
        self._most, self._rest, self._end = most, repeat(True, most), _End()
        self._namespace[_TICK] = chain(self._rest, self._end).__next__

    @property
    def used(self) -> int:
        """The passes since the beginning."""
        return self._most - length_hint(self._rest)

    @property
    def spent(self) -> bool:
        """Whether there were too many, also where the program has caught what says so."""
        return self._end.reached


class _End:
    """Comes after the last pass."""

    def __init__(self) -> None:
        self.reached = False

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        self.reached = True
        raise TooMuchWork


def counted(tree: ast.AST) -> None:
    """Let all loops, comprehensions and functions of a tree count their passes; each line is come to as before."""
    for node in ast.walk(tree):
        if isinstance(node, _LOOPS):
            node.body.insert(0, _statement(node.body[0]))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            place = 1 if ast.get_docstring(node, clean=False) is not None else 0
            node.body.insert(place, _statement(node.body[min(place, len(node.body) - 1)]))
        elif isinstance(node, _COMPREHENDED):
            for generator in node.generators:
                generator.ifs.insert(0, ast.copy_location(_call(), generator.target))
    ast.fix_missing_locations(tree)


def _statement(first: ast.stmt) -> ast.stmt:
    """A pass that stands in the line in which a statement begins."""
    made = ast.copy_location(ast.Expr(_call()), first)
    decorators = getattr(first, "decorator_list", [])
    if decorators:
        made.lineno = made.end_lineno = decorators[0].lineno
    return made


def _call() -> ast.Call:
    return ast.Call(ast.Name(_TICK, ast.Load()), [], [])


HEADROOM = 320 * 1024**2
"""How many bytes the calls of a candidate may take together, besides what is loaded already."""


def limit(most: int) -> None:
    """Leave the process `HEADROOM` above what it has, and `most` bytes at most.

    A call that asks for more fails at once, on each machine. To fill some gigabytes would take about the time that one
    call may take, so that the clock would decide; and there is no /proc here that tells how much the process has.
    """
    low, high = 0, most
    while high - low > HEADROOM // 16:
        middle = (low + high) // 2
        resource.setrlimit(resource.RLIMIT_AS, (middle, most))
        try:
            mmap.mmap(-1, HEADROOM, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
        except OSError:
            low = middle
        else:
            high = middle
    resource.setrlimit(resource.RLIMIT_AS, (high, most))


def lift() -> None:
    """Let what follows have all that the process may have: the candidate's calls are over."""
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
