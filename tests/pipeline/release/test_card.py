"""The card: the Hub's own model takes it, every number is the release's, and it reads well."""

import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import yaml
from datasets import load_dataset
from datasets.utils.metadata import MetadataConfigs
from huggingface_hub import DatasetCard, DatasetCardData, metadata_load

from harness.records import CANARY
from harness.releases.cutoffs import models_file, read_models
from harness.releases.hub import tag_of
from harness.releases.rows import OPTIONAL, SCHEMA, published_order
from pipeline.config_file import load_config
from pipeline.flow import stages
from pipeline.release.attribution import licence, notice
from pipeline.release.card import size_category
from pipeline.release.changes import Side, between
from pipeline.release.fields import fields, read_meanings, walk
from pipeline.release.templates import text_of
from tests.pipeline.release.making import FUNNEL, MODELS, facts, hashes, tasks, write

CREATORS = {"found", "crowdsourced", "expert-generated", "machine-generated", "no-annotation", "other"}
"""What the Hub's model documents for `annotations_creators`."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("card"), facts())


@pytest.fixture(scope="module")
def card(folder: Path) -> str:
    return (folder / "README.md").read_text("utf-8")


def section(card: str, title: str) -> str:
    return card.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def test_the_hub_s_model_takes_the_metadata(folder: Path) -> None:
    data = DatasetCard.load(folder / "README.md").data
    assert isinstance(data, DatasetCardData)
    assert metadata_load(folder / "README.md") == {k: v for k, v in data.to_dict().items() if v is not None}
    assert set(data.annotations_creators or ()) <= CREATORS
    assert (data.pretty_name, data.license, data.size_categories) == ("Made for tests", "other", ["n<1K"])
    assert (data.task_categories, data.source_datasets, data.language) == (["text-generation"], ["original"], ["en"])


def test_the_licence_that_the_metadata_link_to_is_there(folder: Path) -> None:
    data = DatasetCard.load(folder / "README.md").data.to_dict()
    assert data["license_link"] in ("LICENSE", "LICENSE.md")  # the two names that the Hub's specification knows
    assert "BSD-3-Clause: 2" in (folder / data["license_link"]).read_text("utf-8")


@pytest.mark.parametrize("title", ["With: a colon", 'With "quotes" and \\', "# hash, ünïcode", "- dash", "[x]"])
def test_any_title_is_carried(tmp_path: Path, title: str) -> None:
    written = write(tmp_path, facts(title=title))
    assert DatasetCard.load(written / "README.md").data.pretty_name == title
    assert yaml.safe_load((written / "eval.yaml").read_text("utf-8"))["name"] == title


def test_each_track_is_a_configuration(folder: Path) -> None:
    configs = MetadataConfigs.from_dataset_card_data(DatasetCard.load(folder / "README.md").data)
    assert sorted(configs) == ["sc-python", "wsc-python"]


@pytest.mark.parametrize("track", ["sc-python", "wsc-python"])
def test_each_configuration_loads(folder: Path, tmp_path: Path, track: str) -> None:
    rows = load_dataset(str(folder), track, split="test", cache_dir=str(tmp_path))
    assert rows.column_names == SCHEMA.names
    assert rows["task_id"][:] == [t.task_id for t in published_order(facts().tracks[track])]


def test_the_same_release_gives_the_same_bytes_in_any_order(folder: Path, tmp_path: Path) -> None:
    written = hashes(folder)
    assert hashes(write(tmp_path, facts(list(reversed(tasks()))))) == written
    assert set(written) >= {"README.md", "LICENSE", "eval.yaml", "croissant.json", "figures/funnel.svg"}


def test_every_file_that_the_card_shows_or_names_is_made(folder: Path, card: str) -> None:
    shown = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", card)
    assert sorted(shown) == ["figures/difficulty.svg", "figures/domains.svg", "figures/funnel.svg"]
    assert all((folder / path).is_file() for path in shown)


def test_every_row_of_a_table_has_the_cells_of_its_head(card: str) -> None:
    tables = re.findall(r"(?:^\|.*\|\n)+", card, re.M)
    assert len(tables) == 6
    for found in tables:
        cells = {len(re.split(r"(?<!\\)\|", line)) for line in found.splitlines()}
        assert len(cells) == 1, found


def test_the_text_has_no_gaps_and_no_remains_of_the_template(card: str) -> None:
    assert "\n\n\n" not in card and "{{" not in card and "{%" not in card and "None" not in card
    assert card.count("<details>") == card.count("</details>") == card.count("<summary>") > 0
    assert CANARY in section(card, "Canary")


def test_the_card_says_how_many_tasks_are_shown_to_be_younger_than_the_window(tmp_path: Path) -> None:
    made = [replace(task, provenance=replace(task.provenance, not_before="2026-05-03T10:00:00Z")) for task in tasks()]
    old = replace(made[0], provenance=replace(made[0].provenance, not_before="2026-04-03T10:00:00Z"))
    older = [replace(task, schema_version=4) for task in tasks()]
    for name, given, said in (
        ("all", made, "All 5 tasks are shown to be younger than the window's start"),
        ("some", [old, *made[1:]], "4 of 5 tasks are shown to be younger than the window's start; for the others"),
        ("older", older, "The rows do not say when their functions were last looked for"),
    ):
        text = (write(tmp_path / name, facts(given)) / "README.md").read_text()
        assert said in section(text, "Window and cutoffs") and "\n\n\n" not in text


def test_models_are_told_apart_by_what_their_knowledge_leaves(card: str) -> None:
    told = section(card, "Window and cutoffs")
    assert "**Contamination-free for:** early. All 5 tasks" in told
    assert "**In part for** between: 1 of 5 tasks" in told and "--younger-than between" in told
    assert "**Not for:** late." in told
    assert "| early | 2025-06-30 | 5 of 5 | its maker, not verified |" in told


def test_a_card_without_models_claims_nothing(tmp_path: Path) -> None:
    text = (write(tmp_path, facts(models=())) / "README.md").read_text("utf-8")
    assert "Contamination-free" not in text and "Not for" not in text


def test_the_project_s_own_models_are_all_named(tmp_path: Path) -> None:
    known = read_models(models_file())
    text = (write(tmp_path, facts(models=list(known.values()))) / "README.md").read_text("utf-8")
    assert all(f"| {name} |" in text for name in known)


def test_the_statistics_are_those_of_the_tasks(card: str) -> None:
    told = section(card, "Statistics")
    assert "| Tasks | 3 | 2 | 5 |" in told
    assert "| Easy : Medium : Hard | 0.33 : 0.33 : 0.33 | 0.50 : 0.50 : 0.00 | 0.40 : 0.40 : 0.20 |" in told
    assert "| Mutation score, median and lowest | 0.99, 0.99 | 0.99, 0.99 | 0.99, 0.99 |" in told
    assert "| Cases per task, median (range) | 11 (6 to 51) | 5.5 (5 to 6) | 6 (5 to 51) |" in told
    assert "math (1), numpy (1)" in told


def test_the_funnel_is_the_build_s(card: str) -> None:
    told = section(card, "How functions became tasks")
    for row in FUNNEL[1:]:
        assert re.search(rf"\| {row.stage} \| [^|]+ \| {row.read:,} \| {row.kept:,} \|", told)
    assert "The same code, or a version of it, existed before the cutoff." in told


def test_every_stage_that_functions_go_through_is_explained() -> None:
    names = [stage.name for stage in stages(load_config(Path(__file__).parents[3] / "data" / "releases" / "demo.toml"))]
    assert list(tomllib.loads(text_of("stages.toml"))) == names[1:]


def test_whose_code_it_is_is_told_as_in_the_notice(card: str) -> None:
    told, entries = section(card, "Sources and licences"), facts().attributions
    assert [entry.project for entry in entries] == ["alpha", "beta"]
    text = notice("2611", entries)
    for entry in entries:
        assert f"| [{entry.project}]({entry.url}) | 1.0 | {entry.licence} | {entry.tasks} |" in told
        assert f"{entry.project} 1.0 ({entry.licence}) {entry.url}\n    tasks: {entry.tasks}" in text
    assert "alpha 1.0 (MIT, BSD-3-Clause)" in text and "unused" not in text
    assert licence("2611", tasks()).count("MIT: 2") == 1


def test_every_column_and_every_part_is_explained_and_nothing_else(card: str) -> None:
    names = [field.name for field in walk(fields())]
    further = [field.name for field in walk(fields(pa.schema(OPTIONAL.values())))]
    assert sorted([*names, *further]) == sorted(read_meanings()) and not set(further) & set(names)
    assert all(f"| `{name}` | " in section(card, "Fields") for name in names)


def test_a_first_release_has_no_changes_and_a_later_one_tells_them(card: str, tmp_path: Path) -> None:
    assert "There is no earlier release" in section(card, "Changes since the last release")
    before = Side("2610", [replace(tasks()[0], instruction="old"), *tasks()[2:]], "2026-04-01", "2026-10-01")
    found = between(before, Side("2611", tasks(), "2026-05-01", "2026-11-01"))
    told = section((write(tmp_path, facts(changes=found)) / "README.md").read_text("utf-8"), "Changes since the last release")
    assert "2611 against 2610: 1 added, 0 removed, 1 changed" in told
    assert "<summary>1 added</summary>" in told and "| instruction, provenance |" not in told
    assert f"| `{tasks()[0].task_id}` | `clamp` | alpha | instruction |" in told


def test_examples_name_the_dataset_and_the_tag(card: str, tmp_path: Path) -> None:
    assert 'load_dataset("ORG/code2bench", "sc-python", revision="v2611", split="test")' in card
    text = (write(tmp_path, facts(repository="acme/bench")) / "README.md").read_text("utf-8")
    assert "ORG/" not in text and "code2bench evaluate acme/bench@v2611" in text


def test_the_benchmark_is_registered_as_the_hub_documents_it(folder: Path) -> None:
    found: dict[str, Any] = yaml.safe_load((folder / "eval.yaml").read_text("utf-8"))
    assert set(found) == {"name", "description", "tasks"}  # no framework: ours is not on the Hub's list
    assert found["tasks"] == [{"id": t, "config": t, "split": "test"} for t in ("sc-python", "wsc-python")]


@pytest.mark.parametrize(("name", "expected"), [("2611", "v2611"), ("demo", "vdemo")])
def test_the_tag_of_a_release(name: str, expected: str) -> None:
    assert tag_of(name) == expected


@pytest.mark.parametrize(
    ("rows", "expected"), [(999, "n<1K"), (1000, "1K<n<10K"), (10_000, "10K<n<100K"), (100_000, "100K<n<1M")]
)
def test_size_categories(rows: int, expected: str) -> None:
    assert size_category(rows) == expected


def test_the_models_of_the_tests_are_of_three_kinds() -> None:
    assert [model.last_day for model in MODELS] == ["2025-06-30", "2026-06-10", "2026-12-31"]
