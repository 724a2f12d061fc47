"""Folders of code with the bytecode of a runtime's Python, made once: no start of the sandbox compiles them."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from harness.cache import cache_folder
from harness.errors import SandboxFailed
from harness.languages.python.runtime import PythonRuntime
from harness.records import digest


def made_once(kind: str, runtime: PythonRuntime, contents: list[str], fill: Callable[[Path], None]) -> Path:
    """A folder of the cache for a runtime and the contents that `fill` writes, compiled; raises `SandboxFailed`.

    Everything in it is readable by every user, since the sandbox is one of its own.
    """
    folder = cache_folder().absolute() / kind / f"python-{digest(runtime.version, *contents)[:12]}"
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=".python-", dir=folder.parent))
        try:
            fill(scratch)
            _compile(scratch, runtime)
            os.rename(scratch, folder)
        except OSError:
            if not folder.is_dir():
                raise
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    return folder


def _compile(folder: Path, runtime: PythonRuntime) -> None:
    """Write the bytecode of all that compiles; packages may hold files for other versions."""
    options = ["-I", "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash"]
    command = [str(runtime.python), *options, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, umask=0o022)
    if not any(folder.rglob("*.pyc")):
        raise SandboxFailed(f"{folder.name} can't be compiled: {done.stdout.strip() or done.stderr.strip()}")
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() or path.suffix == ".so" else 0o644)
