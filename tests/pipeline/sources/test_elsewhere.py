"""What stood in another project, the standard library, a library or a benchmark is no new function, whatever its names."""

from __future__ import annotations

import ast
import builtins
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import dedent

import pytest

from harness.cache import cache_folder
from harness.errors import UserError
from harness.languages import Library
from harness.runtime import find_runtime
from pipeline.config import DedupeConfig
from pipeline.records import Candidate, Function, LockedSource, Rejection
from pipeline.sources import elsewhere
from pipeline.sources.dedupe import DedupeStage
from pipeline.sources.elsewhere import ElsewhereStage
from pipeline.sources.known import known_in, write_known
from pipeline.sources.lock import write_lock
from pipeline.sources.mine import MineStage
from pipeline.stage import Context
from tests.pipeline.make_project import small_lock
from tests.pipeline.sources.conftest import MIT, Server, outcome, sdist

ELDER = '''
def widest(rows, gap=2):
    """The width of the widest row."""
    best, count = 0, len(rows)
    for index, row in enumerate(rows):
        if index % 2 == 0 and row:
            best = max(best, sum(len(cell) + gap for cell in row))
        elif not row:
            count -= 1
    return best if count > 3 else [best, count, gap]
'''
HONEST = '''
def runs(text, letter):
    """The longest run of a letter, and what is left of the text without it."""
    best = run = 0
    for other in text:
        run = run + 1 if other == letter else 0
        best = max(best, run)
    return {"best": best, "run": run, "left": text.strip(letter)}
'''
ESTIMATOR = '''
import numpy as np


def estimate(samples, correct, k):
    """The chance that one of k samples passes, for each problem."""
    def estimator(n: int, c: int, k: int) -> float:
        if n - c < k:
            return 1.0
        return 1.0 - np.prod(1.0 - k / np.arange(n - c + 1, n + 1))

    return np.array([estimator(int(n), int(c), k) for n, c in zip(samples, correct)])
'''
INNER = dedent(ESTIMATOR[ESTIMATOR.index("    def estimator") : ESTIMATOR.index("\n    return np.array")])


class _Renaming(ast.NodeTransformer):
    """Gives all that a function binds another name."""

    def __init__(self, function: ast.FunctionDef) -> None:
        stored = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
        inner = {n.name for n in ast.walk(function) if isinstance(n, ast.FunctionDef) and n is not function}
        caught = {n.name for n in ast.walk(function) if isinstance(n, ast.ExceptHandler) and n.name}
        bound = stored | inner | caught | {n.arg for n in ast.walk(function) if isinstance(n, ast.arg)}
        bound -= {name for n in ast.walk(function) if isinstance(n, ast.Global) for name in n.names}
        self.names = {name: f"renamed_{number}" for number, name in enumerate(sorted(bound - set(dir(builtins))))}
        self.names[function.name] = "planted"

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(self.names.get(node.arg, node.arg))

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.AST:
        return ast.Nonlocal([self.names[name] for name in node.names])

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        node.name = self.names.get(node.name or "")
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name, node.returns = self.names.get(node.name, node.name), None
        return self.generic_visit(node)


def called(text: str, name: str) -> str:
    [function] = [one for one in ast.parse(text).body if isinstance(one, ast.FunctionDef)]
    return text.replace(f"def {function.name}(", f"def {name}(").replace(f"{function.name}(", f"{name}(")


def with_other_names(text: str) -> str:
    """The function with all of its variables and parameters renamed, and itself."""
    [function] = [one for one in ast.parse(text).body if isinstance(one, ast.FunctionDef)]
    return ast.unparse(_Renaming(function).visit(function)) + "\n"


VARIANTS: dict[str, Callable[[str], str]] = {
    "as it is": lambda text: text, "renamed": lambda text: called(text, "planted"), "all names": with_other_names,
}


@dataclass(frozen=True)
class FewLibraries:
    """A runtime with a module of its own and no library."""

    version: str = "3.11"
    lock_sha256: str = "0" * 64

    def libraries(self) -> tuple[Library, ...]:
        return ()


@pytest.fixture
def no_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elsewhere, "find_runtime", lambda lock, of: FewLibraries())


def kept_or_left(result: Candidate | Rejection) -> Function | Rejection:
    """The function that stays, or why it leaves."""
    return result.function if isinstance(result, Candidate) else result


