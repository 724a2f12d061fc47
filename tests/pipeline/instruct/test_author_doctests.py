"""The author's doctests: what the reference confirms stays, the rest goes."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.languages import Machine
from harness.runtime import ensure_runtime
from harness.sandbox import choose
from pipeline.instruct.examples.author_doctests import true_facts
from tests.pipeline.making import suite

LOCK = Path(__file__).parents[3] / "data" / "runtimes" / "python-3.11.txt"
PROGRAM = '''
def double(x):
    """Give twice the value.

    {}
    """
    return 2 * x
'''


@pytest.fixture(scope="module")
def machine() -> Machine:
    return Machine(choose(), ensure_runtime(LOCK))


def told(doc: str, machine: Machine | None) -> str:
    description = true_facts(suite(PROGRAM.format(doc.replace("\n", "\n    ")), [(1,)]), machine).description
    assert description is not None
    return description.text


CASES = {
    "a true one": (">>> double(2)\n4", "Give twice the value.\n\n>>> double(2)\n4"),
    "a false one": (">>> double(2)\n5", "Give twice the value."),
    "a false one among true ones": (">>> double(2)\n5\n>>> double(3)\n6", "Give twice the value.\n\n>>> double(3)\n6"),
    "one that needs the project": (">>> import widgets_of_nobody\n>>> widgets_of_nobody.double(2)\n4", "Give twice the value."),
    "an import of the function": (">>> from widgets import double\n>>> double(2)\n4", "Give twice the value.\n\n>>> double(2)\n4"),
    "a fence around it": ("```py\n>>> double(2)\n4\n```", "Give twice the value.\n\n>>> double(2)\n4"),
    "one in several steps": (">>> x = 'ab'\n>>> double(x)\n'abab'", "Give twice the value.\n\n>>> x = 'ab'\n>>> double(x)\n'abab'"),
    "a heading with nothing left": ("Examples:\n    >>> double(2)\n    7\n\nText.", "Give twice the value.\n\nText."),
    "a heading at the end": ("Text.\n\nExamples:\n    >>> double(2)\n    7", "Give twice the value.\n\nText."),
    "a section with nothing left": ("Examples\n--------\nThis one doubles:\n\n>>> double(2)\n7\n\nNotes\n-----\nText.",
                                    "Give twice the value.\n\nNotes\n-----\nText."),
    "comments alone": (">>> # now double\n>>> double(2)\n7", "Give twice the value."),
}


@pytest.mark.parametrize(("doc", "expected"), CASES.values(), ids=CASES.keys())
def test_only_what_the_reference_confirms_stays(doc: str, expected: str, machine: Machine) -> None:
    assert told(doc, machine) == expected


def test_without_a_sandbox_no_example_stays() -> None:
    assert told(">>> double(2)\n4", None) == "Give twice the value."
