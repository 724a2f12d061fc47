"""Choosing repositories: even over the domains, the same for the same answers, resumed, and read by a build."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from harness.cli import cli
from harness.errors import UserError
from harness.locations import files_below, location
from harness.releases.dataset import load_release
from pipeline import flow, store
from pipeline.config import GithubConfig, ReleaseConfig
from pipeline.config_file import load_config
from pipeline.flow import Options, context_of
from pipeline.records import LockedSource, Rejection
from pipeline.release.funnel import as_text, funnel
from pipeline.release.verify import verify
from pipeline.sources.choosing import Choice, choose
from pipeline.sources.lists import read_sources
from pipeline.sources.lock import read_lock
from tests.pipeline.make_project import ALPHA, BETA, LICENCE, OLD, ROOT, data_folder, new_cache, tree
from tests.pipeline.sources.github_server import GitHubServer

TOKEN = "ghp_0123456789abcdefSECRET"
RELEASE = '''
name = "mined"
title = "Mined"
seed = 7
[window]
after = "2026-05-01"
until = "2026-11-01"
[sources]
lists = ["../sources/github.toml"]
[suite]
cases = 60
[github]
address = "{address}"
size = {size}
'''
TOPICS = {"web-framework": "Web Development", "mqtt": "Network & Protocol", "sqlite": "Database & Storage"}


@pytest.fixture
def config(hub: GitHubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The configuration of a release that is mined from the server, in a data folder of its own."""
    monkeypatch.setenv("CODE2BENCH_CACHE", str(new_cache(tmp_path / "cache")))
    path = data_folder(tmp_path).with_name("mined.toml")
    (path.parent.parent / "domains.toml").write_bytes((ROOT / "data" / "domains.toml").read_bytes())
    path.write_text(RELEASE.format(address=hub.address, size=6))
    return path


Choosing = Callable[..., Choice]


@pytest.fixture
def chosen(config: Path, tmp_path: Path) -> Choosing:
    """Choose with these settings of [github]."""

    def run(offline: bool = False, refresh: bool = False, seed: int = 7, **github: Any) -> Choice:
        release: ReleaseConfig = load_config(config)
        release = replace(release, seed=seed, github=replace(release.github, **github))
        context = context_of(release, Options(offline=offline))
        return choose(release, context, tmp_path / "list.toml", tmp_path / "build" / "choose", refresh)

    return run


def fill(hub: GitHubServer, each: int = 6) -> None:
    """Repositories of three domains, four times as many of the first."""
    for topic, domain in TOPICS.items():
        for number in range(each * (4 if domain == "Web Development" else 1)):
            hub.host(f"{topic}/{number}", topics=(topic,), description="", stars=500 + number)


def drawn(choice: Choice) -> list[str]:
    return [source.name for source in read_sources(choice.path)]


def left_out(choice: Choice) -> dict[str, Rejection]:
    files = (choice.folder / "stages" / "01-choose").glob("*.rejected.parquet")
    return {r.name: r for file in files for r in store.read(file, Rejection)}


def test_the_sample_is_even_over_the_domains_and_its_list_can_be_read(chosen: Choosing, hub: GitHubServer) -> None:
    fill(hub)
    choice = chosen()
    sources = read_sources(choice.path)
    assert Counter(s.domain for s in sources) == dict.fromkeys(TOPICS.values(), 2)
    first = tomllib.loads(choice.path.read_text())["source"][0]
    one = hub.hosted[first["name"]]
    assert first == {
        "name": one.name, "domain": "Web Development", "location": f"{hub.root}/{one.name}.git", "id": one.number,
        "commit": one.commits[0][0], "licence": "MIT", "stars": one.stars,
    }


def test_what_a_small_domain_lacks_the_others_give(chosen: Choosing, hub: GitHubServer) -> None:
    fill(hub, each=2)
    assert Counter(s.domain for s in read_sources(chosen(size=9).path)) == {
        "Web Development": 5, "Network & Protocol": 2, "Database & Storage": 2,
    }


def test_the_sample_depends_on_the_seed_and_not_on_the_order_of_the_answers(
    chosen: Choosing, hub: GitHubServer
) -> None:
    fill(hub)
    before = chosen().path.read_text()
    hub.backwards, hub.page = True, 5
    assert chosen(refresh=True).path.read_text() == before
    assert chosen(seed=8).path.read_text().partition("[[")[2] != before.partition("[[")[2]


def test_a_repository_that_comes_in_leaves_the_order_of_the_others(chosen: Choosing, hub: GitHubServer) -> None:
    fill(hub)
    before = set(drawn(chosen()))
    hub.host("late/one", topics=("mqtt",), description="", number=5)
    assert len(before - set(drawn(chosen(refresh=True)))) <= 1


