"""Builds whose folder lies elsewhere: the bytes of a local build, resumed, and read by every command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.cli import cli
from harness.errors import UserError
from harness.locations import Location, Remote, files_below, location
from harness.releases.dataset import load_release
from pipeline import executors, flow
from pipeline.flow import Build, Options
from pipeline.release.verify import verify
from pipeline.stage import Output, Work, key_of, run_stage
from tests.harness.ftp import Ftp, ftp_server
from tests.pipeline.make_project import data_folder, tree
from tests.pipeline.sources.conftest import Server
from tests.pipeline.test_stage import SOURCES, Settings, Vowels, context

ROOT = Path(__file__).parents[2]


@pytest.fixture
def ftp(tmp_path: Path) -> Iterator[Ftp]:
    root = tmp_path / "served"
    root.mkdir()
    with ftp_server(root) as running:
        yield running


def run(place: Path, folder: Location, stage: Vowels, workers: int = 1) -> Output:
    here = context(place)
    work = Work(stage, SOURCES, len(SOURCES), key_of(stage, here, ""), folder)
    return run_stage(work, here, executors.choose("local", workers))


def test_a_stage_elsewhere_has_the_bytes_of_one_here(ftp: Ftp, tmp_path: Path) -> None:
    here = run(tmp_path, tmp_path / "out", Vowels())
    for name, folder, workers in (("memory", location(f"memory://{tmp_path.name}/out"), 1),
                                  ("ftp", location(f"{ftp.address}/out"), 2)):
        there = run(tmp_path, folder, Vowels(), workers)
        assert files_below(folder) == files_below(tmp_path / "out"), name
        assert all((folder / f).read_bytes() == (tmp_path / "out" / f).read_bytes() for f in files_below(folder))
        assert list(there.records()) == list(here.records()) and there.count() == here.count()
        assert list(there.rejections()) == list(here.rejections())


def test_another_configuration_starts_afresh_there_too(ftp: Ftp, tmp_path: Path) -> None:
    folder = location(f"{ftp.address}/out")
    run(tmp_path, folder, Vowels())
    assert {s.name[0] for s in run(tmp_path, folder, Vowels(Settings(letters="b"))).records()} == {"b"}


def test_workers_that_don_t_see_this_process_s_memory_say_so(tmp_path: Path) -> None:
    folder = location(f"memory://{tmp_path.name}/out")
    with pytest.raises(UserError, match=f"does not see {folder} as this build has it"):
        run(tmp_path, folder, Vowels(), 2)


SCRIPT = """
import sys
from pathlib import Path
from harness.locations import location
from tests.pipeline.test_stage import *
if __name__ == "__main__":
    stage, here = Vowels(Settings(seconds=0.03)), context(Path(sys.argv[1]))
    work = Work(stage, SOURCES, len(SOURCES), key_of(stage, here, ""), location(sys.argv[2]))
    run_stage(work, here, executors.choose("local", 2))
