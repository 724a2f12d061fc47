"""A language model as the last resort of a search: it is told what is missing and answers with strategies.

They are drawn from in a sandbox of their own; what was drawn joins the search as inputs that it may change, so whether
all branches are taken is decided as for any other suite. Errors and what is still missing go back to the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any

from harness.languages import Machine
from harness.records import Json
from pipeline.config import SuiteConfig
from pipeline.languages.python.plain import without_comments
from pipeline.llm.desk import Desk
from pipeline.llm.prompting import Prompt, render
from pipeline.llm.structured import Answer
from pipeline.suites.domain.spec import Asked
from pipeline.suites.llm.strategy_code import Unfit, as_function
from pipeline.suites.llm.strategy_inputs import Drawn, Source, draw
from pipeline.suites.llm.untaken import untaken
from pipeline.suites.sandbox.start import Further, Request, build_suites

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
    """One function for which a model is asked; `made` is what the worker has made of it last.

    `turn` lets one sandbox of a process run at a time, while other questions are on their way.
    """

    request: Request
    made: dict[str, Any]
    config: SuiteConfig
    machine: Machine
    turn: Lock = field(default_factory=Lock)
    faults: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.first = self.made
        self.further = Further(tuple(self.made["left"]["inputs"]), (), Asked((), tuple(self.made["left"]["wanted"])))

    def ask(self, desk: Desk) -> dict[str, Any]:
        """What became of the function, with `asked` for its suite and `told` for whoever reads why it left."""
        name = self.config.model
        desk.ask(name, self._prompt(), Strategies, self.objection, repairs=ROUNDS, repair="strategies-again")
        model, answers = desk.office.model(name).model, len(desk.exchanges)
        asked = {"model": model, "answers": answers, "reason": self.first["reason"], "left_out": self._left_out()}
        told = f"{model} was asked for strategies, {answers} answers"
        if self.made["reason"] not in (*LACKING, "crashed"):
            return {**self.made, "asked": asked, "told": told}
        faults = [*(one.fault for one in desk.exchanges), *self.faults.values()]
        return {**self.first, "asked": asked, "told": f"{told}, in vain: {' '.join(faults[-1].split())[:MOST_TOLD]}"}

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
        self.made = build_suites([replace(self.request, further=further)], self.config, self.machine)[0]
        if self.made["reason"] not in (*LACKING, "crashed"):
            return ""
        if "left" in self.made:
            # What these inputs have led to is where the next ones join, so all of these strategies have a part in it.
            self.further = replace(further, found=tuple(self.made["left"]["inputs"]))
        return self._findings(drawn)

    def _findings(self, drawn: Drawn) -> str:
        """What is still wrong after a search that went on from drawn inputs."""
        if "left" not in self.made:
            return f"The search that went on from your inputs has failed: {self.made['evidence']}"
        offered = self.made.get("offered", {"outcomes": {}, "nonsense": []})
        counts = [f"{count} {_OUTCOMES.get(kind, kind)}" for kind, count in offered["outcomes"].items()]
        lines = [f"{len(drawn.inputs)} different inputs were drawn. {drawn.remark}".strip()]
        lines += [f"Of those that were new to the search, {', '.join(counts)}."] if counts else []
        lines += [f"{count} times: {what}" for what, count in offered["nonsense"]]
        return "\n".join([*lines, "Still missing:", *_missing(self.request.program, self.made)])

    def _left_out(self) -> int:
        """How many branches the search had left out by itself."""
        return sum(1 for _, target in self.first["left"]["missing"] if target)

    def _prompt(self) -> Prompt:
        lines = without_comments(self.request.program).splitlines()
        wanted = self.further.asked.names
        return render(
            "strategies",
            function=self.request.entry_point,
            code="\n".join(f"{number:>3} {line}" for number, line in enumerate(lines, 1)),
            parameters="\n".join(_parameter(one) for one in self.made["parameters"] if one["name"] in wanted),
            missing="\n".join(_missing(self.request.program, self.made)),
        )


def lacks_inputs(made: dict[str, Any]) -> bool:
    """Whether a model could help: the search has ended for want of inputs."""
    return made["reason"] in LACKING and "left" in made


def _missing(program: str, made: dict[str, Any]) -> Sequence[str]:
    return untaken(program, made["left"]["missing"]) or [f"valid inputs: {made['reason']}, {made['evidence']}"]


def _parameter(described: dict[str, Json]) -> str:
    stars = {"variadic": "*", "keywords": "**"}.get(described["kind"], "")
    return f"{stars}{described['name']}: {described['type']}"
