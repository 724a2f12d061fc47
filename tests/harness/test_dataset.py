"""Rows and releases: what is written comes back, the same bytes each time, and every corruption is named."""

from __future__ import annotations

import dataclasses
import hashlib
import http.server
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from harness.cli import cli
from harness.errors import UserError
from harness.records import (
    FRAMED_VERSION,
    PLAIN_VERSION,
    SCHEMA_VERSION,
    Answer,
    Case,
    Comparison,
    Frame,
    Measures,
    Provenance,
    Strength,
    Sufficiency,
    Task,
    Wording,
)
from harness.releases.dataset import SCHEMA, load_release, read_track, row_digest, row_to_task, task_to_row, write_track
from harness.releases.rows import OPTIONAL, RowError, Seal, cases_to_text, task_digest, text_to_cases
from tests.harness.make_release import make_release, make_tasks, write_manifest

TASKS = make_tasks("sc-python")
texts = st.text(st.characters(exclude_categories=["Cs"]))
small = st.integers(0, 2**31 - 1)
numbers = st.floats(allow_nan=False, allow_infinity=False)
many_texts = st.lists(texts, max_size=3).map(tuple)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=6,
)
answers = st.builds(Answer, st.just("returned"), values, mutated=st.none() | st.lists(values, max_size=2)) | st.builds(
    Answer, st.just("raised"), st.none(), texts, texts, st.none() | st.lists(values, max_size=2),
)
cases = st.lists(
    st.builds(Case, st.lists(values, max_size=3).map(tuple), st.dictionaries(texts, values, max_size=3), answers), min_size=1, max_size=4,
).map(tuple)
tasks = st.builds(
    Task, *[texts] * 7, many_texts, many_texts, *[texts] * 4, cases, st.none() | st.just((0,)), texts,
    st.builds(Comparison, numbers, numbers, st.booleans(), st.booleans(), st.booleans()),
    st.builds(Measures, small, small, small, small), st.builds(Strength, numbers, st.none() | numbers, many_texts, st.none() | numbers),
    numbers, numbers, texts, texts,
    st.builds(Provenance, *[texts] * 5, small, small, *[texts] * 6, many_texts, numbers, *[texts] * 5),
    st.none() | st.builds(Sufficiency, many_texts, small, small, st.booleans()),
    st.lists(st.builds(Wording, texts, small, small, texts, texts, texts), max_size=2).map(tuple),
    st.just(SCHEMA_VERSION), texts,
)


@given(tasks)
def test_a_row_gives_back_its_task(task: Task) -> None:
    assert row_to_task(task_to_row(task)) == task


@given(cases)
def test_the_text_of_the_cases_is_stable(some: tuple[Case, ...]) -> None:
    assert cases_to_text(text_to_cases(cases_to_text(some))) == cases_to_text(some)


def test_the_order_of_keys_is_part_of_a_case() -> None:
    case = Case(({"b": 1, "a": 2},), {"z": 1, "y": 2}, Answer("returned", {"b": 1, "a": 2}))
    (back,) = text_to_cases(cases_to_text([case]))
    assert list(back.kwargs) == ["z", "y"]
    assert list(back.args[0]) == ["b", "a"]


@given(tasks)
def test_a_file_gives_back_its_task(tmp_path_factory: pytest.TempPathFactory, task: Task) -> None:
    path = tmp_path_factory.mktemp("track") / "rows.parquet"
    write_track([task], path)
    assert list(read_track(path)) == [task]


def test_the_same_tasks_give_the_same_bytes_in_whatever_order(tmp_path: Path) -> None:
    write_track(TASKS, tmp_path / "a.parquet")
    write_track(reversed(TASKS), tmp_path / "b.parquet")
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    assert row_digest(TASKS) == row_digest(reversed(TASKS))


def test_the_columns_are_those_of_the_schema_with_the_cases_last(tmp_path: Path) -> None:
    write_track(TASKS, tmp_path / "a.parquet")
    file = pq.ParquetFile(tmp_path / "a.parquet")
    assert file.schema_arrow.remove_metadata() == SCHEMA
    assert file.schema_arrow.names[-1] == "cases"
    assert not file.metadata.metadata
    assert {*SCHEMA.names, *OPTIONAL} == {field.name for field in dataclasses.fields(Task)}


