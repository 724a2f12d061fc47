"""The examples that instructions show: each is one of the cases, or the reference gives what it shows."""

from __future__ import annotations

import ast
import doctest
from collections.abc import Iterator

from harness.languages import Machine
from harness.records import FIRST_LANGUAGE, Case, Task
from harness.values import NotDecodable
from harness.values.expressions import Names, NotShowable
from pipeline.instruct.examples.author_doctests import failing, parsed
from pipeline.instruct.examples.cases import as_doctest


def false_examples(task: Task, machine: Machine) -> Iterator[str]:
    """The calls of the examples that are not true.

    Those that are made of cases, which the dry run has judged, are compared with the cases; the others, which the
    author wrote, run with the reference.
    """
    text = _docstring(task)
    found = parsed(text)
    told = {example.lineno: _text(example) for example in found if example.want}
    if not told:
        return
    shown = {one for case in task.cases for one in _as_shown(task, case)}
    left = {line for line, one in told.items() if one not in shown}
    if not left:
        return
    failed = failing(task.program, text, machine)
    for line in sorted(left):
        if failed is None or line in failed:
            yield told[line].splitlines()[0]


def _docstring(task: Task) -> str:
    if task.language != FIRST_LANGUAGE or ">>>" not in task.instruction:
        return ""
    try:
        functions = [node for node in ast.parse(task.instruction).body if isinstance(node, ast.FunctionDef)]
    except SyntaxError:
        return ""
    return (ast.get_docstring(functions[-1]) or "") if functions else ""


def _as_shown(task: Task, case: Case) -> Iterator[str]:
    try:
        text, _ = as_doctest(task.entry_point, case, Names.of(task.imports))
    except (NotShowable, NotDecodable, RecursionError):
        return
    yield text


def _text(example: doctest.Example) -> str:
    source = example.source.rstrip("\n").replace("\n", "\n... ")
    return f">>> {source}\n{example.want}".rstrip("\n")
