"""The host's part in every isolation: what is shown of its system, and the users that programs become."""

from __future__ import annotations

import itertools
import os
import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_LINKED = ("/bin", "/sbin", "/lib", "/lib32", "/lib64")
_LIBRARIES = ("/usr/lib", "/usr/lib32", "/usr/lib64", "/etc/ld.so.cache")
_HIDDEN = ("/usr/lib/python3/dist-packages",)
_runs = itertools.count()


@dataclass(frozen=True)
class SystemFiles:
    """Symbolic links to make again, with what they lead to; paths to show; folders in those that are to be empty."""

    links: dict[str, str]
    shown: tuple[Path, ...]
    hidden: tuple[Path, ...]


@cache
def system_files(tools: tuple[str, ...]) -> SystemFiles:
    """The system's libraries, and these tools as far as they are here."""
    links = {name: os.readlink(name) for name in _LINKED if os.path.islink(name)}
    folders = tuple(name for name in _LINKED if name not in links and not name.endswith("bin"))
    found = tuple(path for path in map(shutil.which, tools) if path)
    shown = tuple(Path(name) for name in (*folders, *_LIBRARIES, *found) if os.path.exists(name))
    return SystemFiles(links, shown, tuple(Path(name) for name in _HIDDEN if os.path.isdir(name)))


def own_user() -> int:
    """A user id for one run: processes are counted per user, so runs side by side must not share one."""
    return 20_000 + (os.getpid() * 131 + next(_runs)) % 40_000
