"""croissant.json: the tool of MLCommons accepts it and reads every row by it."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from harness.releases.rows import SCHEMA, published_order
from pipeline.release.fields import fields, walk
from tests.pipeline.release.making import facts, write

TRACKS = ["sc-python", "wsc-python"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("croissant"), facts())


@pytest.fixture(scope="module")
def found(folder: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((folder / "croissant.json").read_text("utf-8"))
    return read


def ids(node: Any) -> list[str]:
    """The ids of everything that is described (what has a type), not of what is referred to."""
    if isinstance(node, list):
        return [one for part in node for one in ids(part)]
    if not isinstance(node, dict):
        return []
    own = [node["@id"]] if "@id" in node and "@type" in node else []
    return own + [one for key, part in node.items() if key != "@context" for one in ids(part)]


def test_every_file_of_a_track_is_named_with_its_hash(folder: Path, found: dict[str, Any]) -> None:
    named = {one["contentUrl"]: one["sha256"] for one in found["distribution"]}
    there = {p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest() for p in folder.rglob("*.parquet")}
    assert named == there and len(named) == 2


def test_every_column_of_every_track_is_described(found: dict[str, Any]) -> None:
    assert [one["@id"] for one in found["recordSet"]] == TRACKS
    for track, records in zip(TRACKS, found["recordSet"], strict=True):
        assert [field["name"] for field in records["field"]] == SCHEMA.names
        assert set(ids(records["field"])) == {f"{track}/{f.name.replace('.', '/')}" for f in walk(fields())}


def test_ids_are_used_once(found: dict[str, Any]) -> None:
    assert len(ids(found)) == len(set(ids(found)))


def test_what_is_said_of_the_release_is_the_card_s(found: dict[str, Any]) -> None:
    assert found["name"] == "Made for tests" and found["temporalCoverage"] == "2026-05-01/2026-11-01"
    licences = [name.rsplit("/", 1)[1] for name in found["license"]]
    assert licences == ["Apache-2.0", "BSD-3-Clause", "MIT"]
    assert found["description"].startswith("5 programming tasks made from functions that are new in")


def test_mlcroissant_accepts_it(folder: Path) -> None:
    croissant = pytest.importorskip("mlcroissant", reason="mlcroissant is not installed: make setup")
    issues = croissant.Dataset(str(folder / "croissant.json")).metadata.issues
    assert not issues.errors
    [left] = issues.warnings
    assert "datePublished" in left  # it is not known when a release is built


@pytest.mark.parametrize("track", TRACKS)
def test_mlcroissant_reads_the_rows(folder: Path, track: str) -> None:
    croissant = pytest.importorskip("mlcroissant", reason="mlcroissant is not installed: make setup")
    rows = list(croissant.Dataset(str(folder / "croissant.json")).records(track))
    tasks = published_order(facts().tracks[track])
    assert [row[f"{track}/task_id"].decode() for row in rows] == [task.task_id for task in tasks]
    assert [row[f"{track}/provenance"][f"{track}/provenance/licence"].decode() for row in rows] == [
        task.provenance.licence for task in tasks
    ]
    assert [len(row[f"{track}/lite"]) for row in rows] == [2] * len(tasks)
