"""A function that no author has described becomes a task by what a maintainer writes, with blind answers as evidence."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.cache import cache_folder
from harness.cli import cli
from harness.errors import UserError
from harness.prompts import prompt
from harness.records import Task
from harness.releases.dataset import load_release
from harness.values import decode
from pipeline import flow
from pipeline.config_file import load_config
from pipeline.curated.files import read_file, written
from pipeline.flow import Build, Options, context_of, stages
from pipeline.packaging.flags import FLAGS, flags_of
from pipeline.records import Curated
from pipeline.release.editing import Desk
from pipeline.release.verify import verify
from tests.conftest import own_cache
from tests.pipeline.make_project import archive, data_folder
from tests.pipeline.release.test_verify import forged
from tests.pipeline.sources.conftest import Server, serving

OLD = "VERSION = 1\n"
NEW = '''
def _ration(demands: list[int], stock: int) -> list[int]:
    shares = [0] * len(demands)
    for _ in [*demands, 0]:
        open_ones = [place for place, demand in enumerate(demands) if shares[place] < demand]
        each = max(1, stock // max(1, len(open_ones)))
        for place in open_ones:
            part = min(each, demands[place] - shares[place], stock)
            shares[place] += part
            stock -= part
    return shares
'''
WRONG = "def share_evenly(demands, stock):\n    return [min(demand, stock // len(demands)) for demand in demands]\n"
CURATED = Curated(
    """Share a stock among customers as evenly as their demands allow.

The stock is handed out in rounds. In each round every customer whose demand is not met yet gets the same whole number
of pieces: the stock at the round's beginning, divided by the number of these customers and rounded down, but at least
one. Nobody gets more than is missing, and whoever comes later in the list goes without once nothing is left.

Args:
    demands: How many pieces each customer wants.
    stock: How many pieces there are.

Returns:
    How many pieces each customer gets, in the order of the demands.""",
    contract=("stock >= 0", "all(demand >= 0 for demand in demands)", "all(type(demand) is int for demand in demands)"),
    strategies="""from hypothesis import strategies as st

