"""The models' cutoffs: months and days, the nearest name, the list that comes with the package."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import UserError
from harness.releases.cutoffs import Model, cutoff_of, models_file, read_models

DATA = Path(__file__).parents[2] / "data"


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "list.toml"
    path.write_text(text)
    return path


def test_a_month_stands_for_its_last_day() -> None:
    assert Model("m", "2025-06", "").new_from == "2025-07-01"
    assert Model("m", "2025-12", "").new_from == "2026-01-01"
    assert Model("m", "2025-06-30", "").new_from == "2025-07-01"


def test_the_latest_cutoff_counts() -> None:
    models = DATA / "models.toml"
    assert cutoff_of(("gpt-4o", "claude-sonnet-4-5"), models) == "2025-08-01"
    assert all(model.source for model in read_models(models).values())


def test_a_cutoff_is_verified_where_the_list_says_when() -> None:
    known = read_models(models_file())
    read, heard_of = known["claude-fable-5.1"], known["gpt-4o"]
    assert read.verified and read.said == "Anthropic, models overview (knowledge cutoff), read on 2026-11-25"
    assert not heard_of.verified and heard_of.said == "OpenAI, models page of the API documentation, not verified"


def test_an_unknown_model_is_told_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="did you mean 'gpt-4o'"):
        cutoff_of(("gpt4o",), DATA / "models.toml")
    with pytest.raises(UserError, match="no list of models"):
        cutoff_of(("x",), written(tmp_path, '[[model]]\nname = "x"\ncutoff = "soon"\nsource = "y"\n'))
    with pytest.raises(UserError, match=r'looked_up = "2026-11-25" where somebody has read that'):
        cutoff_of(("x",), written(tmp_path, '[[model]]\nname = "x"\ncutoff = "2025-06"\nsource = "y"\nlooked_up = "soon"\n'))
    with pytest.raises(UserError, match=r"give window\.after as a date"):
        cutoff_of(("x",), tmp_path / "none.toml")


def test_the_last_day_is_the_one_before_what_is_new() -> None:
    assert [Model("m", cutoff, "").last_day for cutoff in ("2025-06", "2024-02", "2025-12", "2024-09-30")] == [
        "2025-06-30", "2024-02-29", "2025-12-31", "2024-09-30",
    ]


def test_the_list_is_that_of_the_project() -> None:
    assert models_file() == DATA / "models.toml"
