"""What language models were asked for a release: totals by stage, and the recorded answers as a file of the release."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from harness.locations import Location
from harness.records import CANARY, Task, digest
from pipeline import store
from pipeline.llm import Exchange
from pipeline.llm.ledger import Ledger
from pipeline.stage import Output

ANSWERS = "answers.parquet"
ACCOUNT = "asked.json"
"""The file beside a build's stages that says what all of its runs have spent; it is no part of what is released."""


def totals(folder: Path) -> dict[str, Any]:
    """What a stage's folder says of what was asked there, each question counted once; empty where nothing was."""
    if not any(folder.glob("*.asked.parquet")):
        return {}
    [found] = store.query(
        "select count(*) as requests, count(*) filter (fault <> '') as faults, sum(input_tokens) as input_tokens, "
        "sum(output_tokens) as output_tokens, round(sum(cost), 6) as dollars "
        "from (select distinct on (key) * from read_parquet(?) order by key, fault)",
        str(folder / "*.asked.parquet"),
    )  # fmt: skip
    return {name: float(value) if name == "dollars" else int(value) for name, value in found.items()}


def all_totals(stages: dict[str, dict[str, Any]], tasks: int, helped: tuple[int, int] = (0, 0)) -> dict[str, Any]:
    """The totals of several stages, all together, and per accepted task.

    `helped` is for how many functions strategies were asked for, and how many have a suite by that.
    """
    asked = {name: one for name, one in stages.items() if one}
    if not asked:
        return {}
    total = {key: sum(one[key] for one in asked.values()) for key in next(iter(asked.values()))}
    total["dollars"] = round(total["dollars"], 6)
    tokens = total["input_tokens"] + total["output_tokens"]
    per_task = {"tokens": round(tokens / tasks, 1), "dollars": round(total["dollars"] / tasks, 6)} if tasks else {}
    strategies = {"strategies": {"asked": helped[0], "rescued": helped[1]}} if helped[0] else {}
    return {"stages": asked, "total": total, "per_task": per_task, **strategies}


def recorded(outputs: Sequence[Output]) -> list[Exchange]:
    """All that was asked, each question once, by key."""
    found = {one.key: one for output in outputs for one in output.exchanges()}
    return [found[key] for key in sorted(found)]


def write_account(folder: Location, ledger: Ledger) -> None:
    """Keep beside a build what its runs have spent, for `status`."""
    store.write_bytes(folder / ACCOUNT, (json.dumps(asdict(ledger.spent)) + "\n").encode())


def account(folder: Location) -> dict[str, Any]:
    """What the runs of a build have spent, empty where nobody was asked."""
    path = folder / ACCOUNT
    return dict(json.loads(path.read_text("utf-8"))) if path.is_file() else {}


def as_text(found: dict[str, Any], spent: dict[str, Any]) -> str:
    """The totals for people, "" where nobody was asked."""
    if not found:
        return ""
    lines = [f"{'models':<10}{'requests':>9}{'no use':>9}{'tokens in':>12}{'out':>10}{'dollars':>10}"]
    for name, one in {**found["stages"], "all": found["total"]}.items():
        lines.append(
            f"{name:<10}{one['requests']:>9,}{one['faults']:>9,}{one['input_tokens']:>12,}{one['output_tokens']:>10,}"
            f"{one['dollars']:>10.4f}")
    if found["per_task"]:
        lines.append(f"per accepted task: {found['per_task']['tokens']:,.0f} tokens, "
                     f"{found['per_task']['dollars']:.4f} dollars")
    if "strategies" in found:
        asked, rescued = (found["strategies"][key] for key in ("asked", "rescued"))
        lines.append(f"strategies: asked for {asked:,} functions that the search could not cover, {rescued:,} of which "
                     "have a suite by that")
    answers = spent.get("requests", 0) + spent.get("from_cache", 0)
    if answers:
        lines.append(f"all runs of this build: {spent['requests']:,} requests paid, {spent['from_cache']:,} answers "
                     f"({100 * spent['from_cache'] / answers:.1f}%) from the cache")
    return "\n".join(lines)


def faults(exchanges: Sequence[Exchange], tasks: Sequence[Task]) -> Iterator[str]:
    """What is wrong with the recorded answers of a release: false keys, or none where a model has judged or written."""
    for one in exchanges:
        if digest(one.request) != one.key:
            yield f"the answer {one.key[:16]} is not under the key of its request"
        if one.canary != CANARY:
            yield f"the canary of the answer {one.key[:16]} is not ours"
    known = {one.record_id for one in exchanges}
    for task in tasks:
        asked = task.judged_by.startswith("llm:") or task.instructed_by.startswith("llm:") or bool(task.variants)
        if asked and task.task_id not in known:
            yield f"{task.task_id} was judged or written by a model, of which there is no answer"
