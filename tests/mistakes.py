"""What every mistake on the command line has to come out as."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from click.testing import CliRunner

from harness.cli import cli


def is_told(arguments: str, parts: Sequence[str], places: Mapping[str, Path]) -> None:
    """One sentence that has all these parts, and nothing else; `{name}` stands for one of the places."""
    done = CliRunner().invoke(cli, [word.format(**places) for word in arguments.split()])
    assert done.exit_code == 2, done.output
    assert done.stderr.startswith("Error: ") and done.stderr.count("\n") == 1 and done.stderr.endswith("\n")
    for part in parts:
        assert part.format(**places) in done.stderr
    assert done.stdout == ""
