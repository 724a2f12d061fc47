"""The repository's own rules: which way imports point, what is plain data, that every reason has a case."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from pipeline.records import Reason
from tests.conftest import LONGEST

ROOT = Path(__file__).parents[2]
HARNESS = sorted((ROOT / "harness").rglob("*.py"))
PIPELINE = sorted((ROOT / "pipeline").rglob("*.py"))
STAGES = {
    "pipeline.sources.lock", "pipeline.sources.mine", "pipeline.sources.elsewhere", "pipeline.sources.dedupe",
    "pipeline.classify.stage",
    "pipeline.screen.stage", "pipeline.sample", "pipeline.judge.stage", "pipeline.suites.stage",
    "pipeline.instruct.stage", "pipeline.packaging.stage",
}


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", LONGEST, ids=relative)
def test_what_is_tested_first_is_there(path: Path) -> None:
    assert path.is_file()


def test_imports_keep_their_contracts() -> None:
    """The layers, circles and doors of `[tool.importlinter]` in pyproject.toml."""
    run = subprocess.run([Path(sys.executable).with_name("lint-imports"), "--no-logo", "--no-cache"], cwd=ROOT,
                         capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


def test_what_the_sandbox_sees_of_the_harness_needs_nothing_of_it() -> None:
    from harness.languages.python.runner import SHOWN

    assert len(SHOWN) > 15
    for file in SHOWN.values():
        assert not {name for name in imported(file) if name.split(".")[0] in ("harness", "pipeline")}, file


@pytest.mark.parametrize("path", [p for p in PIPELINE if p.name != "flow.py"], ids=relative)
def test_only_the_flow_imports_stages(path: Path) -> None:
    own = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    stages = {n for n in imported(path) if n.endswith("Stage") and n.rsplit(".", 1)[0] in STAGES - {own}}
    assert not stages


def test_the_command_line_starts_without_heavy_imports() -> None:
    heavy = "numpy pandas datasets pyarrow tree_sitter hypothesis coverage lm_eval huggingface_hub".split()
    code = f"import sys, harness.cli; print([m for m in {heavy!r} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@cache
def reasons_given() -> set[str]:
    """The reasons that the pipeline gives, by their names, and the quoted words of one, as the sandbox gives names."""
    texts = [p.read_text("utf-8") for p in PIPELINE if p.name != "records.py"]
    return {name for text in texts for found in re.findall(r"""\bReason\.(\w+)|"(\w+)"|'(\w+)'""", text)
            for name in found}


@cache
def words_of_tests() -> set[str]:
    files = [p for p in (ROOT / "tests").rglob("*.py") if p != Path(__file__)]
    return {word for p in files for word in re.findall(r"\w+", p.read_text("utf-8"))}


@pytest.mark.parametrize("reason", list(Reason), ids=lambda r: r.name)
def test_every_reason_is_given_somewhere_and_has_a_case(reason: Reason) -> None:
    given, words = reasons_given(), words_of_tests()
    assert {reason.name, reason.name.lower()} & given, f"no stage gives {reason.name}"
    assert {reason.name, reason.name.lower()} & words, f"no test produces {reason.name}"


def test_each_reason_is_one_sentence() -> None:
    for reason in Reason:
        assert re.fullmatch(r"[A-Z][^.]*(\.[^ ][^.]*)*\.", reason.value), reason.value


def test_no_module_is_a_junk_drawer() -> None:
    names = {p.stem for p in HARNESS + PIPELINE} | {p.parent.name for p in HARNESS + PIPELINE}
    assert not names & {"utils", "common", "core", "helpers", "misc"}


def test_yaml_and_toml_files_load() -> None:
    import tomllib

    import yaml

    class Loader(yaml.SafeLoader):
        pass

    Loader.add_constructor("!function", lambda loader, node: loader.construct_scalar(node))
    tomls, yamls = sorted((ROOT / "data").rglob("*.toml")), sorted((ROOT / "harness").rglob("*.yaml"))
    assert tomls and yamls
    for path in tomls:
        tomllib.loads(path.read_text("utf-8"))
    for path in yamls:
        assert yaml.load(path.read_text("utf-8"), Loader)
