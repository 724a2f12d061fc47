"""The store of results: a folder of Parquet files that are only ever added to, one for what a run has judged.

Many runs of many models lie in one store, which analyses read as a table. What is told of a run stands in each of its
rows. Of several verdicts on one sample of a run the one that was stored last counts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from harness.errors import UserError
from harness.records import Spectrum, Verdict, canonical_json, digest
from harness.scoring.results import LETTERS, RESULTS, Key, Results, Run, read_results

VARIABLE = "CODE2BENCH_STORE"
"""Names the store where no option does."""
_SHORTEST = 4
"""Characters of an id that name a run."""
_OF_RUN = tuple(field.name for field in fields(Run))
SCHEMA = pa.schema([
    *((name, pa.string()) for name in ("stored", "run_id", *_OF_RUN)),
    *((name, pa.string()) for name in ("task_id", "task_digest", "variant")),
    ("sample", pa.int32()),
    *((name, pa.string()) for name in ("code_sha256", "entry_point", "outcome")),
    ("passed", pa.int32()), ("total", pa.int32()),
    *((name, pa.string()) for name in ("statuses", "detail")),
])
"""The columns of a part; `statuses` has a letter for each case, as `cases` in a file of results."""
_LAST = """
SELECT * FROM results
QUALIFY row_number() OVER (PARTITION BY run_id, task_id, task_digest, variant, sample ORDER BY stored DESC) = 1
"""
_RUNS = f"""
SELECT run_id,
       count(DISTINCT task_id) AS n_tasks, count(*) AS n_answers, count(*) FILTER (outcome = 'Perfect') AS n_perfect,
       {', '.join(f'any_value("{name}") AS "{name}"' for name in _OF_RUN)}
FROM ({_LAST}) GROUP BY run_id ORDER BY any_value(date), run_id
"""
_OF_ONE = f"SELECT * FROM ({_LAST}) WHERE run_id = ? ORDER BY task_id, variant, sample"


@dataclass(frozen=True)
class Stored:
    """A run in a store: its id, how many tasks and answers it has judged, and how many of these are perfect."""

    id: str
    run: Run
    tasks: int
    answers: int
    perfect: int


class Store:
    """A store in a folder; raises `UserError` for what can't be one.

    The folder is made where it is missing, unless it is one `to_read`.
    """

    def __init__(self, folder: Path, to_read: bool = False) -> None:
        self.folder = folder
        if to_read and not folder.is_dir():
            raise UserError(f"There is no store {folder}: name the folder that `evaluate --store` has filled.")
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"The store {folder} can't be made ({error.strerror}); choose another --store.") from None
        if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            raise UserError(f"The store {folder} can't be used (permission denied); choose another --store.")

    def add(self, run: Run, verdicts: Iterable[tuple[Key, Verdict]], functions: Mapping[str, str]) -> Path | None:
        """Keep what a run has judged: the new part, None where just that was kept already or there is nothing."""
        rows = [_row(run, key, verdict, functions.get(key.task_id, "")) for key, verdict in verdicts]
        mark = digest(canonical_json(rows))[:12]
        if not rows or any(self.folder.glob(f"*-{mark}.parquet")):
            return None
        now = datetime.now(UTC)
        stored = now.isoformat(timespec="microseconds")
        table = pa.Table.from_pylist([{**row, "stored": stored} for row in rows], SCHEMA)
        path = self.folder / f"{now:%Y%m%dT%H%M%S}-{run.id}-{mark}.parquet"
        part = path.with_suffix(f".{os.getpid()}.part")
        try:
            pq.write_table(table, part, compression="zstd")
            os.replace(part, path)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise UserError(
                f"The store {self.folder} can't be written ({error.strerror}); make room and run the command again."
            ) from None
        return path

    def runs(self) -> list[Stored]:
        """All runs, the oldest first."""
        found = self._asked(_RUNS)
        return [
            Stored(row["run_id"], Run(**{name: row[name] or "" for name in _OF_RUN}), row["n_tasks"],
                   row["n_answers"], row["n_perfect"])
            for row in found
        ]

    def results(self, wanted: str) -> Results:
        """The results of the run that an id, its beginning, or the name of its model means; raises `UserError`."""
        runs = self.runs()
        fitting = [one for one in runs if one.run.model == wanted] or [
            one for one in runs if len(wanted) >= _SHORTEST and one.id.startswith(wanted)]
        if not fitting:
            raise UserError(
                f"The store {self.folder} has no run of {wanted!r}, and there is no such file; "
                "`code2bench runs` lists what it has."
            )
        if len(fitting) > 1:
            told = ", ".join(f"{one.id} of {one.run.date[:10]} on {one.run.release}" for one in fitting[:5])
            raise UserError(f"The store {self.folder} has {len(fitting)} runs of {wanted!r} ({told}): give an id.")
        (one,) = fitting
        rows = self._asked(_OF_ONE, one.id)
        verdicts = dict(map(_verdict, rows))
        name = " ".join(part for part in (one.run.model or "run", f"({one.id})") if part)
        return Results(self.folder / name, one.run, verdicts, {row["task_id"]: row["entry_point"] for row in rows})

    def _asked(self, query: str, *given: str) -> list[dict[str, Any]]:
        """The rows that a query over all parts, the table `results`, gives."""
        # These two take fifty megabytes, which judging need not have.
        import duckdb
        import pyarrow.dataset as ds

        parts = sorted(self.folder.glob("*.parquet"))
        for part in parts:
            _check(part)
        if not parts:
            return []
        with duckdb.connect() as connection:
            connection.register("results", ds.dataset(list(map(str, parts)), SCHEMA, format="parquet"))
            found = connection.execute(query, list(given))
            names = [column[0] for column in found.description or ()]
            return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def results(wanted: str, store: Path | None) -> Results:
    """The results in a file, or where there is no such file and a store, those of a run in it; raises `UserError`."""
    file = Path(wanted)
    return read_results(file) if store is None or file.exists() else Store(store, to_read=True).results(wanted)


def _check(part: Path) -> None:
    try:
        names = pq.read_schema(part).names
    except (pa.ArrowInvalid, OSError) as error:
        raise UserError(f"{part} is no readable part of a store ({error}); remove it.") from None
    if missing := {"stored", "run_id", "task_id", "sample", "outcome"} - set(names):
        raise UserError(f"{part} is no part of a store (it has no column {min(missing)}); move it away.")


def _row(run: Run, key: Key, verdict: Verdict, function: str) -> dict[str, Any]:
    return {
        "run_id": run.id, **asdict(run), "task_id": key.task_id, "task_digest": key.task_digest, "variant": key.variant,
        "sample": key.number, "code_sha256": key.code_sha256, "entry_point": function, "outcome": verdict.outcome.value,
        "passed": verdict.passed, "total": verdict.total, "detail": verdict.detail,
        "statuses": "".join(LETTERS[case.status] for case in verdict.cases),
    }


def _verdict(row: Mapping[str, Any]) -> tuple[Key, Verdict]:
    key = Key(row["task_id"], row["task_digest"], row["variant"] or "", row["sample"], row["code_sha256"])
    cases = tuple(RESULTS[letter] for letter in row["statuses"])
    outcome = Spectrum(row["outcome"])
    return key, Verdict(key.task_id, key.task_digest, outcome, row["passed"], row["total"], row["detail"], cases)