class Build:
    """Projects of a registry, mined together, and what becomes of their new functions after that."""

    def __init__(self, server: Server, context: Context, lock: Callable[..., LockedSource | Rejection]) -> None:
        self.context, self._server, self._lock = context, server, lock

    def add(self, name: str, old: str, new: str) -> None:
        for version, day, text in (("1.0", "2026-01-01", old), ("2.0", "2026-06-01", new)):
            files = {"LICENSE": MIT, f"{name}/code.py": text}
            self._server.upload(name, version, day, sdist(files, top=f"{name}-{version}"))

    def stage(self, *names: str) -> tuple[ElsewhereStage, list[Candidate]]:
        sources = [self._lock(name) for name in names]
        assert all(isinstance(one, LockedSource) for one in sources), sources
        mined = [one for locked in sources for one in MineStage().run([locked], self.context)]
        write_lock(self.context.data / "sources.lock", [one for one in sources if isinstance(one, LockedSource)])
        found = [Candidate(one, "sc-python", (), (), one.source) for one in mined if isinstance(one, Function)]
        return ElsewhereStage(lock=self.context.data / "sources.lock"), found

    def run(self, *names: str) -> dict[str, Function | Rejection]:
        stage, found = self.stage(*names)
        results = [kept_or_left(one) for one in stage.run(found, self.context)]
        assert len(results) == len(found)
        return {r.qualified if isinstance(r, Function) else r.name: r for r in results}


@pytest.fixture
def made(server: Server, context: Context, lock: Callable[..., LockedSource | Rejection]) -> Build:
    return Build(server, context, lock)


@pytest.fixture
def with_libraries(made: Build, context: Context) -> Build:
    """The same with a runtime that has libraries, which are read once for all tests."""
    folder = cache_folder() / "libraries"
    folder.mkdir(parents=True, exist_ok=True)
    context.cache.mkdir(parents=True, exist_ok=True)
    (context.cache / "libraries").symlink_to(folder.absolute())
    made.context = replace(context, runtime=small_lock())
    return made


def only(results: dict[str, Function | Rejection]) -> Rejection:
    [left] = [one for one in results.values() if isinstance(one, Rejection)]
    return left


@pytest.mark.usefixtures("no_libraries")
@pytest.mark.parametrize("variant", VARIANTS)
def test_what_another_project_had_leaves_with_where_it_stood(made: Build, variant: str) -> None:
    made.add("other", ELDER, f"{ELDER}\nX = 1\n")
    made.add("fresh", "X = 1\ndef f():\n    pass\n", VARIANTS[variant](ELDER) + HONEST)
    results = made.run("fresh", "other")
    assert outcome(results["runs"]) == "new"
    left = only(results)
    assert left.reason == "known_elsewhere"
    how = "the same but for the names of its variables as" if variant == "all names" else "the same as"
    assert left.evidence == f"{how} widest in other/code.py (other-1.0.tar.gz, the baseline of other)"


@pytest.mark.usefixtures("no_libraries")
def test_most_of_a_function_is_enough_and_a_few_words_are_not(made: Build) -> None:
    made.add("other", ELDER + "def short(x):\n    return [one for one in x if one]\n", "X = 1\ndef g():\n    pass\n")
    changed = called(ELDER, "planted").replace("count > 3", "count > 4")
    made.add("fresh", "def f():\n    pass\n", changed + "def few(y):\n    return [a for a in y if a]\n")
    results = made.run("fresh", "other")
    assert outcome(results["few"]) == "new"
    left = results["planted"]
    assert isinstance(left, Rejection) and left.reason == "known_elsewhere"
    assert left.evidence.endswith("% of it stood in widest in other/code.py (other-1.0.tar.gz, the baseline of other)")


@pytest.mark.usefixtures("no_libraries")
def test_its_own_project_decides_at_mining_by_the_same_rule(made: Build) -> None:
    made.add("fresh", ELDER, with_other_names(ELDER) + HONEST)
    [locked] = [made._lock("fresh")]
    assert isinstance(locked, LockedSource)
    results = list(MineStage().run([locked], made.context))
    assert [outcome(one) for one in results] == ["prior_to_cutoff", "new"]
    assert isinstance(results[0], Rejection)
    assert results[0].evidence.startswith("the same but for the names of its variables as widest in fresh/code.py")


