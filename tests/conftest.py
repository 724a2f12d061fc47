"""Settings of all tests: the same examples each time, no deadline on a shared machine, and bytecode that is kept.

Files that take longest come first, so that no worker is left alone with one of them at the end.
"""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

LONGEST = [Path(__file__).parent / name for name in (
    "pipeline/suites/test_asked.py", "harness/test_judging.py", "pipeline/hub/test_publishing.py",
    "pipeline/suites/test_written.py", "pipeline/test_models_in_builds.py", "pipeline/suites/test_work.py",
    "pipeline/test_flow.py", "harness/test_answers.py", "pipeline/sources/test_fetching.py",
    "harness/test_sandbox.py", "harness/test_python.py", "harness/test_lm_eval.py", "pipeline/test_elsewhere.py",
    "pipeline/suites/test_building.py", "pipeline/suites/test_exact.py", "pipeline/suites/test_tables.py",
    "harness/test_evaluate.py", "pipeline/sources/test_choosing.py", "harness/test_files.py", "harness/test_cli.py",
    "repository/test_exam.py", "repository/test_ablate.py", "harness/test_languages.py",
    "pipeline/llm/test_client.py", "repository/test_scripts.py", "pipeline/suites/test_kinds.py",
    "pipeline/suites/test_stage.py", "pipeline/llm/test_ledger.py", "pipeline/agreement/test_command.py",
    "harness/test_dataset.py", "pipeline/test_shipped.py", "repository/test_library_members.py",
)]  # fmt: skip

settings.register_profile("fixed", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("fixed")

# Most of the time of a command is compiling its imports, and tests run hundreds of commands.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places = {path: place for place, path in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path, len(places)))
