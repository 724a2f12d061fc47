"""A language that the pipeline has never seen goes through mining, classification, screen and judge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from harness.languages import Call, Execution
from harness.records import Answer
from harness.sandbox import Limits
from pipeline.classify.stage import ClassifyStage
from pipeline.config import JudgeConfig
from pipeline.judge.stage import JudgeStage
from pipeline.languages.registry import language, language_of, languages, registered
from pipeline.records import Candidate, Function, LockedSource, Rejection, Source
from pipeline.screen.stage import ScreenStage
from pipeline.sources.call_sites import with_calls
from pipeline.sources.dedupe import DedupeStage
from pipeline.sources.lists import read_sources
from pipeline.sources.lock import LockStage, read_lock, write_lock
from pipeline.sources.mine import MineStage
from pipeline.stage import Context
from tests.pipeline.sources.conftest import MIT, Repository
from tests.toy.language import TOY
from tests.toy.runner import TOY as RUNNING
from tests.toy.tasks import toy_machine

OLD = "@twice a= { a a add return }\n"
NEW = """&math.max
7 base=

# The value, or the lower bound where it is less than that.
@clamp x= low= { x low less if { low return } x return }

# Twice the larger of two numbers and one, less the first, unless that is negative.
@peak a= b= { a 0 less if { 0 return } a b max 2 mul 1 add a sub return }

# The sum of all numbers from one to the given one.
@sums n= { n 1 less if { 0 return } n n 1 sub sums add return }