def test_read_is_chosen_plus_left_out_each_with_its_reason(chosen: Choosing, hub: GitHubServer) -> None:
    fill(hub)
    hub.host("a/fork", fork=True)
    hub.host("a/awesome-list")
    hub.host("a/thing", description="Nothing in particular", topics=())
    for one in list(hub.hosted.values())[:3]:
        one.refused = (451, "Repository access blocked")
    choice = chosen(size=30)
    [row] = funnel(choice.folder)
    assert (row.read, row.kept) == (len(hub.hosted), 30)
    assert row.reasons == {"fork": 1, "no_domain": 1, "no_project": 1, "not_sampled": 3, "project_gone": 3}
    assert "course work, a tutorial" in as_text([row])
    told = left_out(choice)
    assert told["a/awesome-list"].evidence == "the name has the word 'awesome'"
    assert {told[f"web-framework/{i}"].evidence for i in range(3)} == {
        "GitHub answered 451: Repository access blocked"}


def test_only_as_many_are_looked_at_as_are_needed(chosen: Choosing, hub: GitHubServer) -> None:
    fill(hub)
    chosen(size=3)
    assert len(hub.questions("/git/trees/")) == 3


def test_a_refused_repository_gives_its_place_to_the_next_of_its_domain(chosen: Choosing, hub: GitHubServer) -> None:
    fill(hub)
    first = drawn(chosen())
    lost = next(name for name in first if name.startswith("mqtt"))
    hub.hosted[lost].files = {"it.py": ""}
    again = drawn(chosen(refresh=True))
    assert lost not in again and sum(name.startswith("mqtt") for name in again) == 2


def test_an_empty_choice_is_told_and_writes_no_list(chosen: Choosing, hub: GitHubServer, tmp_path: Path) -> None:
    hub.host("a/fork", fork=True)
    with pytest.raises(UserError, match=r"No repository meets the criteria: `code2bench status .*` says why"):
        chosen()
    assert not (tmp_path / "list.toml").exists()


