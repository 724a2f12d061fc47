"""What asking a language model has added to the automatic search, counted from the files of the stage."""

from __future__ import annotations

from pathlib import Path

from pipeline import store


def rescued(folder: Path) -> tuple[int, int]:
    """For how many functions a model was asked for strategies, and how many of them have a suite by that.

    `folder` is the one of the stage's output.
    """
    if not any(folder.glob("*.asked.parquet")):
        return 0, 0
    sql = (
        "SELECT (SELECT count(DISTINCT record_id) FROM read_parquet($1)) AS asked, "
        "(SELECT count(*) FROM read_parquet($2) "
        "WHERE json_extract(specification, '$.asked') IS NOT NULL) AS rescued"
    )
    row = store.query(sql, str(folder / "*.asked.parquet"), str(folder / "*.kept.parquet"))[0]
    return row["asked"], row["rescued"]
