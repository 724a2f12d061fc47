"""Bring functions of further projects to the judge stage, whatever their age: material that nobody has tuned on.

    python scripts/fresh.py FOLDER NAME [NAME ...]
    python scripts/exam.py FOLDER --half report

The functions go the way of all functions but for novelty: the newest source release of each project on PyPI is read,
and nothing of it counts as older. Projects that are in the lists of sources already are left out, with a word. Nothing
of a function is kept in this project.
"""

from __future__ import annotations

import argparse
import datetime
import shutil
from pathlib import Path
from typing import Any

from pipeline.flow import Options, build
from pipeline.sources import pypi
from pipeline.sources.lists import read_sources

ROOT = Path(__file__).parents[1]


class _Nothing(list[Any]):
    """No archives, where a source would be refused for having none."""

    def __bool__(self) -> bool:
        return True


# Without older archives to look into, all functions count as new. Worker processes import this module, too.
vars(pypi)["baseline"] = lambda *_: _Nothing()


def main() -> None:
    """Write a configuration into the folder and build it up to the judge stage."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where to work")
    parser.add_argument("names", nargs="+", help="names of projects on PyPI")
    parser.add_argument("--workers", type=int, default=0)
    options = parser.parse_args()
    lists = sorted((ROOT / "data" / "sources").glob("*.toml"))
    known = {source.name for path in lists for source in read_sources(path)}
    names = list(dict.fromkeys(name.lower().replace("_", "-") for name in options.names))
    for name in names:
        if name in known:
            print(f"{name} is in the list of sources already, so it is left out.")
    path = _configured(options.folder, [name for name in names if name not in known])
    build(path, Options(workers=options.workers, folder=options.folder, until_stage="judge"))


def _configured(folder: Path, names: list[str]) -> Path:
    """The configuration of a release of these projects, in a data folder like this project's."""
    data = folder / "data"
    for part in ("releases", "sources"):
        (data / part).mkdir(parents=True, exist_ok=True)
    for part in ("libraries.toml", "models.toml", "exclusions.toml"):
        shutil.copy(ROOT / "data" / part, data / part)
    shutil.copytree(ROOT / "data" / "runtimes", data / "runtimes", dirs_exist_ok=True)
    sources = "".join(f'\n[[source]]\nname = "{name}"\ndomain = "Scientific Computing"\n' for name in names)
    (data / "sources" / "fresh.toml").write_text(f'kind = "pypi"\n{sources}', "utf-8")
    path = data / "releases" / "fresh.toml"
    path.write_text(
        'name = "fresh"\ntitle = "fresh"\nseed = 1\n\n[window]\nafter = "2000-01-01"\n'
        f'until = "{datetime.date.today()}"\n\n[sources]\nlists = ["../sources/fresh.toml"]\n\n[sample]\nsize = 4000\n',
        "utf-8",
    )
    return path


if __name__ == "__main__":
    main()
