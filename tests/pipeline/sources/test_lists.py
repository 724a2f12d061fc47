"""Source lists."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from harness.errors import UserError
from pipeline.records import Source
from pipeline.sources.lists import DOMAINS, read_sources

DATA = Path(__file__).parents[3] / "data"


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "list.toml"
    path.write_text(text)
    return path


def test_a_list_is_read_in_its_order(tmp_path: Path) -> None:
    path = written(tmp_path, (
        'kind = "git"\n[[source]]\nname = "b"\ndomain = "System Utilities"\nlocation = "./repo"\n'
        '[[source]]\nname = "a"\ndomain = "Scientific Computing"\nlocation = "https://forge.example/a"\n'
    ))
    assert read_sources(path) == [
        Source("git", "b", "System Utilities", str(tmp_path / "repo")),
        Source("git", "a", "Scientific Computing", "https://forge.example/a"),
    ]


def test_what_a_list_of_repositories_tells_besides_is_for_people_but_for_commit_and_number(tmp_path: Path) -> None:
    text = 'kind = "git"\n[[source]]\nname = "a/b"\ndomain = "System Utilities"\nlocation = "https://forge.example/a/b"\n'
    told = 'licence = "MIT"\nstars = 500\n'
    assert read_sources(written(tmp_path, text + told)) == read_sources(written(tmp_path, text))
    [source] = read_sources(written(tmp_path, f'{text}id = 3\ncommit = "{"01" * 20}"\n'))
    assert (source.number, source.commit) == (3, "01" * 20)
    with pytest.raises(UserError, match="commit of a/b must be a whole hash of 40 digits, but it is 'HEAD~1'"):
        read_sources(written(tmp_path, text + 'commit = "HEAD~1"\n'))
    with pytest.raises(UserError, match="stars of a source must be a number, but it is 'many'"):
        read_sources(written(tmp_path, text + 'stars = "many"\n'))


ONE = '[[source]]\nname = "a"\ndomain = "System Utilities"\n'
WRONG = {
    "an unknown key": ('kind = "pypi"\ncolour = 1\n' + ONE, "unknown key 'colour'"),
    "an unknown key of a source": ('kind = "pypi"\n' + ONE + "stars = 5\n", "unknown key 'stars' in a source"),
    "an unknown kind": ('kind = "cpan"\n' + ONE, "kind = 'cpan'"),
    "no kind": (ONE, "set it to one of git, pypi"),
    "no source": ('kind = "pypi"\n', "names no project"),
    "no name": ('kind = "pypi"\n[[source]]\ndomain = "System Utilities"\n', "lacks 'name'"),
    "no domain": ('kind = "pypi"\n[[source]]\nname = "a"\n', "lacks 'domain'"),
    "a wrong domain": ('kind = "pypi"\n[[source]]\nname = "a"\ndomain = "System Utility"\n', "mean 'System Utilities'"),
    "no text": ('kind = "pypi"\n[[source]]\nname = 3\ndomain = "System Utilities"\n', "must be a text"),
    "twice the same": ('kind = "pypi"\n' + ONE + ONE.replace('"a"', '"A"'), "names 'A' twice"),
    "no TOML": ("kind = ", "is no valid TOML"),
}


@pytest.mark.parametrize(("text", "said"), WRONG.values(), ids=WRONG)
def test_a_wrong_list_is_told_in_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UserError, match=said) as error:
        read_sources(written(tmp_path, text))
    assert "\n" not in str(error.value)


def test_a_missing_list_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="There is no source list"):
        read_sources(tmp_path / "none.toml")


def test_the_list_of_pypi_has_projects_in_all_domains() -> None:
    sources = read_sources(DATA / "sources/pypi.toml")
    counts = Counter(s.domain for s in sources)
    assert len(sources) >= 300
    assert set(counts) == set(DOMAINS)
    assert min(counts.values()) >= 30