"""


def test_a_killed_run_resumes_elsewhere_to_the_same_bytes(ftp: Ftp, tmp_path: Path) -> None:
    script, out = tmp_path / "script.py", ftp.root / "out"
    script.write_text(SCRIPT)
    command = [sys.executable, str(script), str(tmp_path), f"{ftp.address}/out"]
    process = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(ROOT)}, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while len(list(out.glob("[!.]*.kept.parquet"))) < 3 and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    time.sleep(0.2)  # what the workers had sent off arrives
    before = {file: file.stat().st_mtime_ns for file in out.glob("[!.]*.kept.parquet")}
    assert 3 <= len(before) < 14
    run(tmp_path, location(f"{ftp.address}/out"), Vowels(Settings(seconds=0.03)))
    assert {file: file.stat().st_mtime_ns for file in before} == before
    run(tmp_path, tmp_path / "out", Vowels())
    whole = {file.name: file.read_bytes() for file in (tmp_path / "out").glob("*.parquet")}
    assert whole == {file.name: file.read_bytes() for file in out.glob("[!.]*.parquet")}


@pytest.fixture
def there(built: Build, ftp: Ftp) -> Remote:
    """The folder on the server of a build that was stopped in the middle; its later half is still to be made."""
    folder = location(f"{ftp.address}/builds/tiny")
    assert isinstance(folder, Remote)
    for name in files_below(built.folder):
        if name.startswith("stages/0") and "09-" not in name:
            (folder / name).write_bytes((built.folder / name).read_bytes())
    return folder


def command(*arguments: str, fails: bool = False) -> Result:
    result = CliRunner().invoke(cli, arguments)
    assert bool(result.exit_code) == fails, result.output
    return result


@pytest.mark.slow  # a whole build; single stages are compared above
def test_a_build_in_memory_has_the_bytes_of_one_here(registry: Server, built: Build, tmp_path: Path) -> None:
    folder = location(f"memory://{tmp_path.name}/build")
    there = flow.build(data_folder(tmp_path), Options(workers=1, folder=folder))
    here = tree(built.folder)
    assert files_below(folder) == set(here)
    assert all((folder / name).read_bytes() == (built.folder / name).read_bytes() for name in here)
    assert str(there.release) == f"memory://{tmp_path.name}/build/release"


@pytest.mark.slow
def test_a_build_goes_on_elsewhere_and_every_command_reads_it(built: Build, there: Remote, ftp: Ftp) -> None:
    arguments = ["build", str(built.config.path), "--workers", "1", "--folder", there.address]
    said = command(*arguments).output
    assert ftp.shown in said and "p@ss" not in said
    root = ftp.root / "builds" / "tiny"
    assert tree(root / "release") == tree(built.release)
    assert {name: sha for name, sha in tree(root).items() if name.endswith(".parquet")} == {
        name: sha for name, sha in tree(built.folder).items() if name.endswith(".parquet")}
    (root / "release" / "stray").touch()
    before = {file: file.stat().st_mtime_ns for file in (root / "stages").rglob("*.parquet")}
    command(*arguments, "--json")
    assert {file: file.stat().st_mtime_ns for file in (root / "stages").rglob("*.parquet")} == before
    assert tree(root / "release") == tree(built.release)
    here, release = str(built.folder), f"{there.address}/release"
    assert command("status", there.address).output == command("status", release).output == command("status", here).output
    assert command("explain", release, "shorten").output == command("explain", here, "shorten").output
    shown = command("show", release, "shorten", "--json").output
    assert json.loads(shown) == json.loads(command("show", f"{here}/release", "shorten", "--json").output)
    assert json.loads(command("evaluate", release, "--reference", "--workers", "1", "--json").stdout)["score"]
    assert command("verify", release, "--workers", "1").stdout == "The release passes every gate.\n"


def test_what_is_wrong_with_a_release_elsewhere_is_found(built: Build, ftp: Ftp) -> None:
    folder = location(f"{ftp.address}/release")
    for name in files_below(built.release):
        (folder / name).write_bytes((built.release / name).read_bytes())
    assert load_release(folder).source == f"{ftp.shown}/release"
    (ftp.root / "release" / "NOTICE.txt").write_text("changed")
    [found] = verify(f"{ftp.address}/release")
    assert (found.gate, found.where) == ("files", f"{ftp.shown}/release")
    assert found.what.startswith(f"{ftp.shown}/release/NOTICE.txt is not the file of the manifest")


@pytest.mark.parametrize("arguments", [
    ["status", "{}"], ["explain", "{}", "x"], ["verify", "{}"], ["show", "{}", "x"], ["evaluate", "{}", "--stub"],
    ["build", "config.toml", "--folder", "{}"], ["choose", "config.toml", "--folder", "{}"],
], ids=lambda a: a[0])
@pytest.mark.parametrize("address", ["nonsense://x", "ftp://me:secret@127.0.0.1:9/x"])
def test_what_can_t_be_reached_is_one_sentence(arguments: list[str], address: str, tmp_path: Path) -> None:
    config = str(data_folder(tmp_path))
    filled = [a.format(address) if a == "{}" else a.replace("config.toml", config) for a in arguments]
    with pytest.raises(UserError) as caught:
        cli.main(filled, standalone_mode=False)
    told = str(caught.value)
    assert told.startswith(("There is no file system nonsense://", "ftp://me@127.0.0.1:9/x can't be used"))
    assert len(told.splitlines()) == 1 and "secret" not in told


@pytest.mark.parametrize("arguments", [["status", "{}"], ["verify", "{}"], ["show", "{}", "x"]], ids=lambda a: a[0])
def test_an_address_where_nothing_lies_is_one_sentence(arguments: list[str], ftp: Ftp) -> None:
    with pytest.raises(UserError, match=f"^There is no (build|release) .*{ftp.shown}/nothing"):
        cli.main([a.format(f"{ftp.address}/nothing") for a in arguments], standalone_mode=False)
