"""Settings of all tests: the same examples each time, no deadline on a shared machine, bytecode and a cache that are kept.

What tests put into a cache goes into one of their own, `build/test-cache`, and stays there for the next run. Of the
user's cache they read the runtimes, which nothing changes once they are made, and write nothing. Files that take longest come first, so that no worker is left alone with one of them at the end.
"""

import gc
import os
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from harness.cache import cache_folder

LONGEST = [Path(__file__).parent / name for name in (
    "pipeline/hub/test_publishing.py", "pipeline/test_models_in_builds.py", "pipeline/suites/test_asked.py",
    "pipeline/suites/test_building.py", "pipeline/test_flow.py", "pipeline/suites/test_work.py",
    "pipeline/test_elsewhere.py", "pipeline/suites/test_tables.py", "pipeline/vary/test_vary.py",
    "pipeline/test_experiments.py", "pipeline/curated/test_whole_way.py",
    "pipeline/suites/test_bundles.py", "pipeline/suites/test_written.py", "harness/test_answers.py",
    "pipeline/release/test_inputs.py", "pipeline/suites/test_strategies.py", "harness/test_sandbox.py",
    "harness/test_python.py", "pipeline/sources/test_choosing.py", "harness/test_judging.py",
    "harness/test_lm_eval.py", "harness/test_files.py", "pipeline/families/test_layered.py",
    "repository/test_scripts.py", "harness/test_cli.py", "pipeline/test_shipped.py",
    "pipeline/suites/test_trying.py", "pipeline/suites/test_relations.py", "pipeline/suites/test_seeds.py",
    "pipeline/test_stage.py", "pipeline/suites/test_strength.py", "harness/test_evaluate.py",
    "pipeline/llm/test_ledger.py", "pipeline/suites/test_stage.py", "pipeline/sources/test_fetching.py",
    "pipeline/suites/test_exact.py", "repository/test_exam.py", "repository/test_ablate.py",
    "harness/test_languages.py", "pipeline/llm/test_client.py", "pipeline/suites/test_kinds.py",
    "pipeline/agreement/test_command.py", "harness/test_dataset.py", "repository/test_library_members.py",
)]  # fmt: skip

settings.register_profile("fixed", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("fixed")

# The collector looks in vain for circles among all that was imported and collected.
gc.set_threshold(50_000, 20, 100)

# Most of the time of a command is compiling its imports, and tests run hundreds of commands.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def own_cache(folder: Path) -> None:
    """Make this folder the cache of this process and those that it starts, with links to the runtimes that are there."""
    there, here = (cache_folder() / "runtimes").absolute(), folder / "runtimes"
    here.mkdir(parents=True, exist_ok=True)
    for link in here.iterdir():
        if link.is_symlink() and not link.exists():
            link.unlink(missing_ok=True)
    for made in there.glob("py*") if there != here else ():
        with suppress(FileExistsError):
            (here / made.name).symlink_to(made)
    os.environ["CODE2BENCH_CACHE"] = str(folder)


own_cache(Path(__file__).parents[1] / "build" / "test-cache")
for name in ("RELEASE", "STORE", "DATASET", "YES"):  # what a user has set is no matter here
    os.environ.pop(f"CODE2BENCH_{name}", None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places = {path: place for place, path in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path, len(places)))
