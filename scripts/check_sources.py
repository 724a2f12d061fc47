"""Say what the lock stage decides about each project of a source list: a chore before a list is changed.

Example: python scripts/check_sources.py data/sources/pypi.toml --after 2026-05-01 --until 2026-11-01 --only pint
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from pathlib import Path

from harness.errors import UserError
from harness.releases.dataset import cache_folder
from pipeline.config import MineConfig
from pipeline.records import LockedSource, Rejection
from pipeline.sources.lists import read_sources
from pipeline.sources.lock import LockStage
from pipeline.stage import Context

DATA = Path(__file__).parents[1] / "data"


def main() -> None:
    """Print one line of CSV per project; asks the registry once a project, slowly."""
    options = _options()
    context = Context(
        0, cache_folder(), DATA / "runtimes/python-3.11.txt", DATA, options.after, options.until, options.offline
    )
    stage = LockStage(MineConfig())
    table = csv.writer(sys.stdout)
    table.writerow(("project", "domain", "decision", "licence", "upper", "evidence"))
    for source in read_sources(options.list):
        if options.only and source.name not in options.only:
            continue
        [decision] = stage.run([source], context)
        table.writerow((source.name, source.domain, *_columns(decision)))
        sys.stdout.flush()
        time.sleep(0 if options.offline else options.pause)


def _columns(decision: LockedSource | Rejection) -> tuple[str, str, str, str]:
    if isinstance(decision, Rejection):
        return decision.reason, "", "", decision.evidence
    older = " ".join(f"{a.version} ({a.uploaded[:10]})" for a in decision.baseline)
    return "locked", decision.licence, f"{decision.upper.version} ({decision.upper.uploaded[:10]})", older


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", type=Path, help="the source list")
    parser.add_argument("--after", required=True, help="the window's first day")
    parser.add_argument("--until", required=True, help="the day after the window")
    parser.add_argument("--only", nargs="*", default=(), help="projects to look at; all, when none is named")
    parser.add_argument("--pause", type=float, default=0.5, help="seconds between projects")
    parser.add_argument("--offline", action="store_true", help="use the cache alone")
    return parser.parse_args()


if __name__ == "__main__":
    try:
        main()
    except UserError as error:
        sys.exit(str(error))
