"""The page of a repository's latest release: a static Space beside the dataset, of the same name.

Publications and withdrawals write it anew, so that it shows neither an older release nor a task that was withdrawn.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi
from huggingface_hub.errors import HfHubHTTPError

from harness.errors import UserError
from harness.locations import files_below
from harness.releases.dataset import load_release
from harness.releases.hub import advisories, asked, releases
from pipeline.release.space import write_space

_KEPT = (".gitattributes",)


def has_page(api: HfApi, repository: str) -> bool:
    """Whether a page was put up beside the dataset."""
    return asked(repository, lambda: api.repo_exists(repository, repo_type="space"))


def create_page(api: HfApi, repository: str, private: bool) -> None:
    """Make the Space that the page goes into; one that is there stays as it is."""
    asked(repository, lambda: api.create_repo(
        repository, repo_type="space", space_sdk="static", private=private, exist_ok=True))


def renew_page(api: HfApi, repository: str) -> str:
    """Put up the page of the latest release in one commit, in place of what is there; gives its address."""
    *others, latest = releases(repository)
    release = load_release(f"{repository}@{latest.commit}")
    withdrawn = asked(repository, lambda: advisories(repository))
    with TemporaryDirectory(prefix="code2bench-") as place:
        write_space(release, Path(place), f"{repository}@{latest.tag}", withdrawn, others[::-1])
        _put_up(api, repository, Path(place), f"The page of {latest.release}")
    return f"{api.endpoint}/spaces/{repository}"


def _put_up(api: HfApi, repository: str, folder: Path, message: str) -> None:
    """Make a folder's files all that the Space has."""
    files = sorted(files_below(folder))
    there = asked(repository, lambda: api.list_repo_files(repository, repo_type="space"))
    operations = [CommitOperationAdd(name, folder / name) for name in files]
    stale = [CommitOperationDelete(name) for name in there if name not in files and name not in _KEPT]
    try:
        api.create_commit(repository, [*operations, *stale], commit_message=message, repo_type="space")
    except HfHubHTTPError as error:
        raise UserError(
            f"All is done but the page of {repository}, which could not be written ({str(error).splitlines()[0]}): "
            "check HF_TOKEN and run the same command again."
        ) from None
