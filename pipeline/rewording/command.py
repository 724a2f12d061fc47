"""`code2bench reword`: one task's question put otherwise."""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence
from dataclasses import asdict

import click

from harness.records import PromptVariant, Task
from harness.releases.dataset import load_release
from harness.show import find
from harness.telling import say
from pipeline.config import VaryConfig
from pipeline.records import Reason
from pipeline.rewording.asked import BY_RULES, checked, reword


@click.command("reword")
@click.argument("release")
@click.argument("task")
@click.option(
    "--strategy", "strategies", multiple=True,
    help=f"One of {', '.join(BY_RULES)}; repeatable, those of the paper by default.")
@click.option("--seed", default=0, show_default=True, help="Another seed makes other variants.")
@click.option("--rate", default=0.3, show_default=True, help="The share of the words that are changed at a time.")
@click.option("--variants", default=10, show_default=True, help="At most so many of each strategy.")
@click.option("--synonyms", multiple=True, help="curated or wordnet; repeatable, curated by default.")
@click.option("--diff", "as_diff", is_flag=True, help="Show what has changed in place of the whole instruction.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON line for each variant or refusal.")
def reword_task(
    release: str, task: str, strategies: Sequence[str], seed: int, rate: float, variants: int, synonyms: Sequence[str],
    as_diff: bool, as_json: bool,
) -> None:
    """Put a task's question otherwise: other names, typos, synonyms, sentences, more or fewer examples.

    TASK is its id, or the name of the function. A refusal says why a strategy leaves the question as it is.

    Example: code2bench reword demo format_multiline_message --strategy description_synonym --diff
    """
    config = checked(VaryConfig(
        seed=seed, strategies=tuple(strategies), variants=variants, rate=rate,
        synonyms=tuple(synonyms) or VaryConfig().synonyms))
    wanted = find(load_release(release), task)
    for row in reword(wanted, config):
        say(json.dumps(asdict(row)) if as_json else _text(wanted, row, as_diff))


def _text(task: Task, row: PromptVariant, as_diff: bool) -> str:
    if row.reason:
        return f"# {row.strategy}: none. {Reason[row.reason.upper()].value} {row.evidence}\n"
    told = f"# {row.strategy} {row.number}: tells {_TOLD[row.information]}, {row.similarity:.0%} of the words stay, " \
           f"meaning by {row.meaning}, {len(row.scored)} cases are scored"
    text = row.instruction or task.instruction
    if not as_diff:
        return f"{told}\n{text}"
    lines = difflib.unified_diff(
        task.instruction.splitlines(), text.splitlines(), "first", row.variant_id, n=0, lineterm="")
    return "\n".join([told, *lines, ""])


_TOLD = {"same": "the same", "more": "more", "less": "less"}
