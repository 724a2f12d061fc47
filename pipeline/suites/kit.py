"""Copies of packages with the bytecode of a runtime's Python, made once: no start of the sandbox compiles them."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from harness.dataset import cache_folder
from harness.errors import SandboxFailed
from harness.records import digest
from harness.runtime import Runtime

_PASSED_OVER = shutil.ignore_patterns("__pycache__", "*.pyc")


@cache
def kit(runtime: Runtime, packages: tuple[Path, ...]) -> Path:
    """A folder that holds the packages as they are now, readable by every user, since the sandbox is one of its own."""
    files = [file for package in packages for file in sorted(package.rglob("*")) if file.suffix in (".py", ".so")]
    contents = [part for file in files for part in (str(file), file.read_bytes().hex())]
    folder = cache_folder().absolute() / "kits" / f"python-{digest(runtime.version, *contents)[:12]}"
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=".python-", dir=folder.parent))
        try:
            _fill(scratch, packages, runtime)
            os.rename(scratch, folder)
        except OSError:
            if not folder.is_dir():
                raise
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    return folder


def _fill(folder: Path, packages: tuple[Path, ...], runtime: Runtime) -> None:
    for package in packages:
        shutil.copytree(package, folder / package.name, ignore=_PASSED_OVER)
    options = ["-I", "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash"]
    command = [str(runtime.python), *options, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, umask=0o022)
    if not any(folder.rglob("*.pyc")):
        raise SandboxFailed(f"the packages can't be compiled: {done.stdout.strip() or done.stderr.strip()}")
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() or path.suffix == ".so" else 0o644)
