"""The environment that candidates run in: a virtual environment of its own, made from a release's hashed lock."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from harness.cache import cache_folder
from harness.errors import UserError
from harness.files import read_file
from harness.languages import Library, Runtime
from harness.languages.python import VERSION
from harness.languages.python.installed import installed, standard_library
from harness.locations import Location

_MARKER = "code2bench-runtime.json"
_ENVIRONMENT = {
    "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
    "OPENBLAS_CORETYPE": {"x86_64": "Nehalem", "AMD64": "Nehalem", "aarch64": "ARMV8"}.get(platform.machine(), ""),
}
"""One thread and the oldest processor that the libraries know, so that sums come out the same everywhere."""

_PINNED = re.compile(rb"^[A-Za-z0-9][\w.-]*==", re.M)
_LARGE, _WHOLE = 110, 650
"""Megabytes on the disk: of a large library with what it needs, and of all that the first releases pin."""

_DISPATCH = (
    "import importlib.util as u\n"
    "if u.find_spec('numpy'):\n"
    "    from numpy._core._multiarray_umath import __cpu_dispatch__ as d\n"
    "    print(' '.join(d))"
)
_DESCRIBE = (
    "import json, os, platform, sys, sysconfig; print(json.dumps({"
    "'executable': os.path.realpath(sys.executable),"
    "'version': platform.python_version(), 'stdlib': os.path.realpath(sysconfig.get_path('stdlib')),"
    "'libraries': os.path.realpath(sysconfig.get_config_var('LIBDIR') or sys.base_prefix)}))"
)


@dataclass(frozen=True)
class PythonRuntime:
    """An environment for candidates.

    `python` starts it, `prefix` is its folder, `version` that of its Python, `lock_sha256` the hash of its lock.
    `stdlib`, `executable` and `shared` are the parts of the installation that it was made from, which may lie anywhere.
    `environment` are the variables that make its libraries compute the same on every machine.
    """

    python: Path
    prefix: Path
    version: str
    lock_sha256: str
    stdlib: Path
    executable: Path
    shared: tuple[Path, ...]
    environment: tuple[tuple[str, str], ...]

    @property
    def language(self) -> str:
        """Python, by its name in rows."""
        return "python"

    @property
    def site_packages(self) -> Path:
        """Where the locked libraries are."""
        return self.prefix / "lib" / f"python{VERSION}" / "site-packages"

    @property
    def readable(self) -> tuple[Path, ...]:
        """All that a sandbox must show for this environment to work."""
        return (self.prefix, self.stdlib, self.executable, *self.shared)

    @property
    def hidden(self) -> tuple[Path, ...]:
        """What lies inside `readable` and is no part of the environment: libraries of the base installation."""
        folders = (self.stdlib / name for name in ("site-packages", "dist-packages"))
        return tuple(folder for folder in folders if folder.is_dir())

    def describe(self) -> str:
        """Its version, and where it is."""
        return f"Python {self.version} in {self.prefix}"

    def libraries(self) -> tuple[Library, ...]:
        """The standard library, and what its lock has brought, by name."""
        return (standard_library(self.stdlib, self.version), *installed(self.site_packages))


def python_of(runtime: Runtime) -> PythonRuntime:
    """A runtime as that of Python; raises `UserError` for one of another language."""
    if not isinstance(runtime, PythonRuntime):
        raise UserError(f"This needs a runtime of Python, not of {runtime.language}.")
    return runtime


def find_runtime(lock: Location) -> PythonRuntime:
    """The runtime of a lock; raises `UserError` where it has not been made."""
    return _found(lock, _sha256(_content(lock)))


def ensure_runtime(lock: Location, consent: Callable[[str], None] = lambda _: None) -> PythonRuntime:
    """The runtime of a lock, made first where it is missing: takes a minute and the package index once.

    `consent` is told beforehand what that takes.
    """
    content = _content(lock)
    sha256 = _sha256(content)
    folder = _folder(sha256)
    found = _read(folder, sha256)
    if found is not None:
        return found
    _check_pins(lock, content)
    count = len(_PINNED.findall(content))
    size = min(_WHOLE, _LARGE * count)
    consent(f"{VERSION} with {count} libraries, at most some {size} MB in {folder}, a minute or two")
    folder.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        _make(scratch / "venv", content)
        if _read(folder, sha256) is None:
            shutil.rmtree(folder, ignore_errors=True)
            _move(scratch / "venv", folder)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return _found(lock, sha256)


def _found(lock: Location, sha256: str) -> PythonRuntime:
    runtime = _read(_folder(sha256), sha256)
    if runtime is None:
        where = lock.parent if (lock.parent / "manifest.json").is_file() else f"--lock {lock}"
        raise UserError(
            f"The runtime for {lock} has not been made on this machine; run `code2bench runtime {where}` once."
        )
    return runtime


def _content(lock: Location) -> bytes:
    """What is in a lock, which is read once: it may come through a pipe."""
    try:
        return read_file(lock) if isinstance(lock, Path) else lock.read_bytes()
    except OSError as error:
        raise UserError(
            f"The runtime's lock {lock} can't be read ({error.strerror}); give another, or get the release again."
        ) from None


def _check_pins(lock: Location, content: bytes) -> None:
    """Refuse what can't be a lock before time is spent on it."""
    for number, line in enumerate(content.splitlines(), 1):
        if line.strip() and not line.startswith((b"#", b"-", b" ", b"\t")) and not _PINNED.match(line):
            raise UserError(
                f"{lock} is no lock (line {number} pins no version of a library): give a list of NAME==VERSION with "
                "hashes, such as the runtime.lock of a release."
            )


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _folder(sha256: str) -> Path:
    return (cache_folder() / "runtimes" / f"py{VERSION.replace('.', '')}-{sha256[:12]}").absolute()