def test_without_a_token_it_is_said_once_that_it_takes_longer(
    chosen: Choosing, hub: GitHubServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(hub)
    chosen()
    assert capsys.readouterr().err.count("Without GITHUB_TOKEN") == 1
    monkeypatch.setenv("GH_TOKEN", TOKEN)
    chosen(refresh=True)
    assert "Without" not in capsys.readouterr().err
    assert hub.authorized == {"", f"token {TOKEN}"}


def test_offline_uses_what_was_answered_and_refresh_forgets_it(
    chosen: Choosing, hub: GitHubServer, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(hub)
    before = chosen().path.read_text()
    hub.hosted.clear()
    asked = len(hub.asked)
    assert chosen(offline=True).path.read_text() == chosen().path.read_text() == before
    assert len(hub.asked) == asked
    assert "--refresh asks for them again" in capsys.readouterr().err
    with pytest.raises(UserError, match="No repository meets"):
        chosen(refresh=True)


def test_a_run_that_broke_off_goes_on_where_it_was(chosen: Choosing, hub: GitHubServer) -> None:
    fill(hub)
    whole = chosen()
    before, asked = whole.path.read_text(), list(hub.asked)
    whole.path.unlink()
    hub.asked.clear()
    hub.faults["/git/trees/"] = ["200", "200", "401"]
    with pytest.raises(UserError, match="refuses the token"):
        chosen(refresh=True)
    assert not whole.path.exists()
    hub.faults.clear()
    assert chosen().path.read_text() == before
    assert len(hub.asked) == len(asked) + 1 and set(hub.asked) == set(asked)


SCRIPT = "from harness.cli import main; main()"


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-c", SCRIPT, *map(str, arguments)]


def test_a_killed_run_goes_on_where_it_was(
    config: Path, chosen: Choosing, hub: GitHubServer, tmp_path: Path
) -> None:
    fill(hub)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    call = command("choose", config, "--output", tmp_path / "list.toml")
    process = subprocess.Popen(call, cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL)
    while not hub.questions("/git/trees/"):
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    killed = list(hub.asked)
    assert len(drawn(chosen())) == 6
    again = [address for address in hub.asked[len(killed):] if address in killed]
    assert len(again) <= 1


def everything_in(folder: Path, without: Path) -> bytes:
    """All that was written below a folder, unpacked where it is packed, with the names."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and without not in path.parents:
            data = path.read_bytes()
            found += [str(path).encode(), gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data]
    return b"\n".join(found)


def publish_projects(hub: GitHubServer) -> None:
    """Two projects with new functions, and one that is homework, as real repositories."""
    start: dict[str, str | None] = {"LICENSE": LICENCE, "README.md": "# It\n", "tests/test_it.py": "def test(): pass\n"}
    hub.publish("acme/alpha", [
        ("2026-01-10", {**start, "alpha.py": "VERSION = 1\n"}), ("2026-09-10", {"alpha.py": ALPHA}),
    ], description="Shorten texts", topics=("text-processing",))
    hub.publish("acme/beta", [
        ("2026-01-10", {**start, "beta.py": OLD}), ("2026-10-10", {"beta.py": BETA}), ("2026-11-05", {"c.py": "x = 1\n"}),
    ], description="Ranges of numbers", topics=("mathematics",), licence="NOASSERTION")
    hub.publish("acme/gamma", [("2026-10-10", {**start, "README.md": "# Homework\n"})], topics=("cli",))


def test_a_build_mines_what_was_chosen_and_the_token_is_nowhere(
    config: Path, hub: GitHubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    publish_projects(hub)
    hub.watched = TOKEN
    hub.faults["/commits"] = ["limited"]
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    monkeypatch.chdir(tmp_path)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command("choose", config, "--json"), env=environment, check=True, stdout=subprocess.PIPE)
    assert json.loads(done.stdout)["chosen"] == 2
    cli.main(["build", str(config), "--until-stage", "classify", "--workers", "1"], standalone_mode=False)
    told = "".join(capfd.readouterr()).encode() + done.stdout
    listed = config.parent.parent / "sources" / "github.toml"
    assert [s.name for s in read_sources(listed)] == ["acme/alpha", "acme/beta"]
    locked = {d.source.name: d for d in read_lock(config.with_suffix(".lock")) if isinstance(d, LockedSource)}
    entries = tomllib.loads(listed.read_text())["source"]
    assert {name: d.upper.version for name, d in locked.items()} == {e["name"]: e["commit"] for e in entries}
    by_stage = {(row.stage, row.unit): row for row in funnel(tmp_path / "build" / "mined")}
    assert by_stage["mine", "function"].reasons == {"prior_to_cutoff": 1}
    assert by_stage["mine", "file"].reasons == {"excluded_folder": 2}
    assert by_stage["classify", "function"].tracks == {"sc-python": 2, "wsc-python": 1}
    assert f"token {TOKEN}" in hub.authorized and hub.questions("/acme/beta.git/git-upload-pack")
    written = everything_in(tmp_path, hub.folder)
    assert b"acme/beta" in written and b"acme/gamma" in told + written
    assert TOKEN.encode() not in written + told and not hub.seen_in_processes


def test_a_build_from_the_list_asks_github_s_api_nothing(config: Path, hub: GitHubServer, tmp_path: Path) -> None:
    publish_projects(hub)
    release = load_config(config)
    choose(release, context_of(release, Options()), config.parent.parent / "sources" / "github.toml", tmp_path / "c")
    hub.asked.clear()
    options = Options(workers=1, folder=tmp_path / "build", until_stage="classify")
    first = flow.build(config, options)
    assert hub.asked and not hub.questions("/api/")
    again = flow.build(config, replace(options, folder=tmp_path / "again", offline=True))
    marker = "stages/01-lock/stage.json"  # the first build found no lock
    assert {**tree(first.folder), marker: ""} == {**tree(again.folder), marker: ""}


def test_one_command_chooses_and_builds_and_the_lock_repeats_it_without_the_hub(
    config: Path, hub: GitHubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish_projects(hub)
    config.write_text(config.read_text().replace('lists = ["../sources/github.toml"]', 'source = "github"'))
    options = Options(workers=1, folder=tmp_path / "build", until_stage="sample")
    first = flow.build(config, options)
    locked = {d.source.name: d for d in read_lock(config.with_suffix(".lock")) if isinstance(d, LockedSource)}
    assert {name: d.source.number for name, d in locked.items()} == {
        name: hub.hosted[name].number for name in ("acme/alpha", "acme/beta")
    }  # fmt: skip
    assert {d.source.commit for d in locked.values()} == {d.upper.version for d in locked.values()}
    shown = CliRunner().invoke(cli, ["status", str(first.folder)]).output
    assert shown.index("choose") < shown.index("lock")
    assert "1  of       1 Text Processing & NLP" in shown
    hub.asked.clear()
    hub.hosted.clear()
    again = flow.build(config, replace(options, folder=tmp_path / "again", offline=True))
    assert not hub.asked
    marker = "stages/01-lock/stage.json"  # the first build found no lock
    made = {name: data for name, data in tree(first.folder).items() if not name.startswith("choose/")}
    assert {**made, marker: ""} == {**tree(again.folder), marker: ""}


def test_what_was_chosen_may_lie_elsewhere(config: Path, hub: GitHubServer, tmp_path: Path) -> None:
    publish_projects(hub)
    config.write_text(config.read_text().replace('lists = ["../sources/github.toml"]', 'source = "github"'))
    here, there = tmp_path / "build", location(f"memory://{tmp_path.name}/build")
    for folder in (here, there):
        flow.build(config, Options(workers=1, folder=folder, until_stage="lock"))
        config.with_suffix(".lock").unlink()
    assert files_below(there) == files_below(here)
    assert all((there / name).read_bytes() == (here / name).read_bytes() for name in files_below(here))
    said = [CliRunner().invoke(cli, ["status", folder]).output for folder in (str(here), str(there))]
    assert said[0] == said[1] and "breadth first" in said[0]


@pytest.mark.slow  # a whole build from repositories
def test_a_release_from_repositories_with_many_branches_passes_its_gates(
    config: Path, hub: GitHubServer, tmp_path: Path
) -> None:
    publish_projects(hub)
    repository = hub.folder / "acme" / "alpha.git"
    environment = {**os.environ, **{f"GIT_{who}_{key}": value for who in ("AUTHOR", "COMMITTER") for key, value in (
        ("NAME", "A"), ("EMAIL", "a@example.com"), ("DATE", "2026-02-01T10:00:00Z"))}}
    for number in range(9):
        made = subprocess.run(
            ["git", "-C", repository, "commit-tree", "-m", f"branch {number}", "HEAD~1^{tree}"], env=environment,
            check=True, capture_output=True, text=True,
        ).stdout.strip()
        subprocess.run(["git", "-C", repository, "update-ref", f"refs/heads/b{number}", made], check=True)
    config.write_text(config.read_text().replace('lists = ["../sources/github.toml"]', 'source = "github"'))
    made = flow.build(config, Options(workers=1, folder=tmp_path / "build"))
    baselines = {task.provenance.baseline for task in load_release(made.release).tasks}
    assert any(one[-1] == "and 4 more" for one in baselines)
    assert verify(str(made.release), 1) == []


def test_what_did_not_answer_is_told_with_the_cure(
    config: Path, hub: GitHubServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    publish_projects(hub)
    hub.faults["beta.git"] = ["503"] * 20
    config.write_text(config.read_text().replace('lists = ["../sources/github.toml"]', 'source = "github"')
                      + "[mine]\nfetch_attempts = 1\n")
    flow.build(config, Options(workers=1, folder=tmp_path / "build", until_stage="lock"))
    said = f"1 sources did not answer, the first is acme/beta: remove them from {config.with_suffix('.lock')} and"
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(("sources", "said"), [
    ('lists = ["a.toml"]\nsource = "github"', "set either lists in"), ("", "set either lists in"),
    ('source = "gitlab"', 'must be "github"'),
])
def test_lists_or_github_are_the_sources(config: Path, sources: str, said: str) -> None:
    config.write_text(config.read_text().replace('lists = ["../sources/github.toml"]', sources))
    with pytest.raises(UserError, match=said):
        load_config(config)


@pytest.mark.parametrize(("setting", "said"), [
    ("size = 0", "size and active_months must be at least 1"),
    ('address = "forge.example"', "address must be a URL without user or query"),
    ('address = "https://me:pw@forge.example/api/v3"', "address must be a URL without user or query"),
    ('language = "Python stars:>1"', "language must be one that GitHub knows"),
    ('size = "many"', "size must be of type int"),
    ("starz = 3", "unknown key 'starz'"),
    ('tests = "tests"', "tests must be a list of strings"),
])
def test_wrong_settings_are_told_in_one_sentence(config: Path, setting: str, said: str) -> None:
    text = config.read_text().partition("[github]")[0]
    config.write_text(f"{text}[github]\n{setting}\n")
    with pytest.raises(UserError, match=said) as error:
        load_config(config)
    assert "\n" not in str(error.value)


def test_the_defaults_are_the_paper_s() -> None:
    default = GithubConfig()
    assert (default.language, default.size, default.min_stars, default.active_months) == ("Python", 220, 500, 3)
    assert default.tests and not (default.forks or default.archived or default.mirrors or default.templates)


def test_a_missing_rule_file_is_told_before_anything_is_asked(chosen: Choosing, hub: GitHubServer) -> None:
    with pytest.raises(UserError, match="There is no rule file"):
        chosen(domains="none.toml")
    assert hub.asked == []
