"""What a Space's folder holds: numbers and tasks of the release, and nothing of a task's text that could act."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml

from harness.records import CANARY, Provenance, Sufficiency, Task
from harness.releases.dataset import Release, load_release
from harness.releases.hub import Advisory, Listed
from pipeline.records import Reason
from pipeline.release.figures import Bar, Figure, Group, as_svg
from pipeline.release.inline import inline
from pipeline.release.space import safe_url, shown, stage_row, tasks_script, write_space
from pipeline.release.statistics import share
from pipeline.release.templates import text_of
from tests.harness.make_release import make_release, make_tasks

HOSTILE = '</script><img src=x onerror=alert(1)>"\'`${alert(2)}\u2028\u2029<!-- */ ]]> &lt;b&gt; {{ 7 * 7 }}'
FUNNEL = [
    {
        "stage": "mine", "unit": "function", "read": 1234, "kept": 1000, "tracks": {}, "domains": {},
        "reasons": {"async": 4, "method": 230},
    },
    {
        "stage": "package", "unit": "function", "read": 1000, "kept": 5, "reasons": {"not_selected": 995},
        "tracks": {"sc-python": 3, "wsc-python": 2}, "domains": {"testing": [7, 5]},
    },
]  # fmt: skip


FIGURE = Figure("difficulty", "Tasks & <levels>", (Group("", (Bar("Easy", 0.6, "3 (60%)"), Bar("Hard", 0.4, "2 (40%)"))),))


MODELS = """[[model]]
name = "read"
cutoff = "2026-05"
source = "its maker"
looked_up = "2026-11-25"

