"""Settings of all tests: the same examples each time, no deadline on a shared machine, and bytecode that is kept.

Files that take longest come first, so that no worker is left alone with one of them at the end.
"""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

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

# Most of the time of a command is compiling its imports, and tests run hundreds of commands.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places = {path: place for place, path in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path, len(places)))
