"""The page of a release: a static Space beside the dataset, of the same name."""

from __future__ import annotations

from pathlib import Path

from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi

from harness.locations import files_below
from harness.releases.dataset import Release
from harness.releases.hub import asked
from pipeline.hub.prepared import Prepared
from pipeline.release.space import write_space

_KEPT = (".gitattributes",)


def put_up(api: HfApi, made: Prepared, release: Release, private: bool, folder: Path) -> str:
    """Write the page of a release and put it up in one commit, in place of an earlier one; gives its address."""
    write_space(release, folder, f"{made.repository}@{made.tag}")
    repository = made.repository
    asked(repository, lambda: api.create_repo(
        repository, repo_type="space", space_sdk="static", private=private, exist_ok=True))
    there = asked(repository, lambda: api.list_repo_files(repository, repo_type="space"))
    files = sorted(files_below(folder))
    operations = [CommitOperationAdd(name, folder / name) for name in files]
    stale = [CommitOperationDelete(name) for name in there if name not in files and name not in _KEPT]
    asked(repository, lambda: api.create_commit(
        repository, [*operations, *stale], commit_message=f"The page of {made.name}", repo_type="space"))
    return f"{api.endpoint}/spaces/{repository}"
