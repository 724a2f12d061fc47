"""Where downloads, runtimes and what is compiled for them are kept."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """$CODE2BENCH_CACHE, or ~/.cache/code2bench."""
    chosen = os.environ.get("CODE2BENCH_CACHE")
    return Path(chosen).expanduser() if chosen else Path.home() / ".cache" / "code2bench"
