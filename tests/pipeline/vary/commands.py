"""Commands as users type them, and what lies in a folder."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from harness.cli import cli


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [*map(str, arguments)])


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
