"""Instructing as a stage: who writes, and why functions leave."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from harness.runtime import ensure_runtime
from pipeline.config import InstructConfig
from pipeline.instruct.stage import InstructStage
from pipeline.records import Instruction, Judgement, Rejection, Suite
from tests.pipeline.instruct.test_gate import GOOD, INPUTS, with_body
from tests.pipeline.making import context, suite

RUNTIME = Path(__file__).parents[3] / "data" / "runtimes" / "python-3.11.txt"


def instructed(folder: Path, *records: Suite, **config: int) -> list[Instruction | Rejection]:
    found = list(InstructStage(InstructConfig(**config)).run(records, replace(context(folder), runtime=RUNTIME)))
    assert all(isinstance(one, (Instruction, Rejection)) for one in found)
    return [one for one in found if isinstance(one, (Instruction, Rejection))]


def refused(folder: Path, made: Suite, **config: int) -> tuple[str, str]:
    (found,) = instructed(folder, made, **config)
    assert isinstance(found, Rejection)
    return found.reason, found.evidence


def test_each_suite_gives_an_instruction_or_a_reason(tmp_path: Path) -> None:
    kept, short = instructed(tmp_path, suite(GOOD, INPUTS), suite(with_body("return text[:limit]", "Cut a text."), INPUTS))
    assert isinstance(kept, Instruction)
    assert (kept.signature, kept.author) == ("def slug(text, limit):", "author-1")
    assert kept.text.startswith('def slug(text, limit):\n    """Join the words of a text with hyphens')
    assert isinstance(short, Rejection) and (short.stage, short.reason) == ("instruct", "underspecified")
    assert short.evidence.startswith("length: There are 3 words")


def test_a_body_that_stands_in_the_description_leaks(tmp_path: Path) -> None:
    leaking = GOOD.replace("Args:", 'Done by "-".join(text.lower().split()) and if len(joined) > limit: joined[:limit].\n\n    Args:')
    reason, evidence = refused(tmp_path, suite(leaking, INPUTS), max_overlap_tokens=10)
    assert reason == "leaks_body"
    assert evidence.startswith("overlap: The text and the body share: ")
    (kept,) = instructed(tmp_path, suite(leaking, INPUTS), max_overlap_tokens=40)
    assert isinstance(kept, Instruction)


def test_what_the_judge_found_undescribed_leaves(tmp_path: Path) -> None:
    made = suite(GOOD, INPUTS)
    judged = Judgement("rules-1", "Easy", (), "unknown names: Nothing explains Widget.")
    made = replace(made, candidate=replace(made.candidate, judgement=judged))
    assert refused(tmp_path, made) == ("underspecified", "unknown names: Nothing explains Widget.")


def test_a_function_without_a_docstring_leaves(tmp_path: Path) -> None:
    bare = "def twice(value: int) -> int:\n    doubled = value * 2\n    return doubled\n"
    reason, evidence = refused(tmp_path, suite(bare, [(1,), (2,), (5,)]))
    assert reason == "underspecified" and evidence.startswith("length: There are 0 words")


def test_the_author_s_examples_are_run_and_those_that_fail_left_out(tmp_path: Path) -> None:
    ensure_runtime(RUNTIME)
    told = GOOD.replace("    Args:", '    >>> slug("A b", 9)\n    \'a-b\'\n    >>> slug("A b", 2)\n    \'wrong\'\n\n    Args:')
    (kept,) = instructed(tmp_path, suite(told, INPUTS))
    assert isinstance(kept, Instruction)
    assert '>>> slug("A b", 9)\n    \'a-b\'' in kept.text and "wrong" not in kept.text
    assert "More examples:" in kept.text


def test_types_of_numbers_and_sparse_matrices_are_shown(tmp_path: Path) -> None:
    program = """
import numpy as np
import scipy.sparse as sp


def as_kind(matrix: sp.csr_array, kind=np.float64):
    \"\"\"Give the matrix with the numbers of another kind, or the kind itself where the matrix is None.\"\"\"
    if matrix is None:
        return kind
    return matrix.astype(kind)
"""
    sparse, none = sp.csr_array(np.array([[0.0, 2.0], [1.0, 0.0]])), None
    inputs = [(none, np.float32), (none, np.int64), (sparse, np.float32), (sparse * 3, np.float64), (sparse * 0, np.int8)]
    (result,) = instructed(tmp_path, suite(program, inputs))
    assert isinstance(result, Instruction), result
    assert "as_kind(None, np.float32)" in result.text
    assert "csr_array" in result.text


def test_a_constant_that_an_example_of_the_author_s_shows_is_told(tmp_path: Path) -> None:
    ensure_runtime(RUNTIME)
    body = 'kept = text.split()[:limit]\nreturn " / ".join(kept) if kept else "(none)"'
    doc = "Give the first words of a text, as many as the limit says, one after the other."
    inputs = [("a b c", 2), ("x y", 5), ("one two three", 3), ("k", 1)]
    assert refused(tmp_path, suite(with_body(body, doc), inputs)) == ("underspecified", "constants: Nothing tells of '(none)'.")
    shown = f'{doc}\n\n    >>> slug("", 3)\n    \'(none)\'\n    '
    (kept,) = instructed(tmp_path, suite(with_body(body, shown), inputs))
    assert isinstance(kept, Instruction)


def test_the_same_suites_give_the_same_texts(tmp_path: Path) -> None:
    program = 'def f(o: dict):\n    """The `size` and the other keys of a mapping, in their order, and its name."""\n' \
        '    return [o["size"], o["name"], *sorted(o)]\n'
    records = [suite(program, [({"size": n, "name": f"n{n}", "a": 1},) for n in range(9)]), suite(GOOD, INPUTS)]
    assert instructed(tmp_path, *records) == instructed(tmp_path, *records)


def test_the_limit_on_examples_is_the_configuration_s(tmp_path: Path) -> None:
    counts = []
    for examples in (3, 8):
        (kept,) = instructed(tmp_path, suite(GOOD, INPUTS), examples=examples)
        assert isinstance(kept, Instruction)
        counts.append(kept.text.count(">>> slug("))
    assert counts[0] == 3 < counts[1] <= 8
