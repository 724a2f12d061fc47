"""The real clients, unpatched, in a process of their own: they read HF_ENDPOINT when they are imported.

    with client(hub, home) as ask:
        ask(api, "create_repo", "ORG/NAME", repo_type="dataset")

runs a function of this module (or any that can be imported) over there; what it raises is raised here as `Failed`.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.hub.hub_server import Hub

Ask = Callable[..., Any]


class Failed(Exception):
    """What a client raised: the exception's names, the status that it knows of, and its text."""

    def __init__(self, kinds: list[str], status: int | None, text: str) -> None:
        super().__init__(text)
        self.kinds, self.status, self.text = kinds, status, text

    @property
    def kind(self) -> str:
        return self.kinds[0]


@contextmanager
def client(hub: Hub, home: Path, **environment: str) -> Iterator[Ask]:
    """A process in which the real clients use a Hub; it ends with the block."""
    spawn = multiprocessing.get_context("spawn")
    settings = hub.environment(home, **environment)
    with ProcessPoolExecutor(1, mp_context=spawn, initializer=_settle, initargs=(settings,)) as pool:

        def ask(function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
            value, failed = pool.submit(_caught, function, *arguments, **named).result()
            if failed:
                raise Failed(*failed)
            return value

        yield ask


def _settle(environment: dict[str, str]) -> None:
    """There, before any client is imported."""
    os.environ.clear()
    os.environ.update(environment)


def _caught(function: Callable[..., Any], *arguments: Any, **named: Any) -> tuple[Any, Any]:
    """There: what the function gives, or what it raises, told so that it can travel."""
    try:
        return function(*arguments, **named), None
    except Exception as error:
        names = [kind.__name__ for kind in type(error).__mro__]
        return None, (names, getattr(getattr(error, "response", None), "status_code", None), str(error))


def api(name: str, *arguments: Any, token: str | bool = False, **named: Any) -> Any:
    """Call a method of `HfApi`; a generator becomes a list."""
    from huggingface_hub import HfApi

    value = getattr(HfApi(token=token), name)(*arguments, **named)
    return list(value) if hasattr(value, "__next__") else value


def commit(id: str, files: dict[str, bytes | None], message: str = "a commit", repo_type: str = "dataset", **named: Any) -> str:
    """Make a commit of contents by path, None for a deletion; gives its hash."""
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete

    changes = [
        CommitOperationDelete(path) if content is None else CommitOperationAdd(path, content)
        for path, content in files.items()
    ]
    return str(api("create_commit", id, changes, commit_message=message, repo_type=repo_type, **named).oid)


def download(id: str, path: str, cache: Path, token: str | bool = False, **named: Any) -> Path:
    """Download a file of a dataset to a cache."""
    from huggingface_hub import hf_hub_download

    return Path(hf_hub_download(id, path, repo_type="dataset", cache_dir=cache, token=token, **named))


def snapshot(id: str, cache: Path, token: str | bool = False, **named: Any) -> Path:
    """Download a dataset to a cache."""
    from huggingface_hub import snapshot_download

    return Path(snapshot_download(id, repo_type="dataset", cache_dir=cache, token=token, **named))


def load(id: str, *arguments: Any, streaming: bool = False, **named: Any) -> Any:
    """The rows of a dataset, by split."""
    from datasets import load_dataset

    loaded = load_dataset(id, *arguments, streaming=streaming, **named)
    return {split: list(rows) for split, rows in loaded.items()}


def look(method: str, *arguments: Any, token: str | bool = False, **named: Any) -> Any:
    """Call a method of `HfFileSystem`, with nothing kept from before."""
    from huggingface_hub import HfFileSystem

    return getattr(HfFileSystem(token=token, skip_instance_cache=True), method)(*arguments, **named)


def part_of(path: str, start: int, length: int) -> bytes:
    """Read some bytes of a file on the Hub."""
    from huggingface_hub import HfFileSystem

    with HfFileSystem(token=False, skip_instance_cache=True).open(path, "rb", block_size=length) as file:
        file.seek(start)
        return bytes(file.read(length))


def frame(address: str) -> list[dict[str, Any]]:
    """The rows that Pandas reads."""
    import pandas

    return list(pandas.read_parquet(address).to_dict("records"))
