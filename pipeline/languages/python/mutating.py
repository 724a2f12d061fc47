"""Python's mutants."""

from __future__ import annotations

from pipeline.languages.python.effects import chance_in
from pipeline.transforms.altering.mutants import Mutant, mutants


class PythonMutators:
    """The mutants of Python programs."""

    def mutants(self, program: str, name: str) -> list[Mutant]:
        """All first-order mutants of a program's function."""
        return mutants(program, name, chance_in)