def _read(folder: Path, sha256: str) -> PythonRuntime | None:
    """The runtime in a folder, or None where there is none, only half of one, or its Python has gone."""
    try:
        marker = json.loads((folder / _MARKER).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    if marker.get("lock_sha256") != sha256 or "environment" not in marker:
        return None
    stdlib, executable = Path(marker["stdlib"]), Path(marker["executable"])
    if not executable.is_file() or not stdlib.is_dir():
        return None
    shared = tuple(sorted(Path(marker["libraries"]).glob(f"libpython{VERSION}*.so*")))
    zones = str(folder / "lib" / f"python{VERSION}" / "site-packages" / "tzdata" / "zoneinfo")
    environment = {**marker["environment"], "PYTHONTZPATH": zones, "TZDIR": zones}
    python = folder / "bin" / "python"
    return PythonRuntime(
        python, folder, marker["version"], sha256, stdlib, executable, shared, tuple(sorted(environment.items()))
    )


def _make(venv: Path, lock: bytes) -> None:
    """A virtual environment with exactly the locked libraries, and the marker as the last thing."""
    copy = venv.with_suffix(".lock")
    copy.write_bytes(lock)
    uv, watched = _uv(), sys.stderr.isatty()
    options = ["--without-pip"] if uv else []
    _run([_base_python(), "-I", "-m", "venv", *options, str(venv)], "make a virtual environment")
    python = str(venv / "bin" / "python")
    if uv:
        command = [uv, "pip", "install", "--python", python, "--link-mode", "copy", "--compile-bytecode"]
    else:
        command = [python, "-I", "-m", "pip", "install", "--disable-pip-version-check", "--no-deps"]
    quiet = [] if watched else ["--quiet"]
    _run([*command, *quiet, "--require-hashes", "-r", str(copy)], "install the locked libraries", watched)
    described = json.loads(_run([python, "-I", "-c", _DESCRIBE], "start the new runtime"))
    features = _run([python, "-I", "-c", _DISPATCH], "start NumPy in the new runtime").strip()
    environment = {**_ENVIRONMENT, "NPY_DISABLE_CPU_FEATURES": features}
    described |= {"lock_sha256": _sha256(lock), "environment": {k: v for k, v in environment.items() if v}}
    (venv / _MARKER).write_text(json.dumps(described, sort_keys=True), "utf-8")


def _move(made: Path, folder: Path) -> None:
    """Put the finished environment in its place, unless somebody else has been faster."""
    try:
        os.rename(made, folder)
    except OSError:
        if not (folder / _MARKER).is_file():
            raise


def _base_python() -> str:
    """An interpreter of the right minor version outside any virtual environment, as far as that can be told."""
    if sysconfig.get_python_version() == VERSION:
        return str(getattr(sys, "_base_executable", sys.executable))
    found = shutil.which(f"python{VERSION}")
    if found is None:
        raise UserError(f"Releases run on Python {VERSION}, which is not here: install it and put it on the PATH.")
    return found


def _uv() -> str | None:
    beside = Path(sys.executable).parent / "uv"
    return str(beside) if beside.is_file() else shutil.which("uv")


def _run(command: list[str], purpose: str, watched: bool = False) -> str:
    """Run a tool of ours; its files are readable by all, because the sandbox may be another user.

    Where somebody is watching, what it tells of its progress goes to the terminal.
    """
    said = None if watched else subprocess.PIPE
    out = sys.stderr if watched else subprocess.PIPE
    try:
        done = subprocess.run(command, stdout=out, stderr=said, text=True, check=False, umask=0o022)
    except OSError as error:
        raise UserError(f"Could not {purpose}: {command[0]} does not start ({error.strerror}).") from None
    if done.returncode:
        told = (done.stderr or "").strip() or (done.stdout or "").strip() or "its message stands above"
        last = told.splitlines()[-1]
        raise UserError(f"Could not {purpose}: {last.strip()}")
    return done.stdout or ""
