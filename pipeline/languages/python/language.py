"""Python 3 as the stages see it: its parts together."""

from __future__ import annotations

from pipeline.languages import Language
from pipeline.languages.python.effects import PythonEffects
from pipeline.languages.python.flow import PythonFlow
from pipeline.languages.python.function_facts import PythonFacts
from pipeline.languages.python.layout import PythonLayout
from pipeline.languages.python.members import PythonMembers
from pipeline.languages.python.mutating import PythonMutators
from pipeline.languages.python.naming import PythonNaming
from pipeline.languages.python.programs import PythonPrograms
from pipeline.languages.python.reading import READER

PYTHON = Language(
    name="python",
    reading=READER,
    layout=PythonLayout(),
    naming=PythonNaming(),
    programs=PythonPrograms(),
    flow=PythonFlow(),
    effects=PythonEffects(),
    facts=PythonFacts(),
    mutants=PythonMutators(),
    members=PythonMembers(),
)
