"""Stages on a Ray cluster: the bytes of the local executor, whatever dies, and errors as they were raised."""

import importlib.util
import os
import platform
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

if importlib.util.find_spec("ray") is None:
    pytest.skip("Ray is not installed: pip install 'code2bench[ray]'", allow_module_level=True)

import ray
from ray.cluster_utils import Cluster

from harness.errors import SandboxFailed, UserError
from pipeline import flow
from pipeline.executors import ray_cluster
from pipeline.executors.ray_cluster import RayExecutor
from pipeline.flow import Options
from pipeline.records import Rejection, Source
from pipeline.stage import Context, LostRecord, Output, Work, run_stage
from tests.pipeline.make_project import data_folder, tree
from tests.pipeline.sources.conftest import Server
from tests.pipeline.test_stage import SOURCES, Forgetful, Settings, Vowels, context, files, key_of
from tests.pipeline.test_stage import run as run_locally

ROOT = Path(__file__).parents[2]
slow = pytest.mark.slow  # Ray takes 10 to 20 s to start, and some more for each node
SMALL = {"num_cpus": 1, "object_store_memory": 80_000_000}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Three nodes of one CPU each on this machine; the executor finds them by RAY_ADDRESS."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("PYTHONPATH", str(ROOT))
        nodes = Cluster(initialize_head=True, head_node_args={**SMALL, "include_dashboard": False})
        for _ in range(2):
            nodes.add_node(**SMALL)
        patch.setenv("RAY_ADDRESS", nodes.address)
        yield nodes
        ray.shutdown()
        nodes.shutdown()


def run(folder: Path, stage: Any, workers: int = 0) -> Output:
    here = context(folder)
    work = Work(stage, SOURCES, len(SOURCES), key_of(stage, here, ""), folder / "out")
    return run_stage(work, here, RayExecutor(workers))


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    folders = tmp_path / "local", tmp_path / "spread"
    for folder in folders:
        folder.mkdir()
    return folders


def shards(folder: Path) -> dict[str, bytes]:
    return {name: data for name, data in files(folder).items() if name.endswith(".parquet")}


def wait_until(condition: Callable[[], bool], seconds: float = 90) -> bool:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return condition()


def node() -> str:
    return str(ray.get_runtime_context().get_node_id())


@slow
def test_nodes_write_what_local_processes_write(cluster: Cluster, places: tuple[Path, Path]) -> None:
    local, spread = places
    run_locally(local, Vowels(), 2)
    run(spread, Vowels())
    assert files(spread) == files(local)


@slow
def test_a_whole_build_is_the_same_in_every_stage(
    cluster: Cluster, registry: Server, places: tuple[Path, Path]
) -> None:
    builds = []
    for place, executor in zip(places, ("local", "ray"), strict=True):
        config = data_folder(place)
        config.write_text(f'executor = "{executor}"\n' + config.read_text())
        builds.append(flow.build(config, Options(folder=place / "build")))
    local, spread = (tree(b.folder / "stages") for b in builds)
    assert len(local) > 30 and spread == local
    local, spread = (tree(b.release) for b in builds)
    assert {name for name in local if local[name] != spread[name]} == {"release.toml", "manifest.json"}


@dataclass(frozen=True)
class Held(Vowels):
    """Never ends on the node that the file `victim` names."""

    def run(self, records: Sequence[Any], context: Context) -> Iterator[Source | Rejection]:
        if (context.cache / "victim").read_text() == node():
            (context.cache / "held").touch()
            time.sleep(600)
        yield from super().run(records, context)


@slow
def test_a_node_killed_in_the_middle_changes_no_byte(cluster: Cluster, places: tuple[Path, Path]) -> None:
    local, spread = places
    victim = cluster.add_node(**SMALL)
    (spread / "victim").write_text(victim.node_id)

    def killing() -> Iterator[Source]:
        for number, source in enumerate(SOURCES):
            if number == len(SOURCES) - 1:
                assert wait_until((spread / "held").exists)
                cluster.remove_node(victim, allow_graceful=False)
            yield source

    here = context(spread)
    run_stage(Work(Held(), killing(), len(SOURCES), key_of(Vowels(), here, ""), spread / "out"), here, RayExecutor())
    run_locally(local, Vowels())
    assert (spread / "held").exists() and files(spread) == files(local)


@dataclass(frozen=True)
class Dying(Vowels):
    """Takes its worker down, on one shard, as many times as `letters` has letters."""

    def run(self, records: Sequence[Any], context: Context) -> Iterator[Source | Rejection]:
        deaths = len(list(context.cache.glob("death-*")))
        if records[0].name == "d0" and deaths < len(self.config.letters):
            (context.cache / f"death-{deaths}").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        yield from Vowels().run(records, context)


@slow
def test_a_shard_whose_worker_dies_is_run_again(cluster: Cluster, places: tuple[Path, Path]) -> None:
    local, spread = places
    run_locally(local, Vowels())
    run(spread, Dying(Settings(letters="xx")))
    assert len(list(spread.glob("death-*"))) == 2 and shards(spread) == shards(local)


@slow
def test_a_shard_that_kills_every_worker_ends_the_run_in_one_sentence(
    cluster: Cluster, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UserError, match=r"lost its worker 4 times \(WorkerCrashedError\)"):
        run(tmp_path, Dying(Settings(letters="x" * 99)))
    assert len(list(tmp_path.glob("death-*"))) == 4
    assert capfd.readouterr().out == ""


def fail(error: Exception) -> None:
    raise error


