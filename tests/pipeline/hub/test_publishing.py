"""Publishing to a Hub that runs here: the real clients, a real release, and everything that may go wrong on the way."""

from __future__ import annotations

import io
import itertools
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from harness.releases.dataset import load_release
from pipeline.flow import Build
from tests.hub import Account, Hub, running
from tests.hub.faults import Busy, Conflict, Cut, Fault, Kill, Quota, Status
from tests.hub.shell import Command
from tests.pipeline.make_project import new_cache
from tests.pipeline.test_flow import republished

ROOT = Path(__file__).parents[3]


@dataclass
class Desk:
    """A maintainer's shell: a folder to work in, a home with the Hub's cache, and a token."""

    hub: Hub
    place: Path
    release: Path
    token: str = "hf_writer"

    @property
    def cache(self) -> str:
        """A cache of this desk's own, with the runtimes of this machine."""
        folder = self.place / "cache"
        return str(folder if folder.is_dir() else new_cache(folder))

    def start(self, *arguments: str, home: str = "home", gates: bool = True, **more: str) -> Command:
        environment = self.hub.environment(
            self.place / home, self.token, **{"PYTHONPATH": str(ROOT), "CODE2BENCH_CACHE": self.cache, **more})
        return Command(arguments, environment, self.place, gates)

    def run(self, *arguments: str, home: str = "home", gates: bool = True, **more: str) -> tuple[int, str]:
        process = self.start(*arguments, home=home, gates=gates, **more)
        said, complained = process.communicate(timeout=240)
        lines = [line for line in complained.replace("\r", "\n").splitlines() if "it/s" not in line and "rec/s" not in line]
        return process.returncode or 0, "\n".join((said.strip(), *lines)).strip()

    def publish(self, *more: str, release: Path | None = None, gates: bool = False) -> tuple[int, str]:
        command = "publish", str(release or self.release), "--repo", "ORG/tasks", "--workers", "1"
        return self.run(*command, *more, gates=gates)

    @property
    def tags(self) -> dict[str, str]:
        there = ("datasets", "ORG/tasks") in self.hub.repositories
        refs = self.hub.repository("ORG/tasks").refs() if there else {}
        return {name.removeprefix("refs/tags/"): commit for name, commit in refs.items() if name.startswith("refs/tags/")}


@pytest.fixture(scope="module")
def release(built: Build) -> Path:
    return Path(str(built.release))


@contextmanager
def working(place: Path, release: Path) -> Iterator[Desk]:
    """A maintainer at an empty Hub."""
    with running(place / "hub") as hub:
        hub.tokens["hf_writer"] = Account("maintainer", "write", ("ORG",))
        hub.tokens["hf_reader"] = Account("reader", "read", ("ORG",))
        (place / "work").mkdir()
        yield Desk(hub, place / "work", release)
        assert not hub.mistakes


@pytest.fixture
def desk(release: Path, tmp_path: Path) -> Iterator[Desk]:
    with working(tmp_path, release) as made:
        yield made


