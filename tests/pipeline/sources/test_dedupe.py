"""Near duplicates between projects."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.records import Provenance
from pipeline.config import DedupeConfig
from pipeline.records import Candidate, Function, Rejection
from pipeline.sources.dedupe import DedupeStage, NearDuplicates
from pipeline.sources.known import Known
from pipeline.stage import Context

TEXT = '''def widest(rows, gap=2):
    """The width of the widest row, with gaps."""
    best, count = 0, len(rows)
    for index, row in enumerate(rows):
        if index % 2 == 0 and row:
            best = max(best, sum(len(cell) + gap for cell in row))
        elif not row:
            count -= 1
    return best if count > 3 else [best, count, gap]
'''
OTHER = '''def runs(text, letter):
    best = run = 0
    for other in text:
        run = run + 1 if other == letter else 0
    return {"best": best, "run": run, "left": text.strip(letter)}
'''


def function(project: str, day: str, text: str = TEXT, line: int = 1) -> Candidate:
    where = Provenance(
        "pypi", project, "System Utilities", "", "a.py", line, line + 9, "1.0", f"{day}T00:00:00Z", "", "", "", "",
        (), 0.0, "", "MIT", "",
    )
    made = Function(f"{project}{line}{hash(text)}", "python", "widest", "widest", text, text, "", where)
    return Candidate(made, "sc-python", (), (), text)


def results(context: Context, *functions: Candidate, config: DedupeConfig | None = None) -> list[str]:
    found = list(DedupeStage(config or DedupeConfig()).run(functions, context))
    assert [r.record_id if isinstance(r, Rejection) else r.id for r in found] == [f.id for f in functions]
    return [r.reason if isinstance(r, Rejection) else "kept" for r in found]


def test_the_earliest_stays(context: Context) -> None:
    assert results(context, function("a", "2026-06-02"), function("b", "2026-06-01")) == ["duplicate", "kept"]


def test_of_the_same_day_the_first_project_by_name_stays(context: Context) -> None:
    assert results(context, function("b", "2026-06-01"), function("a", "2026-06-01")) == ["duplicate", "kept"]


@pytest.mark.parametrize("change", [("best = max", "top = max"), ("widest", "broadest"), ("The width", "Width")])
def test_near_duplicates_are_found(context: Context, change: tuple[str, str]) -> None:
    near = function("b", "2026-06-02", TEXT.replace(*change))
    [_, rejection] = DedupeStage().run([function("a", "2026-06-01"), near], context)
    assert isinstance(rejection, Rejection)
    assert "alike: widest in a 1.0, a.py" in rejection.evidence


def test_different_functions_stay(context: Context) -> None:
    assert results(context, function("a", "2026-06-01"), function("b", "2026-06-02", OTHER)) == ["kept", "kept"]


def test_alike_functions_of_one_project_stay(context: Context) -> None:
    twin = function("a", "2026-06-01", TEXT.replace("gap=2", "gap=3"), line=20)
    assert results(context, function("a", "2026-06-01"), twin) == ["kept", "kept"]


def test_functions_too_small_for_a_shingle_are_compared_as_well(context: Context) -> None:
    small = "def f():\n    pass\n"
    assert results(context, function("a", "2026-06-01", small), function("b", "2026-06-01", small)) == [
        "kept", "duplicate",
    ]


def test_the_limit_is_the_configurations(context: Context) -> None:
    pair = function("a", "2026-06-01"), function("b", "2026-06-02", TEXT.replace("best = max", "top = max"))
    assert results(context, *pair, config=DedupeConfig(similarity=1.0)) == ["kept", "kept"]


def test_the_order_of_records_does_not_matter_for_what_stays(context: Context) -> None:
    functions = [function(p, f"2026-06-0{d}") for p, d in (("a", 3), ("b", 1), ("c", 2))]
    for order in (functions, functions[::-1]):
        kept = [r.function.provenance.project for r in DedupeStage().run(order, context) if isinstance(r, Candidate)]
        assert kept == ["b"]


def test_public_benchmarks_can_be_known_to_the_index() -> None:
    index = NearDuplicates(DedupeConfig())
    index.add(Known("HumanEval", "HumanEval/1", frozenset(range(100))))
    found = index.nearest("demo", frozenset(range(5, 105)))
    assert found is not None
    assert found[1].label == "HumanEval/1"
    assert index.nearest("demo", frozenset(range(50, 150))) is None


def test_the_records_stay_as_they_are(context: Context) -> None:
    record = function("a", "2026-06-01")
    assert list(DedupeStage().run([record], context)) == [replace(record)]
