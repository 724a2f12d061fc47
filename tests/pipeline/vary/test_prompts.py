"""A release that asks its questions in other words: made, asked, judged, verified, and measured strategy by strategy."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from harness.prompts import prompt
from harness.records import PromptVariant
from harness.releases.dataset import load_release, write_track
from harness.releases.veil import COLUMNS
from harness.rewordings import read_rewordings, variants_of
from harness.variants import derived
from pipeline import store
from pipeline.hub.prepared import prepare
from pipeline.release.space import write_space
from tests.pipeline.release.chromium import browser, find_chromium
from tests.pipeline.vary.commands import bytes_of, run


@pytest.fixture(scope="module")
def reworded(origin: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("reworded") / "made-7"
    told = run("vary", origin, "--seed", 7, "--strategy", "all", "--folder", folder, "--json")
    assert told.exit_code == 0, told.output
    return folder / "release", json.loads(told.stdout.splitlines()[-1])


def lines(*arguments: object) -> list[dict[str, Any]]:
    told = run(*arguments)
    assert told.exit_code == 0, told.output
    return [json.loads(line) for line in told.stdout.splitlines()]


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def test_each_strategy_says_what_it_makes_and_why_not_more(reworded: tuple[Path, dict[str, Any]]) -> None:
    folder, told = reworded
    rows = {row["strategy"]: row for row in told["strategies"]}
    assert len(rows) == 11 and rows["control"]["variants"] == 3 * rows["control"]["tasks"]
    kept = read_rewordings(load_release(folder))
    assert {row.strategy for row in kept} == {"initial", *rows}
    assert all(bool(row.reason) != bool(row.variant_id and row.number) for row in kept)
    shown = run("show", folder, "clamp").output
    assert "--- in other words ---" in shown and "10 by description_typo" in shown and "--strategy NAME` prints them" in shown
    card = (folder / "README.md").read_text()
    assert "| description_typo |" in card and "prompts.parquet" in card


@pytest.fixture(scope="module")
def page(reworded: tuple[Path, dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    write_space(load_release(reworded[0]), folder, "ORG/NAME")
    return folder


def test_the_page_holds_what_each_variant_puts_in_the_place_of_what(reworded: tuple[Path, dict[str, Any]], page: Path) -> None:
    text = (page / "tasks.js").read_text("ascii")
    tasks = {task["id"]: task for task in json.loads(text[text.index("const TASKS = ") + 14 : text.rindex(";")])}
    rows = [row for row in read_rewordings(load_release(reworded[0])) if row.instruction]
    told = {(task["id"], name): edits for task in tasks.values() for name, _, edits in task["wordings"]}
    assert len(told) == len(rows) > 100
    for row in rows:
        before, put, end = tasks[row.task_id]["instruction"], "", 0
        for start, count, after in told[row.task_id, f"{row.strategy} {row.number}"]:
            put, end = put + before[end:start] + after, start + count
        assert put + before[end:] == row.instruction


@pytest.mark.browser
@pytest.mark.skipif(not find_chromium(), reason="needs Chromium: install it, or name it in CHROMIUM")
def test_the_page_shows_a_variant_beside_the_first_question(page: Path, tmp_path: Path) -> None:
    with browser(tmp_path / "profile") as tab:
        tab.resize(1200, 900)
        tab.open((page / "index.html").as_uri())
        shown = "[...document.querySelectorAll('.beside pre')].map(box => box.textContent)"
        options = tab.run("[...wording.options].map(one => one.textContent)")
        place = next(place for place, name in enumerate(options) if name.startswith("function_typo"))
        tab.run(f"wording.value = '{place}'; wording.dispatchEvent(new Event('change'))")
        first, other = tab.run(shown)
        marks = tab.run("[...document.querySelectorAll('.beside mark')].map(mark => mark.textContent)")
        half = len(marks) // 2
        assert first != other and half >= 1 and all(one in first for one in marks[:half]) and all(one in other for one in marks[half:])
        assert tab.errors == []


def test_every_question_is_scored_by_the_same_cases_and_its_reference_is_right(reworded: tuple[Path, dict[str, Any]]) -> None:
    release = load_release(reworded[0])
    rows = [row for row in read_rewordings(release) if not row.reason]
    by_task: dict[str, set[tuple[int, ...]]] = {}
    for row in rows:
        by_task.setdefault(row.task_id, set()).add(row.scored)
        assert not set(row.shown) & set(row.scored)
    assert all(len(found) == 1 for found in by_task.values())
    told = run("evaluate", reworded[0], "--reference", "--output", "/dev/null", "--json")
    found = json.loads(told.stdout)
    assert told.exit_code == 0 and found["score"]["pass_at"]["1"] == 1 and found["score"]["tasks"] == len(by_task)
    assert {name: one["pass_at"]["1"] for name, one in found["slices"]["strategy"].items()} == dict.fromkeys(found["slices"]["strategy"], 1)
    stubs = json.loads(run("evaluate", reworded[0], "--stub", "--output", "/dev/null", "--json").stdout)
    assert stubs["score"]["pass_at"]["1"] == 0


def test_answers_name_their_variants(reworded: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    folder = reworded[0]
    asked = lines("prompts", folder, "--strategy", "function_typo", "--strategy", "control")
    assert len({row["variant"] for row in asked}) == len(asked)
    release = load_release(folder)
    tasks = derived(release.tasks, list(variants_of(release, read_rewordings(release, ["function_typo", "control"]))))
    assert {(row["task_id"], row["variant"]): row["user"] for row in asked} == {place: prompt(task).user for place, task in tasks.items()}
    named = {task.task_id: task.reference for task in release.tasks}
    answers = write(tmp_path / "a.jsonl", [
        {"task_id": row["task_id"], "variant": row["variant"], "solution": named[row["task_id"]]} for row in asked])
    strict = run("evaluate", folder, "--samples", answers, "--partial", "--model", "corrector", "--json")
    found = json.loads(strict.stdout)["slices"]["strategy"]
    assert (found["initial"]["pass_at"]["1"], found["control"]["pass_at"]["1"], found["function_typo"]["pass_at"]["1"]) == (1, 1, 0)
    lenient = run("evaluate", folder, "--samples", answers, "--partial", "--lenient", "--model", "corrector", "--json")
    assert json.loads(lenient.stdout)["slices"]["strategy"]["function_typo"]["pass_at"]["1"] == 1
    files = tmp_path / "a.results.jsonl", tmp_path / "a.lenient.results.jsonl"
    shown = run("robustness", *files, "--json", "--figures", tmp_path / "figures")
    assert shown.exit_code == 0, shown.output
    rows = {(row["model"], row["strategy"]): row for row in json.loads(shown.stdout.splitlines()[-1])}
    assert rows["corrector", "function_typo"]["points"] == "-100.0" and rows["corrector (lenient)", "function_typo"]["points"] == "+0.0"
    assert rows["corrector", "control"]["MB"] == "0.0" and rows["corrector", "function_typo"]["floor"] == "0.0"
    assert {path.name for path in (tmp_path / "figures").iterdir()} == {"questions-sizes.svg", "questions-changes.svg"}
    again = run("robustness", *files, "--json", "--figures", tmp_path / "again")
    assert again.exit_code == 0 and bytes_of(tmp_path / "figures") == bytes_of(tmp_path / "again")
    assert "strategy" in run("robustness", files[0]).output and run("robustness", files[0], "--latex").output.startswith(r"\begin{tabular}")


def test_answers_without_a_variant_answer_nothing(reworded: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    release = load_release(reworded[0])
    answers = write(tmp_path / "a.jsonl", [{"task_id": task.task_id, "solution": task.reference} for task in release.tasks])
    told = run("evaluate", reworded[0], "--samples", answers)
    assert told.exit_code == 2 and "name the `variant` of each answer" in told.output
    odd = write(tmp_path / "b.jsonl", [{"task_id": release.tasks[0].task_id, "variant": 3, "solution": "x"}])
    assert "no text under 'variant'" in run("evaluate", reworded[0], "--samples", odd).output


@pytest.mark.slow  # two further releases, one of which is verified
def test_the_same_seed_gives_the_same_bytes_and_verify_makes_it_again(
    origin: Path, reworded: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    folder = tmp_path / "again"
    assert run("vary", origin, "--seed", 7, "--strategy", "all", "--folder", folder).exit_code == 0
    assert bytes_of(folder / "release") == bytes_of(reworded[0])
    told = run("verify", folder / "release", "--origin", origin)
    assert told.exit_code == 0, told.output
    assert run("vary", origin, "--seed", 8, "--strategy", "all", "--folder", tmp_path / "other").exit_code == 0
    seeds = [{row.instruction for row in read_rewordings(load_release(one)) if row.strategy == "description_typo"}
             for one in (reworded[0], tmp_path / "other")]
    assert len(seeds[0] & seeds[1]) < len(seeds[0]) / 10
    rows = [PromptVariant(**{**vars(row), "instruction": row.instruction.replace("e", "x")}) if row.strategy == "description_typo" else row
            for row in store.read(folder / "release" / "prompts.parquet", PromptVariant)]
    store.write(folder / "release" / "prompts.parquet", PromptVariant, rows)
    assert run("verify", folder / "release", "--origin", origin).exit_code != 0
    assert run("vary", folder / "release", "--strategy", "all").exit_code == 2


def veiled(origin: Path, folder: Path) -> Path:
    """A copy of a release whose answers are no plain text."""
    shutil.copytree(origin, folder)
    release, manifest = load_release(origin), json.loads((origin / "manifest.json").read_text())
    for track, entry in manifest["tracks"].items():
        write_track([task for task in release.tasks if task.track == track], folder / entry["file"], "key")
        manifest["files"][entry["file"]] = hashlib.sha256((folder / entry["file"]).read_bytes()).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest | {"veil": {"key": "key", "columns": list(COLUMNS)}}))
    return folder


def references(folder: Path) -> list[str]:
    return [row.reference for row in store.read(folder / "prompts.parquet", PromptVariant) if row.reference]


def test_references_are_veiled_where_those_of_the_tasks_are(origin: Path, reworded: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    told = run("vary", veiled(origin, tmp_path / "veiled"), "--seed", 7, "--strategy", "function_typo", "--variants", 2, "--folder", tmp_path / "made")
    assert told.exit_code == 0, told.output
    prepare(load_release(reworded[0]), "me/made", "made-7-prompts", None, tmp_path / "published", veil=True)
    for folder in (tmp_path / "made" / "release", tmp_path / "published"):
        assert references(folder) and all(one.startswith("veiled:") for one in references(folder))
        read = [row.reference for row in read_rewordings(load_release(folder)) if row.reference]
        assert read and all(re.search(r"\bdef ", one) for one in read)
    assert not any(one.startswith("veiled:") for one in references(reworded[0]))


@pytest.mark.parametrize("arguments, sentence", [
    (["--strategy", "function_typos"], "There is no strategy 'function_typos' (did you mean"),
    (["--strategy", "all", "--rate", 2], "give a number from 0 to 1"),
    (["--strategy", "all", "--variants", 0], "ask for at least 1"),
    (["--strategy", "all", "--chain", "FUV"], "--strategy is about questions"),
])
def test_mistakes_are_told_in_a_sentence(origin: Path, arguments: list[object], sentence: str, tmp_path: Path) -> None:
    told = run("vary", origin, *arguments, "--folder", tmp_path / "x")
    assert told.exit_code == 2 and sentence in told.output, told.output


def test_a_release_without_other_words_says_so(origin: Path, tmp_path: Path) -> None:
    assert "asks its questions in one way" in run("prompts", origin, "--strategy", "control").output
    assert "has none: leave it out" in run("evaluate", origin, "--reference", "--lenient").output
