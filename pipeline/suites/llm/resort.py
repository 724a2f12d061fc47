"""A language model as the last resort of a search: it is told what is missing and answers with strategies.

They are drawn from in a sandbox of their own; what was drawn joins the search as inputs that it may change, so whether
all branches are taken is decided as for any other suite. Errors and what is still missing go back to the model.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import TypeGuard

from harness.languages import Machine
from pipeline import store
from pipeline.config import SuiteConfig
from pipeline.languages.python.plain import without_comments
from pipeline.llm.desk import Desk
from pipeline.llm.prompting import Prompt, render
from pipeline.llm.structured import Answer
from pipeline.suites.domain.parameter import Asked
from pipeline.suites.drafts import Asking, DescribedParameter, Draft, Further, Offered, Reached, Refused, SuiteRequest
from pipeline.suites.llm.strategy_code import Unfit, as_function
from pipeline.suites.llm.strategy_inputs import Drawn, Source, draw
from pipeline.suites.sandbox.start import build_suites

MOST_SHOWN = 200
"""Characters of a line or a condition."""
MOST_BRANCHES = 40


def untaken(program: str, goals: Sequence[Sequence[int]]) -> list[str]:
    """A sentence for each goal (line and target, as `Goal` has them), branches first, no statement twice."""
    lines, starts = program.splitlines(), _starts(ast.parse(program))
    branches = [(line, target) for line, target in goals if target]
    behind = {target for _, target in branches}
    told = [_branch(line, target, lines, starts.get(line)) for line, target in branches]
    told += [f"line {line}, `{_text(lines, line)}`: never runs" for line, at in goals if not at and line not in behind]
    return told[:MOST_BRANCHES]


def _starts(tree: ast.AST) -> dict[int, ast.AST]:
    """The outermost statement that begins in each line."""
    found: dict[int, ast.AST] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.stmt, ast.ExceptHandler)):
            found.setdefault(node.lineno, node)
    return found


def _branch(line: int, target: int, lines: Sequence[str], node: ast.AST | None) -> str:
    if isinstance(node, (ast.If, ast.While)):
        inside = "true" if _within(node.body, target) else "false"
        return f"line {line}: `{ast.unparse(node.test)[:MOST_SHOWN]}` is never {inside}"
    where = f"line {line}, `{_text(lines, line)}`"
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return f"{where}: {'its body never runs' if _within(node.body, target) else 'it never runs out of items'}"
    if target > 0:
        return f"{where}: never goes on to line {target}, `{_text(lines, target)}`"
    return f"{where}: the function never ends there"


def _within(body: Sequence[ast.stmt], line: int) -> bool:
    return body[0].lineno <= line <= (body[-1].end_lineno or body[-1].lineno)


def _text(lines: Sequence[str], line: int) -> str:
    return lines[line - 1].strip()[:MOST_SHOWN] if 0 < line <= len(lines) else ""


LACKING = ("coverage_below_100", "few_cases", "mostly_errors")
"""The reasons behind which inputs may be missing that somebody knows who understands the function."""
ROUNDS = 3
"""How often errors, or what is still missing, go back to the model."""
MOST_TOLD = 300
"""Characters of what was wrong last that are kept as evidence."""
_OUTCOMES = {
    "returned": "returned an answer", "raised": "made the function raise an exception of its own",
    "nonsense": "ended in an exception that the function does not raise itself", "endless": "made it work without end",
    "unencodable": "gave an answer that is no plain value",
}


class Strategies(Answer):
    """A model's answer: a module that gives the name `arguments` to a strategy."""

    code: str


