"""Rules on whether a function's parameters can be built from plain values."""

from __future__ import annotations

from pipeline.config import JudgeConfig
from pipeline.languages.facts import FunctionFacts
from pipeline.records import Candidate


def have_unbuildable_types(facts: FunctionFacts, candidate: Candidate, config: JudgeConfig) -> str:
    """A declared type that asks for a file, an iterator, a class, an exception or the like."""
    del candidate, config
    return facts.unbuildable_type


def are_called(facts: FunctionFacts, candidate: Candidate, config: JudgeConfig) -> str:
    """An element of a parameter that is called, or a parameter called as no function of the suites' palette can be."""
    del candidate, config
    return facts.called_parameter


def have_unknown_attributes(facts: FunctionFacts, candidate: Candidate, config: JudgeConfig) -> str:
    """An attribute of a parameter, or of a part of one, that no plain value and no allowed library's type has."""
    del config
    return facts.unknown_attribute(candidate.libraries, candidate.imports)


def are_library_objects(facts: FunctionFacts, candidate: Candidate, config: JudgeConfig) -> str:
    """A declared type of a library that no value can be of."""
    del config
    return facts.library_object(candidate.imports)


def stand_for_objects(facts: FunctionFacts, candidate: Candidate, config: JudgeConfig) -> str:
    """A first parameter that stands for an object of the project, and is more than a plain value."""
    del candidate, config
    return facts.object_parameter
