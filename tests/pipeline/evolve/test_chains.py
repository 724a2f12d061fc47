"""Chains of operators on programs that nobody has looked at keep every answer, and no crossing or mutation crashes."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from harness.languages import Machine, Run
from harness.values import decode
from pipeline.evolve.genome import Genome, Soil, crossed, mutated
from pipeline.evolve.proof import ran
from pipeline.evolve.tracing import _ENTRY, _together, instrumented
from pipeline.suites.selection.readings import answered
from pipeline.transforms.preserving.evolving.growing import Facts
from pipeline.transforms.preserving.evolving.registry import EVOLVERS, limits
from pipeline.vary.equivalence import Known, first_difference
from tests.pipeline.evolve.small_programs import CALLS, ENTRY, PROGRAMS

HEAVY = {"S9", "A2", "A6", "A7"}
"""Operators whose libraries take seconds to import."""
LIGHT = [code for code in EVOLVERS if code not in HEAVY]
CHAINS, LONGEST = 3, 10
PHASES = [Phase.explicit, Phase.generate]
"""A failure tells the program and the operators; to make it smaller would take minutes."""


def soils(programs: Sequence[str], codes: Sequence[str], machine: Machine) -> list[Soil]:
    """The programs to grow others of, watched in all calls at once."""
    texts = [instrumented(program, ENTRY) or "" for program in programs]
    runs = answered(texts, _ENTRY, [call._replace(cpu_seconds=4.0) for call in CALLS], machine)
    return [Soil(program, ENTRY, facts(run), codes, limits()) for program, run in zip(programs, runs, strict=True)]


def facts(run: Run) -> Facts:
    given = [one.answer for one in run.outcomes]
    return _together([decode(one.value) for one in given if one is not None])


def grown(soil: Soil, random: Random) -> Genome:
    genome: Genome = ()
    for _ in range(random.randint(1, LONGEST)):
        gene = soil.proposed(genome, random)
        genome = genome if gene is None else soil.evolved((*genome, gene)).genome
    return genome


def keep_every_answer(programs: Sequence[str], codes: Sequence[str], seed: int, machine: Machine) -> int:
    """Hold chains on all programs against these, in one batch; gives how many operators were applied."""
    random = Random(seed)
    first = ran(programs, ENTRY, CALLS, machine)
    watched = soils(programs, codes, machine)
    made = [(place, grown(soil, random)) for place, soil in enumerate(watched) for _ in range(CHAINS)]
    texts = [watched[place].evolved(genome).program for place, genome in made]
    for (place, genome), text, run in zip(made, texts, ran(texts, ENTRY, CALLS, machine), strict=True):
        right = [one.answer for one in first[place].outcomes if one.answer is not None]
        assert len(right) == len(CALLS), programs[place]
        difference = first_difference(run, Known(CALLS, right))
        assert not difference, f"{difference}\n{genome}\n{programs[place]}\n{text}"
    return sum(len(genome) for _, genome in made)


@settings(max_examples=1, phases=PHASES)
@given(st.lists(PROGRAMS, min_size=6, max_size=6), st.integers(0, 2**16))
def test_chains_keep_every_answer(machine: Machine, programs: list[str], seed: int) -> None:
    assert keep_every_answer(programs, LIGHT, seed, machine) > 0


@pytest.mark.slow  # hundreds of chains of all operators, whose libraries take seconds to import
@settings(max_examples=12, phases=PHASES)
@given(st.lists(PROGRAMS, min_size=12, max_size=12), st.integers(0, 2**16))
def test_chains_of_all_operators_keep_every_answer(machine: Machine, programs: list[str], seed: int) -> None:
    assert keep_every_answer(programs, list(EVOLVERS), seed, machine) > 12


@settings(max_examples=5, phases=PHASES)
@given(PROGRAMS, st.integers(0, 2**16))
def test_crossing_and_mutating_never_crashes(program: str, seed: int) -> None:
    random = Random(seed)
    soil = Soil(program, ENTRY, Facts(), tuple(EVOLVERS), limits())
    people: list[Genome] = [(), grown(soil, random), grown(soil, random)]
    for _ in range(12):
        child = soil.evolved(mutated(crossed(*random.sample(people, 2), random), soil, random))
        assert soil.evolved(child.genome) == child
        for _, text in child.modules:
            ast.parse(text)
        used = [gene.code for gene in child.genome]
        assert all(used.count(code) <= limits().each[code] for code in used)
        people.append(child.genome)
