"""A release holds what decided it: built from a copy of its folder, with the cache alone, it is the same bytes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from harness.errors import UserError
from harness.records import canonical_json
from harness.releases.dataset import load_release
from harness.releases.veil import MARK
from pipeline import flow, store
from pipeline.curated.answers import BlindAnswer, as_lines, prompt_digest
from pipeline.curated.files import CuratedFile, reference_digest, save
from pipeline.families.registry import family
from pipeline.flow import Build, Options
from pipeline.hub.prepared import prepare
from pipeline.packaging.exclusions import Exclusion, add_exclusion
from pipeline.records import Curated
from pipeline.release.funnel import funnel
from pipeline.release.inputs import INPUTS, DataFile, kept, unpacked, wrong_answers
from pipeline.release.verify import verify
from pipeline.sources.known import known_in, write_known
from tests.pipeline.make_project import ALPHA, OLD, data_folder, fill, new_cache, tree
from tests.pipeline.sources.conftest import serving

CURATED = Curated(
    """Cut a text down to a number of characters.

A text that is no longer than the limit is given back. Of a longer one as much of the beginning is kept as leaves room
for three dots, which are put behind it; where the limit is below 3, there are no dots, and the beginning alone is as
long as the limit.

Args:
    text: The text.
    limit: How many characters there may be.

Returns:
    The text, or its beginning.

Raises:
    ValueError: If the limit is negative.""",
    contract=("limit < 100",),
    strategies="""from hypothesis import strategies as st

