"""Tasks of other benchmarks: their code and tests, read from files in the forms in which these publish them.

Answers are recorded by running the code in the sandbox; what a test says has to be what the code gives. Assertions
that are no call with a value are named and left out.
"""

from __future__ import annotations

import ast
import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from harness.errors import UserError, guess
from harness.languages import Call, Execution, Machine
from harness.languages.registry import language
from harness.records import (
    CANARY,
    FIRST_LANGUAGE,
    SCHEMA_VERSION,
    Answer,
    Case,
    Comparison,
    Measures,
    Provenance,
    Strength,
    Task,
    Track,
    digest,
)
from harness.releases.dataset import MANIFEST
from harness.releases.rows import task_digest
from harness.values import encode
from harness.values.comparison import agree
from pipeline import store
from pipeline.evolve.proof import LIMITS
from pipeline.release.build import hashes, write_tracks
from pipeline.shipped import RUNTIME, shipped
from pipeline.transforms.altering.sites import find

FEWEST = 1
"""Cases that a task needs."""


@dataclass(frozen=True)
class Raw:
    """A row of another benchmark: code that defines a function, an instruction, and assertions."""

    name: str
    program: str
    entry_point: str
    instruction: str
    tests: str


@dataclass(frozen=True)
class Imported:
    """What became of a file: tasks, assertions that were left out, and rows of which nothing came, each with why."""

    tasks: tuple[Task, ...]
    left_out: tuple[str, ...]
    failed: tuple[str, ...]


def read(path: Path, form: str) -> list[Raw]:
    """The rows of a file of JSON lines or of one list; raises `UserError`."""
    if form not in _FORMS:
        raise UserError(f"There is no form {form!r}{guess(form, _FORMS)}: name one of {', '.join(_FORMS)}.")
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path} can't be read ({error}): give a file of JSON lines.") from None
    try:
        whole = text.lstrip().startswith("[")
        rows = json.loads(text) if whole else [json.loads(one) for one in text.splitlines() if one]
        return [_FORMS[form](row, number) for number, row in enumerate(rows)]
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path} is no JSON of rows ({error}): give the file as its benchmark publishes it.") from None
    except (KeyError, TypeError, AttributeError) as error:
        raise UserError(f"{path} has rows without what {form} has ({error}): name its form by --format.") from None


def _of_humaneval(row: Mapping[str, Any], _number: int) -> Raw:
    program = row["prompt"] + row["canonical_solution"]
    tests = row["test"].replace("candidate(", f"{row['entry_point']}(")
    return Raw(row["task_id"], program, row["entry_point"], row["prompt"], tests)


def _of_mbpp(row: Mapping[str, Any], _number: int) -> Raw:
    tests = "\n".join(row["test_list"])
    called = [node.func.id for node in ast.walk(ast.parse(tests)) if isinstance(node, ast.Call)
              and isinstance(node.func, ast.Name)]
    defined = [node.name for node in ast.parse(row["code"]).body if isinstance(node, ast.FunctionDef)]
    name = next((one for one in called if one in defined), defined[-1] if defined else "")
    return Raw(f"mbpp/{row['task_id']}", row["code"], name, row.get("text") or row["prompt"], tests)


def _of_cruxeval(row: Mapping[str, Any], _number: int) -> Raw:
    test = f"assert f({row['input']}) == {row['output']}"
    return Raw(f"cruxeval/{row['id']}", row["code"], "f", "", test)


def _of_lines(row: Mapping[str, Any], number: int) -> Raw:
    return Raw(str(row.get("task_id", number)), row["code"], row["entry_point"], row.get("instruction", ""),
               row["tests"] if isinstance(row["tests"], str) else "\n".join(row["tests"]))


_FORMS: Mapping[str, Callable[[Mapping[str, Any], int], Raw]] = {
    "humaneval": _of_humaneval, "cruxeval": _of_cruxeval, "mbpp": _of_mbpp, "jsonl": _of_lines,
}


def tasks(rows: Sequence[Raw], machine: Machine) -> Imported:
    """A task of each row, with what its code gives in the calls of its tests."""
    made, left, failed = list[Task](), list[str](), list[str]()
    for row in rows:
        try:
            calls = list(_assertions(row, left))
            made.append(_task(row, calls, machine, left))
        except (ValueError, SyntaxError, RecursionError) as error:
            failed.append(f"{row.name}: {error}")
    return Imported(tuple(made), tuple(left), tuple(failed))


