"""`code2bench mutate`: variants of one function, made and proved outside of any release."""

from __future__ import annotations

import difflib
import hashlib
import json
import secrets
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness.cli import workers_option
from harness.errors import UserError
from harness.releases.dataset import DERIVED, MANIFEST
from harness.telling import say
from pipeline.config import VaryConfig
from pipeline.records import Reason
from pipeline.shipped import RUNTIME, shipped
from pipeline.transforms.preserving.chains import CHAINS, USUAL, Refused, Variant, chain_named, dose_of, vary

if TYPE_CHECKING:
    from pipeline.suites.drafts import SuiteRequest


@click.command("vary")
@click.argument("release")
@click.option(
    "--seed", type=int, help="Another seed makes other programs, and draws other cases.  [default: 0]")
@click.option(
    "--commit", is_flag=True,
    help="Draw a seed that nobody can guess, so that its commitment can be published first, and the seed afterwards.")
@click.option("--draws", default=1, show_default=True, help="So many variants of each chain, each with its own cases.")
@click.option("--chain", "chains", multiple=True, help="A chain of operators; repeatable, the usual ones by default.")
@click.option(
    "--family", "families", multiple=True, help="output, input, outcome (the default), or translation; repeatable.")
@click.option("--sites", default=0, show_default=True, help="Each operator changes at most so many places; 0 is all.")
@click.option("--cases", default=5, show_default=True, help="About so many cases of each task is asked.")
@click.option("--reasoned", is_flag=True, help="Ask to reason first; the paper's models answer at once.")
@click.option(
    "--strategy", "strategies", multiple=True,
    help="Put the questions otherwise in place of the programs, by this strategy or all; repeatable.")
@click.option("--variants", default=10, show_default=True, help="About so many variants of each strategy.")
@click.option("--rate", default=0.3, show_default=True, help="The share of words that a strategy changes, 0 to 1.")
@click.option("--model", default="", help="The model that paraphrases and summarizes, beside what rules do.")
@click.option(
    "--models", type=click.Path(path_type=Path), help="The file with [models.NAME], such as a release.toml.")
@click.option(
    "--labels", multiple=True, type=click.Path(path_type=Path), metavar="FILE",
    help="What people say of these questions, for the card (`agreement --variants`); repeatable.")
@click.option("--folder", type=click.Path(path_type=Path), help="Where to work; build/NAME-SEED by default.")
@workers_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def vary_release(
    release: str, seed: int | None, commit: bool, draws: int, chains: Sequence[str], families: Sequence[str],
    sites: int, cases: int, reasoned: bool, strategies: Sequence[str], variants: int, rate: float,
    model: str, models: Path | None, labels: Sequence[Path], folder: Path | None, workers: int, as_json: bool,
) -> None:
    """Make a new benchmark of a release: what do variants of its programs give? A killed run goes on where it was.

    Each variant is proved to mean the same, but for those called Altered, which mean something else on purpose. With
    --strategy, the release's own questions are asked in other words. The result is a release: all commands take it.

    A commitment is the SHA-256 of the origin's manifest hash, a slash and the seed: who has published it can't choose
    another seed any more, and who is told the seed can make the same release.

    Example: code2bench vary demo --seed 7
    """
    if commit:
        if seed is not None:
            raise UserError("--commit draws a seed that nobody knows yet: leave out --seed.")
        seed = secrets.randbits(63)
        say(f"The seed is {seed}: keep it to yourself; --seed {seed} goes on where a run was stopped.", err=True)
    seed = seed or 0
    if strategies:
        if chains or families or reasoned or draws > 1:
            raise UserError("--strategy is about questions, --chain, --family, --draws and --reasoned about programs.")
        words = VaryConfig(seed, strategies=tuple(strategies), variants=variants, rate=rate, model=model)
        _vary_prompts(release, words, models, labels, folder, workers, as_json)
        return
    if labels:
        raise UserError("--labels are about questions in other words: name a --strategy, or leave them out.")
    if model:
        raise UserError("--model puts descriptions otherwise: name a --strategy, such as description_paraphrase.")
    from pipeline.vary.derived import TRANSLATIONS, by_chain, derive

    usual = VaryConfig()
    config = VaryConfig(
        seed, draws, tuple(chains) or usual.chains, tuple(families) or usual.families, cases, reasoned=reasoned,
        sites=sites)
    made = derive(release, config, folder, workers)
    rows = by_chain(made.programs)
    if as_json:
        told = {"release": str(made.folder), "commitment": commitment_of(made.folder)}
        say(json.dumps({**told, "rows": made.rows, "chains": [asdict(row) for row in rows]}))
        return
    say(f"{'chain':<18} {'programs':>8} {'BLEU':>6} {'edit':>5} {'shingles':>8} {'run of 10':>9}  none, and why")
    for row in rows:
        why = ", ".join(f"{count} {reason}" for reason, count in row.reasons.items())
        say(f"{row.chain:<18} {row.made:>8} {row.bleu:>6.1f} {row.edit:>5.2f} {row.shingles:>8.0%} {row.ten_gram:>9.0%}"
            f"  {why}".rstrip())
    say("")
    for track, count in made.rows.items():
        say(f"{count:>6} rows in {track}")
    if made.translations:
        say(f"{made.translations:>6} programs to be written in Java in {TRANSLATIONS}; answers are not judged yet")
    _say_where(made.folder)


def _say_where(folder: Path) -> None:
    say(f"\nThe release lies in {folder}. All commands take it, such as `code2bench prompts {folder}`.")
    say(f"Commitment to its seed: {commitment_of(folder)}")