@shifted a= { a 0 less if { base return } a base add return }
@told a= { a 0 less if { a print } a return }
@timed a= { a now less if { 1 return } a return }
@doubtful a= { *everything a 0 less if { a secret return } a return }
@plain a= { a 3 add return }
@nothing a= { a 0 less if { 3 b= } }
@outer a= { @inner b= { b return } a inner return }
"""
CHECK = "5 2 clamp print\n-1 9 clamp print\n"


@pytest.fixture(autouse=True)
def toy() -> Iterator[None]:
    with registered(TOY):
        yield


@pytest.fixture
def mined(repository: Repository, context: Context) -> list[Function | Rejection]:
    """What mining makes of a repository whose new functions are toys, beside a Python file that nobody reads."""
    repository.commit("2026-04-01", {"LICENSE": MIT, "old.toy": OLD})
    repository.commit("2026-06-01", {
        "new.toy": NEW, "check-new.toy": CHECK, "old.toy": OLD + "# renamed\n@double a= { a a add return }\n",
        "setup.py": "def f(x):\n    return x\n",
    })
    (context.data / "libraries-toy.toml").write_text('whole = ["math"]\n')
    source = Source("git", "toys", "System Utilities", str(repository.path), language="toy")
    [locked] = LockStage().run([source], context)
    assert isinstance(locked, LockedSource)
    return list(MineStage().run([locked], context))


def functions(results: list[Function | Rejection]) -> list[Function]:
    return [one for one in results if isinstance(one, Function)]


def reasons(results: list) -> dict[str, str]:
    return {one.name: one.reason for one in results if isinstance(one, Rejection)}


def test_what_is_new_is_mined(mined: list[Function | Rejection]) -> None:
    found = {one.name: one for one in functions(mined)}
    assert {one.language for one in found.values()} == {"toy"}
    assert list(found) == [
        "clamp", "peak", "sums", "shifted", "told", "timed", "doubtful", "plain", "nothing", "outer",
    ]
    assert reasons(mined) == {"twice": "prior_to_cutoff", "double": "prior_to_cutoff", "inner": "nested", "": "excluded_folder"}
    assert found["clamp"].source.startswith("# The value, or") and found["clamp"].source.endswith("return }\n")
    assert found["clamp"].provenance.first_seen.startswith("2026-06-01")


def test_calls_in_other_files_are_read(mined: list[Function | Rejection]) -> None:
    one = next(one for one in functions(mined) if one.name == "clamp")
    [found] = with_calls([Candidate(one, "sc-toy", (), (), one.source)], {"new.toy": NEW, "check-new.toy": CHECK}, language("toy"))
    assert found.function.calls == ("5 2", "-1 9")


@pytest.fixture
def candidates(mined: list[Function | Rejection], context: Context) -> list[Candidate | Rejection]:
    return list(ClassifyStage().run(functions(mined), context))


def test_dependence_is_found_by_the_toys_rules_and_its_own_list(candidates: list[Candidate | Rejection]) -> None:
    tracks = {one.function.name: one.track for one in candidates if isinstance(one, Candidate)}
    assert tracks == dict.fromkeys(("clamp", "sums", "told", "timed", "plain", "nothing", "outer"), "sc-toy") | {
        "peak": "wsc-toy"}
    assert reasons(candidates) == {"shifted": "project_dependent", "doubtful": "unsure"}
    peak = next(one for one in candidates if isinstance(one, Candidate) and one.function.name == "peak")
    assert peak.libraries == ("math",) and peak.program.startswith("&math.max\n# Twice")


def test_the_screen_and_the_judge_ask_the_toy(candidates: list[Candidate | Rejection], context: Context) -> None:
    screened = list(ScreenStage().run([one for one in candidates if isinstance(one, Candidate)], context))
    assert reasons(screened) == {
        "told": "impure", "timed": "nondeterministic_call", "plain": "too_simple", "nothing": "no_return",
        "outer": "too_simple",
    }
    distinct = list(DedupeStage().run([one for one in screened if isinstance(one, Candidate)], context))
    kept = {one.function.name: one for one in distinct if isinstance(one, Candidate)}
    measures = {name: (one.measures.complexity, one.measures.branches) for name, one in kept.items() if one.measures}
    assert measures == {"clamp": (2, 2), "peak": (2, 2), "sums": (2, 2)}
    judged = list(JudgeStage(JudgeConfig()).run(list(kept.values()), context))
    kept = {one.function.name: one.judgement for one in judged if isinstance(one, Candidate)}
    assert {name: one.difficulty for name, one in kept.items()} == {"peak": "Easy", "sums": "Easy"}
    scores = {name: float(one.reasons[0].split()[1].rstrip(",")) for name, one in kept.items()}
    assert scores["peak"] < 3.5 <= scores["sums"]
    assert reasons(judged) == {"clamp": "trivial"}


def test_one_build_may_mix_languages(mined: list[Function | Rejection], context: Context) -> None:
    (context.data / "libraries.toml").write_text('whole = ["math"]\n')
    python = "import math\n\n\ndef root(a):\n    return math.sqrt(a)\n"
    [definition] = language("python").reading.definitions(python)
    first = functions(mined)[0]
    mixed = [
        first, replace(first, language="python", name="root", qualified="root", source=definition.source, module=python,
                       provenance=replace(first.provenance, path="root.py", line_start=4)),
    ]
    found = list(ClassifyStage().run(mixed, context))
    assert [one.track for one in found] == ["sc-toy", "wsc-python"]


def test_a_source_list_says_its_language(tmp_path: Path) -> None:
    path = tmp_path / "list.toml"
    entry = '[[source]]\nname = "a"\ndomain = "System Utilities"\nlocation = "https://example.org/a"\n'
    path.write_text(f'kind = "git"\nlanguage = "toy"\n{entry}')
    assert [one.language for one in read_sources(path)] == ["toy"]
    path.write_text(f'kind = "git"\n{entry}')
    assert [one.language for one in read_sources(path)] == ["python"]


def test_a_lock_keeps_the_language_and_says_nothing_of_the_usual_one(mined: object, context: Context) -> None:
    text = {}
    for name in ("toy", "python"):
        source = Source("git", "toys", "System Utilities", str(context.data / "project"), language=name)
        locked = list(LockStage().run([source], context))
        write_lock(context.data / "sources.lock", locked)
        assert read_lock(context.data / "sources.lock") == locked
        text[name] = (context.data / "sources.lock").read_text()
    assert '"language": "toy"' in text["toy"]
    assert '"language"' not in text["python"]


def test_files_are_told_apart_by_their_names() -> None:
    assert language_of("a/b.toy") is TOY
    assert language_of("a/b.py") is language("python")
    assert language_of("a/b.txt") is None
    assert [one.name for one in languages()] == ["python", "toy"]
    with pytest.raises(ValueError, match="a language toy already"), registered(TOY):
        pass


@pytest.mark.parametrize("one", [language("python"), TOY], ids=lambda one: one.name)
def test_stubs_and_mutants_are_programs_of_the_language(one) -> None:  # type: ignore[no-untyped-def]
    heads = {"python": 'def f(x):\n    """Say."""', "toy": "@f x="}
    bodies = {"python": "\n    if x < 1:\n        return 0\n    return x\n", "toy": " { x 1 less if { 0 return } x return }\n"}
    program = heads[one.name] + bodies[one.name]
    stub = one.programs.stub(heads[one.name])
    mutants = one.mutants.mutants(program, "f")
    assert mutants and all(each.program != program for each in mutants)
    assert not any(one.programs.fault(text) for text in (program, stub, *(each.program for each in mutants)))
    assert one.programs.fault("{ (")


@pytest.mark.parametrize(("name", "args", "value"), [
    ("clamp", (2, 5), 5), ("peak", (2, 9), 17), ("sums", (4,), 10), ("shifted", (1,), 8), ("outer", (6,), 6), ("nothing", (1,), 0),
])
def test_what_is_mined_is_what_the_harness_runs(name: str, args: tuple[int, ...], value: int) -> None:
    run = RUNNING.running.run_calls(Execution(NEW, name, [Call(args)], Limits()), toy_machine())
    assert [outcome.answer for outcome in run.outcomes] == [Answer("returned", value)]
