"""The control: a judge that is weak on purpose is deceived or broken by every hostile answer, and accepts honest ones."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from harness.languages import Machine
from harness.sandbox import Ending, Limits, Outcome, Program
from harness.sandbox.bubblewrap import Bubblewrap
from harness.values import decode
from tests.harness.test_judging import ATTACKS, RUNS, files

pytestmark = pytest.mark.slow  # it tries the attacks that other tests make, and nothing of ours but the sandbox

WEAK = (ATTACKS / "weak_judge.py").read_text()
CASES = [(decode(case.args[0]), decode(case.expected.value)) for case in RUNS.cases]
TIGHT = Limits(cpu_seconds=1.0, wall_seconds=60.0, idle_seconds=1.0, memory_bytes=400 * 1024**2, output_bytes=1024**2, processes=32)

PASSES = """
    asks_the_network audits_the_judge claims_another_class collects_all_inputs ctypes_equality detects_the_sandbox
    equality_always_true execs_another exits_from_a_thread exits_with_odd_codes import_hook imports_the_harness
    list_that_is_always_equal metaclass_entry patches_at_load patches_builtins patches_the_codec plants_modules pretends_to_be_numpy
    prints_passed profiles_the_judge reaches_the_fork_server reads_the_release rewrites_all_lists searches_memory
    stands_between strikes_by_signal strikes_in_the_collector swaps_code takes_the_driver takes_the_last_word
    traces_the_driver waits_for_the_end walks_frames writes_to_descriptors
    forgets_its_children gains_privileges signals_by_locks
"""
BREAKS = """
    blocks_all_signals closes_everything colliding_keys comparison_never_ends ctypes_overwrites_constants
    deep_recursion disarms_the_timers disk_bomb doubling_answer dumps_tracebacks endless_generator endless_output
    exception_text_never_ends exhausts_descriptors exits_at_once exits_while_loading exits_with_zero forges_arrays
    forges_deep_json forges_the_protocol fork_bomb half_a_line hides_in_exceptions hoards_in_the_kernel
    hoards_nameless_memory hostile_methods huge_answer huge_numbers infinite_loop iterator_of_itself kills_relatives
    lazy_memory leaves_a_child leaves_messages memory_bomb nested_too_deep raises_our_own_failure reads_raw_memory
    relay_of_processes runs_broken_bytecode stops_itself swallows_everything thread_bomb throws_into_the_main_thread
    unprintable_names waits_for_nobody
"""
EFFECTS = {name: effect for effect, names in (("passes", PASSES), ("breaks", BREAKS)) for name in names.split()}
"""What each hostile answer does to the weak judge; `effect_of` says what the words mean."""
EITHER = {
    "ctypes_overwrites_constants", "deep_recursion", "endless_generator", "fork_bomb", "hoards_in_the_kernel",
    "hoards_nameless_memory", "iterator_of_itself", "memory_bomb", "thread_bomb",
}
"""Those that use up several things at once: whether any of them ends is chance."""


def outcome_of(solution: str, machine: Machine, limits: Limits = TIGHT) -> Outcome:
    """What becomes of the weak judge when it judges a solution; it runs in the sandbox, with no filter of system calls."""
    runtime = machine.runtime
    document = json.dumps({"solution": solution, "cases": CASES}).encode()
    program = Program((str(runtime.python), "-s", "-B", "-c", WEAK), runtime.readable, document, {}, "/tmp", runtime.hidden)
    assert isinstance(machine.sandbox, Bubblewrap)
    return replace(machine.sandbox, filtered=False).run(program, limits)


def effect_of(outcome: Outcome) -> str:
    """`passes`: it says so. `fails`: it does its work. `breaks`: it reaches no verdict, by its own end or by that of a limit.

    Which of the two ends comes first depends on how fast the machine is.
    """
    if outcome.ending is Ending.EXITED and outcome.code == 0 and b"PASSED" in outcome.stdout:
        return "passes"
    return "fails" if outcome.code == 1 and b"FAILED" in outcome.stdout else "breaks"


def test_the_table_names_all_of_them() -> None:
    assert sorted(EFFECTS) == [path.stem for path in files("hostile")]


@pytest.mark.parametrize("path", files("hostile"), ids=lambda path: path.stem)
def test_a_hostile_answer_deceives_or_breaks_it(path: Path, machine: Machine) -> None:
    effects = set(EFFECTS.values()) if path.stem in EITHER else {EFFECTS[path.stem]}
    outcome = outcome_of(path.read_text(), machine, TIGHT if "breaks" in effects else replace(TIGHT, cpu_seconds=10.0))
    assert effect_of(outcome) in effects, outcome


@pytest.mark.parametrize("path", files("odd"), ids=lambda path: path.stem)
def test_it_accepts_right_answers(path: Path, machine: Machine) -> None:
    outcome = outcome_of(path.read_text(), machine, Limits(memory_bytes=1024**3))
    # One closes the output by which the weak judge speaks.
    assert effect_of(outcome) == ("breaks" if path.stem == "replaces_the_outputs" else "passes"), outcome


@pytest.mark.parametrize("body", ["return None", "return []", "return 1 / 0", "return [(text, 1)]", "return list(text)"])
def test_it_refuses_answers_that_are_only_wrong(body: str, machine: Machine) -> None:
    assert effect_of(outcome_of(f"def runs(text):\n    {body}\n", machine)) == "fails"
