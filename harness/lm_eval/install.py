"""Our YAML files in lm-eval's tasks folder: a wheel brings them, an editable install needs this."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path

from harness.errors import UserError

SOURCE = Path(__file__).parent / "tasks"


def target() -> Path:
    """The folder for our files below lm-eval's tasks; raises `UserError` where lm-eval is not installed."""
    spec = importlib.util.find_spec("lm_eval")
    if spec is None or not spec.submodule_search_locations:
        raise UserError("lm-eval is not installed here: pip install 'lm-eval[api]'.")
    return Path(next(iter(spec.submodule_search_locations))) / "tasks" / "code2bench"


def installed() -> bool:
    """Whether all our files are there, as they are here."""
    folder = target()
    return all((folder / f.name).is_file() and (folder / f.name).read_bytes() == f.read_bytes() for f in _files())


def install() -> tuple[Path, list[str]]:
    """Copy our files, replacing old ones; gives the folder and the names."""
    folder = target()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in _files():
            shutil.copyfile(file, folder / f".{file.name}")
            os.replace(folder / f".{file.name}", folder / file.name)
    except OSError as error:
        raise UserError(
            f"{folder} can't be written ({error.strerror}); give lm_eval --include_path {SOURCE} instead."
        ) from None
    return folder, [file.name for file in _files()]


def uninstall() -> tuple[Path, list[str]]:
    """Take our files out, and the folder when nothing else is in it; gives the folder and the names."""
    folder = target()
    gone = []
    for file in _files():
        if (folder / file.name).is_file():
            (folder / file.name).unlink()
            gone.append(file.name)
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
    return folder, gone


def _files() -> list[Path]:
    return sorted(SOURCE.glob("*.yaml"))
