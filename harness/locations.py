"""Where outputs lie: folders of this machine, and those of other machines behind an address that fsspec knows.

`location` turns a text into either. What lies elsewhere is a `Remote`, which has the part of `pathlib.Path` that is
needed here. It is always asked anew: what a file system remembers of its folders is forgotten first, because another
process or machine may have written since.
"""

from __future__ import annotations

import errno
import io
import os
import platform
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO, Any, TypeVar

from harness.errors import UserError

T = TypeVar("T")

_HERE = ("file", "local")
_ADDRESS = re.compile(r"(?P<root>(?P<protocol>[^/]+)://(?P<host>[^/]*))(?P<path>.*)", re.DOTALL)
_SECRET = re.compile(r"(?<=://)([^/@:\[]*):(?P<password>[^/]*|(?!\d+/).*?)(?=@)", re.DOTALL)
"""User and password; one with a slash is no valid address, and not to be seen either."""

_IDLE_SECONDS = 60.0
"""Servers close a connection that nobody uses; the builder's own waits while its workers work."""

_connected: dict[str, tuple[Any, float]] = {}
"""This process's file systems, by the part of the address that comes before the path, and when they were last asked."""


@dataclass(frozen=True, order=True, repr=False)
class Remote:
    """A file or folder of another machine; pickled, it connects again where it is needed.

    Its text leaves the password out, and so do the `UserError`s that tell of a file system that can't be reached.
    """

    address: str

    def __str__(self) -> str:
        return shown(self.address)

    __repr__ = __str__

    def __truediv__(self, name: str) -> Remote:
        return Remote(f"{self.address}/{name}")

    @property
    def name(self) -> str:
        """The last part of the address."""
        return self.address.rpartition("/")[2]

    @property
    def parent(self) -> Remote:
        """The folder that it lies in; a root is its own."""
        above = self.address.rpartition("/")[0]
        return self if above.endswith(("/", ":")) else Remote(above)

    def absolute(self) -> Remote:
        """Itself: an address means the same everywhere."""
        return self

    def is_file(self) -> bool:
        """Whether there is such a file now."""
        return self._kind() == "file"

    def is_dir(self) -> bool:
        """Whether there is such a folder now; object stores have those that hold something."""
        return self._kind() == "directory"

    def glob(self, pattern: str) -> Iterator[Remote]:
        """What lies directly in this folder under a name of this pattern, in order of names."""
        return (self / name for name in sorted(self._kinds()) if fnmatchcase(name, pattern))

    def files(self) -> set[str]:
        """The files in this folder and those below it, by their ways from it."""
        own, found = self._ask(lambda fs, path: (path, fs.find(path)))
        return {PurePosixPath(name).relative_to(own).as_posix() for name in found}

    def read_bytes(self) -> bytes:
        """The whole file; raises `FileNotFoundError`."""
        data: bytes = self._ask(lambda fs, path: fs.cat_file(path))
        return data

    def read_text(self, encoding: str) -> str:
        """The whole file as text."""
        return self.read_bytes().decode(encoding)

    def open(self, mode: str) -> IO[bytes]:
        """The file for reading; it is read at once."""
        if mode != "rb":
            raise ValueError(f"mode {mode!r} is not 'rb'")
        return io.BytesIO(self.read_bytes())

    def write_bytes(self, data: bytes) -> None:
        """Put a file in place so that whoever looks sees the old one or the new one, never a part.

        Where the file system can rename, a file beside it is written and renamed. Where it can't, it is an object
        store, which shows an object when all of it has arrived, or the memory of this process.
        """
        self._ask(lambda fs, path: _put(fs, path, data))

    def remove(self) -> None:
        """Remove the file, or the folder with all that it holds; it may be gone already."""
        with suppress(FileNotFoundError):
            self._ask(lambda fs, path: fs.rm(path, recursive=True))

    def fetch(self, pattern: str, folder: Path) -> None:
        """Copy files that lie directly in this folder into one of this machine; several at a time where that works."""
        kinds = self._kinds()
        names = [name for name, kind in kinds.items() if kind == "file" and fnmatchcase(name, pattern)]
        if names:
            copies = [str(folder / name) for name in names]
            self._ask(lambda fs, path: fs.get([f"{path}/{name}" for name in names], copies))

    def _kind(self) -> str:
        try:
            return str(self._ask(lambda fs, path: fs.info(path)["type"]))
        except FileNotFoundError:
            return ""

    def _kinds(self) -> dict[str, str]:
        """What lies directly in this folder, each with its kind; nothing where there is no such folder."""
        try:
            own, found = self._ask(lambda fs, path: (path, fs.ls(path, detail=True)))
        except FileNotFoundError:
            return {}
        return {PurePosixPath(one["name"]).name: one["type"] for one in found if one["name"].rstrip("/") != own}

    def _ask(self, question: Callable[[Any, str], T]) -> T:
        """The file system's answer; over a connection of earlier, it is asked a second time over a new one."""
        root = _ADDRESS.sub(r"\g<root>", self.address)
        while True:
            old = root in _connected
            try:
                system = _connect(root)
                system.invalidate_cache()
                path = system._strip_protocol(self.address)
                return question(system, path.rstrip("/") or path)
            except (FileNotFoundError, NotADirectoryError) as error:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(self)) from error
            except Exception as error:
                _connected.pop(root, None)
                if not old:
                    raise UserError(
                        f"{self} can't be used ({_told(error, self.address)}): look at the address, the network and "
                        "this machine's credentials for it, and run the same command again."
                    ) from error