def _assertions(row: Raw, left: list[str]) -> Iterator[tuple[Call, Any]]:
    """The calls of the tests with the values that they have to give; what is something else is left out."""
    for node in ast.walk(ast.parse(row.tests)):
        if isinstance(node, ast.Assert):
            found = _call_and_value(node, row.entry_point)
            if found is None:
                left.append(f"{row.name}: {ast.unparse(node)}")
            else:
                yield found


def _call_and_value(node: ast.Assert, name: str) -> tuple[Call, Any] | None:
    test = node.test
    value: Any = True
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, value = test.operand, False
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (ast.Eq, ast.Is)):
        try:
            value = ast.literal_eval(test.comparators[0])
        except (ValueError, TypeError):
            return None
        test = test.left
    if not (isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == name):
        return None
    try:
        args = tuple(encode(ast.literal_eval(one)) for one in test.args)
        kwargs = {str(one.arg): encode(ast.literal_eval(one.value)) for one in test.keywords}
    except (ValueError, TypeError):
        return None
    return (Call(args, kwargs), value) if "None" not in kwargs else None


def _task(row: Raw, calls: Sequence[tuple[Call, Any]], machine: Machine, left: list[str]) -> Task:
    """The task of a row; raises `ValueError` where its code gives nothing that can be asked about."""
    function = find(ast.parse(row.program), row.entry_point)
    if function is None:
        raise ValueError(f"its code defines no function {row.entry_point or 'that its tests call'}")
    execution = Execution(row.program, row.entry_point, [call for call, _ in calls], LIMITS)
    run = language(FIRST_LANGUAGE).running.run_calls(execution, machine)
    if run.load_error is not None:
        raise ValueError(f"its code does not load ({run.load_error.text})")
    cases = []
    for (call, value), outcome in zip(calls, run.outcomes, strict=True):
        told = Answer("returned", encode(value))
        if outcome.answer is None or agree(told, outcome.answer, Comparison()):
            left.append(f"{row.name}: {row.entry_point} gives something else than its test says, or nothing "
                        f"({outcome.detail or outcome.status})")
        else:
            cases.append(Case(call.args, dict(call.kwargs), outcome.answer))
    if len(cases) < FEWEST:
        raise ValueError("no test of it is a call that gives the value that it says")
    return _made(row, tuple(cases), function)


def _made(row: Raw, cases: tuple[Case, ...], function: ast.FunctionDef) -> Task:
    head = ast.unparse(function).splitlines()
    signature = next(line for line in head if line.startswith("def "))
    identity = digest(row.name, row.program)[:16]
    lines = row.program.splitlines()
    project = row.name.split("/")[0]
    where = Provenance(
        "import", project, "", "", row.name, 1, len(lines), "", "", "", "", "", "", (), 0.0, "", "", "")
    imports = tuple(line for line in lines if line.startswith(("import ", "from ")))
    given = row.instruction or f"A function {row.entry_point}."
    return Task(
        f"c2b-{identity}", task_digest(given, cases, Comparison(), None), Track.SC_PYTHON, FIRST_LANGUAGE, "function",
        row.entry_point, signature.rstrip(":"), imports, (), given, "Easy", "", row.program, cases,
        tuple(range(len(cases))), "", Comparison(), Measures(len(lines), 1, 1, 1), Strength(1.0), 0.0, 1.0, "", "",
        where, None, ())


def written(made: Sequence[Task], folder: Path, source: Path) -> None:
    """Write tasks as a release; raises `UserError` where the folder holds something else."""
    if folder.exists() and any(folder.iterdir()):
        raise UserError(f"{folder} holds something already: give another folder by --out.")
    folder.mkdir(parents=True, exist_ok=True)
    lock = shipped(RUNTIME)
    shutil.copyfile(lock, folder / lock.name)
    tracks = write_tracks(made, folder)
    name = folder.parent.name if folder.name == "release" else folder.name
    text = f"# {name}\n\nTasks made of {source.name} by `code2bench evolve import`; the licence is that of this file.\n"
    store.write_bytes(folder / "README.md", text.encode())
    files = hashes(folder)
    python = language(FIRST_LANGUAGE).runtimes.version
    manifest = {
        "name": name, "title": name, "schema_version": SCHEMA_VERSION, "canary": CANARY, "seed": 0, "tracks": tracks,
        "runtime": {"lock": lock.name, "sha256": files[lock.name], FIRST_LANGUAGE: python},
        "tools": {"code2bench": version("code2bench")}, "files": files,
    }
    store.write_bytes(folder / MANIFEST, (json.dumps(manifest, indent=1, sort_keys=True) + "\n").encode())