arguments = st.fixed_dictionaries({
    "demands": st.lists(st.integers(0, 30), max_size=8), "stock": st.integers(0, 120)})""",
    examples=("[5, 1, 9], 12", "stock=2, demands=[4, 4, 4]", "[], 7"),
    name="share_evenly",
    wrong=(WRONG.strip(), "def share_evenly(demands, stock):\n    return [] if not demands else None"),
)
RIGHT = NEW.replace("_ration", "share_evenly")


@pytest.fixture(scope="module")
def registry() -> Iterator[Server]:
    with serving() as made:
        made.project("alpha")
        for version, day, text in (("1.0", "2026-01-10", OLD), ("1.0.1", "2026-05-20", OLD), ("1.1", "2026-06-10", NEW)):
            made.upload("alpha", version, day, archive("alpha", version, text))
        yield made


@pytest.fixture(scope="module")
def config(registry: Server, tmp_path_factory: pytest.TempPathFactory) -> Path:
    config = data_folder(tmp_path_factory.mktemp("curated"))
    (config.parent.parent / "sources" / "pypi.toml").write_text(
        'kind = "pypi"\n[[source]]\nname = "alpha"\ndomain = "Text Processing & NLP"\n')
    return config


def run(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])


def folder_of(config: Path) -> Path:
    return config.parents[2] / "build"


def edited(config: Path, *more: str, wanted: str = "ration") -> Result:
    return run("review", config, wanted, "--edit", "--folder", folder_of(config), *more)


@pytest.fixture(scope="module")
def file(config: Path) -> Path:
    """The file that the command makes, filled in."""
    flow.build(config, Options(workers=1, folder=folder_of(config), until_stage="dedupe"))
    first = edited(config)
    assert first.exit_code == 1 and "def _ration(" in first.output and "There is no text below" in first.output
    [path] = (config.parents[1] / "curated").glob("*.md")
    path.write_text(written(replace(read_file(path), curated=CURATED)))
    return path


@pytest.fixture(scope="module")
def built(config: Path, file: Path) -> Build:
    return flow.build(config, Options(workers=1, folder=folder_of(config)))


@pytest.fixture(scope="module")
def task(built: Build) -> Task:
    [task] = load_release(built.release).tasks
    return task


def test_all_gates_are_run_on_what_was_written(config: Path, file: Path) -> None:
    passed = edited(config)
    assert passed.exit_code == 0, passed.output
    assert f"{file} passes every gate" in passed.output and "mutation score" in passed.output
    assert re.search(r"Of \d+ readings \d+ pass every case \(\d+ of them give .* inputs\), and \d+ fail fewer than 5\.", passed.output)


def test_what_no_example_decides_is_asked(config: Path, file: Path) -> None:
    text = file.read_text()
    try:
        file.write_text(text.replace(re.search(r"examples = \[\n.*?\n\]", text, re.DOTALL).group(), "examples = [\"[], 7\"]"))
        told = edited(config)
        assert told.exit_code == 0 and "No example says that share_evenly(" in told.output
    finally:
        file.write_text(text)


@pytest.mark.slow  # all gates are run for each text
def test_names_that_only_the_body_has_are_refused(config: Path, file: Path) -> None:
    text = file.read_text()
    for old, new, said in (("each customer wants", "each of `open_ones` wants", "speaks of open_ones"),
                           ('"[], 7"', '"[-1], 7"', "The example '[-1], 7' became no case")):
        try:
            file.write_text(text.replace(old, new))
            told = edited(config)
            assert told.exit_code == 1 and said in told.output
        finally:
            file.write_text(text)


def test_quality_says_what_is_wrong(built: Build, task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODE2BENCH_CACHE", str(cache_folder()))
    own_cache(tmp_path)  # where nothing is kept of an earlier run
    [row] = json.loads(run("quality", built.release, "--json").output)
    assert row["flags"] == ["few blind answers"] and row["typical"] == round(task.usual, 4) and row["readings"] is None
    folder = cache_folder() / "readings"
    [row] = json.loads(run("quality", built.release, "--json", "--readings").stdout)
    [kept] = folder.glob("*.json")
    said = kept.read_text()
    assert [row["readings"][name] for name in ("written", "written_passing", "written_few", "written_rare")] == [2, 0, 0, 0]
    more = {"few": 999, "written_passing": 1, "written_few": 1, "written_rare": 2}
    kept.write_text(json.dumps({**json.loads(said), **more}))
    [again] = json.loads(run("quality", built.release, "--json", "--readings").stdout)
    assert again["readings"] == {**row["readings"], **more}
    assert again["flags"] == [*row["flags"], "readings hardly fail", "wrong answers pass", "wrong answers hardly fail"]
    assert "Of 2 wrong answers that people have written, to 1 tasks, 50.0% pass every case, 50.0% fail fewer than 5, 100.0% " \
        "less than 5% of the cases." in run("quality", built.release, "--readings").stdout
    kept.write_text(said[:-9])
    [again] = json.loads(run("quality", built.release, "--json", "--readings", "--workers", "1").stdout)
    assert again == row and kept.read_text() == said
    readings = row["readings"]
    assert readings["total"] >= 20 and readings["passing"] + readings["few"] <= readings["total"]
    assert readings["open"] >= len(readings["points"])
    assert readings["holes"] <= readings["passing"] and (readings["further"] >= 100 or not readings["passing"])
    text = run("quality", built.release).output
    assert "share_evenly" in text and "1 of 1 tasks are flagged: 1 few blind answers." in text


@pytest.mark.parametrize(("changes", "flag"), [
    ({"usual": 0.7}, "untypical"), ({"contract": None}, "no contract"), ({"entry_point": "_ration"}, "private name"),
])
def test_each_flag_has_its_reason(task: Task, changes: dict[str, object], flag: str) -> None:
    assert FLAGS[flag](replace(task, **changes)) and not FLAGS[flag](task)


def test_what_is_asked_for_is_in_public_words(task: Task) -> None:
    assert (task.entry_point, task.original, task.instructed_by) == ("share_evenly", "_ration", "maintainer")
    assert "_ration" not in task.instruction and "def share_evenly(" in task.reference
    shown = task.instruction.partition("Examples:")[2]
    assert shown.count(">>>") == 3 and ">>> share_evenly([5, 1, 9], 12)\n        [5, 1, 6]" in shown


def test_every_case_keeps_to_the_contract_and_most_are_typical(task: Task) -> None:
    assert task.contract == CURATED.contract and task.usual >= 0.8
    for case in task.cases:
        demands, stock = map(decode, case.args) if len(case.args) == 2 else ([], decode(case.kwargs["stock"]))
        assert stock >= 0 and all(type(demand) is int and demand >= 0 for demand in demands)


def test_the_release_passes_its_gates_and_a_case_outside_is_found(built: Build, task: Task, tmp_path: Path) -> None:
    assert verify(str(built.release), 1) == []
    narrower = (*CURATED.contract, "stock < 50")
    folder = forged(built.release, tmp_path, lambda one: replace(one, contract=narrower), "share_evenly")
    assert "contract" in {finding.gate for finding in verify(str(folder), 1)}


def test_the_printed_test_draws_inside_of_the_contract(task: Task) -> None:
    assert "def within_contract(demands, stock):" in task.strategies and "assume(within_contract(" in task.strategies


def recorded(built: Build, config: Path, place: Path, solver: str, *answers: str, rating: str = "",
             more: Sequence[str] = ()) -> Result:
    [task] = load_release(built.release).tasks
    file = place / "answers.jsonl"
    key = "rating" if solver == "reader-3" else "difficulty"  # as it is recorded, or as the column is called
    said = {key: rating} if rating else {}
    file.write_text("".join(json.dumps({"task_id": task.task_id, "solution": one, **said}) + "\n" for one in answers))
    return run("review", built.release, "--answers", file, "--solver", solver,
               "--exclusions", config.parents[1] / "exclusions.toml", *more)


def test_blind_answers_are_judged_by_each_build(built: Build, config: Path, task: Task, tmp_path: Path) -> None:
    said = recorded(built, config, tmp_path, "reader-1", RIGHT)
    assert said.exit_code == 0 and "1 answers of reader-1 to 1 tasks" in said.output and "missed" not in said.output
    said = recorded(built, config, tmp_path, "reader-2", WRONG, more=["--json"])
    row = json.loads(said.stdout)
    assert (row["solver"], row["answers"], row["missed"]) == ("reader-2", 1, ["share_evenly"])
    again = flow.build(config, Options(workers=1, folder=folder_of(config)))
    [found] = load_release(again.release).tasks
    assert found.sufficiency is not None
    assert (found.sufficiency.attempts, found.sufficiency.solved) == (2, 1)
    assert found.sufficiency.solvers == ("blind:reader-1", "blind:reader-2")
    assert (found.difficulty, found.judged_by) == ("Hard", "solvers-2")
    assert found.task_digest == task.task_digest and prompt(found) == prompt(task)
    assert verify(str(again.release), 1) == []
    better = replace(found.sufficiency, solved=2)
    folder = forged(again.release, tmp_path, lambda one: replace(one, sufficiency=better), "share_evenly")
    assert "blind answers" in {finding.gate for finding in verify(str(folder), 1)}
    assert "has 2 answers by solvers who saw the prompts alone" in (again.release / "README.md").read_text()


def test_who_solves_it_and_says_nothing_leaves_it_to_the_formula(
    built: Build, config: Path, task: Task, tmp_path: Path
) -> None:
    (config.parents[1] / "curated" / "answers.jsonl").unlink(missing_ok=True)
    recorded(built, config, tmp_path, "reader-1", RIGHT, RIGHT)
    again = flow.build(config, Options(workers=1, folder=folder_of(config)))
    [found] = load_release(again.release).tasks
    assert (found.difficulty, found.judged_by) == (task.difficulty, "rules-2")
    assert verify(str(again.release), 1) == []


def test_what_all_have_solved_is_as_hard_as_they_say(
    built: Build, config: Path, task: Task, tmp_path: Path
) -> None:
    (config.parents[1] / "curated" / "answers.jsonl").unlink(missing_ok=True)
    recorded(built, config, tmp_path, "reader-1", RIGHT, rating="Medium")
    recorded(built, config, tmp_path, "reader-2", RIGHT, rating="Hard")
    recorded(built, config, tmp_path, "reader-3", RIGHT, rating="Medium")
    again = flow.build(config, Options(workers=1, folder=folder_of(config)))
    [found] = load_release(again.release).tasks
    assert (found.difficulty, found.judged_by) == ("Medium", "solvers-2") != (task.difficulty, "")
    assert verify(str(again.release), 1) == []
    folder = forged(again.release, tmp_path, lambda one: replace(one, difficulty="Hard"), "share_evenly")
    assert "analysis" in {finding.gate for finding in verify(str(folder), 1)}


def test_a_rating_that_is_none_is_refused(built: Build, config: Path, tmp_path: Path) -> None:
    said = recorded(built, config, tmp_path, "reader-1", RIGHT, rating="awful")
    assert said.exit_code != 0 and "line 1: difficulty must be one of Easy, Medium, Hard" in said.output


def test_answers_to_another_prompt_say_nothing(built: Build, config: Path, file: Path, tmp_path: Path) -> None:
    recorded(built, config, tmp_path, "reader-3", RIGHT)
    text = file.read_text()
    try:
        file.write_text(text.replace("as evenly as their demands allow", "evenly"))
        again = flow.build(config, Options(workers=1, folder=folder_of(config)))
        assert [one.sufficiency for one in load_release(again.release).tasks] == [None]
    finally:
        file.write_text(text)


@pytest.mark.parametrize(("words", "said"), [
    (["{config}", "--edit"], "needs a function to write for"),
    (["demo", "x", "--edit"], "is no configuration"),
    (["{config}", "x"], "add --edit"),
    (["{config}", "nothing_here", "--edit", "--folder", "{folder}"], "has no function 'nothing_here'"),
    (["{config}", "x", "--edit", "--folder", "{folder}/empty"], "holds no build"),
    (["{folder}/release", "--answers", "{config}", "--solver", "a b"], "give a pseudonym"),
    (["{folder}/release", "--answers", "{pipe}", "--solver", "a"], "save them to a file"),
])
def test_bad_input_is_one_sentence(built: Build, config: Path, tmp_path: Path, words: list[str], said: str) -> None:
    places = {"config": config, "folder": folder_of(config), "pipe": tmp_path / "pipe"}
    os.mkfifo(places["pipe"])
    found = run("review", *(word.format(**places) for word in words))
    assert found.exit_code == 2 and said in found.output and len(found.output.strip().splitlines()) == 1


def test_a_broken_text_stops_the_review_of_its_own_function_alone(config: Path, file: Path) -> None:
    text, other = file.read_text(), file.with_name("other.0123456789abcdef.md")
    loaded = load_config(config)
    desk = Desk(loaded, folder_of(config), context_of(loaded, Options()), stages(loaded))
    elsewhere = file.rename(file.with_name("renamed.md"))
    try:
        other.write_text("+++\nid = nothing\n+++\n")
        assert desk.file_of(desk.find("ration")) == elsewhere
        elsewhere.rename(file).write_text(text.replace("contract = [", "contract = ["[:-1], 1))
        done = edited(config)
        assert done.exit_code == 2 and done.stderr.count("\n") == 1
        assert done.stderr.startswith(f"Error: The header of {file} is no TOML (") and "mend that line" in done.stderr
    finally:
        other.unlink(missing_ok=True)
        elsewhere.unlink(missing_ok=True)
        file.write_text(text)


def test_a_release_leaves_out_what_it_names_or_is_not_made(built: Build, config: Path, task: Task) -> None:
    text = config.read_text()
    (config.parents[1] / "curated" / "answers.jsonl").unlink(missing_ok=True)
    settings = {
        'leave_out = ["few blind answers"]': "No task passed every stage",
        "max_flagged = 0.1": "Something is wrong with 1 of the 1 tasks of tiny, as share_evenly (few blind answers)",
        'leave_out = ["ugly"]': "package.leave_out names 'ugly': set it to some of untypical, ",
        "max_flagged = 0": "package.max_flagged must be above 0",
    }
    try:
        for line, said in settings.items():
            config.write_text(f"{text}[package]\n{line}\n")
            with pytest.raises(UserError, match=re.escape(said)):
                flow.build(config, Options(workers=1, folder=folder_of(config)))
        config.write_text(f"{text}[package]\n{next(iter(settings))}\n")
        row = json.loads(edited(config, "--json").stdout)
        assert row["refusal"] is None, "nobody can have answered yet"
        assert row["task"]["entry_point"] == "share_evenly" and row["task"]["cases"] > 50
    finally:
        config.write_text(text)
    assert flags_of(task) == ("few blind answers",)