Location = Path | Remote
"""A file or folder, here or elsewhere."""


def location(text: str) -> Location:
    """The file or folder that a text means: a path, or an address such as `s3://BUCKET/FOLDER`.

    Raises `UserError` for a file system that is unknown, whose driver is not installed, or that can't be reached.
    """
    found = _ADDRESS.fullmatch(text)
    if found is None:
        return Path(text)
    if found["protocol"] in _HERE:
        return Path(found["host"] + found["path"])
    place = Remote(text.rstrip("/") if found["path"].strip("/") else found["root"])
    _check(place, found["protocol"])
    place.is_dir()
    return place


def shown(text: str) -> str:
    """A text, maybe an address, without the password in it."""
    return _SECRET.sub(r"\1", text)


def files_below(folder: Location) -> set[str]:
    """The files in a folder and those below it, by their ways from it."""
    if isinstance(folder, Remote):
        return folder.files()
    return {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}


def remove_folder(folder: Location) -> None:
    """Remove a folder with all that it holds; it may be gone already."""
    if isinstance(folder, Path):
        shutil.rmtree(folder, ignore_errors=True)
    else:
        folder.remove()


@contextmanager
def near(folder: Location, pattern: str = "[!.]*") -> Iterator[Path]:
    """A folder of this machine with the same files: itself, or a copy of those whose names have the pattern."""
    if isinstance(folder, Path):
        yield folder
        return
    with TemporaryDirectory(prefix="code2bench-") as place:
        copy = Path(place) / folder.name
        copy.mkdir(exist_ok=True)
        folder.fetch(pattern, copy)
        yield copy


@contextmanager
def whole(folder: Location) -> Iterator[Path]:
    """A folder of this machine with the same files, those in folders inside it too: itself, or a copy."""
    if isinstance(folder, Path):
        yield folder
        return
    with TemporaryDirectory(prefix="code2bench-") as place:
        copy = Path(place) / folder.name
        for name in sorted(files_below(folder)):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes((folder / name).read_bytes())
        yield copy


def _check(place: Remote, protocol: str) -> None:
    from fsspec import get_filesystem_class

    secret = _SECRET.search(place.address)
    try:
        kind = get_filesystem_class(protocol)
    except ValueError:
        raise UserError(
            f"There is no file system {protocol}://: give a folder, or an address such as s3://BUCKET/FOLDER."
        ) from None
    except ImportError as error:
        raise UserError(f"{protocol}:// needs a package that is not installed here: {error}.") from None
    if secret and ("/" in secret["password"] or "password" not in kind._get_kwargs_from_urls(place.address)):
        raise UserError(
            f"{protocol}:// can't take this password in its address: give it in the way of the package behind it."
        )


def _connect(root: str) -> Any:
    from fsspec.core import url_to_fs

    system, asked = _connected.get(root, (None, 0.0))
    if system is None or time.monotonic() - asked > _IDLE_SECONDS:
        system, _ = url_to_fs(root, skip_instance_cache=True)
    _connected[root] = system, time.monotonic()
    return system


def _put(system: Any, path: str, data: bytes) -> None:
    from fsspec import AbstractFileSystem

    if type(system).mv is AbstractFileSystem.mv:  # a copy, and then a removal
        system.pipe_file(path, data)
        return
    folder, _, name = path.rpartition("/")
    part = f"{folder}/.{name}.{platform.node()}.{os.getpid()}.part"
    system.makedirs(folder, exist_ok=True)
    system.pipe_file(part, data)
    system.mv(part, path)


def _told(error: Exception, address: str) -> str:
    """The first line of an error, without the password."""
    text = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
    secret = _SECRET.search(address)
    password = secret["password"] if secret else ""
    return text.replace(password, "***") if password else text
