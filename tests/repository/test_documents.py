"""What people read agrees with what there is: commands, targets, configuration."""

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from harness.cli import cli
from harness.command_group import MAINTAINERS
from pipeline.config import ReleaseConfig
from pipeline.config_file import load_config

ROOT = Path(__file__).parents[2]
README = "\n".join((ROOT / name).read_text("utf-8") for name in ("README.md", "MAINTAINING.md", "CONTRIBUTING.md"))
"""All pages that people read."""


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
