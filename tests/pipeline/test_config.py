"""release.toml: what is wrong in it is told in one sentence that names the key."""

from dataclasses import replace
from pathlib import Path

import pytest

from harness.errors import UserError
from pipeline.config import models_named, what_of
from pipeline.config_file import load_config

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
    ("[suite]", "[mine]\nbaseline_archives = 1\n[suite]", "mine.baseline_archives must be at least 2"),
    ("[suite]", "[suite", "is no valid TOML"),
], ids=lambda v: v[:30] if isinstance(v, str) else None)
def test_a_bad_one_is_refused_by_name(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(UserError) as caught:
        load_config(write(tmp_path, GOOD.replace(old, new, 1)))
    assert message in str(caught.value)


MODELS = """
[models.one]
model = "m"
base_url = "http://127.0.0.1:8000/v1"
[judge]
models = ["one"]
[instruct]
model = "one"
[llm]
repairs = 2
"""


def test_models_are_described_once_and_named_by_stages(tmp_path: Path) -> None:
    config = load_config(write(tmp_path, GOOD + MODELS))
    assert config.models["one"].base_url == "http://127.0.0.1:8000/v1" and config.models["one"].max_answer_tokens == 4096
    assert models_named(config.judge) == models_named(config.instruct) == ("one",) and models_named(config.suite) == ()


def test_how_a_model_is_asked_decides_nothing_and_what_it_is_does(tmp_path: Path) -> None:
    one = load_config(write(tmp_path, GOOD + MODELS)).models["one"]
    assert what_of(replace(one, key="KEY", concurrency=2, seconds=1.0, structured="text")) == what_of(one)
    assert what_of(replace(one, model="n")) != what_of(one) != what_of(replace(one, base_url="http://other/v1"))


@pytest.mark.parametrize(("old", "new", "message"), [
    ('models = ["one"]', 'models = ["two"]', "[judge] names the model 'two': describe it under [models.two]"),
    ('models = ["one"]', 'models = ["one", "one"]', "names a model twice"),
    ('model = "m"\n', "", "models.one lacks 'model'"),
    ('"http://127.0.0.1:8000/v1"', '"http://me:pw@host/v1"', "must be a URL without user or query"),
    ('model = "m"\n', 'model = "m"\nkey = "sk-live-1234"\n', "must be the name of an environment variable"),
    ('model = "m"\n', 'model = "m"\nstructured = "xml"\n', "must be one of schema, object, text"),
    ('model = "m"\n', 'model = "m"\nconcurrency = 0\n', "must be above 0"),
    ('model = "m"\n', 'model = "m"\ninput_price = -1\n', "must be at least 0"),
    ('model = "m"\n', 'model = "m"\noutput_price = nan\n', "must be a number that has an end"),
    ("repairs = 2", "repairs = -1", "must be at least 0"),
    ("repairs = 2", "budget_dollars = inf", "must be a number that has an end"),
    ("repairs = 2", "budget_dollars = 2.0", "needs prices"),
    ('[instruct]\nmodel = "one"', '[instruct]\nsolvers = ["one"]', "needs a model that writes"),
    ('[instruct]\n', "[instruct]\nrephrasings = 2\n", "set levels = true"),
    ('[instruct]\n', '[instruct]\nlanguages = ["xx"]\n', "knows de, zh, fr"),
    ('[instruct]\n', "[instruct]\nsolver_attempts = 0\n", "must be at least 1"),
], ids=lambda v: v[:30] if isinstance(v, str) else None)
def test_what_is_wrong_with_models_is_told_and_no_key_is_shown(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert old in MODELS
    with pytest.raises(UserError) as caught:
        load_config(write(tmp_path, GOOD + MODELS.replace(old, new, 1)))
    assert message in str(caught.value) and "sk-live" not in str(caught.value)


@pytest.mark.parametrize(("table", "message"), [
    ("[sample.worth]\nloops = -1.0\n", "sample.worth: its numbers must be at least 0"),
    ("[package.worth]\nhelpers = 1.5\n", "package.worth: its numbers must be at least 0, and helpers at most 1"),
    ("[sample.worth]\ncomplexity = 0\nlength = 0\nloops = 0\nvariety = 0\n", "must be above 0"),
    ("[sample.worth]\nlines = 1.0\n", "unknown key 'lines'"),
    ("[package]\nmax_domain_share = 0.0\n", "package.max_domain_share must be above 0 and at most 1"),
])
def test_what_is_wrong_with_worth_is_told(tmp_path: Path, table: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        load_config(write(tmp_path, GOOD + table))


def test_a_missing_one_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="There is no configuration"):
        load_config(tmp_path / "none.toml")