@slow
@pytest.mark.parametrize("error", [UserError("a cure"), SandboxFailed("b"), ValueError(3), LostRecord("d")], ids=repr)
def test_an_error_comes_back_as_it_was_raised(cluster: Cluster, error: Exception) -> None:
    with pytest.raises(type(error)) as caught:
        list(RayExecutor().map(fail, [error]))
    assert type(caught.value) is type(error) and str(caught.value) == str(error)


@slow
def test_a_stage_s_defect_is_found_on_the_node(cluster: Cluster, tmp_path: Path) -> None:
    with pytest.raises(LostRecord, match="stage vowels lost or doubled pypi:"):  # any shard may be the first
        run(tmp_path, Forgetful())


def span(seconds: float) -> tuple[float, float]:
    start = time.time()
    time.sleep(seconds)
    return start, time.time()


@slow
@pytest.mark.parametrize("workers", [1, 2])
def test_no_more_than_the_wanted_workers_run_at_once(cluster: Cluster, workers: int) -> None:
    spans = list(RayExecutor(workers).map(span, [0.2] * 8))
    at_once = max(sum(start <= moment < end for start, end in spans) for moment, _ in spans)
    assert len(spans) == 8 and at_once <= workers


@slow
def test_few_jobs_are_taken_before_they_are_needed(cluster: Cluster) -> None:
    taken = []
    results = RayExecutor().map(abs, (taken.append(n) or n for n in range(1000)))
    first = next(results)
    assert len(taken) == 6
    assert sorted([first, *results]) == list(range(1000))


@slow
def test_what_is_under_way_ends_with_the_first_failure(cluster: Cluster, tmp_path: Path) -> None:
    with pytest.raises(UserError):
        list(RayExecutor().map(_mark_or_fail, [(tmp_path, 0), (tmp_path, 1), (tmp_path, 2)]))
    assert wait_until(lambda: ray.available_resources().get("CPU") == 3, 30)
    assert not list(tmp_path.glob("done-*"))


def _mark_or_fail(job: tuple[Path, int]) -> None:
    folder, number = job
    if number == 1:
        raise UserError("stop")
    time.sleep(60)
    (folder / f"done-{number}").touch()


def settings(_: int) -> str | None:
    return os.environ.get("CODE2BENCH_TEST")


@slow
def test_nodes_get_the_settings_of_the_build(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODE2BENCH_TEST", "here")
    assert list(RayExecutor().map(settings, [1])) == ["here"]


@slow
def test_a_node_with_another_version_is_refused(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    other = {**ray_cluster._installed(), "hypothesis": "1.0"}
    monkeypatch.setattr(ray_cluster, "_installed", lambda: other)
    with pytest.raises(UserError, match=f"{platform.node()} has another version of hypothesis"):
        list(RayExecutor().map(abs, [1]))


def test_what_another_machine_lacks_is_said_with_its_name() -> None:
    driver = ray_cluster._Driver("elsewhere", {}, {})
    with pytest.raises(UserError, match=f"^On {platform.node()}: no runtime$"):
        ray_cluster._run(driver, fail, UserError("no runtime"))


SCRIPT = """
import sys
from pathlib import Path
from tests.pipeline.test_ray import *
if __name__ == "__main__":
    run(Path(sys.argv[1]), Vowels(Settings(seconds=float(sys.argv[2]))), 2)
    print("done")
"""


def start(folder: Path, seconds: float) -> subprocess.Popen[str]:
    """A run in a process, a session and a Ray of its own."""
    script = folder / "script.py"
    script.write_text(SCRIPT)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("RAY_ADDRESS", None)
    return subprocess.Popen(
        [sys.executable, str(script), str(folder), str(seconds)], cwd=folder, env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )


@slow
def test_without_an_address_ray_runs_here_and_is_quiet(places: tuple[Path, Path]) -> None:
    local, spread = places
    run_locally(local, Vowels())
    out, err = start(spread, 0).communicate(timeout=200)
    assert out == "done\n"
    assert [line for line in re.split(r"[\r\n]+", err) if line and not line.startswith("vowels")] == []
    assert files(spread) == files(local)


@slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL], ids=lambda s: s.name)
def test_a_stopped_run_leaves_no_worker_and_resumes_to_the_same_bytes(
    cluster: Cluster, places: tuple[Path, Path], how: signal.Signals
) -> None:
    local, spread = places
    stage = Vowels(Settings(seconds=0.2))
    process = start(spread, 0.2)
    assert wait_until(lambda: len(list((spread / "out").glob("*.kept.parquet"))) >= 2)
    (os.killpg if how == signal.SIGINT else os.kill)(process.pid, how)
    process.communicate(timeout=60)
    assert process.returncode not in (0, None)
    run_locally(local, stage)
    assert len(shards(spread)) < len(shards(local))
    assert wait_until(lambda: not of_session(process.pid), 30)
    run(spread, stage)
    assert files(spread) == files(local)


def of_session(leader: int) -> list[str]:
    """What a process has left behind in its session, but for two of Ray's own that end a minute later."""
    found = subprocess.run(["ps", "-o", "stat=,args=", "-s", str(leader)], capture_output=True, text=True).stdout
    return [line for line in found.splitlines() if not line.startswith("Z") and "Agent" not in line]


def test_an_address_where_nobody_answers_is_one_sentence() -> None:
    code = "from pipeline.executors.ray_cluster import RayExecutor; list(RayExecutor().map(abs, [1]))"
    environment = {**os.environ, "RAY_ADDRESS": "127.0.0.1:9", "PYTHONPATH": str(ROOT)}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert "UserError: No Ray cluster answers at 127.0.0.1:9: start it" in run.stderr.splitlines()[-1]
