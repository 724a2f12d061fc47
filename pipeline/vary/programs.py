"""The programs of a task: its origin as it is shown, the variants of it, each of them proved, and altered ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from random import Random

from harness.languages import Call, Machine
from harness.records import Answer, Case, Comparison, Program, Task, digest
from harness.values.comparison import agree
from pipeline.config import VaryConfig
from pipeline.records import Reason
from pipeline.release.further import further_calls
from pipeline.stage import seed_of
from pipeline.transforms.altering.mutants import Mutants
from pipeline.transforms.preserving.chains import ALTERED, CHAINS, Refused, Variant, tokens, vary
from pipeline.transforms.preserving.draft import shown
from pipeline.vary.equivalence import Known, compared, known
from pipeline.vary.metered import passes_of, within
from pipeline.vary.similarity import similarity

MOST_ALTERED = 40
"""How many changes of a program are tried until one gives another value in every case."""
TOGETHER = 5, 5, 10, 20
"""How many of them run at a time: of many the first few will do."""


def programs(
    task: Task, config: VaryConfig, draw: int, origin: Known, machine: Machine,
    besides: Sequence[Program] = (),
) -> tuple[list[Program], Mapping[str, Sequence[int]]]:
    """The programs of one draw, one for each chain, or why it makes none; `origin` is what all of them must answer.

    Besides, by chain, the steps of each program where `origin` has them counted, and those of the programs `besides`.
    """
    found = {
        chain: vary(task.program, task.entry_point, chain, config.seed, (task.task_id, str(draw)), config.sites)
        for chain in config.chains if chain != ALTERED
    }
    variants = [one for one in found.values() if isinstance(one, Variant)]
    steps = dict[str, Sequence[int]]()
    every = [*(one.chain for one in variants), *(one.chain for one in besides)]
    for chain, made in zip(every, compared(variants, origin, machine, besides), strict=True):
        steps[chain] = made.steps
        if made.difference:
            found[chain] = Refused(chain, Reason.NOT_EQUIVALENT, f"{made.difference}.")
    return [_program(task, one, config, draw, len(origin.calls)) for one in found.values()], steps


def known_of(task: Task, config: VaryConfig, machine: Machine) -> Known:
    """What the origin gives in the cases of its suite, and then in further calls."""
    calls = [Call(case.args, dict(case.kwargs)) for case in task.cases]
    suite = Known(calls, [case.expected for case in task.cases], task.comparison.unordered)
    seed = seed_of(config.seed, "further", task.task_id)
    count = config.proof_inputs
    drawn = further_calls(task, seed, machine, count + count // 4)[:count] if count else []
    return suite + known(task.program, task.entry_point, drawn, machine)


def _program(task: Task, found: Variant | Refused, config: VaryConfig, draw: int, calls: int) -> Program:
    chain = found.chain
    empty = Program(
        "", task.task_id, task.task_digest, task.track, chain, CHAINS.get(chain, ()), draw, config.seed)
    if isinstance(found, Refused):
        return replace(
            empty, variant_id=_id(task, chain, draw, config.seed, *_dose(config)), reason=found.reason.name.lower(),
            evidence=found.evidence)
    made = measured(empty, task, found.origin, found.program, _dose(config))
    return replace(
        made, entry_point=found.entry_point, renames=found.renames, sites=found.sites, proof=found.proof,
        cases=len(task.cases), inputs=calls - len(task.cases))


def _dose(config: VaryConfig) -> tuple[str, ...]:
    """What sets the ids of programs in which not all places are changed apart."""
    return (f"sites {config.sites}",) if config.sites else ()


def measured(row: Program, task: Task, origin: str, program: str, dose: Sequence[str] = ()) -> Program:
    """A program with its id, and how far it is from its origin."""
    far = similarity(origin, program)
    return replace(
        row, variant_id=_id(task, row.chain, row.draw, row.seed, program, *dose), program=program, bleu=far.bleu,
        edit=far.edit, shingles=far.shingles, ten_gram=far.ten_gram,
        lines=sum(bool(line.strip()) for line in program.splitlines()), tokens=len(tokens(program)))


def _id(task: Task, *parts: object) -> str:
    return f"c2v-{digest(task.task_digest, *map(str, parts))[:16]}"


def altered(
    task: Task, cases: Sequence[Case], config: VaryConfig, draw: int, machine: Machine
) -> tuple[Program, list[Answer | None]]:
    """A program with one change of meaning, and what it gives in each of some cases where that is another value.

    Of the changes that are tried it is one that shows in the most cases. Where none shows, it says so.
    """
    row = Program("", task.task_id, task.task_digest, task.track, ALTERED, (ALTERED,), draw, config.seed)
    texts = _changed(task, Random(seed_of(config.seed, ALTERED, task.task_id, str(draw))))
    calls = [Call(case.args, dict(case.kwargs)) for case in cases]
    passes = passes_of(task.program, task.entry_point, calls, machine)
    best: list[Answer | None] = []
    text, tried = "", 0
    for size in TOGETHER:
        some = list(islice(texts, size))
        tried += len(some)
        for candidate, outcomes in zip(some, within(some, task.entry_point, calls, passes, machine), strict=True):
            telling = [_other(task, case, one.answer) for case, one in zip(cases, outcomes, strict=False)]
            if sum(one is not None for one in telling) > sum(one is not None for one in best):
                best, text = telling, candidate
        if all(best) and best:
            break
    if not text:
        reason = Reason.NO_COUNTERFACTUAL
        evidence = f"{tried} changes were tried on {len(cases)} cases."
        identity = _id(task, ALTERED, draw, config.seed)
        return replace(row, variant_id=identity, reason=reason.name.lower(), evidence=evidence), []
    made = measured(row, task, shown(task.program), shown(text))
    return replace(made, entry_point=task.entry_point, renames={}, sites={ALTERED: 1}, proof="altered"), best


def _changed(task: Task, random: Random) -> Iterator[str]:
    """The program with one change of the function itself, in an order that is drawn."""
    every = Mutants(task.program, task.entry_point, members=False)
    places = random.sample(every.sites[: every.own], min(MOST_ALTERED, every.own))
    for site in places:
        yield from (mutant.program for mutant in every.written(site))


def _other(task: Task, case: Case, answer: Answer | None) -> Answer | None:
    """What a changed program gives, where that is a value, and one that the judge tells from the origin's."""
    if answer is None or answer.kind != "returned" or answer.mutated is not None:
        return None
    return answer if agree(case.expected, answer, Comparison(unordered=task.comparison.unordered)) else None
