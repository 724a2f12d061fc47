"""Typical mistakes of maintainers, ten and more: each ends in one sentence that names what is wrong, and tells the cure.

`{config}` in the arguments is the configuration of a release, after the change that the table tells: a file of its data
folder, a text in it (all of it where that is ""), and what stands there then.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mistakes import is_told
from tests.pipeline.make_project import data_folder

TOML, LIST, TEXT = "releases/tiny.toml", "sources/pypi.toml", "curated/cut.0123456789abcdef.md"
BUILD = "build {config} --folder {work}"
UNCHANGED = ("", "", "")

MISTAKES: dict[str, tuple[str, tuple[str, str, str], list[str]]] = {
    "a key is misspelt": (BUILD, (TOML, "title", "titel"), ["tiny.toml has an unknown key 'titel': did you mean 'title'?"]),
    "a number is in quotes": (BUILD, (TOML, "seed = 7", 'seed = "7"'), ["tiny.toml: seed must be of type int, but it is '7'"]),
    "a window ends before it begins": (BUILD, (TOML, "2026-11-01", "2026-04-01"), ["tiny.toml: the window is impossible, until must be a date later than after"]),
    "a source list is not there": (BUILD, (TOML, "pypi.toml", "pipy.toml"), ["There is no source list ", "/pipy.toml: correct [sources], or make it by `code2bench choose`"]),
    "a project is in no list": (BUILD, (TOML, "[suite]", 'only = ["alfa"]\n[suite]'), ["tiny.toml: sources.only names 'alfa', which is not in a source list: did you mean 'alpha'?"]),
    "a domain is none of the ten": (BUILD, (LIST, "Web Development", "Web Dev"), ["pypi.toml: gone has an unknown domain 'Web Dev': did you mean 'Web Development'?"]),
    "a text is broken": (BUILD, (TEXT, "", "+++\nid = c2b\n+++\nCut.\n"), [f"The header of {{data}}/{TEXT} is no TOML (Invalid value (at line 1, ", "mend that line"]),
    "a configuration is misspelt": ("build dmeo --folder {work}", UNCHANGED, ["There is no configuration 'dmeo' here (did you mean 'demo'?): give the path of one, or a name that we know (2611, demo)"]),
    "a file that is no configuration": ("build {data}/sources/pypi.toml --folder {work}", UNCHANGED, ["pypi.toml has an unknown key"]),
    "a build that was never made": ("status dmeo", UNCHANGED, ["There is no build 'dmeo': give a name below build/", "or build it first with `code2bench build`"]),
    "an experiment that is not there": ("experiment {data}/none.toml", UNCHANGED, ["none.toml can't be read as TOML (No such file or directory): give a file such as data/experiments/dynamic.toml"]),
    "a benchmark that is not there": ("index add {data}/none.jsonl", UNCHANGED, ["There is no file {data}/none.jsonl: give a text in UTF-8, plain or as .gz, or Parquet"]),
    "a chain that there is not": ("vary demo --chain AUW --folder {work}", UNCHANGED, ["There is no chain 'AUW'", "name one of Plain, "]),
    "programs and questions at once": ("vary demo --strategy all --chain AUV --folder {work}", UNCHANGED, ["--strategy is about questions, --chain, --family, --draws and --reasoned about programs"]),
    "a function that a file lacks": ("suite {data}/../program.py --function g", UNCHANGED, ["program.py defines no function g; --function names one of its functions"]),
    "a program that is broken": ("mutate {data}/../broken.py", UNCHANGED, ["broken.py can't be read as Python (", "name a file of Python source"]),
    "two things of agreement at once": ("agreement demo --labels x --export y", UNCHANGED, ["are different things to do: give one of them at a time"]),
    "a stage is misspelt": (f"{BUILD} --until-stage dedup", UNCHANGED, ["There is no stage 'dedup' (did you mean 'dedupe'?); --until-stage takes one of lock, mine, "]),
    "a task that is rejected without a reason": ("review demo --reject c2b-0123456789abcdef", UNCHANGED, ["--reject needs a reason that others understand: give it in a sentence by --reason"]),
    "an address in place of a name": ("publish demo --repo https://huggingface.co/datasets/ORG/NAME", UNCHANGED, ["'https://huggingface.co/datasets/ORG/NAME' is no name of a dataset on the Hub: give it as ORG/NAME"]),
}  # fmt: skip


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return data_folder(tmp_path)


def _change(path: Path, old: str, new: str) -> None:
    path.parent.mkdir(exist_ok=True)
    before = path.read_text("utf-8") if old else ""
    assert old in before
    path.write_text(before.replace(old, new, 1) if old else new, "utf-8")


def test_there_are_ten_or_more() -> None:
    assert len(MISTAKES) >= 10


@pytest.mark.parametrize(("arguments", "change", "parts"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_of_a_maintainer_ends_in_one_sentence(
    arguments: str, change: tuple[str, str, str], parts: list[str], config: Path, tmp_path: Path,
) -> None:
    (tmp_path / "program.py").write_text("def f(a: int) -> int:\n    return a\n", "utf-8")
    (tmp_path / "broken.py").write_text("def f(:\n", "utf-8")
    places = {"config": config, "data": config.resolve().parents[1], "work": tmp_path / "work"}
    if change != UNCHANGED:
        _change(places["data"] / change[0], *change[1:])
    is_told(arguments, parts, places)
    assert not places["work"].exists()
