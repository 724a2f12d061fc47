"""The command line: help with examples, JSON for programs, one sentence and an exit code for everything else."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from harness.cli import cli
from harness.command_group import MAINTAINERS
from harness.releases.dataset import Release
from harness.sandbox.choice import KINDS
from harness.scoring.slices import SLICES

OWN = sorted(cli.commands)

INDEX = ("add", "list", "remove")
EVOLVE = ("import", "operators", "release", "report", "show", "similarity", "training")
GROUPS = {"index": INDEX, "evolve": EVOLVE}


def run(*arguments: str | Path, env: dict[str, str] | None = None) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments], env=env)


def test_the_help_names_every_command() -> None:
    shown = run("--help").stdout
    for name in [*OWN, *MAINTAINERS]:
        assert re.search(rf"^  {name} ", shown, re.MULTILINE), name


def test_the_names_of_the_maintainers_commands_are_those_that_are_registered() -> None:
    from pipeline.commands import register

    group = click.Group()
    register(group)
    assert set(group.commands) == set(MAINTAINERS)


@pytest.mark.parametrize("name", [
    *OWN, *(name for name in MAINTAINERS if name not in GROUPS),
    *(f"{group} {name}" for group, names in GROUPS.items() for name in names),
])
def test_every_command_has_an_example_and_json(name: str) -> None:
    result = run(*name.split(), "--help")
    assert result.exit_code == 0, result.output
    assert f"Example: code2bench {name}" in " ".join(result.stdout.split())
    assert "--json" in result.stdout


@pytest.mark.parametrize("group", GROUPS)
def test_the_help_of_a_group_names_its_commands(group: str) -> None:
    shown = run(group, "--help").stdout
    assert all(re.search(rf"^  {name} ", shown, re.MULTILINE) for name in GROUPS[group])


def without(module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    code = f"import sys; sys.modules[{module!r}] = None; sys.argv[0] = 'code2bench'; from harness.cli import main; main()"
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True)


def test_the_help_needs_none_of_the_build_dependencies() -> None:
    result = without("pipeline.commands", "--help")
    assert result.returncode == 0
    assert "build " in result.stdout


@pytest.mark.parametrize("name", sorted(MAINTAINERS))
def test_a_command_whose_extra_is_missing_says_what_to_install(name: str, tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text("def f(x):\n    return x\n")
    result = without("tree_sitter", name, str(tmp_path / "x.py"))
    if name in ("classify", "suite"):
        sentence = "Error: this command needs tree_sitter, which is not installed: pip install 'code2bench[build]'\n"
        assert (result.returncode, result.stdout, result.stderr) == (2, "", sentence)
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("module", ["tree_sitter", "coverage", "git"])
def test_evaluators_need_none_of_the_build_dependencies(module: str, release_folder: Path) -> None:
    result = without(module, "prompts", str(release_folder))
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("\n") == 5


def commands(group: click.Group = cli) -> Iterator[click.Command]:
    """All commands, those of groups included."""
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert command is not None
        yield from commands(command) if isinstance(command, click.Group) else [command]


COMMANDS = list(commands())


@pytest.mark.parametrize("option", ["--workers", "--sandbox", "--track", "--store"])
def test_an_option_means_the_same_wherever_it_is(option: str) -> None:
    found = [one for command in COMMANDS for one in command.params if isinstance(one, click.Option) and option in one.opts]
    assert found
    assert len({(one.help, one.type.name, str(one.default), one.multiple) for one in found}) == 1


def test_what_judges_answers_takes_a_sandbox() -> None:
    takes = {command.name for command in COMMANDS for one in command.params if "--sandbox" in one.opts}
    assert takes == {"doctor", "evaluate", "publish", "quality", "verify"}


def test_the_folder_of_a_build_stands_for_its_release(release_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(release_folder, tmp_path / "some" / "release")
    for where in (tmp_path / "some", f"file://{tmp_path}/some"):
        result = run("prompts", str(where))
        assert result.exit_code == 0 and result.stdout.count("\n") == 5, result.stderr


MISTAKES: dict[str, tuple[list[str], str]] = {
    "no such release": (["show", "none-of-that-name", "x"], "There is no release 'none-of-that-name' here"),
    "nothing to judge": (["evaluate", "{release}"], "give one of --samples FILE, --reference and --stub"),
    "two things to judge": (["evaluate", "{release}", "--stub", "--reference"], "give one of --samples"),
    "samples that are not there": (["evaluate", "{release}", "--samples", "none.jsonl"], "none.jsonl can't be read"),
    "no such track": (["evaluate", "{release}", "--stub", "--track", "java"], "no track 'java'"),
    "no such model": (["evaluate", "{release}", "--stub", "--younger-than", "tomorrow"], "cutoff of 'tomorrow' is not known"),
    "no task that young": (["evaluate", "{release}", "--stub", "--younger-than", "2030-01-01"], "None of the 5 tasks is younger"),
    "results that are not there": (["compare", "none.jsonl", "none.jsonl"], "none.jsonl can't be read"),
    "no such task": (["show", "{release}", "nothing"], "no task 'nothing'"),
    "several tasks": (["show", "{release}", "c2b-"], "give more of the id"),
    "a release named twice": (["pull", "ORG/NAME@v1", "--release", "2"], "ORG/NAME@v1 names its release already"),
    "no runtime named": (["runtime"], "Give the release whose runtime is wanted"),
    "a lock that is not there": (["runtime", "--lock", "none.txt"], "none.txt can't be read"),
}


@pytest.mark.parametrize(("arguments", "sentence"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_ends_in_one_sentence(release_folder: Path, arguments: list[str], sentence: str) -> None:
    result = run(*(argument.format(release=release_folder) for argument in arguments))
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: ")
    assert sentence in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_a_machine_without_the_sandbox_says_so_in_one_sentence(release_folder: Path, tmp_path: Path) -> None:
    code = "from harness.cli import main; main()"
    env = {**os.environ, "PATH": str(tmp_path)}
    result = subprocess.run([sys.executable, "-c", code, "evaluate", str(release_folder), "--stub"], capture_output=True, text=True, env=env)
    assert result.returncode == 2
    assert result.stderr.splitlines()[-1].startswith("Error: Running answers needs bubblewrap")


def test_unprotected_runs_only_when_said_and_says_so(release_folder: Path, tmp_path: Path) -> None:
    code = "from harness.cli import main; main()"
    env = {**os.environ, "PATH": str(tmp_path)}
    arguments = ["evaluate", str(release_folder), "--reference", "--unprotected", "--json", "--track", "sc-python"]
    result = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, env=env)
    assert result.returncode == 0, result.stderr
    record = json.loads(result.stdout)
    assert "namespaces" not in record["run"]["isolation"]
    assert record["score"]["pass_at"]["1"] == 1.0


@pytest.mark.parametrize("command", [["evaluate", "{release}", "--stub"], ["prompts", "{release}"], ["show", "{release}", "runs"], ["runtime", "{release}"]], ids=lambda c: c[0])
def test_json_is_one_object_on_stdout(release_folder: Path, command: list[str]) -> None:
    result = run(*(part.format(release=release_folder) for part in command), "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)


def write_answers(made: Release, path: Path, **solutions: str) -> Path:
    rows = [{"task_id": t.task_id, "solution": solutions.get(t.entry_point, t.reference)} for t in made.tasks]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_evaluate_prints_the_table_and_the_notes(made: Release, release_folder: Path, tmp_path: Path) -> None:
    answers = write_answers(made, tmp_path / "a.jsonl", runs="I can't.")
    result = run("evaluate", release_folder, "--samples", answers)
    assert result.exit_code == 0, result.output
    assert "80.0%" in result.stdout
    assert "Note: 1 answer without any code" in result.stderr
    assert (tmp_path / "a.results.jsonl").read_text().count("\n") == 6


def test_evaluate_twice_is_the_same(made: Release, release_folder: Path, tmp_path: Path) -> None:
    answers = write_answers(made, tmp_path / "a.jsonl")
    first, second = (json.loads(run("evaluate", release_folder, "--samples", answers, "--json").stdout) for _ in range(2))
    assert (first.pop("taken_over"), second.pop("taken_over")) == (0, 5)
    assert first == second


def test_evaluate_offers_every_property_that_there_are_slices_by() -> None:
    choices = re.search(r"--by \[(.*?)\]", run("evaluate", "--help").stdout)
    assert choices and choices.group(1).split("|") == list(SLICES)


@pytest.mark.parametrize("name", ["evaluate", "verify", "doctor"])
def test_what_runs_answers_offers_every_sandbox(name: str) -> None:
    choices = re.search(r"--sandbox \[(.*?)\]", run(name, "--help").stdout)
    assert choices and choices.group(1).split("|") == list(KINDS)


def test_evaluate_takes_all_that_it_can_show(made: Release, release_folder: Path, tmp_path: Path) -> None:
    answers = write_answers(made, tmp_path / "a.jsonl", runs="def runs(text):\n    return []\n")
    asked = ["--by", "difficulty", "--by", "library", "--younger-than", "gpt-4o", "--explain", "--lite"]
    result = run("evaluate", release_folder, "--samples", answers, *asked)
    assert result.exit_code == 0, result.output
    for part in ("by difficulty ", "by library ", "    runs('a')\n    expected: -> [('a', 1)]\n    got:      -> []", "gpt-4o (2023-10-31)"):
        assert part in result.stdout
    assert (tmp_path / "a.lite.results.jsonl").is_file()
    record = json.loads(run("evaluate", release_folder, "--samples", answers, *asked, "--json").stdout)
    assert record["taken_over"] == 5
    assert list(record["slices"]) == ["difficulty", "library"]


def test_answers_to_tasks_that_are_too_old_are_passed_over(made: Release, release_folder: Path, tmp_path: Path) -> None:
    answers = write_answers(made, tmp_path / "a.jsonl")
    result = run("evaluate", release_folder, "--samples", answers, "--younger-than", "2026-05-31", "--json")
    assert json.loads(result.stdout)["younger_than"]["tasks"] == 5
    assert result.stderr == ""


def test_prompts_are_the_protocol(made: Release, release_folder: Path) -> None:
    lines = [json.loads(line) for line in run("prompts", release_folder).stdout.splitlines()]
    assert [line["task_id"] for line in lines] == [t.task_id for t in made.tasks]
    for task, line in zip(made.tasks, lines, strict=True):
        assert line["user"].startswith(task.instruction.strip())
        assert line["completion"].endswith(f"\n{task.instruction}")
        assert ("Allowed libraries" in line["user"]) == (task.track == "wsc-python")
        for secret in ("return ", "if "):
            assert secret + "value" not in line["user"]
    assert run("prompts", release_folder, "--track", "sc-python").stdout.count("\n") == 3
    [one] = run("prompts", release_folder, "--task", lines[1]["task_id"]).stdout.splitlines()
    assert json.loads(one) == lines[1]


def test_show_reads_as_a_person_would(release_folder: Path) -> None:
    shown = run("show", release_folder, "clamp", "--cases", "2").stdout
    for part in ("clamp(-2.0, 0.0, 1.0)\n    -> 0.0", "--- instruction ---", "--- reference ---", "MIT", "messages of exceptions count"):
        assert part in shown
    assert shown.count("    -> ") == 2


def test_show_gives_programs_the_whole_row(made: Release, release_folder: Path) -> None:
    record = json.loads(run("show", release_folder, "clamp", "--json").stdout)
    task = next(t for t in made.tasks if t.entry_point == "clamp")
    assert record["task_digest"] == task.task_digest
    assert len(record["cases"]) == len(task.cases)


def test_the_doctor_finds_what_is_there_and_what_is_not(release_folder: Path, tmp_path: Path) -> None:
    result = run("doctor", release_folder, "--json", env={"CODE2BENCH_CACHE": str(tmp_path)})
    findings: dict[str, Any] = {finding["what"]: finding for finding in json.loads(result.stdout)}
    assert result.exit_code == 1
    assert findings["isolation"]["ok"], findings["isolation"]["says"]
    assert not findings["runtime"]["ok"]
    assert f"code2bench runtime {release_folder}`" in findings["runtime"]["says"]