[[model]]
name = "heard-of"
cutoff = "2026-04-20"
source = "its maker"
"""


def shown_release(folder: Path) -> Release:
    """A release with a funnel, a figure and a list of models."""
    made = load_release(make_release(folder))
    (folder / FIGURE.path).parent.mkdir()
    (folder / FIGURE.path).write_text(as_svg(FIGURE))
    (folder / "models.toml").write_text(MODELS)
    files = made.manifest["files"] | {FIGURE.path: "", "models.toml": ""}
    return replace(made, manifest=made.manifest | {"funnel": FUNNEL, "files": files})


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return shown_release(tmp_path_factory.mktemp("made") / "release")


@pytest.fixture(scope="module")
def space(release: Release, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("space")
    write_space(release, folder, "ORG/NAME@v1")
    return folder


class Page(HTMLParser):
    """The tags of a page with their attributes, its visible text, and which tags were left open."""

    VOID = ("meta", "link", "input", "rect", "br", "img")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.unclosed: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in self.VOID:
            self.unclosed.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.unclosed.pop() == tag, f"</{tag}> closes another tag, in {self.getpos()}"

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.text += data


def page_of(folder: Path) -> Page:
    return Page((folder / "index.html").read_text("utf-8"))


def tasks_of(script: bytes) -> list[dict[str, object]]:
    text = script.decode("ascii")
    return json.loads(text[text.index("const TASKS = ") + 14 : text.rindex(";")])


def hostile(task: Task) -> Task:
    origin = replace(
        task.provenance, project=HOSTILE, domain=HOSTILE, path=HOSTILE, licence=HOSTILE, revision=HOSTILE, nearest=HOSTILE,
        url="javascript:alert(3)", baseline=(HOSTILE,), first_seen=HOSTILE,
    )  # fmt: skip
    return replace(
        task, task_id=f"{task.task_id}<b>", entry_point=HOSTILE, signature=HOSTILE, instruction=HOSTILE, reference=HOSTILE,
        libraries=(HOSTILE,), domain=HOSTILE, judged_by=HOSTILE, instructed_by=HOSTILE, provenance=origin,
    )  # fmt: skip


def test_a_space_holds_these_files(space: Path) -> None:
    assert sorted(p.name for p in space.iterdir()) == [
        "LICENSES.txt", "NOTICE.txt", "README.md", "explorer.js", "index.html", "python.js", "style.css", "tasks.js"]


def test_the_same_release_gives_the_same_bytes(release: Release, space: Path, tmp_path: Path) -> None:
    write_space(replace(release, tasks=release.tasks[::-1]), tmp_path, "ORG/NAME@v1")
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == {p.name: p.read_bytes() for p in space.iterdir()}


def test_a_folder_may_be_written_again(release: Release, space: Path) -> None:
    before = {p.name: p.read_bytes() for p in space.iterdir()}
    write_space(release, space, "ORG/NAME@v1")
    assert {p.name: p.read_bytes() for p in space.iterdir()} == before


def test_the_readme_tells_the_hub_what_the_space_is(space: Path) -> None:
    told = yaml.safe_load((space / "README.md").read_text("utf-8").split("---\n")[1])
    assert told["sdk"] == "static"
    assert told["datasets"] == ["ORG/NAME"]
    assert told["title"] == "Made for tests"
    assert (space / told["app_file"]).is_file() and (space / told["license_link"]).is_file()
    assert {"emoji", "colorFrom", "colorTo", "pinned", "license", "tags"} <= set(told)
    assert len(told["short_description"]) <= 60  # the Hub's limit


@pytest.mark.parametrize("title", ['A "quoted": title', "# no comment", "{{ 1 }} 'x' \\n", "Größe – 🧭"])
def test_the_readme_stays_yaml_with_any_title(release: Release, tmp_path: Path, title: str) -> None:
    write_space(replace(release, manifest=release.manifest | {"title": title}), tmp_path, "ORG/NAME")
    assert yaml.safe_load((tmp_path / "README.md").read_text("utf-8").split("---\n")[1])["title"] == title


def test_all_tags_are_closed_and_each_id_is_there_once(space: Path) -> None:
    page = page_of(space)
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert page.unclosed == []
    assert len(ids) == len(set(ids))
    for _, attributes in page.tags:
        assert attributes.get("aria-labelledby", ids[0]) in ids


def test_only_own_scripts_and_styles_are_allowed_and_used(space: Path) -> None:
    page = page_of(space)
    policy = next(a["content"] for t, a in page.tags if a.get("http-equiv") == "Content-Security-Policy")
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == "'self'"
    used = [a.get("src") or a.get("href") for t, a in page.tags if t in ("script", "link", "img", "iframe")]
    assert used == ["style.css", "tasks.js", "python.js", "explorer.js"]
    assert not [name for _, a in page.tags for name in a if name.startswith("on") or name == "style"]


def test_nothing_is_loaded_from_elsewhere(space: Path) -> None:
    assert "http" not in (space / "style.css").read_text("utf-8")
    assert re.findall(r"https?://[^\"]*", (space / "explorer.js").read_text("utf-8")) == ["https://huggingface.co"]


def test_the_explorer_never_makes_html_of_text(space: Path) -> None:
    script = "".join((space / name).read_text("utf-8") for name in ("explorer.js", "python.js"))
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|new Function|DOMParser", script)


def test_figures_are_part_of_the_page_in_its_colours(space: Path) -> None:
    page = page_of(space)
    [figure] = [a for t, a in page.tags if t == "svg" and a.get("role") == "img"]
    assert (figure["aria-labelledby"], figure["aria-describedby"]) == ("figure-1-title", "figure-1-desc")
    assert "Tasks & <levels>. Easy 3 (60%); Hard 2 (40%)." in page.text
    drawn = [a for t, a in page.tags if t == "rect" and a.get("class") in ("empty", "bar")]
    assert len(drawn) == 4 and not [a for a in drawn if "fill" in a]
    assert "style" not in {t for t, _ in page.tags}


ODD_FIGURES = {
    "a script": "<script>alert(1)</script>", "a handler": '<rect onload="alert(1)" style="x"/>', "a link": '<a href="javascript:x"/>',
    "a frame": "<foreignObject><iframe/></foreignObject>", "a style": "<style>*{color:red}</style>",
}


@pytest.mark.parametrize("odd", ODD_FIGURES.values(), ids=ODD_FIGURES.keys())
def test_of_a_figure_only_what_draws_gets_into_the_page(odd: str) -> None:
    made = inline(f'<svg xmlns="http://www.w3.org/2000/svg" onload="x" viewBox="0 0 1 1">{odd}<text>kept</text></svg>'.encode(), "one")
    assert re.fullmatch(r'<svg viewBox="0 0 1 1" aria-labelledby="one-title" aria-describedby="one-desc">'
                        r"(<rect />\n)?<text>kept</text>\n</svg>\n", made)


@pytest.mark.parametrize("text", ["", "no XML", "<html/>", "<script/>", '<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>'])
def test_what_is_no_figure_is_left_out(text: str) -> None:
    assert inline(text.encode(), "one") == ""


def test_a_release_without_figures_has_no_such_section(release: Release, tmp_path: Path) -> None:
    bare = {name: sha256 for name, sha256 in release.manifest["files"].items() if not name.endswith(".svg")}
    write_space(replace(release, manifest=release.manifest | {"files": bare}), tmp_path, "ORG/NAME")
    assert "figures" not in {a.get("id") for _, a in page_of(tmp_path).tags}


def test_the_page_links_to_data_card_paper_and_other_releases(release: Release, space: Path, tmp_path: Path) -> None:
    there = {a["href"] for t, a in page_of(space).tags if t == "a"}
    base = "https://huggingface.co/datasets/ORG/NAME"
    assert {f"{base}/tree/v1", f"{base}/blob/v1/README.md", "https://arxiv.org/abs/2508.07180"} <= there
    write_space(release, tmp_path, "ORG/NAME@v1", others=[Listed("0", "v0", "c", "2025-11-01", "2026-05-01", {"sc-python": 812})])
    page = page_of(tmp_path)
    assert f"{base}/tree/v0" in {a.get("href") for _, a in page.tags} and "812 tasks" in page.text
    assert "Other releases" not in page_of(space).text


def test_of_a_withdrawn_task_only_the_notice_is_shown(release: Release, tmp_path: Path) -> None:
    task = next(task for task in release.tasks if task.entry_point == "merge")
    gone = [Advisory(task.task_id, HOSTILE, "2026-11-20", ("made",)), Advisory("c2b-other", "x", "2026-11-20", ("old",))]
    write_space(release, tmp_path, "ORG/NAME@v1", gone)
    text = page_of(tmp_path).text
    assert f"{task.task_id} on 2026-11-20: {HOSTILE}" in text and "c2b-other" not in text
    assert [row["name"] for row in tasks_of((tmp_path / "tasks.js").read_bytes())] == ["clamp", "distance", "medians", "runs"]


def test_links_that_leave_the_page_open_beside_it(space: Path) -> None:
    leaving = [a for t, a in page_of(space).tags if t == "a" and a["href"].startswith("http")]
    assert leaving
    assert all(a["target"] == "_blank" and "noopener" in a["rel"] for a in leaving)


def test_the_overview_tells_the_numbers_of_the_release(space: Path) -> None:
    text = " ".join(page_of(space).text.split())
    assert "5 programming tasks made from functions that were published between 2026-05-01 and 2026-11-01" in text
    assert "sc-python Tasks3" in text and "wsc-python Tasks2" in text
    assert 'load_dataset("ORG/NAME", "sc-python", revision="v1", split="test")' in text
    assert "code2bench evaluate ORG/NAME@v1 --samples answers.jsonl" in text
    assert '{"code2bench_release": "ORG/NAME@v1"}' in text
    assert "MIT (5)" in text
    assert CANARY in text


def test_the_funnel_tells_what_each_stage_kept_and_why_the_others_left(space: Path) -> None:
    text = " ".join(page_of(space).text.split())
    assert "mine functions 1,234 1,000 81%" in text
    assert f"Why 234 left 230 method {Reason.METHOD.value} 4 async {Reason.ASYNC.value}" in text
    assert "Kept: 3 sc-python, 2 wsc-python." in text
    assert "5 of 7 testing" in text
    assert ("rect", {"class": "kept", "width": "81.04", "height": "10"}) in page_of(space).tags


def test_each_stage_of_the_funnel_is_explained(release: Release, tmp_path: Path) -> None:
    bare = {"unit": "function", "read": 2, "kept": 1, "reasons": {}, "tracks": {}, "domains": {}}
    rows = [bare | {"stage": name} for name in tomllib.loads(text_of("stages.toml"))]
    rows.append(bare | {"stage": "mine", "unit": "file"})
    write_space(replace(release, manifest=release.manifest | {"funnel": rows}), tmp_path, "ORG/NAME")
    page = (tmp_path / "index.html").read_text("utf-8")
    said = re.findall(r'class="why">\s*<p>(.*?)</p>', page)
    assert len(said) == len(rows) and all(said) and said[-1] == "Of these files no function was read."


def test_a_release_without_a_funnel_says_so(release: Release, tmp_path: Path) -> None:
    write_space(replace(release, manifest=release.manifest | {"funnel": []}), tmp_path, "ORG/NAME")
    assert "no funnel in its manifest" in page_of(tmp_path).text


def test_a_stage_that_read_nothing_has_no_share() -> None:
    assert stage_row(FUNNEL[0] | {"read": 0, "kept": 0, "reasons": {}}).part is None


@pytest.mark.parametrize(("part", "text"), [(1.0, "100%"), (0.99999, "99.9%"), (0.29, "29%"), (0.0, "0%"), (0.1471, "14.7%")])
def test_only_all_is_a_hundred_per_cent(part: float, text: str) -> None:
    assert share(part) == text


def test_without_a_tag_the_newest_is_loaded(release: Release, tmp_path: Path) -> None:
    write_space(release, tmp_path, "ORG/NAME")
    assert 'load_dataset("ORG/NAME", "sc-python", split="test")' in page_of(tmp_path).text


def test_the_tasks_are_there_in_the_order_of_their_names(release: Release, space: Path) -> None:
    rows = tasks_of((space / "tasks.js").read_bytes())
    assert [row["name"] for row in rows] == ["clamp", "distance", "medians", "merge", "runs"]
    assert {row["id"]: row["instruction"] for row in rows} == {t.task_id: t.instruction for t in release.tasks}


def test_hostile_texts_stay_texts() -> None:
    script = tasks_script([hostile(task) for task in make_tasks("sc-python")])
    assert script.isascii()
    assert not set(script.decode()) & set("<>&")
    for row in tasks_of(script):
        assert row["name"] == row["instruction"] == row["reference"] == HOSTILE
        assert row["origin"]["url"] == row["origin"]["file"] == ""  # type: ignore[index]


def test_the_page_knows_which_cutoffs_are_verified(space: Path) -> None:
    script = (space / "tasks.js").read_text("ascii")
    [line] = [line for line in script.splitlines() if line.startswith("const MODELS = ")]
    assert json.loads(line.removeprefix("const MODELS = ").rstrip(";")) == [
        ["heard-of", "2026-04-20", False], ["read", "2026-05-31", True]]


def test_half_a_character_goes_into_the_tasks_and_out_again() -> None:
    task = replace(make_tasks("sc-python")[0], instruction="\ud800 and \udfff")
    assert tasks_of(tasks_script([task]))[0]["instruction"] == "\ud800 and \udfff"


def test_hostile_texts_add_no_tag_to_the_page(release: Release, space: Path, tmp_path: Path) -> None:
    odd = [replace(t, domain=HOSTILE, provenance=replace(t.provenance, licence=HOSTILE)) for t in release.tasks]
    rows = [FUNNEL[0] | {"reasons": {HOSTILE: 234}, "domains": {HOSTILE: [1, 1]}, "tracks": {HOSTILE: 1}, "stage": HOSTILE}]
    told = release.manifest | {"title": HOSTILE, "funnel": rows}
    write_space(replace(release, tasks=tuple(odd), manifest=told), tmp_path, "ORG/NAME")
    page = page_of(tmp_path)
    assert {t for t, _ in page.tags} <= {t for t, _ in page_of(space).tags}
    assert [a["src"] for t, a in page.tags if t == "script"] == ["tasks.js", "python.js", "explorer.js"]
    assert HOSTILE in page.text


@pytest.mark.parametrize("url", [
    "https://github.com/one/two", "http://example.org", "https://example.org:8443/a/b_c-d.e?f=g",
])  # fmt: skip
def test_links_lead_to_the_web(url: str) -> None:
    assert safe_url(url) == url


@pytest.mark.parametrize("url", [
    "", "javascript:alert(1)", "JAVASCRIPT:alert(1)", " https://example.org", "https://example.org\n", "data:text/html,x",
    "//example.org", "file:///etc/passwd", "https://", "https://user:secret@example.org/", 'https://example.org/"onclick=',
    "https://example.org/<b>", "java\nscript:alert(1)", "https:example.org", "/srv/repository",
])  # fmt: skip
def test_nothing_else_becomes_a_link(url: str) -> None:
    assert safe_url(url) == ""


def origin_of(**changes: object) -> Provenance:
    return replace(make_tasks("sc-python")[0].provenance, **changes)  # type: ignore[arg-type]


def test_lines_of_a_commit_on_github_have_a_link() -> None:
    brought = {"url": "https://github.com/one/two", "revision": "b" * 40, "path": "src/a b.py", "line_start": 3, "line_end": 9}
    for states in ({"state": "a" * 40}, {"state": "", "revision": "a" * 40}):
        row = shown(replace(make_tasks("sc-python")[0], provenance=origin_of(**brought | states)))
        assert row["origin"]["file"] == f"https://github.com/one/two/blob/{'a' * 40}/src/a%20b.py#L3-L9"


@pytest.mark.parametrize(("changes", "place"), [
    ({}, "example/1.0"), ({"state": "1!2.0+a.b"}, "example/1!2.0+a.b"), ({"state": "", "revision": "3.0rc1"}, "example/3.0rc1"),
    ({"url": "https://github.com/one/two", "state": "1.0"}, "example/1.0"),
])  # fmt: skip
def test_lines_of_a_version_on_pypi_have_the_page_of_its_files(changes: dict[str, str], place: str) -> None:
    row = shown(replace(make_tasks("sc-python")[0], provenance=origin_of(**changes)))
    assert row["origin"]["file"] == f"https://inspector.pypi.io/project/{place}/"
    assert row["origin"]["archive"] == "example-1.0.tar.gz"


@pytest.mark.parametrize("changes", [
    {"source": "git", "url": "https://pypi.org/project/x", "state": "a" * 40}, {"project": "../x"}, {"project": "a/b"}, {"state": "1 2"},
    {"source": "git", "url": "https://github.com/one/two", "state": "1.0"},
])  # fmt: skip
def test_other_lines_have_no_link(changes: dict[str, str]) -> None:
    assert shown(replace(make_tasks("sc-python")[0], provenance=origin_of(**changes)))["origin"]["file"] == ""


def test_a_reference_that_is_not_there_is_not_shown(release: Release, tmp_path: Path) -> None:
    bare = tuple(replace(task, reference="") for task in release.tasks)
    write_space(replace(release, tasks=bare), tmp_path, "ORG/NAME")
    assert not [row for row in tasks_of((tmp_path / "tasks.js").read_bytes()) if "reference" in row]
    assert "shows no reference answers" in page_of(tmp_path).text


def test_a_veiled_release_shows_no_references(release: Release, tmp_path: Path) -> None:
    write_space(replace(release, manifest=release.manifest | {"veil": {"key": "k"}}), tmp_path, "ORG/NAME")
    assert not [row for row in tasks_of((tmp_path / "tasks.js").read_bytes()) if "reference" in row]


def test_what_became_of_attempts_is_shown() -> None:
    task = replace(make_tasks("sc-python")[0], sufficiency=Sufficiency(("one", "two"), 4, 3))
    assert shown(task)["solved"] == [3, 4, ["one", "two"]]
    assert "solved" not in shown(make_tasks("sc-python")[0])
