"""What is raised on purpose: by a `raise` statement of the program that was executed, or as its docstring promises."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Any

from pipeline.suites.inference.evidence.docstrings import described
from pipeline.suites.inference.infer import documented_exceptions
from pipeline.suites.subject import Subject, lines_of

FAR = 30
"""How many lines a `raise` statement may have."""


@dataclass(frozen=True)
class _Raise:
    """A `raise` statement: its line, the name of what it raises ("" where that is a variable or was caught), the lines
    of the function that it stands in, and whether that is a member.
    """

    line: int
    name: str
    within: range
    of_member: bool

    def at(self, line: int) -> bool:
        """Whether a line is one of its own."""
        return self.line <= line <= self.line + FAR and line in self.within


class Purpose:
    """The exceptions that a function and its members raise on purpose."""

    def __init__(self, subject: Subject, file: str) -> None:
        self.documented = documented_exceptions(subject)
        self._file = file
        self._raises = list(_raise_statements(subject.function, False))
        self._promised: list[tuple[range, set[str]]] = []
        for member in subject.members:
            lines = lines_of(member.node)
            self._raises += _raise_statements(member.node, True)
            names = set(described(ast.get_docstring(member.node) or "").raises) - {"Exception"}
            self._promised += [(lines, names)] if names else []

    def meant(self, error: BaseException, executed: Container[int]) -> bool:
        """Whether the program raised this itself, or promises it; `executed` are the lines that the call came to."""
        if not isinstance(error, (Exception, SystemExit)) or isinstance(error, RecursionError):
            return False
        lineage = {kind.__name__ for kind in type(error).__mro__[:-2]}
        if lineage & set(self.documented) - {"Exception"}:
            return True
        places = list(_places(error, self._file))
        last = places[-1] if places else 0
        if any(last in lines and lineage & names for lines, names in self._promised):
            return True
        for one in self._raises:
            if one.line in executed and (not one.name or one.name == type(error).__name__):
                here = any(other.at(last) for other in self._raises)
                if not one.of_member:
                    return here or not one.name
                # What was caught in a member may be raised again there; elsewhere its `raise` says nothing.
                if here or (not one.name and any(place in one.within for place in places)):
                    return True
        return False


def _places(error: BaseException, file: str) -> Iterator[int]:
    """The lines at which the frames of a file stood, the outermost first."""
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            yield trace.tb_lineno
        trace = trace.tb_next


def _raise_statements(function: ast.FunctionDef, of_member: bool) -> Iterator[_Raise]:
    """The `raise` statements of a function, those of functions inside included.

    An assertion of what is never true, `assert False, "..."`, says no more than `raise AssertionError("...")`.
    """
    within = lines_of(function)
    for node in ast.walk(function):
        if isinstance(node, ast.Raise):
            raised: Any = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            name = ast.unparse(raised).rsplit(".", 1)[-1] if raised is not None else ""
            # `IOError` is another name of `OSError`.
            name = getattr(getattr(builtins, name, None), "__name__", name)
            # `raise NotImplemented` ends in a TypeError, and is meant all the same.
            name = name if name[:1].isupper() and name != "NotImplemented" else ""
            yield _Raise(node.lineno, name, within, of_member)
        elif isinstance(node, ast.Assert) and isinstance(node.test, ast.Constant) and not node.test.value:
            yield _Raise(node.lineno, "AssertionError", within, of_member)
