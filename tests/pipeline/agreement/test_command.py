"""`code2bench agreement` on a build whose judge stage has really asked three models over HTTP."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from harness.cli import cli
from pipeline import executors
from pipeline.config import JudgeConfig, LlmConfig, ModelConfig, SampleConfig
from pipeline.judge.stage import JudgeStage
from pipeline.llm.desk import Office
from pipeline.records import Candidate
from pipeline.sample import SampleStage
from pipeline.screen.stage import ScreenStage
from pipeline.stage import Context, Stage, Work, key_of, run_stage
from tests.pipeline.llm.model_server import serving
from tests.pipeline.making import candidate

NAMES = [f"count_{letter}" for letter in "abcdefghijkl"]
TRUE = ("constructible_parameters", "meaningful_complexity", "no_side_effects", "no_special_knowledge",
        "inputs_can_be_generated")
Judging = Callable[[str, str], bool]


def function(name: str) -> str:
    # The rules refuse count_a and count_b, whose descriptions say nothing.
    doc = "Count." if name[-1] in "ab" else f"Count the words of a text that hold the letter {name[-1]}, with their cases ignored."
    return f'''
        def {name}(text, stops):
            """{doc}"""
            counts = {{}}
            for word in text.lower().split():
                if word not in stops and "{name[-1]}" in word:
                    counts[word] = counts.get(word, 0) + 1
            return counts
    '''


def mind(suitable: Judging) -> Callable[[dict[str, Any]], str]:
    """Models that refuse by name; all find everything Medium but `cy`, who finds count_l Hard."""
    def answer(body: dict[str, Any]) -> str:
        text = body["messages"][1]["content"]
        found = re.search(r"def (count_\w)", text)
        assert found
        if body["model"] == "ben" and found[1] == "count_k" and len(body["messages"]) == 2:
            return "I would rather not."
        if "Rate this function" in text:
            hard = body["model"] == "cy" and found[1] == "count_l"
            return json.dumps({"difficulty": "Hard" if hard else "Medium", "reason": "So it is."})
        yes = suitable(body["model"], found[1])
        criteria = {name: yes or name != "no_special_knowledge" for name in TRUE}
        return json.dumps({**criteria, "suitable": yes, "reason": "So it is."})
    return answer


def differing(model: str, name: str) -> bool:
    """All refuse c, d and e; cy alone refuses f."""
    return name[-1] not in "cde" and (model, name) != ("cy", "count_f")


def judged(folder: Path, models: Sequence[str], suitable: Judging = differing, last: str = "judge") -> Path:
    """A build up to its judge stage, in which these models judged."""
    (folder / "runtime.txt").write_text("numpy==1\n")
    with serving(mind(suitable)) as server:
        named = tuple((name, ModelConfig(name, server.address)) for name in models)
        office = Office(LlmConfig(repairs=1), named, folder / "answers", folder / "account.json")
        context = Context(1, folder, folder / "runtime.txt", folder, "2026-05-01", "2026-11-01", office=office)
        stages: list[Stage] = [
            ScreenStage(), SampleStage(SampleConfig()), JudgeStage(JudgeConfig(models=tuple(models)))]
        records: list[Any] = [candidate(function(name), f"project-{name}") for name in NAMES]
        key = ""
        for number, stage in enumerate(stages, 5):
            key = key_of(stage, context, key)
            where = folder / "build" / "stages" / f"{number:02d}-{stage.name}"
            output = run_stage(Work(stage, records, len(records), key, where), context, executors.choose("local", 1))
            records = list(output.records())
            if stage.name == last:
                break
    assert all(isinstance(one, Candidate) for one in records)
    return folder / "build"


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield judged(tmp_path_factory.mktemp("three"), ("ann", "ben", "cy"))


def run(build: Path, *arguments: Any, given: str = "") -> Result:
    return CliRunner().invoke(cli, ["agreement", str(build), *map(str, arguments)], input=given)


def report(build: Path, *arguments: Any) -> Any:
    result = run(build, "--json", *arguments)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def kappas(found: Any, section: str) -> dict[tuple[str, ...], dict[str, Any]]:
    return {(one["question"], one["measure"], *one["raters"]): one for one in found["sections"][section]}


def write(path: Path, rows: Sequence[tuple[str, str, str]]) -> Path:
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([("id", "suitable", "difficulty"), *rows])
    return path


def exported(build: Path, path: Path) -> dict[str, str]:
    """The ids of all candidates by name."""
    assert run(build, "--export", path).exit_code == 0
    with open(path, newline="", encoding="utf-8-sig") as file:
        return {row["name"]: row["id"] for row in csv.DictReader(file)}


def test_the_models_agree_as_far_as_they_do(build: Path) -> None:
    found = report(build)
    assert [(m["name"], m["asked"], m["judged"], m["faults"]) for m in found["models"]] == [
        ("ann", 12, 12, 0), ("ben", 12, 12, 2), ("cy", 12, 12, 0)]
    between = kappas(found, "Between the models")
    fleiss = between["suitable", "Fleiss' kappa", "ann", "ben", "cy"]
    # 10 no and 26 yes; of the 12 candidates one has only a third of its pairs agreeing.
    chance = (10**2 + 26**2) / 36**2
    assert fleiss["agreement"] == pytest.approx(1 - 2 / 3 / 12)
    assert fleiss["value"] == pytest.approx((1 - 2 / 3 / 12 - chance) / (1 - chance))
    assert fleiss["low"] < fleiss["value"] < fleiss["high"]
    assert between["suitable", "Cohen's kappa", "ann", "ben"]["value"] == pytest.approx(1)
    assert between["suitable", "Cohen's kappa", "ann", "cy"]["value"] == pytest.approx((11 / 12 - 84 / 144) / (60 / 144))
    hard = between["difficulty", "Fleiss' kappa", "ann", "ben", "cy"]
    assert (hard["candidates"], hard["value"] < 0.1, hard["agreement"] > 0.9) == (9, True, True)
    undefined = between["difficulty", "Cohen's kappa", "ann", "ben"]
    assert undefined["value"] is None and undefined["why"].startswith("all of them always say Medium")


def test_what_rules_and_models_see_differently(build: Path) -> None:
    found = report(build)
    against = {(one["name"], one["rules"], one["models"]) for one in found["rules"]["disagreements"]}
    assert against == {("count_a", "no", "yes"), ("count_b", "no", "yes")} | {
        (f"count_{letter}", "yes", "no") for letter in "cde"}
    both = kappas(found, "Rules and models")["suitable", "Cohen's kappa", "the majority", "the rules"]
    assert (both["candidates"], both["agreement"]) == (12, pytest.approx(7 / 12))


def test_people_read_sentences(build: Path) -> None:
    result = run(build)
    assert result.exit_code == 0, result.stderr
    assert "ben judged 12 of 12 candidates, 9 of them suitable; 2 of its answers did not count." in result.stdout
    assert re.search(r"suitable, ann, ben, cy: Fleiss' kappa 0\.8\d \[0\.\d\d, 1\.00\], the same answer in 94\.4% of pairs",
                     result.stdout)
    assert "no Cohen's kappa: all of them always say Medium" in result.stdout
    assert "Rules (with default settings) and models disagree on 5 of 12 candidates." in result.stdout
    assert "refused by the rule 'short description' alone" in result.stdout
    assert "nan" not in result.stdout.lower()


def test_labels_of_one_person(build: Path, tmp_path: Path) -> None:
    ids = exported(build, tmp_path / "all.csv")
    rows = [(ids[name], "no" if name[-1] in "cdef" else "yes", "" if name[-1] in "cdef" else "Medium") for name in NAMES]
    rows[-1] = (ids["count_l"], "yes", "Hard")
    found = kappas(report(build, "--labels", write(tmp_path / "eva.csv", rows)), "Models and people")
    assert found["suitable", "Cohen's kappa", "cy", "eva"]["value"] == pytest.approx(1)
    assert found["suitable", "Cohen's kappa", "the majority", "eva"]["value"] < 1
    for measure in ("Cohen's kappa", "Cohen's kappa with linear weights"):
        assert found["difficulty", measure, "cy", "eva"]["value"] == pytest.approx(1)
        assert found["difficulty", measure, "ann", "eva"]["value"] == pytest.approx(0)


def test_labels_of_several_people(build: Path, tmp_path: Path) -> None:
    ids = exported(build, tmp_path / "all.csv")
    eva = write(tmp_path / "eva.csv", [(ids[n], "no" if n[-1] in "cde" else "yes", "") for n in NAMES])
    dan = write(tmp_path / "dan.csv", [(ids[n], "no" if n[-1] in "cdel" else "yes", "") for n in NAMES])
    found = report(build, "--labels", eva, "--labels", dan)
    people = kappas(found, "Between the people")
    assert people["suitable", "Cohen's kappa", "eva", "dan"]["candidates"] == 12
    assert people["suitable", "Fleiss' kappa", "eva", "dan"]["value"] < 1
    most = kappas(found, "Models and people")["suitable", "Cohen's kappa", "ann", "most people"]
    assert (most["candidates"], most["value"]) == (11, pytest.approx(1))


def test_wrong_labels_are_told(build: Path, tmp_path: Path) -> None:
    result = run(build, "--labels", write(tmp_path / "eva.csv", [("c2b-none", "yes", "")]))
    assert result.exit_code == 2
    assert "eva.csv, line 2: the build has no candidate 'c2b-none'" in result.stderr
    assert "Traceback" not in result.stderr


def test_export_label_compare(build: Path, tmp_path: Path) -> None:
    path = tmp_path / "eva.csv"
    result = run(build, "--export", path, "--sample", 4, "--seed", 3)
    assert result.exit_code == 0, result.stderr
    assert "has 4 candidates, 4 of them new, and 0 with a label" in result.stdout
    text = path.read_text("utf-8-sig")
    assert len({name for name in NAMES if name in text} & {"count_c", "count_d", "count_e"}) == 1
    assert "So it is." not in text and "yes" not in text
    result = run(build, "--label", path, given="y\nm\n\nn\n\nq\n")
    assert "2 of 4 candidates in" in result.stdout
    assert "the same command goes on with the others" in result.stdout
    result = run(build, "--label", path, "--json", given="s\nn\nunclear\n")
    assert json.loads(result.stdout) == {"file": str(path), "rows": 4, "done": 3}
    assert json.loads(run(build, "--export", path, "--sample", 6, "--seed", 3, "--json").stdout) == {
        "file": str(path), "rows": 6, "added": 2, "labelled": 3}
    found = kappas(report(build, "--labels", path), "Models and people")
    assert found["suitable", "Cohen's kappa", "the majority", "eva"]["candidates"] == 3


def test_one_model_is_told_in_words(tmp_path: Path) -> None:
    result = run(judged(tmp_path, ("ann",)))
    assert result.exit_code == 0, result.stderr
    assert "Only one model judged, so there is no agreement between models: name several in [judge]." in result.stdout
    assert "Between the models" not in result.stdout
    assert "suitable, ann and the rules: Cohen's kappa" in result.stdout


def test_models_that_always_say_yes_are_told_in_words(tmp_path: Path) -> None:
    where = judged(tmp_path, ("ann", "ben"), lambda model, name: True)
    result = run(where)
    assert "suitable, ann and ben: no Fleiss' kappa: all of them always say yes" in result.stdout
    assert "nan" not in result.stdout.lower()
    assert "NaN" not in run(where, "--json").stdout


@pytest.mark.parametrize(("models", "last", "sentence"), [
    ((), "judge", "No language model judged in "), ((), "sample", "holds no finished judge stage: build it"),
])
def test_a_build_without_opinions_gets_one_sentence(
        tmp_path: Path, models: tuple[str, ...], last: str, sentence: str) -> None:
    result = run(judged(tmp_path, models, last=last), "--export", tmp_path / "a.csv")
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert not (tmp_path / "a.csv").exists()


def test_one_thing_at_a_time(build: Path, tmp_path: Path) -> None:
    result = run(build, "--export", tmp_path / "a.csv", "--label", tmp_path / "a.csv")
    assert (result.exit_code, "one of them at a time" in result.stderr) == (2, True)


def test_the_help_has_an_example() -> None:
    assert "Example: code2bench agreement demo" in CliRunner().invoke(cli, ["agreement", "--help"]).stdout
