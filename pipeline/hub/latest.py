"""The default branch: the latest release, and besides all releases' tasks by track, so that windows can be cut.

It is written in one commit on top of the one that was read; where somebody else was faster, it is read again.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, DatasetCard, HfApi, hf_hub_download
from huggingface_hub.errors import EntryNotFoundError, HfHubHTTPError

from harness.errors import UserError
from harness.releases.dataset import MANIFEST, Release, published_order, task_to_row
from harness.releases.hub import ADVISORIES, ALL, MAIN, asked, base_of, order_of
from harness.releases.rows import SCHEMA
from harness.releases.veil import veil_key, veiled
from pipeline.hub.prepared import Prepared
from pipeline.release.card import CARD

ATTEMPTS = 4
_CONFLICTS = (409, 412)


def bring_up_to_date(api: HfApi, made: Prepared, release: Release) -> list[str]:
    """Add a release to the default branch, as its latest where it is; says what was done."""
    for _ in range(ATTEMPTS):
        head = asked(made.repository, lambda: api.repo_info(made.repository, repo_type="dataset", revision=MAIN)).sha
        operations = _operations(api, made, release, str(head))
        if not operations:
            return ["the default branch is up to date"]
        try:
            api.create_commit(
                made.repository, operations, commit_message=f"Latest is {made.name}", repo_type="dataset",
                parent_commit=head)
            return [f"the default branch has {made.name}, in {len(operations)} changes"]
        except HfHubHTTPError as error:
            if error.response is None or error.response.status_code not in _CONFLICTS:
                raise UserError(
                    f"{made.tag} is set, but the default branch of {made.repository} could not be written "
                    f"({str(error).splitlines()[0]}): check HF_TOKEN and run the same command again."
                ) from None
    raise UserError(f"{made.tag} is set, but others write to {made.repository} at the same time: run it again.")


def _operations(api: HfApi, made: Prepared, release: Release, head: str) -> list[Any]:
    """What has to change on top of a commit."""
    there = {
        one.path: one for one in asked(made.repository, lambda: list(api.list_repo_tree(
            made.repository, repo_type="dataset", revision=head, recursive=True))) if hasattr(one, "blob_id")}
    current = _manifest(made, head)
    key = veil_key(made.manifest)
    wanted = {f"{ALL}/{track}/{base_of(made.tag)}.parquet": _with_release(release, track, made.name, key)
              for track in made.manifest["tracks"]}
    if _age(made.manifest) >= _age(current):
        wanted |= {name: (made.folder / name).read_bytes() for name in made.files}
        tracks = {name.split("/")[1] for name in (*there, *wanted) if name.startswith(f"{ALL}/")}
        wanted[CARD] = _with_all(wanted[CARD].decode(), sorted(tracks)).encode()
    keep = {*wanted, ADVISORIES, ".gitattributes"}
    stale = [name for name in there if name not in keep and not name.startswith(f"{ALL}/")] if CARD in wanted else []
    changed = {name: data for name, data in wanted.items() if not _same(made, head, there, name, data)}
    additions: list[Any] = [CommitOperationAdd(name, data) for name, data in sorted(changed.items())]
    return [*additions, *(CommitOperationDelete(name) for name in stale)]


def _same(made: Prepared, head: str, there: dict[str, Any], name: str, data: bytes) -> bool:
    """Whether a file is on the branch already."""
    if name not in there or there[name].size != len(data):
        return False
    path = asked(made.repository, lambda: hf_hub_download(made.repository, name, repo_type="dataset", revision=head))
    return Path(path).read_bytes() == data


def _manifest(made: Prepared, head: str) -> dict[str, Any]:
    try:
        path = hf_hub_download(made.repository, MANIFEST, repo_type="dataset", revision=head)
    except EntryNotFoundError:
        return {}
    return dict(json.loads(Path(path).read_text("utf-8")))


def _age(manifest: dict[str, Any]) -> tuple[str, tuple[str, int]]:
    """What makes a release later than another one: the end of its window, then its name, then its correction."""
    return manifest.get("window", {}).get("until", ""), order_of(f"v{manifest.get('name', '')}")


def _with_release(release: Release, track: str, name: str, key: str) -> bytes:
    """A track's tasks as Parquet, with the release's name as the first column."""
    rows = [task_to_row(task) for task in published_order(release.tasks) if task.track == track]
    rows = [veiled(row, key) for row in rows] if key else rows
    names = pa.array([name] * len(rows), pa.string())
    table = pa.Table.from_pylist(rows, schema=SCHEMA).add_column(0, "release", names)
    sink = io.BytesIO()
    pq.write_table(table, sink, row_group_size=100, compression="zstd", compression_level=9, store_schema=False)
    return sink.getvalue()


def _with_all(card: str, tracks: list[str]) -> str:
    """A card with the configurations that hold all releases."""
    found = DatasetCard(card)
    configs = list(found.data.get("configs") or [])
    configs += [{"config_name": f"{ALL}-{track}", "data_files": [{"split": "test", "path": f"{ALL}/{track}/*.parquet"}]}
                for track in tracks]
    found.data["configs"] = configs
    return str(found)
