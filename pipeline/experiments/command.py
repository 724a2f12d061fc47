"""`code2bench experiment`: an experiment from its file to its tables."""

from __future__ import annotations

import json
from pathlib import Path

import click

from harness.cli import workers_option
from harness.errors import UserError
from harness.telling import say


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--folder", type=click.Path(path_type=Path), help="Where to work; build/NAME by default.")
@workers_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def experiment(file: Path, folder: Path | None, workers: int, as_json: bool) -> None:
    """Repeat an experiment: variants are made, answered and judged, and the tables are written. Killed, it goes on.

    Answerers are scripted: what each of them gets right is known, and the tables are held to it.

    Example: code2bench experiment data/experiments/dynamic.toml
    """
    from harness.report import tables
    from pipeline.experiments.run import load, run

    settings = load(file)
    found = run(settings, folder or Path("build") / f"experiment-{settings.name}", workers)
    if as_json:
        parts = {name: json.loads(tables.as_json(table)) for name, table in found.tables.items()}
        say(json.dumps({"folder": str(found.folder), "tables": parts, "faults": found.faults}))
    else:
        for name, table in found.tables.items():
            say("\n".join([f"{name}:", *tables.as_text(table), ""]))
        say(f"The tables are in {found.folder}, as CSV and JSON.")
    if found.faults:
        raise UserError(f"{len(found.faults)} rates are not what is known: {found.faults[0]}. Report this, please.")