@dataclass
class Resort:
    """One function for which a model is asked; `first` is what the search alone has made of it.

    `turn` lets one sandbox of a process run at a time, while other questions are on their way.
    """

    request: SuiteRequest
    first: Refused
    config: SuiteConfig
    machine: Machine
    turn: Lock = field(default_factory=Lock)
    faults: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.draft: Draft = self.first
        came = _reached(self.first)
        self.further = Further(came.inputs, (), Asked((), came.wanted))

    def ask(self, desk: Desk) -> Draft:
        """What became of the function, with `asked` for its suite and `told` for whoever reads why it left."""
        name = self.config.model
        desk.ask(name, self._prompt(), Strategies, self.objection, repairs=ROUNDS, repair="strategies-again")
        model, answers = desk.office.model(name).model, len(desk.exchanges)
        asked = Asking(model, answers, self.first.reason, self._left_out())
        told = f"{model} was asked for strategies, {answers} answers"
        if not _failed(self.draft):
            return replace(self.draft, asked=asked, told=told)
        faults = [*(one.fault for one in desk.exchanges), *self.faults.values()]
        return replace(self.first, asked=asked, told=f"{told}, in vain: {' '.join(faults[-1].split())[:MOST_TOLD]}")

    def objection(self, answer: Strategies) -> str:
        """What came of an answer, for its model; nothing where it has done what it can."""
        if answer.code not in self.faults:
            with self.turn:
                self.faults[answer.code] = self._objection(answer.code)
        return self.faults[answer.code]

    def _objection(self, code: str) -> str:
        names, functions = self.further.asked.names, self.further.asked.functions
        name = Asked.name(len(functions) + 1)
        try:
            source = as_function(code, name, self.request.program)
        except Unfit as unfit:
            return str(unfit)
        drawn = draw(Source(source, name, names, self.request.seed), self.machine)
        if drawn.fault:
            return drawn.fault
        further = Further(self.further.found, drawn.inputs, Asked((*functions, source), names))
        draft = self.draft = build_suites([replace(self.request, further=further)], self.config, self.machine)[0]
        if not isinstance(draft, Refused) or not _failed(draft):
            return ""
        if draft.reached is not None:
            # What these inputs have led to is where the next ones join, so all of these strategies have a part in it.
            self.further = replace(further, found=draft.reached.inputs)
        return self._findings(draft, drawn)

    def _findings(self, draft: Refused, drawn: Drawn) -> str:
        """What is still wrong after a search that went on from drawn inputs."""
        if draft.reached is None:
            return f"The search that went on from your inputs has failed: {draft.evidence}"
        offered = draft.offered or Offered()
        counts = [f"{count} {_OUTCOMES.get(kind, kind)}" for kind, count in offered.outcomes.items()]
        lines = [f"{len(drawn.inputs)} different inputs were drawn. {drawn.remark}".strip()]
        lines += [f"Of those that were new to the search, {', '.join(counts)}."] if counts else []
        lines += [f"{count} times: {what}" for what, count in offered.nonsense]
        return "\n".join([*lines, "Still missing:", *_missing(self.request.program, draft)])

    def _left_out(self) -> int:
        """How many branches the search had left out by itself."""
        return sum(1 for _, target in _reached(self.first).missing if target)

    def _prompt(self) -> Prompt:
        lines = without_comments(self.request.program).splitlines()
        wanted = self.further.asked.names
        return render(
            "strategies",
            function=self.request.entry_point,
            code="\n".join(f"{number:>3} {line}" for number, line in enumerate(lines, 1)),
            parameters="\n".join(_parameter(one) for one in self.first.parameters if one.name in wanted),
            missing="\n".join(_missing(self.request.program, self.first)),
        )


def lacks_inputs(draft: Draft) -> TypeGuard[Refused]:
    """Whether a model could help: the search has ended for want of inputs."""
    return isinstance(draft, Refused) and draft.reason in LACKING and draft.reached is not None


def _failed(draft: Draft) -> bool:
    """Whether inputs are still missing, or the search with the new ones has come to nothing."""
    return isinstance(draft, Refused) and draft.reason in (*LACKING, "crashed")


def _reached(draft: Refused) -> Reached:
    if draft.reached is None:
        raise ValueError("Only a search that has ended for want of inputs can be gone on with.")
    return draft.reached


def _missing(program: str, draft: Refused) -> Sequence[str]:
    return untaken(program, _reached(draft).missing) or [f"valid inputs: {draft.reason}, {draft.evidence}"]


def _parameter(described: DescribedParameter) -> str:
    stars = {"variadic": "*", "keywords": "**"}.get(described.kind, "")
    return f"{stars}{described.name}: {described.type}"


def rescued(folder: Path) -> tuple[int, int]:
    """For how many functions a model was asked for strategies, and how many of them have a suite by that.

    `folder` is the one of the stage's output.
    """
    if not any(folder.glob("*.asked.parquet")):
        return 0, 0
    sql = (
        "SELECT (SELECT count(DISTINCT record_id) FROM read_parquet($1)) AS asked, "
        "(SELECT count(*) FROM read_parquet($2) "
        "WHERE json_extract(specification, '$.asked') IS NOT NULL) AS rescued"
    )
    row = store.query(sql, str(folder / "*.asked.parquet"), str(folder / "*.kept.parquet"))[0]
    return row["asked"], row["rescued"]
