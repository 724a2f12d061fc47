"""The lists that operators take words and code from."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from pipeline.shipped import shipped

FILES = "dead_code", "misleading"
"""The names of the lists of dynamic benchmarking's operators."""
VARIABLES = "variables"
"""The name of the list of words of variables that stand for each other."""


@cache
def words(name: str) -> Mapping[str, Any]:
    """A list by its file's name."""
    return tomllib.loads(text_of(name))


def text_of(name: str) -> str:
    """The file of a list."""
    return shipped(f"data/words/{name}.toml").read_text("utf-8")
