"""Where downloads, runtimes and what is compiled for them are kept."""

from __future__ import annotations

import os
from pathlib import Path

from harness.errors import UserError


def cache_folder() -> Path:
    """$CODE2BENCH_CACHE, or ~/.cache/code2bench."""
    chosen = os.environ.get("CODE2BENCH_CACHE")
    return Path(chosen).expanduser() if chosen else Path.home() / ".cache" / "code2bench"


def cache_place(name: str) -> Path:
    """A folder of the cache, made where it is missing; raises `UserError`."""
    place = cache_folder() / name
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(unusable(error)) from None
    return place


def unusable(error: OSError) -> str:
    """That the cache can't be used, with the cure."""
    return (
        f"The cache {cache_folder()} can't be used ({error.strerror}: {error.filename}): set CODE2BENCH_CACHE to a "
        "folder that can be written, or mend what is there.")
