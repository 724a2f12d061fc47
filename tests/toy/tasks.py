"""Tasks in the toy language, with what their references really give."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from harness.languages import Call, Execution, Machine
from harness.records import Case, Comparison, Task, Track, task_id
from harness.releases.dataset import row_digest, task_digest, write_track
from harness.sandbox import Limits, choose
from tests.harness.make_release import make_release, make_task, write_manifest
from tests.toy.runner import TOY, ToyRuntime

FUNCTIONS = {
    "double": ("@double x= { x x add return }", [(n,) for n in range(-3, 4)]),
    "clamp": ("@clamp x= low= high= { x low less if { low return } high x less if { high return } x return }",
              [(n, 0, 5) for n in range(-2, 8)]),
    "ratio": ("@ratio a= b= { a b div return }", [(8, 2), (9, 2), (-7, 2), (1, 0), (0, 3)]),
    "sign": ("@sign x= { x 0 less if { -1 } else { 0 x less } return }", [(n,) for n in (-2, -1, 0, 1)]),
}
LIKE = make_task("double", "def double(x: int) -> int:\n    \"\"\"Return twice x.\"\"\"\n    return 2 * x\n", [(1,)])


def toy_machine() -> Machine:
    """The sandbox of this machine with the toy runtime."""
    return Machine(choose(), ToyRuntime("0" * 64))


def toy_task(name: str, machine: Machine) -> Task:
    """A task whose answers are recorded by running its reference."""
    program, inputs = FUNCTIONS[name]
    run = TOY.running.run_calls(Execution(program, name, [Call(args) for args in inputs], Limits()), machine)
    assert run.load_error is None
    answers = [outcome.answer for outcome in run.outcomes]
    cases = tuple(Case(args, {}, answer) for args, answer in zip(inputs, answers, strict=True) if answer)
    instruction = f"Define {name}, which takes as many values as it has parameters."
    return replace(
        LIKE, task_id=task_id("toy", name, program), task_digest=task_digest(instruction, cases, Comparison()),
        track=str(Track("sc-toy")), language="toy", entry_point=name, signature=f"@{name}", instruction=instruction,
        reference=program, cases=cases, lite=None,
    )


def release_of_two_languages(folder: Path, lock: str) -> Path:
    """A release whose tracks are of Python and of the toy language, with a runtime for each."""
    made = make_release(folder, lock)
    (made / "toy.lock").write_text("toy 1\n")
    tasks = [toy_task(name, toy_machine()) for name in FUNCTIONS]
    file = "sc-toy/test-00000-of-00001.parquet"
    write_track(tasks, made / file)
    toy = {"sc-toy": {"file": file, "rows": len(tasks), "row_digest": row_digest(tasks)}}
    write_manifest(made, toy, runtimes={"python": "3.11", "toy": "1"})
    return made
