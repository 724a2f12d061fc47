"""The paper's criteria: which repositories are taken, and the reason and the evidence for those that are not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipeline.config import GithubConfig
from pipeline.records import Reason
from pipeline.sources import Unusable
from pipeline.sources.criteria import active_since, check_facts, look_closer, opening
from pipeline.sources.github import GitHub
from pipeline.sources.repositories import Repository, repository
from tests.pipeline.sources.conftest import MIT
from tests.pipeline.sources.github_server import GitHubServer

UNTIL = "2026-11-01"
Look = Callable[..., Repository]


@pytest.fixture
def look(hub: GitHubServer, tmp_path: Path) -> Look:
    """Look closer at a repository that is put up with these properties."""

    def run(config: GithubConfig | None = None, **about: Any) -> Repository:
        client = GitHub(hub.address, tmp_path / "cache", attempts=2, pause=0.01)
        one = hub.hosted.get("acme/one") or hub.host("acme/one", **about)
        return look_closer(client, repository(one.record(hub.root)), config or GithubConfig(), UNTIL)

    return run


def refused(action: Callable[..., object], *arguments: Any, **about: Any) -> tuple[Reason, str]:
    with pytest.raises(Unusable) as error:
        action(*arguments, **about)
    return error.value.reason, error.value.evidence


def facts(hub: GitHubServer, config: GithubConfig | None = None, name: str = "acme/one", **about: Any) -> None:
    check_facts(repository(hub.host(name, **about).record(hub.root)), config or GithubConfig())


@pytest.mark.parametrize(("about", "reason", "option"), [
    ({"fork": True}, Reason.FORK, {"forks": True}),
    ({"archived": True}, Reason.ARCHIVED, {"archived": True}),
    ({"is_template": True}, Reason.TEMPLATE, {"templates": True}),
    ({"mirror_url": "https://forge.example/a"}, Reason.MIRROR, {"mirrors": True}),
    ({"description": "Read-only mirror of the other forge"}, Reason.MIRROR, {"mirrors": True}),
    ({"licence": "GPL-3.0"}, Reason.LICENCE, None),
    ({"licence": "CC-BY-NC-4.0"}, Reason.LICENCE, None),
    ({"description": "My homework"}, Reason.NO_PROJECT, {"unwanted_phrases": ()}),
    ({"topics": ("interview", "cli")}, Reason.NO_PROJECT, {"unwanted_names": ()}),
])
def test_each_fact_against_a_repository_has_its_reason_and_can_be_allowed(
    hub: GitHubServer, about: dict[str, Any], reason: Reason, option: dict[str, Any] | None
) -> None:
    assert refused(facts, hub, **about)[0] is reason
    if option is not None:
        facts(hub, GithubConfig(**option), **about)


def test_a_maintainer_can_exclude_a_repository(hub: GitHubServer) -> None:
    reason, _ = refused(facts, hub, GithubConfig(excluded=("Acme/One",)))
    assert reason is Reason.EXCLUDED


@pytest.mark.parametrize("name", ["a/awesome-python", "a/LeetCode_solutions", "a/flask.tutorial", "a/learn-python"])
def test_names_of_courses_and_lists_are_refused(hub: GitHubServer, name: str) -> None:
    reason, evidence = refused(facts, hub, name=name)
    assert reason is Reason.NO_PROJECT and evidence.startswith("the name has the word ")


@pytest.mark.parametrize("about", [
    {"description": "Fast, and of course free"},
    {"description": "Recourse to racecourses"},
    {"name": "awesome/tool"},
    {"topics": ("learn", "python")},
    {"licence": None},
    {"licence": "NOASSERTION"},
    {"licence": "Apache-2.0"},
], ids=str)
def test_what_only_looks_like_it_is_taken(hub: GitHubServer, about: dict[str, Any]) -> None:
    try:
        facts(hub, **about)
    except Unusable as refusal:
        pytest.fail(refusal.evidence)


def test_a_repository_that_meets_all_criteria_gets_its_newest_commit_before_the_window_s_end(look: Look) -> None:
    found = look(commits=[("c" * 40, "2026-11-02"), ("b" * 40, "2026-10-30"), ("a" * 40, "2026-01-01")], files={
        "tests/test_it.py": "", "it.py": "",
    })
    assert (found.commit, found.committed) == ("b" * 40, "2026-10-30T10:00:00Z")
    assert found.licence == "MIT"


def test_a_commit_in_the_months_before_the_window_s_end_is_needed(look: Look) -> None:
    reason, evidence = refused(look, commits=[("b" * 40, "2026-11-02"), ("a" * 40, "2026-07-31")])
    assert (reason, evidence) == (Reason.INACTIVE, "the newest commit before 2026-11-01 is of 2026-07-31")
    assert look(GithubConfig(active_months=4)).commit == "a" * 40


@pytest.mark.parametrize(("about", "evidence"), [
    ({"commits": []}, "GitHub answered 409: Git Repository is empty."),
    ({"commits": [("a" * 40, "2026-11-05")]}, "it has no commit before 2026-11-01"),
])
def test_a_repository_without_commits_is_inactive(look: Look, about: dict[str, Any], evidence: str) -> None:
    assert refused(look, **about) == (Reason.INACTIVE, evidence)


@pytest.mark.parametrize(("until", "months", "day"), [
    ("2026-11-01", 3, "2026-08-01"), ("2026-05-31", 3, "2026-02-28"), ("2026-01-15", 12, "2025-01-15"),
    ("2026-02-10", 3, "2025-11-10"),
])
def test_months_are_counted_back(until: str, months: int, day: str) -> None:
    assert active_since(until, months) == day


@pytest.mark.parametrize("file", [
    "tests/test_it.py", "test/a.py", "src/it/tests/a.py", "it/test_a.py", "a_test.py", "pytest.ini", "tox.ini",
    "src/test/java/ATest.java",
])
def test_folders_files_and_settings_of_tests_are_seen(look: Look, file: str) -> None:
    assert look(files={file: "", "it.py": ""}).commit


@pytest.mark.parametrize("file", ["it.py", "latest/it.py", "contest.py", "docs/testing.md"])
def test_a_repository_without_tests_is_refused(look: Look, file: str) -> None:
    reason, evidence = refused(look, files={file: ""})
    assert reason is Reason.NO_TESTS and evidence.startswith("none of its ")
    assert look(GithubConfig(tests=())).commit


def test_a_tree_that_is_told_in_part_is_looked_at_from_the_root(look: Look, hub: GitHubServer) -> None:
    hub.cut.add("acme/one")
    assert look(files={"a.py": "", "tests/it.py": ""}).commit


def test_a_tree_that_is_told_in_part_and_shows_no_tests_says_so(look: Look, hub: GitHubServer) -> None:
    hub.cut.add("acme/one")
    assert "of which GitHub tells a part" in refused(look, files={"a.py": "", "src/tests/it.py": ""})[1]


@pytest.mark.parametrize(("readme", "taken"), [
    ("# Solutions\n\nMy LeetCode solutions.", False),
    ("# It\n[![badge](https://x/course)](https://x/tutorial)\nA [tutorial](https://x) on loops.", False),
    ("# It\nIt does things." + " More words." * 60 + "\nSee the tutorial.", True),
    ("# It\n```\nrun tutorial\n```\n<img src='course.png'> It does things.", True),
    ("", True),
])
def test_the_beginning_of_a_readme_says_what_a_project_is(look: Look, readme: str, taken: bool) -> None:
    files = {"README.md": readme, "tests/a.py": ""}
    if taken:
        assert look(files=files)
    else:
        assert refused(look, files=files)[0] is Reason.NO_PROJECT


def test_markup_is_taken_out_of_a_readme() -> None:
    assert opening("# It\n\n[![a](b)](c) <p align=x>A *fast* [tool](https://d).</p>\n=====\n") == "It A fast tool ."


@pytest.mark.parametrize(("text", "licence"), [(MIT, "MIT"), ("GNU General Public License, version 3", ""), ("?", "")])
def test_a_licence_that_github_does_not_know_is_read(look: Look, text: str, licence: str) -> None:
    files = {"LICENSE": text, "tests/a.py": ""}
    if licence:
        assert look(licence="NOASSERTION", files=files).licence == licence
    else:
        assert refused(look, licence="NOASSERTION", files=files)[0] is Reason.LICENCE


def test_a_repository_without_any_licence_is_refused(look: Look) -> None:
    assert refused(look, licence=None) == (Reason.LICENCE, "no licence file says which")


@pytest.mark.parametrize(("status", "said"), [(404, "Not Found"), (451, "Repository access blocked"), (403, "Blocked")])
def test_a_deleted_or_blocked_repository_is_gone(look: Look, status: int, said: str) -> None:
    assert refused(look, refused=(status, said)) == (Reason.PROJECT_GONE, f"GitHub answered {status}: {said}")


def test_a_renamed_repository_goes_on_under_its_new_name(look: Look, hub: GitHubServer, tmp_path: Path) -> None:
    now = hub.host("acme/new", commits=[("b" * 40, "2026-11-02"), ("a" * 40, "2026-10-01")])
    hub.renamed["acme/old"] = "acme/new"
    old = replace(repository(now.record(hub.root)), name="acme/old", domain="Web Development")
    found = look_closer(GitHub(hub.address, tmp_path / "cache"), old, GithubConfig(), UNTIL)
    assert (found.name, found.location) == ("acme/new", f"{hub.root}/acme/new.git")
    assert (found.commit, found.domain) == ("a" * 40, "Web Development")


def test_a_name_that_another_repository_has_by_now_is_gone(hub: GitHubServer, tmp_path: Path) -> None:
    before = replace(repository(hub.host("acme/one").record(hub.root)), number=99_999)
    seen = refused(look_closer, GitHub(hub.address, tmp_path), before, GithubConfig(), UNTIL)
    assert seen == (Reason.PROJECT_GONE, "acme/one is another repository by now")


def test_what_changed_since_the_search_counts(look: Look, hub: GitHubServer) -> None:
    one = hub.host("acme/one")
    before = repository(one.record(hub.root))
    one.about["archived"] = True
    assert not before.archived
    assert refused(look)[0] is Reason.ARCHIVED
