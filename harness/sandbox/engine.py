"""podman or docker, asked by their command lines, which are the same for all that is needed here."""

from __future__ import annotations

import io
import os
import shlex
import shutil
import subprocess
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from harness.errors import SandboxFailed, UserError

VARIABLE = "CODE2BENCH_CONTAINER"
"""Names the beginning of the command line, such as `podman --runtime runc`."""
_KINDS = ("podman", "docker")
_PATIENCE = 60.0
"""Seconds for an answer."""


@dataclass(frozen=True)
class Engine:
    """What runs containers: the beginning of its command line, and which of the two it is."""

    command: tuple[str, ...]
    kind: str

    def ask(self, *arguments: str, stdin: bytes = b"") -> str:
        """What it answers to a command; raises `SandboxFailed` with its own words where it fails."""
        return _ask((*self.command, *arguments), stdin)

    def empty_image(self, links: Mapping[str, str]) -> str:
        """The name of an image with nothing but these symbolic links in its root, made here unless it is there."""
        content = _archive(links)
        name = f"localhost/code2bench-empty:{sha256(content).hexdigest()[:12]}"
        try:
            self.ask("image", "inspect", name)
        except SandboxFailed:
            self.ask("import", "-", name, stdin=content)
        return name


def engine(command: tuple[str, ...]) -> Engine:
    """The engine behind a command line, by its own word, since podman may be called docker; raises `SandboxFailed`."""
    version = _ask((*command, "--version")).lower()
    return Engine(command, next((kind for kind in _KINDS if kind in version), "docker"))


def command_lines() -> list[tuple[str, ...]]:
    """What to try: what the user has named, or all that is installed; raises `UserError` for what is no command."""
    named = os.environ.get(VARIABLE)
    if not named:
        return [(kind,) for kind in _KINDS if shutil.which(kind)]
    try:
        return [tuple(shlex.split(named))]
    except ValueError as error:
        raise UserError(f"{VARIABLE} should be a command line such as 'podman', not {named!r} ({error}).") from None


def last_words(stderr: bytes) -> str:
    """The last line that says something; docker's points to its help."""
    lines = [line.strip() for line in stderr.decode("utf-8", "replace").splitlines() if "--help" not in line]
    last = next((line for line in reversed(lines) if line), "no message")
    return last.removeprefix("Error: ").removeprefix("docker: ").rstrip(".")


def _ask(command: tuple[str, ...], stdin: bytes = b"") -> str:
    try:
        done = subprocess.run(command, input=stdin, capture_output=True, timeout=_PATIENCE)
    except OSError as error:
        raise SandboxFailed(f"{command[0]} does not start: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise SandboxFailed(f"{command[0]} does not answer") from None
    if done.returncode:
        raise SandboxFailed(last_words(done.stderr))
    return done.stdout.decode("utf-8", "replace").strip()


def _archive(links: Mapping[str, str]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, target in links.items():
            link = tarfile.TarInfo(name.lstrip("/"))
            link.type, link.linkname = tarfile.SYMTYPE, target
            archive.addfile(link)
    return buffer.getvalue()
