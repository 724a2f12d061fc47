"""The screen: output that can be checked and depends on the input, a complexity in range, no effects, no chance."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from harness.records import Measures
from pipeline.config import ScreenConfig
from pipeline.languages.flow import FlowGraph
from pipeline.languages.python.lowering import FunctionNode, find_function, lower
from pipeline.records import Candidate, Reason, Rejection, reject_function
from pipeline.screen.dependence import returned_dependence
from pipeline.screen.purity import findings
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
        try:
            tree = ast.parse(candidate.program)
            function = find_function(tree, candidate.function.name)
        except (SyntaxError, ValueError, RecursionError, LookupError) as error:
            return _reject(candidate, Reason.UNPARSABLE, f"The program can't be read: {error}")
        graph = lower(function)
        refusal = self._refusal(tree, function, graph)
        if refusal is not None:
            return _reject(candidate, *refusal)
        return replace(candidate, measures=measure(function, graph))

    def _refusal(
        self, tree: ast.Module, function: FunctionNode, graph: FlowGraph
    ) -> tuple[Reason, str] | None:
        """The first rule that is broken, with the evidence."""
        if not any(step.returned.constant != "None" for _, step in graph.returns() if step.returned is not None):
            return Reason.NO_RETURN, "No reachable return gives a value other than None."
        if not graph.parameters:
            return Reason.NO_PARAMETERS, "The signature is empty."
        dependence = returned_dependence(graph)
        if not dependence.parameters:
            constants = "" if dependence.constants is None else f": {', '.join(dependence.constants)}"
            return Reason.CONSTANT_RETURN, f"No parameter reaches a returned value{constants}."[:300]
        for finding in findings(tree, function):
            return finding.reason, f"Line {finding.line - function.lineno + 1}: {finding.what}."
        low, high, complexity = self.config.min_complexity, self.config.max_complexity, graph.complexity
        if complexity < low:
            return Reason.TOO_SIMPLE, f"Its complexity is {complexity}, and at least {low} is asked."
        if complexity > high:
            return Reason.TOO_COMPLEX, f"Its complexity is {complexity}, and at most {high} is allowed."
        return None


def measure(function: FunctionNode, graph: FlowGraph) -> Measures:
    """The numbers about a function: lines of code without docstring, complexity, depth of nesting, branches."""
    return Measures(len(_code_lines(function)), graph.complexity, _depth(function.body), graph.branches)


def _code_lines(function: FunctionNode) -> set[int]:
    """The lines on which some code of the function stands; comments, blank lines and the docstring don't count."""
    body = function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body
    lines = {function.lineno}
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, (ast.expr, ast.stmt, ast.excepthandler)):
                lines |= {node.lineno, node.end_lineno or node.lineno}
    return lines


def _depth(statements: list[ast.stmt]) -> int:
    """How many conditions, loops, attempts and nested functions the deepest statement lies in; `elif` adds none."""
    deepest = 0
    for node in statements:
        inner = [
            _depth(getattr(node, part)) for part in ("body", "finalbody") if isinstance(getattr(node, part, None), list)
        ]
        inner += [_depth(part.body) for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ()))]
        if inner:
            deepest = max(deepest, 1 + max(inner))
        otherwise = getattr(node, "orelse", None)
        if isinstance(otherwise, list) and otherwise:
            chained = isinstance(node, ast.If) and len(otherwise) == 1 and isinstance(otherwise[0], ast.If)
            deepest = max(deepest, _depth(otherwise) + (0 if chained else 1))
    return deepest


def _reject(candidate: Candidate, reason: Reason, evidence: str) -> Rejection:
    return reject_function("screen", candidate.function, reason, evidence, candidate.track)
