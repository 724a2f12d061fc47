"""What people read agrees with what there is: commands, targets, configuration."""

import json
import re
import shlex
import shutil
import tomllib
from dataclasses import fields
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from harness.cli import cli
from harness.command_group import MAINTAINERS
from pipeline.config import ReleaseConfig
from pipeline.config_file import load_config

ROOT = Path(__file__).parents[2]
README = "\n".join((ROOT / name).read_text("utf-8") for name in ("README.md", "MAINTAINING.md", "CONTRIBUTING.md"))
"""All pages that people read."""


def commands(text: str) -> list[str]:
    """The lines of fenced blocks that call `code2bench`, without their comments."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.M | re.S)
    lines = (line for block in blocks for line in block.replace("\\\n", " ").splitlines())
    return [line.partition("  #")[0].strip() for line in lines if line.startswith("code2bench ")]


@pytest.mark.parametrize("line", commands(README))
def test_a_command_that_people_read_is_one_that_is_understood(line: str) -> None:
    command: click.Command = cli
    context = click.Context(cli)
    _, *arguments = shlex.split(line.partition(" > ")[0])
    while isinstance(command, click.Group):
        found = command.get_command(context, arguments.pop(0))
        assert found is not None
        command = found
    command.make_context(command.name, arguments, parent=context)


def test_the_first_page_knows_how_many_tasks_the_package_brings() -> None:
    tracks = json.loads((ROOT / "data" / "snapshots" / "demo" / "manifest.json").read_text())["tracks"]
    first = (ROOT / "README.md").read_text("utf-8")
    counts = [tracks[track]["rows"] for track in sorted(tracks)]
    assert f"`demo`, of {sum(counts)} tasks" in first
    told = re.findall(r"^tasks +([\d ]+)$", first, re.M)
    assert [line.split() for line in told] == [list(map(str, (*counts, sum(counts))))]


@pytest.mark.slow
def test_what_the_first_page_says_works_without_a_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of its commands but those that ask the Hub, one after the other as they stand there."""
    monkeypatch.chdir(tmp_path)
    done("code2bench runtime demo")  # there is nobody to ask later on
    for line in commands((ROOT / "README.md").read_text("utf-8")):
        if "ORG/" in line:
            continue
        said = done(line)
        if line.startswith("code2bench prompts"):
            for name in ("answers", "one", "reworded", "evolved"):
                (tmp_path / f"{name}.jsonl").write_text("\n".join(answers(said)))
        if (tmp_path / "answers.results.jsonl").is_file():
            for name in ("a", "b"):
                shutil.copy("answers.results.jsonl", f"{name}.results.jsonl")


def answers(prompts: str) -> list[str]:
    """Lines that answer each prompt, or each variant of one, with a function of another name."""
    asked = [json.loads(line) for line in prompts.splitlines()]
    named = [{key: one[key] for key in ("task_id", "variant") if key in one} for one in asked]
    return [json.dumps({**one, "solution": "def other():\n    return 1"}) for one in named]


def done(line: str) -> str:
    """What a command prints that has to succeed."""
    result = CliRunner().invoke(cli, shlex.split(line.partition(" > ")[0])[1:])
    assert result.exit_code == 0, f"{line}: {result.output}"
    return result.stdout


@pytest.mark.parametrize("name", sorted({*cli.commands, *MAINTAINERS}))
def test_every_command_is_in_the_readme(name: str) -> None:
    assert re.search(rf"code2bench {name}\b", README)


@pytest.mark.parametrize("target", re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text("utf-8"), re.M))
def test_every_make_target_that_people_need_is_in_the_readme(target: str) -> None:
    assert target in ("help", "setup") or re.search(rf"make [a-z ]*{target}\b", README)


@pytest.mark.parametrize("path", sorted((ROOT / "data" / "releases").glob("*.toml")), ids=lambda p: p.stem)
def test_every_release_of_the_project_loads(path: Path) -> None:
    assert load_config(path).name == path.stem
    assert set(tomllib.loads(path.read_text("utf-8"))) <= {f.name for f in fields(ReleaseConfig)}


def test_the_card_explains_every_column_and_no_other() -> None:
    from harness.releases.rows import OPTIONAL
    from pipeline.release.fields import fields, read_meanings, walk

    always = [field.name for field in walk(fields())]
    some = [name for name in read_meanings() if name.partition(".")[0] in OPTIONAL]
    assert [name for name in read_meanings() if name not in some] == always
    assert {name.partition(".")[0] for name in some} == set(OPTIONAL)
