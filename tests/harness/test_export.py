"""Exported tests run alone, and say what the judge says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

import pytest

from harness.errors import UserError
from harness.export import export
from harness.export.pytests import key_of
from harness.languages import Machine
from harness.records import Task
from harness.releases.dataset import Release, load_release
from harness.releases.snapshots import DEFAULT_RELEASE, snapshots
from harness.runtime import ensure_runtime
from harness.sandbox import choose
from harness.scoring.judging import judge_all

MUTANTS = 500


@pytest.fixture(scope="module")
def tests(made: Release, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export") / "tests"
    assert export(made, "pytest", folder).left_out == ()
    return folder


def ran(folder: Path) -> str:
    """What pytest says of a folder, where nothing of ours is on the path."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."]
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True).stdout


def answer(folder: Path, task: Task, code: str) -> None:
    (folder / "answers" / f"{key_of(task)}.py").write_text(code)


def test_references_pass_and_stubs_fail(tests: Path, made: Release) -> None:
    total = sum(len(task.cases) for task in made.tasks)
    assert f"{total} failed" in ran(tests)
    for task in made.tasks:
        answer(tests, task, task.reference)
    assert f"{total} passed" in ran(tests)


def test_nothing_of_the_harness_is_needed(tests: Path) -> None:
    texts = [path.read_text() for path in tests.rglob("*.py")]
    assert texts and not any("from harness" in text or "import harness" in text for text in texts)


def test_an_answer_may_begin_with_an_import_from_the_future(tests: Path, made: Release) -> None:
    task = made.tasks[0]
    key = key_of(task)
    row = json.loads((tests / "tasks" / f"{key}.json").read_text())
    (tests / "tasks" / f"{key}.json").write_text(json.dumps({**row, "before": "from __future__ import annotations\nGIVEN = 1\n"}))
    answer(tests, task, f"from __future__ import annotations\n{task.reference}")
    told = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"tests/test_{key}.py"], cwd=tests, capture_output=True, text=True)
    (tests / "tasks" / f"{key}.json").write_text(json.dumps(row))
    assert told.returncode == 0, told.stdout


def test_what_the_tests_need_is_pinned(tests: Path, made: Release) -> None:
    assert (tests / "libraries.txt").read_bytes() == made.lock.read_bytes()


def test_the_form_of_humaneval_is_plain_python(made: Release, tmp_path: Path) -> None:
    done = export(made, "humaneval", tmp_path / "out")
    rows = [json.loads(line) for line in (tmp_path / "out" / "tasks.jsonl").read_text().splitlines()]
    assert len(rows) == done.tasks and done.tasks + len(done.left_out) == len(made.tasks) and rows
    for row in rows:
        assert set(row) == {"task_id", "prompt", "entry_point", "canonical_solution", "test"}
        run = f"{row['prompt']}{row['canonical_solution']}\n{row['test']}\ncheck({row['entry_point']})\n"
        exec(run, {"__name__": "alone"})
        with pytest.raises(AssertionError):
            exec(f"{row['test']}\ncheck(lambda *args, **kwargs: object())\n", {"__name__": "alone"})


def test_the_rows_come_as_json(made: Release, tmp_path: Path) -> None:
    export(made, "jsonl", tmp_path / "out")
    rows = [json.loads(line) for line in (tmp_path / "out" / "tasks.jsonl").read_text().splitlines()]
    assert [row["task_id"] for row in rows] == [task.task_id for task in made.tasks]
    assert all(row["program"] and row["cases"] and row["prompt"]["user"] for row in rows)


def test_a_folder_with_something_in_it_is_left_alone(made: Release, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(UserError, match="not empty: name another folder"):
        export(made, "jsonl", tmp_path)


CHECKED = """
import json, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from code2bench_rules.checking import check
def late(*_):
    raise TimeoutError
signal.signal(signal.SIGALRM, late)
for line in sys.stdin:
    job = json.loads(line)
    Path(job["answer"]).write_text(job["code"])
    signal.alarm(10)
    try:
        for number in range(job["cases"]):
            check(Path(job["task"]), Path(job["answer"]), number)
        said = True
    except BaseException:
        said = False
    signal.alarm(0)
    print(json.dumps(said), flush=True)
"""


def mutants(tasks: Sequence[Task]) -> Iterator[tuple[Task, str]]:
    """Wrong variants of the references, of each task in turn."""
    from pipeline.suites.selection.mutation_score import first_order

    rows = []
    for task in tasks:
        frame = task.given.before if task.given else ""
        _, found = first_order(task.program, task.entry_point, 7)
        own = [one.program for one in found if one.program.startswith(frame)]
        rows.append([(task, program.removeprefix(frame)) for program in own])
    for row in zip_longest(*rows):
        yield from filter(None, row)


@pytest.mark.slow
def test_five_hundred_mutants_are_judged_as_by_the_judge(tmp_path: Path) -> None:
    """Runs some hundred thousand cases twice."""
    release = load_release(snapshots()[DEFAULT_RELEASE])
    folder = tmp_path / "tests"
    export(release, "pytest", folder)
    jobs = [job for job, _ in zip(mutants(release.tasks), range(MUTANTS), strict=False)]
    assert len(jobs) == MUTANTS
    lines = [json.dumps({
        "task": str(folder / "tasks" / f"{key_of(task)}.json"), "answer": str(folder / "answers" / f"m{number}.py"),
        "code": code, "cases": len(task.cases)}) for number, (task, code) in enumerate(jobs)]  # fmt: skip
    machine = Machine(choose(), ensure_runtime(release.lock))
    found = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", CHECKED, str(folder)], input="\n".join(lines), capture_output=True,
        text=True, check=True)
    exported = [json.loads(line) for line in found.stdout.splitlines() if line in ("true", "false")]
    judged = [verdict.perfect for verdict in judge_all(jobs, machine, 2)]
    differing = [jobs[place][0].entry_point for place in range(MUTANTS) if exported[place] != judged[place]]
    assert len(exported) == MUTANTS and len(differing) <= MUTANTS // 100, differing