def test_what_strategies_do_not_take_has_a_column_where_there_is_something(tmp_path: Path) -> None:
    told = dataclasses.replace(TASKS[0], undrawn=("line 3", "line 4 to line 5"))
    write_track([told, *TASKS[1:]], tmp_path / "told.parquet")
    write_track(TASKS, tmp_path / "plain.parquet")
    assert pq.ParquetFile(tmp_path / "told.parquet").schema_arrow.names == [*SCHEMA.names, "undrawn"]
    assert pq.ParquetFile(tmp_path / "plain.parquet").schema_arrow.names == SCHEMA.names
    assert {task.task_id: task for task in read_track(tmp_path / "told.parquet")}[told.task_id] == told
    assert row_digest(TASKS[1:]) != row_digest([told]) != row_digest(TASKS[:1])
    assert "undrawn" not in task_to_row(TASKS[0]) and told.schema_version == SCHEMA_VERSION


def test_datasets_reads_what_was_written(tmp_path: Path) -> None:
    write_track(TASKS, tmp_path / "a.parquet")
    code = (
        "import datasets, sys; d = datasets.load_dataset('parquet', data_files=sys.argv[1], split='train', cache_dir=sys.argv[2]);"
        "print(sorted(d['entry_point']), d[0]['provenance']['licence'], d[0]['lite'])"
    )
    run = subprocess.run([sys.executable, "-c", code, str(tmp_path / "a.parquet"), str(tmp_path / "cache")], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "['clamp', 'merge', 'runs'] MIT [0, 1]"


ROW = task_to_row(TASKS[0])


def without_shown(*names: str) -> dict[str, Any]:
    return {name: value for name, value in ROW["provenance"].items() if name not in names}


OLDER = Path(__file__).parent / "older"


def test_a_release_of_older_rows_loads_and_its_rows_keep_their_bytes(tmp_path: Path) -> None:
    release = load_release(OLDER / "v4")
    assert {task.schema_version for task in release.tasks} == {PLAIN_VERSION}
    assert {(task.provenance.not_before, task.provenance.state) for task in release.tasks} == {("", "")}
    for track, entry in release.manifest["tracks"].items():
        own = [task for task in release.tasks if task.track == track]
        assert row_digest(own) == entry["row_digest"]
        write_track(own, tmp_path / "again.parquet")
        assert (tmp_path / "again.parquet").read_bytes() == (OLDER / "v4" / entry["file"]).read_bytes()


def test_rows_of_several_versions_lie_in_one_file(tmp_path: Path) -> None:
    [old, *_] = load_release(OLDER / "v4").tasks
    new = next(task for task in TASKS if task.task_id != old.task_id)
    write_track([old, new], tmp_path / "both.parquet")
    assert {task.task_id: task for task in read_track(tmp_path / "both.parquet")} == {old.task_id: old, new.task_id: new}
    framed = dataclasses.replace(old, schema_version=FRAMED_VERSION, given=Frame("x = 1\n"))
    assert row_to_task(task_to_row(framed)) == framed
    seal = Seal()
    for row in pq.read_table(tmp_path / "both.parquet").to_pylist():
        seal.add(row)
    assert seal.row_digest() == row_digest([old, new])


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "text is a number": ({"signature": 3}, "signature"),
    "text is missing": ({"instruction": None}, "instruction"),
    "list is a text": ({"imports": "math"}, "imports"),
    "item of a list is a number": ({"libraries": ["math", 3]}, r"libraries\[1\]"),
    "number is a text": ({"raising": "0.5"}, "raising"),
    "number is a bool": ({"schema_version": True}, "schema_version"),
    "schema of another time": ({"schema_version": 1}, "schema_version"),
    "an older schema with what it did not tell": ({"schema_version": 4}, "provenance.not_before should be there in version 6, and"),
    "provenance without what lacks the function": ({"provenance": without_shown("not_before")}, "provenance.not_before is"),
    "struct is a list": ({"measures": [1, 2]}, "measures"),
    "part of a struct is missing": ({"measures": {"lines": 1, "complexity": 2, "depth": 3}}, "measures.branches"),
    "part of a struct is unknown": ({"comparison": {"fuzzy": True}}, "comparison.fuzzy"),
    "unknown column": ({"extra": 1}, "extra"),
    "cases are no text": ({"cases": []}, "cases"),
    "cases are no JSON": ({"cases": "[{"}, "cases"),
    "cases are empty": ({"cases": "[]"}, "cases"),
    "case without arguments": ({"cases": '[{"kwargs":{},"expected":{"kind":"returned","value":1}}]'}, r"cases\[0\]"),
    "keyword arguments are a list": ({"cases": '[{"args":[],"kwargs":[],"expected":{"kind":"returned","value":1}}]'}, r"cases\[0\].kwargs"),
    "answer of an unknown kind": ({"cases": '[{"args":[],"kwargs":{},"expected":{"kind":"lost","value":1}}]'}, r"cases\[0\].expected"),
    "answer without a value": ({"cases": '[{"args":[],"kwargs":{},"expected":{"kind":"returned"}}]'}, r"cases\[0\].expected"),
    "exception is a number": ({"cases": '[{"args":[],"kwargs":{},"expected":{"kind":"raised","exception":1,"message":""}}]'}, r"cases\[0\].expected.exception"),
    "lite names a case that is not there": ({"lite": [10_000]}, "lite"),
}


