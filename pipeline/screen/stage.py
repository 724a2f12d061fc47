"""The screen: output that can be checked and depends on the input, a complexity in range, no effects, no chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from harness.records import Measures, Member
from pipeline.config import ScreenConfig
from pipeline.languages import Language
from pipeline.languages.flow import FunctionFlow
from pipeline.languages.members import Kind
from pipeline.languages.programs import Unreadable
from pipeline.languages.registry import language
from pipeline.records import Candidate, Reason, Rejection, reject_function
from pipeline.screen.dependence import returned_dependence
from pipeline.stage import Context


@dataclass(frozen=True)
class ScreenStage:
    """Keeps the candidates that can be tested by their return value alone, and measures them (paper, Appendix C)."""

    config: ScreenConfig = field(default_factory=ScreenConfig)
    name: str = "screen"
    takes: type = Candidate
    gives: type = Candidate
    shard_size: int = 200
    fan_out: bool = False

    def run(self, records: Sequence[Candidate], context: Context) -> Iterator[Candidate | Rejection]:
        """Yield each candidate with its measures, or the first rule that it breaks."""
        del context
        for candidate in records:
            yield self.screen(candidate)

    def screen(self, candidate: Candidate) -> Candidate | Rejection:
        """Decide about one candidate."""
        spoken = language(candidate.function.language)
        try:
            flow = spoken.flow.read(candidate.program, candidate.function.name)
        except Unreadable as error:
            return _reject(candidate, Reason.UNPARSABLE, f"The program can't be read: {error}")
        refusal = self._refusal(candidate, flow, spoken)
        if refusal is not None:
            return _reject(candidate, *refusal)
        return replace(candidate, measures=measure(flow))

    def _refusal(self, candidate: Candidate, flow: FunctionFlow, spoken: Language) -> tuple[Reason, str] | None:
        """The first rule that is broken, with the evidence."""
        graph = flow.graph
        returned = {step.returned.constant for _, step in graph.returns() if step.returned is not None}
        if not returned - {flow.nothing}:
            return Reason.NO_RETURN, f"No reachable return gives a value other than {flow.nothing}."
        if not graph.parameters:
            return Reason.NO_PARAMETERS, "The signature is empty."
        dependence = returned_dependence(graph)
        if not dependence.parameters:
            constants = "" if dependence.constants is None else f": {', '.join(dependence.constants)}"
            return Reason.CONSTANT_RETURN, f"No parameter reaches a returned value{constants}."[:300]
        for finding in spoken.effects.findings(candidate.program, candidate.function.name):
            return finding.reason, f"Line {finding.line - flow.line + 1}: {finding.what}."
        for finding in spoken.effects.beside(candidate.program, candidate.function.name) if candidate.members else ():
            return finding.reason, f"Line {finding.line} of its program, before it: {finding.what}."
        if candidate.members:
            own, at_most = candidate.function.name, self.config.max_bundle_complexity
            whole = measure_whole(candidate.program, own, candidate.members, spoken).complexity
            if whole > at_most:
                why = f"With its helpers its complexity is {whole}, and at most {at_most} is allowed."
                return Reason.TOO_COMPLEX, why
        low, high, complexity = self.config.min_complexity, self.config.max_complexity, graph.complexity
        if complexity < low:
            return Reason.TOO_SIMPLE, f"Its complexity is {complexity}, and at least {low} is asked."
        if complexity > high:
            return Reason.TOO_COMPLEX, f"Its complexity is {complexity}, and at most {high} is allowed."
        return None


def measure(flow: FunctionFlow) -> Measures:
    """The numbers about a function: lines of code without docstring, complexity, depth of nesting, branches."""
    return Measures(flow.lines, flow.graph.complexity, flow.depth, flow.graph.branches)


def measure_whole(program: str, entry_point: str, members: Sequence[Member], spoken: Language) -> Measures:
    """The numbers about a function together with those that it takes along: sums, and the greatest depth."""
    names = (entry_point, *(one.names for one in members if one.kind == Kind.FUNCTION))
    every = [measure(spoken.flow.read(program, name)) for name in names]
    lines, complexity, branches = (
        sum(getattr(one, what) for one in every) for what in ("lines", "complexity", "branches"))
    return Measures(lines, complexity, max(one.depth for one in every), branches)


def _reject(candidate: Candidate, reason: Reason, evidence: str) -> Rejection:
    return reject_function("screen", candidate.function, reason, evidence, candidate.track)
