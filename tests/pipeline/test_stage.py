"""A stage's run: every record is accounted for, shards resume, the result does not depend on how it was run."""

import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from harness.errors import UserError
from pipeline import executors
from pipeline.records import Reason, Rejection, Source, reject_source
from pipeline.stage import Context, LostRecord, Output, Shard, Work, is_done, key_of, run_shard, run_stage


@dataclass(frozen=True)
class Settings:
    seconds: float = 0.0
    letters: str = "aeiou"


@dataclass(frozen=True)
class Vowels:
    """Keeps the sources whose name starts with a vowel."""

    config: Settings = Settings()
    name: str = "vowels"
    takes: type = Source
    gives: type = Source
    shard_size: int = 3
    fan_out: bool = False

    def run(self, records: Sequence[Any], context: Context) -> Iterator[Source | Rejection]:
        for record in records:
            time.sleep(self.config.seconds)
            if record.name[0] in self.config.letters:
                yield record
            else:
                yield reject_source(self.name, record, Reason.PROJECT_GONE, "a consonant")


@dataclass(frozen=True)
class Forgetful(Vowels):
    """Loses the records of its second half."""

    def run(self, records: Sequence[Any], context: Context) -> Iterator[Source | Rejection]:
        yield from records[: len(records) // 2]


SOURCES = [Source("pypi", f"{letter}{number}", "web", "") for number in range(4) for letter in "abcdefghij"]


def context(folder: Path) -> Context:
    runtime = folder / "runtime.txt"
    runtime.write_text("numpy==1\n")
    return Context(1, folder, runtime, folder, "2026-05-01", "2026-11-01")


def run(folder: Path, stage: Any, workers: int = 1, sources: Sequence[Source] = SOURCES) -> Output:
    here = context(folder)
    work = Work(stage, sources, len(sources), key_of(stage, here, ""), folder / "out")
    return run_stage(work, here, executors.choose("local", workers))


def files(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted((folder / "out").iterdir())}


def test_read_is_kept_plus_rejected(tmp_path: Path) -> None:
    output = run(tmp_path, Vowels())
    kept, rejected = list(output.records()), list(output.rejections())
    assert [s.name[0] for s in kept] == list("aei" * 4)
    assert len(kept) + len(rejected) == len(SOURCES) == output.count() + len(rejected)


def test_workers_do_not_change_a_byte(tmp_path: Path) -> None:
    for name, workers in (("one", 1), ("two", 2)):
        (tmp_path / name).mkdir()
        run(tmp_path / name, Vowels(), workers)
    assert files(tmp_path / "one") == files(tmp_path / "two")


def own_process(_: int) -> int:
    time.sleep(0.2)
    return os.getpid()


def test_processes_are_kept_within_a_context_alone() -> None:
    executor = executors.choose("local", 2)
    with executor:
        first, second = set(executor.map(own_process, range(4))), set(executor.map(own_process, range(4)))
    assert len(first) == 2 and first == second and os.getpid() not in first
    assert first.isdisjoint(executor.map(own_process, range(2)))


def test_a_lost_record_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LostRecord, match="pypi:c0"):
        run(tmp_path, Forgetful())


def test_nothing_in_gives_nothing_out(tmp_path: Path) -> None:
    assert list(run(tmp_path, Vowels(), sources=[]).records()) == []


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    run(tmp_path, Vowels())
    before = {p: p.stat().st_mtime_ns for p in (tmp_path / "out").iterdir()}
    run(tmp_path, Vowels())
    assert {p: p.stat().st_mtime_ns for p in (tmp_path / "out").iterdir()} == before


def test_another_configuration_starts_afresh(tmp_path: Path) -> None:
    run(tmp_path, Vowels())
    output = run(tmp_path, Vowels(replace(Settings(), letters="b")))
    assert {s.name[0] for s in output.records()} == {"b"}


@dataclass(frozen=True)
class Noted(Vowels):
    """Notes what it is run on, and takes over what it has made of the same records."""

    reuses: bool = True

    def run(self, records: Sequence[Any], context: Context) -> Iterator[Source | Rejection]:
        with (context.cache / "ran").open("a") as log:
            log.writelines(f"{record.name}\n" for record in records)
        yield from super().run(records, context)


def noted(folder: Path, sources: Sequence[Source], before: str, stage: Noted = Noted()) -> tuple[list[str], Output]:
    """What the stage is run on behind another stage's key, and its output."""
    (folder / "ran").unlink(missing_ok=True)
    here = context(folder)
    work = Work(stage, sources, len(sources), key_of(stage, here, before), folder / "out")
    output = run_stage(work, here, executors.choose("local", 1))
    return (folder / "ran").read_text().split() if (folder / "ran").exists() else [], output