def commitment_of(folder: Path) -> str:
    """What can be published of a derived release's seed before the seed itself."""
    manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
    return hashlib.sha256(f"{manifest[DERIVED]['manifest_sha256']}/{manifest['seed']}".encode()).hexdigest()


def _vary_prompts(
    release: str, config: VaryConfig, models: Path | None, labels: Sequence[Path], folder: Path | None, workers: int,
    as_json: bool,
) -> None:
    from pipeline.release.asking import office_of
    from pipeline.vary.prompts import by_strategy, derive_prompts

    made = derive_prompts(release, config, folder, workers, office_of(config.model, models, "vary"), labels)
    rows = by_strategy(made.rows, config.variants)
    if as_json:
        told = {"release": str(made.folder), "commitment": commitment_of(made.folder)}
        say(json.dumps({**told, "strategies": [asdict(row) for row in rows]}))
        return
    say(f"{'strategy':<22} {'variants':>8} {'tasks':>5} {'with ' + str(config.variants):>8}  none, and why")
    for row in rows:
        why = ", ".join(f"{count} {reason}" for reason, count in row.reasons.items())
        say(f"{row.strategy:<22} {row.variants:>8} {row.tasks:>5} {row.full:>8}  {why}".rstrip())
    _say_where(made.folder)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--function", "name", default="", help="One function; all at module level by default.")
@click.option("--chain", "chains", multiple=True, help=f"One of {', '.join(CHAINS)}; repeatable.")
@click.option("--seed", default=0, show_default=True, help="Another seed makes other variants.")
@click.option("--sites", default=0, show_default=True, help="Each operator changes at most so many places; 0 is all.")
@click.option("--prove", is_flag=True, help="Build a suite for the function, and run each variant on all its cases.")
@click.option("--diff", "as_diff", is_flag=True, help="Show what has changed in place of the whole program.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON line for each variant or refusal.")
def mutate(
    file: Path, name: str, chains: Sequence[str], seed: int, sites: int, prove: bool, as_diff: bool, as_json: bool
) -> None:
    """Write functions in other ways that mean the same, and say how that is proved.

    A chain is one operator or several, one after the other; without a choice the usual ones are made, whose names come
    first among those of --chain. A refusal says why a chain leaves a function as it is.

    Example: code2bench mutate dates.py --function days_between --chain FUV --prove
    """
    from pipeline.suites.cli import requests_of

    wanted = [chain_named(one) for one in chains] or USUAL
    differing = 0
    for request in requests_of(file, name):
        prover = Prover(request) if prove else None
        for chain in wanted:
            found = vary(request.program, request.entry_point, chain, seed, (request.entry_point,), dose_of(sites))
            if prover and isinstance(found, Variant):
                found = prover.proved(found)
                differing += isinstance(found, Refused)
            cases = len(prover.calls) if prover else 0
            say(json.dumps(_row(request.entry_point, found, cases)) if as_json else _text(found, cases, as_diff))
    if differing:
        raise UserError(f"{differing} variants answer otherwise than their origin: report this fault of ours.")


class Prover:
    """Runs variants of a function on the cases of a suite that is built for it."""

    def __init__(self, request: SuiteRequest) -> None:
        from harness.languages import Call, Machine
        from harness.runtime import ensure_runtime
        from harness.sandbox import choose
        from pipeline.config import SuiteConfig
        from pipeline.suites.drafts import SuiteDraft
        from pipeline.suites.oracle import Recorded, finish
        from pipeline.suites.sandbox.start import build_suites

        config = SuiteConfig()
        self.machine = Machine(choose(), ensure_runtime(shipped(RUNTIME)))
        [draft] = build_suites([request], config, self.machine)
        why = "" if isinstance(draft, SuiteDraft) else draft.evidence
        found = finish(request.program, request.entry_point, draft, config, self.machine) \
            if isinstance(draft, SuiteDraft) else None
        if not isinstance(found, Recorded):
            raise UserError(
                f"No suite can be built for {request.entry_point}, so nothing is proved by cases "
                f"({why or getattr(found, 'evidence', '')}): leave out --prove.")
        self.calls = [Call(case.args, dict(case.kwargs)) for case in found.cases]
        self.right = [case.expected for case in found.cases]
        self.unordered = found.comparison.unordered

    def proved(self, variant: Variant) -> Variant | Refused:
        """The variant, where it answers all cases as its origin does."""
        from pipeline.vary.equivalence import Known, differences

        [difference] = differences([variant], Known(self.calls, self.right, self.unordered), self.machine)
        return Refused(variant.chain, Reason.NOT_EQUIVALENT, f"{difference}.") if difference else variant


def _row(function: str, found: Variant | Refused, cases: int) -> dict[str, Any]:
    if isinstance(found, Refused):
        return {"function": function, "chain": found.chain, "reason": found.reason.name.lower(),
                "evidence": found.evidence}
    return {"function": function, **asdict(found), "proof": found.proof, "cases": cases}


def _text(found: Variant | Refused, cases: int, as_diff: bool) -> str:
    if isinstance(found, Refused):
        return f"# {found.chain}: none. {found.reason.value} {found.evidence}\n"
    changed = ", ".join(f"{count} by {name}" for name, count in found.sites.items()) or "nothing"
    told = f"# {found.chain}, seed {found.seed}: changes {changed}; proved by {found.proof}"
    if cases:
        told += f"; all {cases} cases of its suite are equal"
    if not as_diff:
        return f"{told}\n{found.program}"
    texts = found.origin.splitlines(), found.program.splitlines()
    lines = difflib.unified_diff(*texts, "origin", found.chain, lineterm="")
    return "\n".join([told, *lines, ""])
