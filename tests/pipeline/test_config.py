"""release.toml: what is wrong in it is told in one sentence that names the key."""

from pathlib import Path

import pytest

from harness.errors import UserError
from pipeline.config import load_config

GOOD = """
name = "x"
title = "X"
[window]
after = "2026-05-01"
until = 2026-11-01
[sources]
lists = ["a.toml"]
[suite]
max_raising = 1
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "release.toml"
    path.write_text(text)
    return path


def test_a_good_one_loads_with_defaults(tmp_path: Path) -> None:
    config = load_config(write(tmp_path, GOOD))
    assert (config.name, config.window.until, config.suite.max_raising) == ("x", "2026-11-01", 1.0)
    assert config.screen.max_complexity == 10


@pytest.mark.parametrize(("old", "new", "message"), [
    ('title = "X"', 'titel = "X"', "unknown key 'titel': did you mean 'title'"),
    ('title = "X"', "", "lacks 'title': add it"),
    ("[suite]", "[suit]", "unknown key 'suit': did you mean 'suite'"),
    ("max_raising = 1", "max_rising = 1", "suite has an unknown key 'max_rising': did you mean 'max_raising'"),
    ("max_raising = 1", "max_raising = 0", "suite.max_raising must be above 0"),
    ("max_raising = 1", 'cases = "many"', "suite: cases must be of type int, but it is 'many'"),
    ('"2026-05-01"', '"2026-12-01"', "the window is impossible"),
    ('"2026-05-01"', '"May"', "must be a date such as 2026-05-01, but it is 'May'"),
    ('after = "2026-05-01"', "", "takes either after"),
    ('lists = ["a.toml"]', "", "names no sources: set either lists"),
    ('lists = ["a.toml"]', 'lists = "a.toml"', "must be a list of strings"),
    ('name = "x"', 'name = "a/b"', "name must be letters"),
    ("[suite]", "[screen]\nmin_complexity = 12\n[suite]", "screen.min_complexity is larger"),
    ("[suite]", "[mine]\nfetches = 0\n[suite]", "mine.fetches must be above 0"),
    ("[suite]", "[suite", "is no valid TOML"),
], ids=lambda v: v[:30] if isinstance(v, str) else None)
def test_a_bad_one_is_refused_by_name(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(UserError) as caught:
        load_config(write(tmp_path, GOOD.replace(old, new, 1)))
    assert message in str(caught.value)


def test_a_missing_one_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="There is no configuration"):
        load_config(tmp_path / "none.toml")