arguments = st.fixed_dictionaries({"text": st.text(max_size=12), "limit": st.integers(-1, 12)})""",
    examples=('"a long text", 8', '"short", 5', '"abc", 2', '"abc", -1'),
    name="cut_short",
    wrong=("def cut_short(text, limit):\n    return text[:limit]",),
)
SOLUTIONS = {
    "cut_short": ALPHA[ALPHA.index("def shorten") : ALPHA.index("def count_words")].replace("shorten", "cut_short", 1),
    "count_words": "import re\n" + ALPHA[ALPHA.index("def count_words") :],
    "merge_ranges": "def merge_ranges(ranges):\n    return ranges\n",
}
SETTINGS = '''
[package]
max_per_project = 1
leave_out = ["few blind answers"]
exclusions = "left-out.toml"
[instruct]
answers = "blind/answers.jsonl"
'''


@dataclass(frozen=True)
class Repeatable:
    """A build that many things have decided, the only folder that is left of it, and the cache."""

    build: Build
    release: Path
    cache: Path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Repeatable]:
    place = tmp_path_factory.mktemp("inputs")
    with pytest.MonkeyPatch.context() as patch, serving() as registry:
        patch.setenv("CODE2BENCH_CACHE", str(new_cache(place / "cache")))
        fill(registry)
        config = data_folder(place)
        config.write_text(config.read_text() + SETTINGS)
        _decide(config, place / "build")
        built = flow.build(config, Options(workers=1, folder=place / "build"))
        (place / "data").rename(place / "out-of-reach")
        yield Repeatable(built, Path(shutil.copytree(built.folder / "release", place / "alone" / "copy")), place / "cache")


def _decide(config: Path, folder: Path) -> None:
    """Write what maintainers write: a list in an order of its own, a benchmark, a text, an exclusion, blind answers."""
    data = config.parents[1]
    sources = data / "sources" / "pypi.toml"
    kind, *entries = sources.read_text().split("[[source]]")
    sources.write_text("[[source]]".join([kind, *reversed(entries)]))
    (data / "benchmark.py").write_text(OLD)
    write_known(data / "known.jsonl", known_in(data / "benchmark.py", "Benchmark"))
    curate = flow.build(config, Options(workers=1, folder=folder, until_stage="curate")).outputs[-1]
    for one in curate.records():
        if one.function.name == "shorten":
            save(CuratedFile(one.id, reference_digest(one), CURATED), data / "curated", "shorten")
    save(CuratedFile("c2b-0123456789abcdef", "0" * 16, CURATED), data / "curated", "of_another_release")
    instruct = flow.build(config, Options(workers=1, folder=folder, until_stage="instruct")).outputs[-1]
    tasks = [family(one.suite.family).task(one) for one in instruct.records()]
    answers = [BlindAnswer(task.task_id, f"reader-{number}", 1, prompt_digest(task), SOLUTIONS[task.entry_point], "Easy")
               for task in tasks for number in (1, 2)]
    store.write_bytes(data / "blind" / "answers.jsonl", as_lines(answers).encode())
    [out] = [task.task_id for task in tasks if task.entry_point == "merge_ranges"]
    add_exclusion(data / "left-out.toml", Exclusion(out, 'It is "known".'))
    add_exclusion(data / "left-out.toml", Exclusion("c2b-0123456789abcdef", "It is of another release."))


def repeated(release: Path, folder: Path) -> Build:
    return flow.build(release / "release.toml", Options(workers=1, offline=True, folder=folder))


def test_it_holds_what_decided_it_and_no_more(made: Repeatable) -> None:
    assert [row.reasons for row in funnel(made.build.folder)][-1] == {"excluded": 1, "not_selected": 1}
    [task] = load_release(made.release).tasks
    assert (task.entry_point, task.instructed_by, task.sufficiency and task.sufficiency.solved) == ("cut_short", "maintainer", 2)
    texts = {one.file: one.text for one in kept(made.release)}
    assert list(texts) == [
        f"curated/shorten.{task.task_id[4:]}.md", "curated/answers.jsonl", "exclusions.toml", "known.jsonl"]
    assert "count_words" in texts["curated/answers.jsonl"] and "merge_ranges" not in canonical_json(texts)
    assert texts["exclusions.toml"].count("[[exclusion]]") == 1
    assert wrong_answers(load_release(made.release)) == {task.task_id: CURATED.wrong}


def test_from_its_folder_alone_it_is_the_same_bytes(
    made: Repeatable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    again = repeated(made.release, tmp_path / "build")
    assert tree(again.folder / "release") == tree(made.release) == tree(made.build.folder / "release")
    assert f"It is the same as {made.release}, byte for byte." in capsys.readouterr().err
    assert verify(str(again.release), 1) == verify(str(made.release), 1) == []


def test_an_archive_that_the_cache_lacks_is_named(
    made: Repeatable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = new_cache(tmp_path / "cache")
    shutil.copytree(made.cache / "archives", cache / "archives")
    lost = load_release(made.release).tasks[0].provenance
    (cache / "archives" / lost.archive_sha256[:2] / lost.archive_sha256).unlink()
    monkeypatch.setenv("CODE2BENCH_CACHE", str(cache))
    with pytest.raises(UserError, match=f"^{lost.archive} is not in the cache: run once without --offline.$"):
        repeated(made.release, tmp_path / "build")


def test_veiled_it_shows_nothing_and_gives_the_same(made: Repeatable, tmp_path: Path) -> None:
    veiled = prepare(load_release(made.release), "ORG/tasks", "tiny", None, tmp_path / "veiled", veil=True).folder
    assert all(one.text.startswith(MARK) for one in store.read(veiled / INPUTS, DataFile))
    plain, hidden = (unpacked(load_release(folder)).path.parents[1] for folder in (made.release, veiled))
    assert plain != hidden and tree(plain) == tree(hidden)
    assert wrong_answers(load_release(veiled)) == wrong_answers(load_release(made.release))
    assert verify(str(veiled), 1) == []


def test_it_is_never_written_over(made: Repeatable) -> None:
    with pytest.raises(UserError, match="would be written over by its repetition: give another folder"):
        repeated(made.build.folder / "release", made.build.folder)


def test_files_of_other_names_are_refused(made: Repeatable, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(made.release, tmp_path / "release"))
    release = load_release(folder)
    for name in ("curated/../../x.md", "/x.md", "x.md", "curated/x.py", "libraries.toml"):
        store.write(folder / INPUTS, DataFile, [DataFile(name, "")])
        with pytest.raises(UserError, match="which no release holds"):
            unpacked(release)


def test_an_older_release_says_that_it_can_t_be_repeated(
    made: Repeatable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(shutil.copytree(made.release, tmp_path / "release"))
    release = load_release(folder)
    files = {name: sha256 for name, sha256 in release.manifest["files"].items() if name != INPUTS}
    (folder / INPUTS).unlink()
    unpacked(replace(release, manifest={**release.manifest, "files": files}, manifest_sha256="0" * 64))
    assert "does not hold what maintainers wrote for it" in capsys.readouterr().err
