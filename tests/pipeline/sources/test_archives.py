"""Archives, honest and hostile."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.config import MineConfig
from pipeline.records import Reason
from pipeline.sources import SourceFile, Unusable
from pipeline.sources.archives import read_archive
from tests.pipeline.sources.conftest import sdist

SMALL = MineConfig(max_archive_bytes=200_000, max_unpacked_bytes=100_000, max_files=50, max_file_bytes=10_000)


def contents(tmp_path: Path, data: bytes, name: str = "p-1.tar.gz", config: MineConfig = SMALL) -> list[SourceFile]:
    path = tmp_path / "archive"
    path.write_bytes(data)
    return list(read_archive(path, name, config, lambda path: path.endswith(".py")))


def tar(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for info, data in members:
            info.size = info.size or len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def member(name: str, data: bytes = b"", **about: object) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    for key, value in about.items():
        setattr(info, key, value)
    return info, data


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


PLAIN = tar(member("p-1/a.py", b"a"), member("p-1/src/b.py", b"b"), member("p-1/README", b"no"))


@pytest.mark.parametrize(
    ("name", "pack"),
    [("p.tar", bytes), ("p.tar.gz", gzip.compress), ("p.tar.bz2", bz2.compress), ("p.tar.xz", lzma.compress)],
)
def test_every_kind_of_tar_is_read_without_its_outer_folder(
    tmp_path: Path, name: str, pack: Callable[[bytes], bytes]
) -> None:
    found = contents(tmp_path, pack(PLAIN), name)
    assert [(f.path, f.data) for f in found] == [("a.py", b"a"), ("src/b.py", b"b")]


def test_a_zip_is_read_without_its_outer_folder_and_a_wheel_as_it_is(tmp_path: Path) -> None:
    data = zipped({"p-1/a.py": b"a", "p-1/x.txt": b"x"})
    assert [f.path for f in contents(tmp_path, data, "p-1.zip")] == ["a.py"]
    assert [f.path for f in contents(tmp_path, data, "p-1-py3-none-any.whl")] == ["p-1/a.py"]


def test_links_and_devices_are_passed_over(tmp_path: Path) -> None:
    data = tar(
        member("p/soft.py", type=tarfile.SYMTYPE, linkname="/etc/passwd"),
        member("p/hard.py", type=tarfile.LNKTYPE, linkname="p/a.py"),
        member("p/cycle.py", type=tarfile.SYMTYPE, linkname="cycle.py"),
        member("p/device.py", type=tarfile.CHRTYPE),
        member("p/a.py", b"a"),
    )
    assert [f.path for f in contents(tmp_path, gzip.compress(data))] == ["a.py"]


def test_a_link_in_a_zip_is_passed_over(tmp_path: Path) -> None:
    info = zipfile.ZipInfo("p/link.py")
    info.external_attr = 0o120777 << 16
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(info, "/etc/passwd")
    assert contents(tmp_path, out.getvalue(), "p.zip") == []


def test_a_file_above_the_limit_comes_with_its_size_alone(tmp_path: Path) -> None:
    big = b"#" * (SMALL.max_file_bytes + 1)
    for name, data in (("p.tar.gz", sdist({"big.py": big})), ("p.zip", zipped({"p/big.py": big}))):
        assert contents(tmp_path, data, name) == [SourceFile("big.py", b"", len(big))]


def huge_header() -> bytes:
    """A tar whose extended header is as long as the limit allows no file to be."""
    return gzip.compress(tar(member("p/x", b"\0" * 80_000_000, type=tarfile.XHDTYPE)))


HOSTILE = {
    "a path upwards": lambda: gzip.compress(tar(member("p/../../evil.py", b"x"))),
    "an absolute path": lambda: gzip.compress(tar(member("/etc/evil.py", b"x"))),
    "a path upwards of a file that is not wanted": lambda: gzip.compress(tar(member("p/../../evil.txt", b"x"))),
    "a path upwards with backslashes": lambda: gzip.compress(tar(member("p\\..\\..\\evil.py", b"x"))),
    "a bomb of one file": lambda: sdist({"x.bin": b"\0" * 5_000_000}),
    "a bomb of many files": lambda: sdist({f"{n}.py": b"\0" * 9_000 for n in range(40)}),
    "too many files": lambda: sdist({f"{n}.py": b"" for n in range(60)}),
    "a bomb in a header": huge_header,
    "a cut end": lambda: gzip.compress(PLAIN)[:-30],
    "a cut end inside": lambda: gzip.compress(PLAIN[:700]),
    "noise": lambda: b"\x1f\x8b" + bytes(range(256)) * 4,
    "no archive": lambda: b"<html>not found</html>" * 100,
    "nothing": lambda: b"",
    "a large archive": lambda: b"\0" * 200_001,
}


@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_or_damaged_tar_is_refused(tmp_path: Path, make: Callable[[], bytes]) -> None:
    with pytest.raises(Unusable) as refused:
        contents(tmp_path, make())
    assert refused.value.reason is Reason.CORRUPT_SOURCE
    assert "p-1.tar.gz" in refused.value.evidence


def lying_zip() -> bytes:
    """A zip whose directory says that a file is smaller than it is."""
    data = zipped({"p/a.py": b"\0" * 9_999})
    return data.replace((9_999).to_bytes(4, "little"), (10).to_bytes(4, "little"))


HOSTILE_ZIPS = {
    "a path upwards": lambda: zipped({"p/../../evil.py": b"x"}),
    "a bomb": lambda: zipped({f"p/{n}.py": b"\0" * 9_000 for n in range(40)}),
    "too many files": lambda: zipped({f"p/{n}.py": b"" for n in range(60)}),
    "a lie about a size": lying_zip,
    "a cut end": lambda: zipped({"p/a.py": b"x"})[:-10],
    "a damaged file": lambda: zipped({"p/a.py": bytes(range(200))}).replace(bytes(range(100, 110)), b"0123456789"),
    "nothing": lambda: b"",
}


@pytest.mark.parametrize("make", HOSTILE_ZIPS.values(), ids=HOSTILE_ZIPS)
def test_a_hostile_or_damaged_zip_is_refused(tmp_path: Path, make: Callable[[], bytes]) -> None:
    with pytest.raises(Unusable) as refused:
        contents(tmp_path, make(), "p-1.zip")
    assert refused.value.reason is Reason.CORRUPT_SOURCE


def test_nothing_is_written_while_reading(tmp_path: Path) -> None:
    contents(tmp_path, gzip.compress(PLAIN))
    assert [p.name for p in tmp_path.iterdir()] == ["archive"]