def test_what_a_stage_has_made_of_the_same_records_is_taken_over(tmp_path: Path) -> None:
    ran, output = noted(tmp_path, SOURCES, "")
    assert ran == [one.name for one in SOURCES]
    changed = [*SOURCES[:20], Source("pypi", "a9", "web", ""), *SOURCES[21:30], *SOURCES[31:]]
    ran, output = noted(tmp_path, changed, "another")
    assert "a9" in ran and len(ran) <= 12
    made = [list(output.records()), list(output.rejections())]
    assert not (tmp_path / "out" / "earlier").exists()
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    assert made == [list(of()) for other in [noted(fresh, changed, "")[1]] for of in (other.records, other.rejections)]
    assert len(noted(tmp_path, changed, "", Noted(Settings(letters="b")))[0]) == len(changed)


def test_what_is_taken_over_is_not_lost_when_it_is_killed(tmp_path: Path) -> None:
    @dataclass(frozen=True)
    class Killed(Noted):
        def run(self, records: Sequence[Any], context: Context) -> Iterator[Source | Rejection]:
            if any(record.name == "a9" for record in records):
                raise KeyboardInterrupt
            yield from super().run(records, context)

    noted(tmp_path, SOURCES, "", Killed())
    changed = [*SOURCES[:20], Source("pypi", "a9", "web", ""), *SOURCES[21:]]
    for before in ("second", "third", "third"):
        with pytest.raises(KeyboardInterrupt):
            noted(tmp_path, changed, before, Killed())
    assert noted(tmp_path, SOURCES, "fourth", Killed())[0] == []


def test_a_data_file_that_the_configuration_names_counts(tmp_path: Path) -> None:
    stage = Vowels(Settings(letters="list.toml"))
    (tmp_path / "list.toml").write_text("a = 1")
    first = key_of(stage, context(tmp_path), "")
    (tmp_path / "list.toml").write_text("a = 2")
    assert key_of(stage, context(tmp_path), "") != first


def test_a_machine_that_does_not_see_the_build_writes_nothing(tmp_path: Path) -> None:
    shard = Shard(0, tuple(SOURCES[:3]), tmp_path / "out", "key")
    for begun in (None, '{"key": "another"}'):
        if begun:
            shard.folder.mkdir()
            (shard.folder / "stage.json").write_text(begun)
        with pytest.raises(UserError, match=f"The machine {platform.node()} does not see {shard.folder} as this build"):
            run_shard((Vowels(), context(tmp_path), shard))
        assert not list(tmp_path.glob("out/*.parquet"))


class Elsewhere:
    """Says that it ran the jobs, whose output is not seen here."""

    def map(self, function: Callable[[Any], Any], jobs: Iterable[Any]) -> Iterator[Any]:
        return (len(shard.records) for _, _, shard in jobs)


def test_a_stage_is_not_done_before_all_its_shards_are_seen(tmp_path: Path) -> None:
    work = Work(Vowels(), SOURCES, len(SOURCES), "key", tmp_path / "out")
    with pytest.raises(UserError, match="out shows 0 of 14 shards"):
        run_stage(work, context(tmp_path), Elsewhere())
    assert not is_done(work.folder, work.key)


SCRIPT = """
import sys
from pathlib import Path
from tests.pipeline.test_stage import *
if __name__ == "__main__":
    run(Path(sys.argv[1]), Vowels(Settings(seconds=0.02)), int(sys.argv[2]))
"""


@pytest.mark.parametrize("seed", [0, 3])
def test_a_killed_run_resumes_to_the_same_bytes(tmp_path: Path, seed: int) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    whole.mkdir(), killed.mkdir()
    run(whole, Vowels(Settings(seconds=0.0)))
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    root = Path(__file__).parents[2]
    command = [sys.executable, str(script), str(killed), str(1 + seed % 2)]
    process = subprocess.Popen(command, cwd=root, env={**os.environ, "PYTHONPATH": str(root)}, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while len(list((killed / "out").glob("*.kept.parquet"))) < 1 + seed and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    run(killed, Vowels(Settings(seconds=0.02)))
    strip = {k: v for k, v in files(killed).items() if k.endswith(".parquet")}
    assert strip == {k: v for k, v in files(whole).items() if k.endswith(".parquet")}


def test_workers_die_with_a_killed_parent(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.replace("0.02", "30"))
    root = Path(__file__).parents[2]
    process = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path), "2"], cwd=root, env={**os.environ, "PYTHONPATH": str(root)},
        stderr=subprocess.DEVNULL,
    )
    children = wait_for_children(process.pid, 3)
    process.kill()
    process.wait()
    deadline = time.monotonic() + 60
    while any(alive(c) for c in children) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert children and not any(alive(c) for c in children)


def wait_for_children(pid: int, count: int) -> list[int]:
    path = Path(f"/proc/{pid}/task/{pid}/children")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        found = [int(c) for c in path.read_text().split()]
        if len(found) >= count:
            return found
        time.sleep(0.05)
    return []


def alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
