"""Records for tests, made from nothing but a program's text."""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any

from harness.records import Answer, Case, Comparison, Measures, Provenance, Strength, task_id
from harness.values import encode
from pipeline.records import Candidate, Function, Judgement, Suite
from pipeline.stage import Context

WHERE = Provenance(
    source="pypi", project="widgets", domain="Development Tools", url="https://example.org/widgets",
    path="widgets/text.py", line_start=10, line_end=30, revision="2.0", revision_date="2026-06-01", author_date="",
    archive="widgets-2.0.tar.gz", archive_sha256="0" * 64, first_seen="2026-06-01", baseline=("1.0",),
    similarity=0.1, nearest="", licence="MIT", licence_source="pyproject.toml",
)


def context(folder: Path, seed: int = 7) -> Context:
    """A context whose data folder is `folder`."""
    return Context(seed, folder, folder / "runtime.txt", folder, "2026-05-01", "2026-11-01")


def candidate(
    program: str, project: str = "widgets", domain: str = "Development Tools", libraries: tuple[str, ...] = (),
    path: str = "widgets/text.py",
) -> Candidate:
    """A candidate from a program: imports, then one function."""
    text = dedent(program).strip() + "\n"
    tree = ast.parse(text)
    node = [n for n in tree.body if isinstance(n, ast.FunctionDef)][-1]
    source = ast.get_source_segment(text, node) or ""
    imports = tuple(ast.unparse(n) for n in tree.body if isinstance(n, (ast.Import, ast.ImportFrom)))
    where = replace(WHERE, project=project, domain=domain, path=path, line_start=node.lineno)
    function = Function(
        task_id("python", node.name, text), "python", node.name, node.name, source, text, "f" * 64, where)
    return Candidate(function, "wsc-python" if libraries else "sc-python", libraries, imports, text)


def suite(program: str, inputs: Sequence[tuple[Any, ...]], libraries: tuple[str, ...] = (), **where: str) -> Suite:
    """A suite with the program's own answers to the inputs; what it covers is not known. The program is ours."""
    made = candidate(program, libraries=libraries, **where)
    space: dict[str, Any] = {}
    exec(compile(made.program, "program", "exec"), space)
    cases = tuple(_case(space[made.function.name], given) for given in inputs)
    judged = replace(made, measures=Measures(5, 3, 1, 4), judgement=Judgement("rules", "Easy", ("score 1",)))
    return Suite(judged, cases, Comparison(), Strength(1.0), "", "{}", covered=tuple(() for _ in cases))


def _case(function: Any, given: tuple[Any, ...]) -> Case:
    arguments = copy.deepcopy(given)
    before = tuple(encode(argument) for argument in given)
    try:
        value = encode(function(*arguments), iterators=100)
    except Exception as error:
        return Case(before, {}, Answer("raised", exception=type(error).__name__, message=str(error)))
    after = [encode(argument) for argument in arguments]
    return Case(before, {}, Answer("returned", value, mutated=after if tuple(after) != before else None))