@pytest.mark.usefixtures("no_libraries")
def test_it_is_the_same_whether_or_not_the_cache_knows_the_archives(made: Build, server: Server) -> None:
    made.add("other", ELDER, HONEST)
    made.add("fresh", "def f():\n    pass\n", called(ELDER, "planted"))
    stage, found = made.stage("fresh", "other")
    first = list(stage.run(found, made.context))
    for file in (made.context.cache / "history").rglob("*.parquet"):
        file.unlink()
    assert list(stage.run(found, made.context)) == first
    server.files.clear()
    for file in (made.context.cache / "archives").rglob("*"):
        if file.is_file():
            file.unlink()
    assert list(stage.run(found, made.context)) == first


def test_a_runtime_that_is_not_there_is_told_with_the_cure(made: Build) -> None:
    made.context.runtime.write_text("nothing==1.0\n")
    made.add("fresh", "def f():\n    pass\n", HONEST)
    with pytest.raises(UserError, match="run `code2bench runtime"):
        made.run("fresh")


def library_text(title: str, path: str, name: str) -> str:
    """A function of a library of the runtime."""
    [library] = [one for one in find_runtime(small_lock()).libraries() if one.title.startswith(title)]
    text = dict(library.files)[path].read_text("utf-8")
    [found] = [one for one in ast.parse(text).body if isinstance(one, ast.FunctionDef) and one.name == name]
    found.decorator_list = []
    return ast.unparse(found) + "\n"


def test_what_the_runtime_brings_leaves_with_where_it_stands(with_libraries: Build) -> None:
    planted = {
        ("the standard library of Python 3.11", "statistics.py", "median"): "median in statistics.py",
        ("the standard library of Python 3.11", "textwrap.py", "dedent"): "dedent in textwrap.py",
        ("numpy ", "numpy/lib/_polynomial_impl.py", "polyder"): "polyder in numpy/lib/_polynomial_impl.py",
        ("numpy ", "numpy/lib/_npyio_impl.py", "_read"): "_read in numpy/lib/_npyio_impl.py",
    }
    texts = {f"p{n}_{m}": (said, called(change(library_text(*which)), f"p{n}_{m}"))
             for n, (which, said) in enumerate(planted.items()) for m, change in enumerate(VARIANTS.values())}
    code = "\n\n".join(text for _, text in texts.values())
    with_libraries.add("fresh", "def f():\n    pass\n", code.replace("yield from", "return list") + HONEST)
    results = with_libraries.run("fresh")
    assert outcome(results.pop("runs")) == "new"
    for name, one in results.items():
        assert outcome(one) == "known_elsewhere", name
        assert isinstance(one, Rejection) and f"{texts[name][0]} (" in one.evidence, one.evidence


def test_a_library_s_own_new_function_is_new(with_libraries: Build) -> None:
    text = library_text("numpy ", "numpy/lib/_polynomial_impl.py", "polyder")
    with_libraries.add("numpy", "def f():\n    pass\n", text)
    with_libraries.add("fresh", "def f():\n    pass\n", called(text, "planted"))
    results = with_libraries.run("numpy", "fresh")
    assert {name: outcome(one) for name, one in results.items()} == {
        "polyder": "new", "planted": "known_elsewhere"}


@pytest.mark.usefixtures("no_libraries")
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("text", [ELDER, INNER], ids=["a task", "an estimator"])
def test_what_a_benchmark_has_leaves_with_whose_it_is(made: Build, tmp_path: Path, variant: str, text: str) -> None:
    row = tmp_path / "bench.jsonl"
    row.write_text(json.dumps({"task_id": "Bench/7", "code": ELDER}) + "\n")
    evaluation = tmp_path / "evaluation.py"
    evaluation.write_text(ESTIMATOR)
    write_known(tmp_path / "known.jsonl", [*known_in(row, "Bench"), *known_in(evaluation, "Bench")])
    made.add("fresh", "def f():\n    pass\n", VARIANTS[variant](text) + HONEST)
    _, found = made.stage("fresh")
    deduped = DedupeStage(DedupeConfig()).run(found, replace(made.context, data=tmp_path))
    results = {one.name: one for one in map(kept_or_left, deduped)}
    assert outcome(results.pop("runs")) == "new"
    [left] = results.values()
    assert isinstance(left, Rejection) and left.reason == "known_benchmark"
    assert ("Bench/7 widest of Bench" if text == ELDER else "estimate.estimator of Bench") in left.evidence