@pytest.mark.parametrize(("change", "field"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_row_is_refused_by_field(change: dict[str, Any], field: str) -> None:
    with pytest.raises(RowError, match=f"field {field} "):
        row_to_task({**ROW, **change})


@pytest.mark.parametrize("field", [f for f in ROW if f not in ("canary",)])
def test_a_missing_column_is_refused_by_name(field: str) -> None:
    with pytest.raises(RowError, match=f"field {field} "):
        row_to_task({name: value for name, value in ROW.items() if name != field})


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return make_release(tmp_path / "build" / "made" / "release")


def test_a_release_is_found_by_folder_and_by_name(release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(release.parents[2])
    by_folder, by_name = load_release(release), load_release("made")
    assert by_folder.tasks == by_name.tasks
    assert by_folder.folder == by_name.folder == release
    assert {task.track for task in by_folder.tasks} == {"sc-python", "wsc-python"}
    assert by_folder.manifest_sha256 == hashlib.sha256((release / "manifest.json").read_bytes()).hexdigest()
    assert by_folder.lock == release / "runtime.lock"


def test_a_release_is_found_in_the_cache(release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODE2BENCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    release.parent.rename(tmp_path / "elsewhere")
    (tmp_path / "cache" / "releases").mkdir(parents=True)
    (tmp_path / "elsewhere" / "release").rename(tmp_path / "cache" / "releases" / "kept")
    assert load_release("kept").name == "made"


def test_one_track_alone_can_be_read(release: Path) -> None:
    assert {task.track for task in load_release(release, ["wsc-python"]).tasks} == {"wsc-python"}
    with pytest.raises(UserError, match="no track 'java', only sc-python, wsc-python"):
        load_release(release, ["java"])


def change_manifest(release: Path, **changes: Any) -> None:
    manifest = json.loads((release / "manifest.json").read_text())
    (release / "manifest.json").write_text(json.dumps({**manifest, **changes}))


def rewrite(release: Path, rows: list[Task], count: int | None = None) -> None:
    manifest = json.loads((release / "manifest.json").read_text())
    tracks = manifest["tracks"]
    write_track(rows, release / tracks["sc-python"]["file"])
    tracks["sc-python"]["rows"] = len(rows) if count is None else count
    write_manifest(release, tracks)


def flip(path: Path, at: int = 100) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


CORRUPT: dict[str, tuple[Any, str]] = {
    "a bit of the rows": (lambda r: flip(r / "sc-python/test-00000-of-00001.parquet"), "SHA-256 differs"),
    "a byte of the lock": (lambda r: (r / "runtime.lock").write_text("#"), "SHA-256 differs"),
    "a file gone": (lambda r: (r / "NOTICE.txt").unlink(), "NOTICE.txt can't be read"),
    "the manifest gone": (lambda r: (r / "manifest.json").unlink(), "holds no manifest.json"),
    "the manifest cut": (lambda r: (r / "manifest.json").write_text('{"name": '), "is no JSON"),
    "the manifest a list": (lambda r: (r / "manifest.json").write_text("[]"), "should be an object"),
    "a schema of another time": (lambda r: change_manifest(r, schema_version=99), "schema_version is 99, but this harness reads 4"),
    "no tracks": (lambda r: change_manifest(r, tracks=None), "key tracks is missing"),
    "a track without a file": (lambda r: change_manifest(r, tracks={"sc-python": {"rows": 3}}), "tracks.sc-python.file"),
    "a lock that is no file": (lambda r: change_manifest(r, runtime={"lock": "none"}), "runtime.lock"),
    "a file outside": (lambda r: change_manifest(r, files={"../x": "0", "runtime.lock": "0", **dict.fromkeys(["sc-python/test-00000-of-00001.parquet", "wsc-python/test-00000-of-00001.parquet"], "0")}), "outside the release"),
    "a row too few": (lambda r: rewrite(r, TASKS[:2], 3), "has 2 rows, the manifest says 3"),
    "a row twice": (lambda r: rewrite(r, [*TASKS, TASKS[0]]), "twice"),
    "a row of another track": (lambda r: rewrite(r, [dataclasses.replace(TASKS[0], track="wsc-python")]), "field track is 'wsc-python'"),
    "a row of another schema": (lambda r: rewrite(r, [dataclasses.replace(TASKS[0], schema_version=1)]), "row 0 .*field schema_version is 1"),
}


@pytest.mark.parametrize(("corrupt", "sentence"), CORRUPT.values(), ids=CORRUPT.keys())
def test_a_corrupted_release_is_refused_in_one_sentence(release: Path, corrupt: Any, sentence: str) -> None:
    corrupt(release)
    with pytest.raises(UserError, match=sentence) as error:
        load_release(release)
    assert "\n" not in str(error.value)


def test_a_file_that_is_no_parquet_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_bytes(b"PAR1 nothing")
    with pytest.raises(UserError, match="no readable Parquet file"):
        list(read_track(tmp_path / "x.parquet"))


@pytest.mark.parametrize("where", ["nothing-of-that-name", "", "ORG WITH SPACES/x"])
def test_a_release_that_is_nowhere_is_refused_in_one_sentence(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError) as error:
        load_release(where)
    assert "\n" not in str(error.value)


COMMIT = "0123456789abcdef0123456789abcdef01234567"


class Hub(http.server.BaseHTTPRequestHandler):
    """As much of the Hub as downloading a dataset needs: its file list and its files, at one commit, tagged v1."""

    folder: Path

    def do_HEAD(self) -> None:
        self.answer(body=False)

    def do_GET(self) -> None:
        self.answer(body=True)

    def answer(self, body: bool) -> None:
        path = self.path.partition("?")[0]
        if path in ("/api/datasets/org/made/revision/v1", "/api/datasets/org/made/revision/main", f"/api/datasets/org/made/revision/{COMMIT}", "/api/datasets/org/made"):
            files = sorted(p.relative_to(self.folder).as_posix() for p in self.folder.rglob("*") if p.is_file())
            self.send(json.dumps({"id": "org/made", "sha": COMMIT, "siblings": [{"rfilename": f} for f in files]}).encode(), body)
        elif path.startswith(f"/api/datasets/org/made/tree/{COMMIT}"):
            self.send(json.dumps([
                {"type": "file", "path": p.relative_to(self.folder).as_posix(), "size": p.stat().st_size, "oid": hashlib.sha1(p.read_bytes()).hexdigest()}
                for p in sorted(self.folder.rglob("*")) if p.is_file()
            ]).encode(), body)
        elif path.startswith(f"/datasets/org/made/resolve/{COMMIT}/"):
            self.send((self.folder / path.partition(COMMIT + "/")[2]).read_bytes(), body)
        else:
            self.send(b'{"error": "Revision Not Found"}', body, 404)

    def send(self, data: bytes, body: bool, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("ETag", f'"{hashlib.sha1(data).hexdigest()}"')
        self.send_header("X-Repo-Commit", COMMIT)
        if status == 404:
            self.send_header("X-Error-Code", "RevisionNotFound" if "/revision/" in self.path else "RepoNotFound")
        self.end_headers()
        if body:
            self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def hub(release: Path) -> Iterator[str]:
    handler = type("OneHub", (Hub,), {"folder": release})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def load_from(hub: str, where: str, home: Path) -> subprocess.CompletedProcess[str]:
    code = (
        "import sys; from harness.releases.dataset import load_release; from harness.errors import UserError\n"
        "try:\n    r = load_release(sys.argv[1]); print(r.name, r.revision, len(r.tasks))\n"
        "except UserError as e:\n    print('refused:', e)"
    )
    environment = {**os.environ, "HF_ENDPOINT": hub, "HF_HOME": str(home), "HF_HUB_DISABLE_TELEMETRY": "1"}
    return subprocess.run([sys.executable, "-c", code, where], capture_output=True, text=True, env=environment, cwd=home.parent)


@pytest.mark.parametrize("where", ["org/made@v1", "org/made"])
def test_a_release_comes_from_the_hub_at_a_revision(hub: str, where: str, tmp_path: Path) -> None:
    run = load_from(hub, where, tmp_path / "hf")
    assert run.stdout.strip() == f"made {COMMIT} 5", run.stderr


@pytest.mark.parametrize("where", ["org/made@v2", "org/other"])
def test_what_the_hub_does_not_have_is_refused_in_one_sentence(hub: str, where: str, tmp_path: Path) -> None:
    run = load_from(hub, where, tmp_path / "hf")
    assert run.stdout.startswith(f"refused: {where} is not there: `code2bench releases org/"), run.stderr
    assert run.stdout.count("\n") == 1


def sealed(some: list[Task]) -> Seal:
    seal = Seal()
    for task in some:
        seal.add(task_to_row(task))
    return seal


@given(tasks)
def test_a_seal_is_the_digest_of_its_task(task: Task) -> None:
    task = dataclasses.replace(task, task_digest=task_digest(task.instruction, task.cases, task.comparison))
    seal = sealed([task])
    assert (seal.row_digest(), seal.broken) == (row_digest([task]), "")


def test_a_seal_does_not_depend_on_the_order_of_the_rows() -> None:
    assert sealed(TASKS).row_digest() == sealed(TASKS[::-1]).row_digest() == row_digest(TASKS)


def test_a_seal_names_the_task_whose_digest_is_wrong() -> None:
    assert sealed([TASKS[0], dataclasses.replace(TASKS[1], instruction="another"), TASKS[2]]).broken == TASKS[1].task_id


def reseal(release: Path, change: Any = lambda task: task, digests: bool = False, **manifest: Any) -> None:
    """Change the sc track's tasks and the manifest's keys, and make the hashes of files anew, as an editor would."""
    there = json.loads((release / "manifest.json").read_text())
    tracks, rows = there["tracks"], [change(task) for task in TASKS]
    write_track(rows, release / tracks["sc-python"]["file"])
    if digests:
        tracks["sc-python"]["row_digest"] = row_digest(rows)
    write_manifest(release, tracks)
    change_manifest(release, **manifest)


def edited(**changes: Any) -> Any:
    return lambda task: dataclasses.replace(task, **changes) if task.entry_point == "runs" else task


def easier(task: Task) -> Task:
    return dataclasses.replace(task, cases=task.cases[:1], lite=None)


def raw(release: Path, change: Any) -> None:
    """Change the sc track's rows as they are stored."""
    there = json.loads((release / "manifest.json").read_text())["tracks"]
    path = release / there["sc-python"]["file"]
    rows = [change(task_to_row(task)) for task in TASKS]
    pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMA), path)
    write_manifest(release, there)


LOCK = {"lock": "runtime.lock", "python": "3.11"}
RUNS = next(task for task in TASKS if task.entry_point == "runs")
RESEALED: dict[str, tuple[Any, str]] = {
    "a wrong row_digest": (lambda r: (reseal(r), change_manifest(r, tracks=with_digest(r, "0" * 64))), "not those of the manifest's row_digest"),
    "no row_digest": (lambda r: (reseal(r), change_manifest(r, tracks=with_digest(r, None))), "not those of the manifest's row_digest"),
    "an edited reference": (lambda r: reseal(r, edited(reference=RUNS.reference + "\n")), "not those of the manifest's row_digest"),
    "an edited provenance": (lambda r: reseal(r, edited(provenance=dataclasses.replace(RUNS.provenance, first_seen="2020-01-01T00:00:00Z"))), "not those of the manifest's row_digest"),
    "a difficulty": (lambda r: reseal(r, edited(difficulty="Hard")), "not those of the manifest's row_digest"),
    "a lite selection": (lambda r: reseal(r, edited(lite=(0,))), "not those of the manifest's row_digest"),
    "a wrong task_digest": (lambda r: reseal(r, edited(task_digest="0" * 64), digests=True), f"{RUNS.task_id}: the task_digest is not that of the row"),
    "an edited instruction": (lambda r: reseal(r, edited(instruction="Return [].\n"), digests=True), "the task_digest is not"),
    "fewer cases": (lambda r: reseal(r, easier, digests=True), "the task_digest is not"),
    "another rule": (lambda r: reseal(r, edited(comparison=Comparison(relative=1.0)), digests=True), "the task_digest is not"),
    "a rule that is no number": (lambda r: reseal(r, edited(comparison=Comparison(relative=float("nan")))), "the task_digest is not"),
    "a share that is no number": (lambda r: reseal(r, edited(raising=float("inf"))), "not those of the manifest's row_digest"),
    "cases in another spelling": (lambda r: raw(r, lambda row: row | {"cases": row["cases"].replace('{"args"', '{ "args"', 1)}), "the task_digest is not"),
    "a reference that is no Python": (lambda r: reseal(r, edited(reference="def runs(text)\x00"), digests=True), "is no Python"),
    "imports that are no Python": (lambda r: reseal(r, edited(imports=("import (",)), digests=True), "is no Python"),
    "text that is none": (lambda r: raw_bytes(r), "no readable Parquet file"),
    "a wrong hash of the lock": (lambda r: change_manifest(r, runtime={**LOCK, "sha256": "0" * 64}), "runtime.sha256 is not the hash of runtime.lock"),
    "no hash of the lock": (lambda r: change_manifest(r, runtime=LOCK), "runtime.sha256 is not the hash"),
    "another Python": (lambda r: change_manifest(r, runtime={**LOCK, "python": "3.12", "sha256": hashlib.sha256((r / "runtime.lock").read_bytes()).hexdigest()}), "runs on Python 3.12, this harness on 3.11"),
    "no Python": (lambda r: change_manifest(r, runtime={"lock": "runtime.lock", "sha256": hashlib.sha256((r / "runtime.lock").read_bytes()).hexdigest()}), "runs on Python None"),
    "a track that nobody knows": (lambda r: change_manifest(r, tracks={"java": {"file": "README.md", "rows": 1}}), "knows no track 'java'"),
    "a file that is a list": (lambda r: change_manifest(r, tracks={"sc-python": {"file": ["README.md"]}}), "tracks.sc-python.file"),
    "a name that leads elsewhere": (lambda r: change_manifest(r, name="../../other"), "can't be that of a release"),
    "a name that no file has": (lambda r: change_manifest(r, files={**json.loads((r / "manifest.json").read_text())["files"], "a\0b": ""}), "no file can have this name"),
    "a manifest that is deep": (lambda r: (r / "manifest.json").write_text("[" * 100_000), "is no JSON"),
}


def with_digest(release: Path, digest: Any) -> dict[str, Any]:
    tracks: dict[str, Any] = json.loads((release / "manifest.json").read_text())["tracks"]
    tracks["wsc-python"]["row_digest"] = digest
    return tracks


def raw_bytes(release: Path) -> None:
    """A text column with bytes that are no UTF-8, which Parquet's readers don't look at."""
    there = json.loads((release / "manifest.json").read_text())["tracks"]
    path = release / there["sc-python"]["file"]
    table = pa.Table.from_pylist([task_to_row(task) for task in TASKS], schema=SCHEMA)
    broken = pa.Array.from_buffers(pa.string(), len(TASKS), pa.array([b"\xff\xfe"] * len(TASKS), pa.binary()).buffers())
    pq.write_table(table.set_column(table.schema.get_field_index("domain"), "domain", broken), path)
    write_manifest(release, there)


@pytest.mark.parametrize(("change", "sentence"), RESEALED.values(), ids=RESEALED.keys())
def test_a_release_that_was_sealed_again_is_refused_in_one_sentence(release: Path, change: Any, sentence: str) -> None:
    change(release)
    with pytest.raises(UserError, match=sentence) as error:
        load_release(release)
    assert "\n" not in str(error.value)


def test_a_release_that_was_sealed_again_without_a_change_is_read(release: Path) -> None:
    reseal(release, digests=True)
    assert load_release(release).tasks


def test_who_looks_for_faults_may_read_it_still(release: Path) -> None:
    reseal(release, edited(instruction="Return [].\n"))
    assert load_release(release, whole=False).task(RUNS.task_id).instruction == "Return [].\n"


@pytest.mark.parametrize("command", [["evaluate", "{release}", "--stub"], ["prompts", "{release}"], ["show", "{release}", "runs"]], ids=lambda c: c[0])
def test_every_command_refuses_it(release: Path, command: list[str]) -> None:
    reseal(release, edited(instruction="Return [].\n"))
    done = CliRunner().invoke(cli, [part.format(release=release) for part in command])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "the task_digest is not that of the row; get the release again" in done.stderr


def test_a_track_that_is_not_asked_for_is_not_read(release: Path) -> None:
    reseal(release, edited(instruction="Return [].\n"))
    assert load_release(release, ["wsc-python"]).tasks
