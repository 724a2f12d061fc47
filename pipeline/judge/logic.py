"""Rules on whether there is enough logic in a function to test anything."""

from __future__ import annotations

from collections import Counter

from pipeline.config import JudgeConfig
from pipeline.languages.facts import FunctionFacts
from pipeline.records import Candidate

MIN_OPERATIONS = 3
MIN_LOGIC = 6
MAX_WRAPPED_CALLS = 2
MAX_WRAPPER_STATEMENTS = 4


def has_few_statements(facts: FunctionFacts, candidate: Candidate, config: JudgeConfig) -> str:
    """Fewer statements than the configuration asks."""
    del candidate
    count = facts.statements
    return f"{count} statements, and {config.min_statements} are asked." if count < config.min_statements else ""


def has_few_operations(facts: FunctionFacts, candidate: Candidate, config: JudgeConfig) -> str:
    """Only renaming, unpacking, formatting or tests for None: nothing is computed."""
    del config
    count = facts.operations
    complexity = candidate.measures.complexity if candidate.measures else 1
    asked = max(MIN_OPERATIONS, MIN_LOGIC - complexity)
    return f"{count} operations besides renaming and formatting, {asked} are asked." if count < asked else ""


def is_a_table(facts: FunctionFacts, candidate: Candidate, config: JudgeConfig) -> str:
    """A chain of tests against constants that returns a constant each, or a lookup in a literal table."""
    del candidate, config
    if facts.loops:
        return ""
    constant = facts.constant_returns
    if facts.returns > 3 and constant >= facts.returns - 1 and facts.equalities >= facts.tests - 1:
        return f"{constant} of {facts.returns} returns give a constant for a value that equals a constant."
    if facts.tables and facts.operations - len(facts.tables) < MIN_OPERATIONS + 2:
        return f"The answer is looked up in a table of {facts.tables[0]} entries."
    return ""


def is_a_version(facts: FunctionFacts, candidate: Candidate, config: JudgeConfig) -> str:
    """The function from before the cutoff that is nearest to it has its name, and much of its text."""
    del facts
    where = candidate.function.provenance
    namesake = where.nearest.split(" in ")[0].rsplit(".", 1)[-1].strip("_") == candidate.function.name.strip("_")
    near = namesake and where.similarity >= config.max_namesake_similarity
    return f"{where.nearest} has the same name and a similarity of {where.similarity:.2f}." if near else ""


def wraps_one_call(facts: FunctionFacts, candidate: Candidate, config: JudgeConfig) -> str:
    """Besides guards there are one or two calls of something that exists, which get the arguments as they are."""
    del candidate, config
    if facts.statements > MAX_WRAPPER_STATEMENTS or facts.works:
        return ""
    wraps = 0 < len(facts.outer_calls) <= MAX_WRAPPED_CALLS and facts.computed_returns <= MAX_WRAPPED_CALLS
    return f"It wraps {facts.outer_calls[0]}." if wraps else ""


def is_repetitive(facts: FunctionFacts, candidate: Candidate, config: JudgeConfig) -> str:
    """Most statements are one statement again and again, with other constants and names."""
    del candidate, config
    shapes = Counter(facts.shapes)
    if not shapes:
        return ""
    _, most = shapes.most_common(1)[0]
    many = most >= 8 and most > 0.6 * shapes.total()
    return f"One statement comes {most} times with other constants." if many else ""


def answers_with_functions(facts: FunctionFacts, candidate: Candidate, config: JudgeConfig) -> str:
    """Functions of its own for answers: nothing can be compared with them."""
    del candidate, config
    return "It returns a function that it defines." if facts.answers_with_functions else ""