@pytest.fixture(scope="module")
def published(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A desk with a published release, for tests that change nothing of it."""
    with working(tmp_path_factory.mktemp("published"), release) as made:
        code, said = made.publish("--space", gates=True)
        assert code == 0 and "vtiny set" in said and 'load_dataset("ORG/tasks", "sc-python", revision="vtiny"' in said
        assert "its page is" in said
        yield made


@pytest.fixture
def own(published: Desk, desk: Desk) -> Desk:
    """A desk with a published release, for a test that goes on with it."""
    for (kind, name), one in published.hub.repositories.items():
        copy = desk.hub.create(name, kind, one.private)
        shutil.rmtree(copy.folder)
        shutil.copytree(one.folder, copy.folder)
        copy.pointed = {}
    return desk


def without(release: Path, place: Path, name: str) -> Path:
    """A release as it is when one of its tasks is left out, with every hash made right."""
    names = {task.entry_point for task in load_release(release).tasks} - {name}
    return republished(release, place / "smaller", lambda task: task, names)


def test_a_release_is_published_once_with_its_page_and_read_by_everybody(own: Desk) -> None:
    commit = own.tags["vtiny"]
    _has_a_page(own)
    code, said = own.publish("--space")
    assert code == 0 and "vtiny was there already, and is this release" in said and "up to date" in said
    assert own.tags == {"vtiny": commit}
    _has_a_page(own)
    code, said = own.run("releases", "ORG/tasks", "--json", home="other")
    [listed] = json.loads(said)
    assert (listed["release"], listed["commit"], listed["tasks"]) == ("tiny", commit, {"sc-python": 2, "wsc-python": 1})
    code, said = own.run("verify", "ORG/tasks@vtiny", "--workers", "1", home="other")
    assert code == 0 and "passes every gate" in said


def _has_a_page(desk: Desk) -> None:
    assert {"README.md", "index.html", "style.css"} <= set(desk.hub.repository("ORG/tasks", "spaces").files())
    assert "merge_ranges" in page_of(desk)


def page_of(desk: Desk) -> str:
    """All that the page of the Space has."""
    page = desk.hub.repository("ORG/tasks", "spaces")
    return "".join(page.read(name).decode() for name in sorted(page.files()))


def test_a_withdrawal_and_a_correction_renew_the_page(own: Desk) -> None:
    desk = own
    assert '"name":"shorten"' in page_of(desk)
    code, said = desk.run("withdraw", "shorten", "--repo", "ORG/tasks", "--reason", "<b>The author</b> asks for it.")
    assert code == 0 and "Its page shows it no more" in said
    page = page_of(desk)
    assert '"name":"shorten"' not in page and '"name":"merge_ranges"' in page
    assert "&lt;b&gt;The author&lt;/b&gt; asks for it." in page
    assert desk.publish()[0] == 0 and page_of(desk) == page, "publishing the same again brings it back"
    assert desk.publish("--correction", release=without(desk.release, desk.place, "shorten"))[0] == 0
    page = page_of(desk)
    assert "ORG/tasks@vtiny.1" in page and '"name":"merge_ranges"' in page
    assert '"name":"shorten"' not in page and "Withdrawn since" not in page


def test_a_page_that_could_not_be_renewed_is_renewed_by_the_same_command(own: Desk) -> None:
    desk = own
    told = "withdraw", "shorten", "--repo", "ORG/tasks", "--reason", "The author asks for it.", "--json"
    desk.hub.fail("POST .*/spaces/.*/commit/", Status(403))
    code, said = desk.run(*told)
    assert code == 2 and "All is done but the page of ORG/tasks" in said and "Traceback" not in said
    assert '"name":"shorten"' in page_of(desk)
    code, said = desk.run(*told)
    assert code == 0 and json.loads(said)["page"].endswith("/spaces/ORG/tasks")
    assert '"name":"shorten"' not in page_of(desk)


def test_the_page_of_an_older_release_never_takes_the_place_of_a_later_one(own: Desk) -> None:
    desk = own
    later = republished(desk.release, desk.place / "later", lambda task: task)
    manifest = json.loads((later / "manifest.json").read_text())
    manifest |= {"name": "next", "window": manifest["window"] | {"until": "2099-01-01"}}
    (later / "manifest.json").write_text(json.dumps(manifest))
    assert desk.publish(release=later)[0] == 0
    assert "ORG/tasks@vnext" in page_of(desk)
    assert desk.publish("--correction", release=without(desk.release, desk.place, "shorten"))[0] == 0
    assert "vtiny.1" in desk.tags and "ORG/tasks@vnext" in page_of(desk)


LOAD = """
import sys
from datasets import load_dataset
rows = load_dataset("ORG/tasks", "sc-python", revision="vtiny", split="test")
print(sorted(rows["entry_point"]), rows.column_names[0])
print(len(list(load_dataset("ORG/tasks", "wsc-python", revision="vtiny", split="test", streaming=True))))
everything = load_dataset("ORG/tasks", "all-sc-python", split="test")
print(set(everything["release"]), len(everything))
import pandas
print(len(pandas.read_parquet("hf://datasets/ORG/tasks@vtiny/sc-python/test-00000-of-00001.parquet")))
"""


def test_the_data_s_own_tools_read_it(published: Desk) -> None:
    environment = published.hub.environment(published.place / "data", "hf_reader")
    found = subprocess.run([sys.executable, "-c", LOAD], env=environment, capture_output=True, text=True, check=False)
    assert found.stdout.splitlines() == ["['merge_ranges', 'shorten'] task_id", "1", "{'tiny'} 2", "2"], found.stderr


def test_a_dry_run_writes_nothing(desk: Desk) -> None:
    code, said = desk.publish("--dry-run")
    assert code == 0 and "tag them vtiny" in said and "Nothing was written." in said
    assert not desk.hub.repositories and not desk.hub.asked("^(POST|PUT|DELETE)")


def test_a_tag_is_never_moved_and_a_correction_says_what_changed(own: Desk) -> None:
    desk = own
    first, smaller = desk.tags["vtiny"], without(desk.release, desk.place, "shorten")
    code, said = desk.publish(release=smaller)
    assert code == 2 and "a tag is never moved" in said and desk.tags == {"vtiny": first}
    code, said = desk.publish("--correction", release=smaller)
    assert code == 0 and "vtiny.1 set" in said
    assert desk.tags["vtiny"] == first and set(desk.tags) == {"vtiny", "vtiny.1"}
    assert "was there already" in desk.publish("--correction", release=smaller)[1]
    code, said = desk.run("diff", "ORG/tasks@tiny", "ORG/tasks@tiny.1")
    assert code == 0 and "shorten" in said
    code, said = desk.run("prompts", "ORG/tasks@tiny")
    assert code == 0 and said.count('"task_id"') == 3
    assert "has a correction of this release, vtiny.1; you asked for vtiny and got it" in desk.run(
        "evaluate", "ORG/tasks@tiny", "--reference")[1]
    manifest = json.loads(desk.hub.repository("ORG/tasks").read("manifest.json", "vtiny.1"))
    assert manifest["name"] == "tiny.1" and manifest["corrects"]["release"] == "tiny"
    assert [one["entry_point"] for one in manifest["corrects"]["changes"]["removed"]] == ["shorten"]


def test_veiled_answers_are_read_by_the_harness_and_by_nobody_who_reads_text(desk: Desk) -> None:
    assert desk.publish("--veil", "--public", "--space")[0] == 0
    assert '"reference":' not in page_of(desk) and "shows no reference answers" in page_of(desk)
    repository = desk.hub.repository("ORG/tasks")
    reference = load_release(desk.release).tasks[0].reference.splitlines()[-1].strip()
    for name in ("sc-python/test-00000-of-00001.parquet", "all/sc-python/tiny.parquet"):
        revision = "main" if name.startswith("all") else "vtiny"
        table = pq.read_table(io.BytesIO(repository.read(name, revision)))
        assert all(text.startswith("veiled:2:") for text in table["reference"].to_pylist())
        assert reference not in str(table["cases"].to_pylist())
    key = json.loads(repository.read("manifest.json", "vtiny"))["veil"]["key"]
    assert key in repository.read("README.md", "vtiny").decode()
    code, said = desk.run("evaluate", "ORG/tasks@tiny", "--reference", "--json", home="other")
    assert code == 0 and json.loads(said)["score"]["pass_at"] == {"1": 1.0}, said
    code, said = desk.run("verify", "ORG/tasks@tiny", "--workers", "1", home="other")
    assert code == 0, said


def test_offline_with_a_warm_cache_nothing_is_asked(published: Desk) -> None:
    assert published.run("show", "ORG/tasks@tiny", "shorten", home="warm")[0] == 0
    published.hub.forget()
    code, said = published.run("show", "ORG/tasks@tiny", "shorten", home="warm", HF_HUB_OFFLINE="1")
    assert code == 0 and "shorten" in said and not published.hub.log
    code, said = published.run("show", "ORG/tasks@tiny", "shorten", home="cold", HF_HUB_OFFLINE="1")
    assert code == 2 and "Traceback" not in said


def test_no_network_no_room_and_somebody_else_s_commit_end_in_one_sentence_or_well(desk: Desk) -> None:
    desk.hub.fail("POST .*/commit/", Quota())
    code, said = desk.publish()
    assert code == 2 and said.count("Error:") == 1 and "Traceback" not in said and not desk.tags
    desk.hub.fail("POST .*/commit/main", Conflict({"somebody.txt": b"else"}))
    code, said = desk.publish()
    assert code == 0, said
    assert "somebody.txt" not in desk.hub.repository("ORG/tasks").files("vtiny")
    code, said = desk.run("releases", "ORG/tasks", home="other", HF_ENDPOINT="http://127.0.0.1:9")
    assert code == 2 and "the network" in said and "Traceback" not in said


EVALUATE = """
from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager
from harness.lm_eval import install
named = {"code2bench_release": "ORG/tasks@vtiny"}
ours = TaskManager(include_path=str(install.SOURCE), include_defaults=False, metadata=named)
print(simple_evaluate("dummy", tasks=["code2bench_sc_python"], task_manager=ours, bootstrap_iters=0)["configs"])
"""


def test_lm_eval_takes_a_tag_and_writes_the_commit_down(published: Desk) -> None:
    environment = published.hub.environment(
        published.place / "reader", "hf_reader", PYTHONPATH=str(ROOT),
        CODE2BENCH_CACHE=published.cache)
    command = [sys.executable, "-c", EVALUATE]
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=published.place)
    assert found.returncode == 0, found.stderr[-2000:]
    assert published.tags["vtiny"] in found.stdout


def test_a_withdrawn_task_is_announced_and_kept_out(own: Desk) -> None:
    desk = own
    task = next(task for task in load_release(desk.release).tasks if task.entry_point == "shorten")
    code, said = desk.run("withdraw", "shorten", "--repo", "ORG/tasks", "--reason", "The author asks for it.")
    assert code == 0 and "It is in tiny" in said
    assert task.task_id in (desk.place / "data" / "exclusions.toml").read_text()
    assert "was withdrawn on" in desk.run("evaluate", "ORG/tasks@tiny", "--reference", home="other")[1]
    code, said = desk.run("verify", "ORG/tasks@tiny", "--workers", "1", home="other")
    assert code == 0 and "was withdrawn on" in said
    assert "was withdrawn on" in desk.run("pull", "ORG/tasks", "--release", "tiny", home="other")[1]
    assert desk.publish("--correction", release=without(desk.release, desk.place, "shorten"))[0] == 0
    code, said = desk.run("diff", "ORG/tasks@tiny", "ORG/tasks@tiny.1", home="other")
    assert code == 0 and "shorten (alpha): advisory: The author asks for it." in said
    code, said = desk.run("withdraw", "c2b-0", "--repo", "ORG/tasks", "--reason", "x")
    assert code == 2 and "No release of ORG/tasks has the task" in said


@pytest.mark.parametrize(("token", "said"), [
    ("", "token"), ("hf_wrong", "HF_TOKEN"), ("hf_reader", "This token may not write to ORG/tasks (it is one that only reads)")], ids=["none", "wrong", "read only"])
def test_without_rights_there_is_one_sentence(desk: Desk, token: str, said: str) -> None:
    desk.token = token
    start = time.monotonic()
    code, told = desk.publish()
    assert time.monotonic() - start < 15, "it is told before anything is verified"
    assert code == 2 and said in told and "Traceback" not in told and (not token or token not in told)
    assert not desk.tags


def test_a_release_that_fails_a_gate_is_not_published(desk: Desk) -> None:
    folder = without(desk.release, desk.place, "nothing")
    (folder / "LICENSES.txt").write_text("changed")
    code, said = desk.publish(release=folder, gates=True)
    assert code == 2 and "Error:" in said and not desk.hub.log


@pytest.mark.parametrize("faults", [(Busy(), Status(503)), (Cut(), Cut(after_work=True))], ids=["told", "cut"])
def test_what_passes_is_waited_for_or_told_and_another_run_ends_it(desk: Desk, faults: tuple[Fault, ...]) -> None:
    for fault in faults:
        desk.hub.fail("POST .*/commit/", fault)
    for _ in faults:
        code, said = desk.publish()
        assert "Traceback" not in said and (code == 0 or not desk.tags)
        if code == 0:
            break
    assert desk.tags or desk.publish()[0] == 0
    assert set(desk.tags) == {"vtiny"}


def killed_at(desk: Desk, numbers: Iterator[int]) -> int:
    """Kill the command at these requests, each time from an empty Hub, and then let it end; gives the last number."""
    for number in numbers:
        for repository in list(desk.hub.repositories):
            desk.hub.delete(repository[1], repository[0])
        desk.hub.forget()
        process = desk.start("publish", str(desk.release), "--repo", "ORG/tasks", "--workers", "1", gates=False)
        desk.hub.fail_at(number, Kill(process, after_work=number % 2 == 0))
        process.communicate()
        if process.returncode == 0:
            return number
        tagged = desk.tags.get("vtiny")
        if tagged:
            names = set(desk.hub.repository("ORG/tasks").files("vtiny"))
            assert {"README.md", "manifest.json", *load_release(desk.release).manifest["files"]} <= names
        desk.hub.forget()
        code, said = desk.publish()
        assert code == 0, said
        assert tagged in (None, desk.tags["vtiny"])
    return 0


def test_killed_at_some_requests_it_never_leaves_a_wrong_tag(desk: Desk) -> None:
    killed_at(desk, iter((17, 45)))


@pytest.mark.slow
def test_killed_at_each_request_in_turn_it_never_leaves_a_wrong_tag(desk: Desk) -> None:
    assert killed_at(desk, itertools.count(1)) > 30


def test_variants_are_published_beside_their_origin(own: Desk) -> None:
    folder = own.place / "variants"
    code, said = own.run("vary", str(own.release), "--seed", "3", "--chain", "Plain", "--chain", "FuncNorm", "--folder", str(folder))
    assert code == 0, said
    head = own.hub.repository("ORG/tasks").refs()["refs/heads/main"]
    code, said = own.publish("--origin", str(own.release), release=folder / "release", gates=True)
    assert code == 0 and "vtiny-3 set" in said and "the default branch stays as it is" in said, said
    assert own.hub.repository("ORG/tasks").refs()["refs/heads/main"] == head and set(own.tags) == {"vtiny", "vtiny-3"}
    code, said = own.run("prompts", "ORG/tasks@vtiny-3", "--track", "output-python")
    assert code == 0 and "assert f(" in said, said
